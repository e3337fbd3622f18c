#include "python/syntax.h"

const char *call_check_arguments(const struct py_source *s, TSNode n)
{
	bool keyword = false, splat = false;

	(void)s;
	if (ts_node_named_child_count(n) == 0 && tree_has_token(n, ","))
		return "an argument is missing";
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++) {
		TSNode argument = ts_node_named_child(n, i);

		if (tree_is_filler(argument))
			continue;
		if (tree_is(argument, "keyword_argument"))
			keyword = true;
		else if (tree_is(argument, "dictionary_splat"))
			splat = true;
		else if (splat)
			return "a positional argument follows **";
		else if (keyword && !tree_is(argument, "list_splat"))
			return "a positional argument follows a keyword argument";
	}
	return NULL;
}

/* Where a parameter list has got to. */
struct parameters {
	bool any;       /* something stood here */
	bool slash, star, kwargs;
	bool bare_star; /* `*` that still needs a name behind it */
	bool defaults;  /* a default was seen before the star */
};

static const char *separator_step(struct parameters *p, bool slash)
{
	if (slash ? p->slash || p->star || !p->any : p->star)
		return slash ? "/ cannot stand here" : "* may appear once";
	if (slash)
		p->slash = true;
	else
		p->star = p->bare_star = true;
	return NULL;
}

static const char *parameter_step(struct parameters *p, TSNode n)
{
	TSNode shape = tree_is(n, "typed_parameter") ? tree_first(n) : n;
	bool has_default = tree_is(n, "default_parameter") || tree_is(n, "typed_default_parameter");

	if (p->kwargs)
		return "nothing may follow **";
	if (tree_is(shape, "positional_separator") || tree_is(shape, "keyword_separator"))
		return separator_step(p, tree_is(shape, "positional_separator"));
	if (tree_is(shape, "list_splat_pattern")) {
		const char *problem = separator_step(p, false);

		p->bare_star = false;
		return problem;
	}
	if (tree_is(shape, "dictionary_splat_pattern")) {
		p->kwargs = true;
		return p->bare_star ? "a bare * needs a named argument" : NULL;
	}
	if (!tree_is(shape, "identifier") && !(has_default && tree_is(tree_field(n, "name"), "identifier")))
		return "a parameter is a plain name in Python 3";
	p->bare_star = false;
	if (!p->star && p->defaults && !has_default)
		return "a parameter without a default follows one with a default";
	p->defaults |= has_default;
	return NULL;
}

const char *call_check_parameters(const struct py_source *s, TSNode n)
{
	struct parameters p = { 0 };

	(void)s;
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++) {
		TSNode parameter = ts_node_named_child(n, i);
		const char *problem;

		if (tree_is_filler(parameter))
			continue;
		problem = parameter_step(&p, parameter);
		if (problem != NULL)
			return problem;
		p.any = true;
	}
	return p.bare_star ? "a bare * needs a named argument" : NULL;
}

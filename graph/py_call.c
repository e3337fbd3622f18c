#include "graph/py_program.h"

TSNode py_argument(TSNode call, size_t k)
{
	TSNode list = tree_field(call, "arguments"), none = { 0 };
	if (!tree_is(list, "argument_list"))
		return tree_is(list, "generator_expression") && k == 0 ? list : none;
	for (uint32_t i = 0, n = ts_node_named_child_count(list); i < n; i++) {
		TSNode child = ts_node_named_child(list, i);
		if (tree_is_filler(child))
			continue;
		if (tree_is(child, "keyword_argument") || tree_is(child, "dictionary_splat") ||
		    tree_is(child, "list_splat"))
			return none;
		if (k-- == 0)
			return child;
	}
	return none;
}

TSNode py_keyword(const struct py_program *p, TSNode call, const char *name)
{
	TSNode list = tree_field(call, "arguments"), none = { 0 };
	for (uint32_t i = 0; !ts_node_is_null(list) && i < ts_node_named_child_count(list); i++) {
		TSNode child = ts_node_named_child(list, i);
		if (tree_is(child, "keyword_argument") && str_is(py_node_text(p, tree_field(child, "name")), name))
			return tree_field(child, "value");
	}
	return none;
}

/* The name node inside any shape of parameter. */
static TSNode parameter_identifier(TSNode parameter)
{
	TSNode n = parameter;
	if (tree_is(n, "default_parameter") || tree_is(n, "typed_default_parameter"))
		n = tree_field(n, "name");
	for (unsigned i = 0; i < 3 && !ts_node_is_null(n) && !tree_is(n, "identifier"); i++)
		n = tree_first(n);
	return n;
}

struct str py_parameter_name(const struct py_program *p, TSNode parameter)
{
	TSNode n = parameter_identifier(parameter);
	return tree_is(n, "identifier") ? py_node_text(p, n) : STR_NONE;
}

static bool parameter_is(TSNode parameter, const char *shape)
{
	return tree_is(parameter, shape) ||
	       (tree_is(parameter, "typed_parameter") && tree_is(tree_first(parameter), shape));
}

/* Where a parameter stands, from 0, among those that take positional arguments; -1 for others. */
static int parameter_position(const struct py_routine *f, TSNode parameter)
{
	TSNode list = tree_field(f->node, "parameters");
	int position = 0;
	for (uint32_t i = 0; i < ts_node_named_child_count(list); i++) {
		TSNode one = ts_node_named_child(list, i);
		if (parameter_is(one, "keyword_separator") || parameter_is(one, "list_splat_pattern") ||
		    parameter_is(one, "dictionary_splat_pattern"))
			return -1;
		if (tree_is(one, "positional_separator") || tree_is_filler(one))
			continue;
		if (ts_node_eq(one, parameter))
			return position;
		position++;
	}
	return -1;
}

static bool positional_only(const struct py_routine *f, TSNode parameter)
{
	TSNode list = tree_field(f->node, "parameters");
	bool before = true;
	for (uint32_t i = 0; i < ts_node_named_child_count(list); i++) {
		TSNode one = ts_node_named_child(list, i);
		if (tree_is(one, "positional_separator"))
			return !before;
		if (ts_node_eq(one, parameter))
			before = false;
	}
	return false;
}

/* Does the function take `key` by a name of its own? */
static bool names_key(struct py_program *p, const struct py_routine *f, struct str key)
{
	TSNode list = tree_field(f->node, "parameters");
	for (uint32_t i = 0; i < ts_node_named_child_count(list); i++) {
		TSNode one = ts_node_named_child(list, i);
		if (!parameter_is(one, "list_splat_pattern") && !parameter_is(one, "dictionary_splat_pattern") &&
		    str_eq(py_parameter_name(p, one), key) && !positional_only(f, one))
			return true;
	}
	return false;
}

/* What the pipeline passes; false when it passes nothing known here. */
static bool parameter_seed(struct py_program *p, struct py_routine *f, TSNode parameter, struct py_value **out)
{
	const struct py_entry *e = p->entry;
	if (!f->seeded || e == NULL || e->value == NULL)
		return false;
	if (!e->keywords) {
		*out = (struct py_value *)e->value;
		return e->position > 0 && parameter_position(f, parameter) == (int)e->position - 1;
	}
	if (parameter_is(parameter, "dictionary_splat_pattern")) {
		*out = py_value_map(p->arena);
		for (size_t i = 0; i < e->value->map.n; i++)
			if (!names_key(p, f, e->value->map.entry[i].key))
				py_value_put(p->arena, *out, e->value->map.entry[i].key, e->value->map.entry[i].value);
		return true;
	}
	*out = map_get(&e->value->map, py_parameter_name(p, parameter));
	return *out != NULL && !positional_only(f, parameter) && !parameter_is(parameter, "list_splat_pattern");
}

static bool has_splat(TSNode call)
{
	TSNode list = tree_field(call, "arguments");
	for (uint32_t i = 0; i < ts_node_named_child_count(list); i++) {
		TSNode child = ts_node_named_child(list, i);
		if (tree_is(child, "list_splat") || tree_is(child, "dictionary_splat"))
			return true;
	}
	return false;
}

/* What one call gives the parameter; a null node when it leaves it to the default. */
static TSNode argument_for(struct py_program *p, TSNode call, int position, struct str name)
{
	TSNode none = { 0 };
	TSNode argument = position >= 0 ? py_argument(call, (size_t)position) : none;
	TSNode list = tree_field(call, "arguments");
	for (uint32_t i = 0; ts_node_is_null(argument) && i < ts_node_named_child_count(list); i++) {
		TSNode child = ts_node_named_child(list, i);
		if (tree_is(child, "keyword_argument") && str_eq(py_node_text(p, tree_field(child, "name")), name))
			argument = tree_field(child, "value");
	}
	return argument;
}

/* Folds the values of all calls into *all; `*any` once there is one. False when one of them is unknown. */
static bool sites_fold(struct py_program *p, struct py_routine *f, TSNode parameter, struct py_value **all, bool *any)
{
	struct str name = py_parameter_name(p, parameter);
	int position = parameter_position(f, parameter);
	TSNode fallback = tree_field(parameter, "value");
	for (size_t m = 0; m < p->module.n; m++)
		for (size_t i = 0; i < p->module.p[m]->call.n; i++) {
			const struct py_call *c = &p->module.p[m]->call.p[i];
			/* An import may give the function another name. */
			if ((!str_eq(c->name, f->name) && p->module.p[m] == f->module) ||
			    py_function_find(p, tree_field(c->node, "function")) != f)
				continue;
			if (has_splat(c->node))
				return false;
			TSNode argument = argument_for(p, c->node, position, name);
			if (ts_node_is_null(argument))
				argument = fallback;
			if (ts_node_is_null(argument))
				return false;
			struct py_value *v = py_eval(p, argument);
			*all = *any ? py_value_union(p->arena, *all, v) : v;
			*any = true;
			if (*all == NULL)
				return false;
		}
	return true;
}

struct py_value *py_eval_parameter(struct py_program *p, struct py_routine *f, TSNode parameter)
{
	struct py_value *all = NULL;
	bool any = parameter_seed(p, f, parameter, &all);
	bool splat =
	    parameter_is(parameter, "list_splat_pattern") || parameter_is(parameter, "dictionary_splat_pattern");
	if (splat || p->calls >= PY_MAX_CALLS)
		return any ? all : NULL;
	p->calls++;
	bool known = f->method || sites_fold(p, f, parameter, &all, &any);
	if (known && !any) {
		TSNode fallback = tree_field(parameter, "value");
		all = ts_node_is_null(fallback) ? NULL : py_eval(p, fallback);
	}
	p->calls--;
	return known ? all : NULL;
}

/* --- what a call returns --- */

/* Union of the return values of a function; `return None` and bare ones are skipped. */
static struct py_value *returns_of(struct py_program *p, struct py_routine *f)
{
	struct tree_walk walk;
	TSNode node;
	struct py_value *all = NULL;
	bool inside = true, any = false, known = true;
	if (p->calls >= PY_MAX_CALLS)
		return NULL;
	p->calls++;
	tree_walk_init(&walk, tree_field(f->node, "body"));
	while (known && tree_walk_next(&walk, inside, &node)) {
		inside = !tree_is(node, "function_definition") && !tree_is(node, "class_definition") &&
		         !tree_is(node, "lambda");
		TSNode value = tree_first(node);
		if (!tree_is(node, "return_statement") || ts_node_is_null(value) || tree_is(value, "none"))
			continue;
		struct py_value *v = py_eval(p, value);
		all = any ? py_value_union(p->arena, all, v) : v;
		any = true;
		known = all != NULL;
	}
	tree_walk_finish(&walk);
	p->calls--;
	return all;
}

/* list(x), sorted(x), set(x) …: the elements of x. */
static bool is_collector(struct str name)
{
	static const char *const names[] = { "list", "tuple", "sorted", "set", "frozenset", "reversed" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (str_is(name, names[i]))
			return true;
	return false;
}

static struct py_value *map_method(struct py_program *p, const struct py_value *map, struct str method, TSNode call)
{
	if (str_is(method, "keys"))
		return py_value_elements(p->arena, map);
	if (str_is(method, "values"))
		return py_value_values(p->arena, map);
	struct str key;
	if (!str_is(method, "get") || !py_literal(p, py_argument(call, 0), &key))
		return NULL;
	struct py_value *found = map_get(&map->map, key);
	TSNode fallback = py_argument(call, 1);
	if (map_find(&map->map, key) == NULL && !ts_node_is_null(fallback))
		return py_eval(p, fallback);
	return found;
}

static struct py_value *method_call(struct py_program *p, TSNode function, TSNode call)
{
	TSNode object = tree_field(function, "object");
	struct str method = py_node_text(p, tree_field(function, "attribute"));
	if (tree_is(object, "identifier") && str_is(py_node_text(p, object), "dict") && str_is(method, "fromkeys"))
		return py_value_elements(p->arena, py_eval(p, py_argument(call, 0)));
	struct py_value *self = py_eval(p, object);
	if (self == NULL)
		return NULL;
	if (self->kind == PY_MAP)
		return map_method(p, self, method, call);
	struct py_value *argument[8];
	TSNode list = tree_field(call, "arguments");
	size_t n = 0;
	for (uint32_t i = 0; i < ts_node_named_child_count(list); i++) {
		TSNode child = ts_node_named_child(list, i);
		if (tree_is_filler(child))
			continue;
		if (tree_is(child, "keyword_argument") || n == 8)
			return NULL;
		argument[n++] = py_eval(p, child);
	}
	return py_value_method(p->arena, self, method, argument, n);
}

struct py_value *py_eval_call(struct py_program *p, TSNode n)
{
	TSNode function = tree_field(n, "function");
	struct py_routine *f = py_function_find(p, function);
	if (f != NULL)
		return returns_of(p, f);
	if (tree_is(function, "attribute"))
		return method_call(p, function, n);
	if (!tree_is(function, "identifier"))
		return NULL;
	struct str name = py_node_text(p, function);
	TSNode argument = py_argument(n, 0);
	if (ts_node_is_null(argument))
		return NULL;
	if (is_collector(name))
		return py_value_elements(p->arena, py_eval(p, argument));
	return !p->narrow && str_is(name, "str") ? py_eval(p, argument) : NULL;
}

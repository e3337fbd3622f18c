#include "graph/py_program.h"

struct str py_node_text(const struct py_program *p, TSNode n)
{
	struct py_module *m = py_module_of(p, n);
	return m != NULL ? tree_text(m->source, n) : STR_NONE;
}

struct py_module *py_module_of(const struct py_program *p, TSNode n)
{
	for (size_t i = 0; i < p->module.n; i++)
		if (p->module.p[i]->source != NULL && p->module.p[i]->source->tree == n.tree)
			return p->module.p[i];
	return NULL;
}

size_t py_scope_at(const struct py_module *m, uint32_t at)
{
	size_t best = 0;
	for (size_t i = 1; i < m->scope.n; i++) {
		const struct py_scope *s = &m->scope.p[i];
		if (s->start <= at && at < s->end && s->start >= m->scope.p[best].start)
			best = i;
	}
	return best;
}

struct py_bindings *py_name_find(const struct py_module *m, uint32_t at, struct str name, size_t *scope)
{
	size_t first = py_scope_at(m, at);
	for (size_t i = first;; i = m->scope.p[i].outer) {
		const struct py_scope *s = &m->scope.p[i];
		struct py_bindings *b = s->class_body && i != first ? NULL : map_get(&s->name, name);
		if (b != NULL) {
			*scope = i;
			return b;
		}
		if (i == 0)
			return NULL;
	}
}

struct py_bindings *py_import_find(const struct py_module *m, struct str name)
{
	return map_get(&m->scope.p[0].name, name);
}

/* The last binding to a function, or to a name of another file. */
static const struct py_binding *last_function(const struct py_bindings *b)
{
	for (size_t i = b != NULL ? b->n : 0; i > 0; i--) {
		const struct py_binding *one = &b->p[i - 1];
		if (one->kind == PY_BIND_FUNCTION || (one->kind == PY_BIND_IMPORT && one->name.n > 0))
			return one;
	}
	return NULL;
}

/* A name that more files hand on than can be open goes round in a circle. */
static struct py_routine *binding_function(const struct py_bindings *b)
{
	const struct py_binding *one = last_function(b);
	for (unsigned files = 0; one != NULL && files <= PY_MAX_FILES; files++) {
		if (one->kind == PY_BIND_FUNCTION)
			return one->function;
		one = last_function(py_import_find(one->module, one->name));
	}
	return NULL;
}

struct py_routine *py_function_find(struct py_program *p, TSNode called)
{
	struct py_module *m = py_module_of(p, called);
	size_t scope;
	if (m == NULL)
		return NULL;
	if (tree_is(called, "identifier"))
		return binding_function(py_name_find(m, ts_node_start_byte(called), py_node_text(p, called), &scope));
	if (!tree_is(called, "attribute") || !tree_is(tree_field(called, "object"), "identifier"))
		return NULL;
	TSNode object = tree_field(called, "object");
	struct py_bindings *b = py_name_find(m, ts_node_start_byte(object), py_node_text(p, object), &scope);
	for (size_t i = 0; b != NULL && i < b->n; i++)
		if (b->p[i].kind == PY_BIND_IMPORT && b->p[i].name.n == 0)
			return binding_function(
			    py_import_find(b->p[i].module, py_node_text(p, tree_field(called, "attribute"))));
	return NULL;
}

/* --- building --- */

struct builder {
	struct py_program *p;
	struct py_module *m;
};

static size_t scope_open(struct builder *b, TSNode range)
{
	size_t outer = py_scope_at(b->m, ts_node_start_byte(range));
	struct py_scope *s = VEC_PUSH(&b->m->scope, b->p->arena);
	*s = (struct py_scope){ .start = ts_node_start_byte(range), .end = ts_node_end_byte(range), .outer = outer };
	return b->m->scope.n - 1;
}

static struct py_binding *bind_to(struct builder *b, struct map *names, struct str name, struct py_binding value)
{
	struct py_bindings **list = (struct py_bindings **)map_slot(names, b->p->arena, name);
	if (*list == NULL)
		*list = ARENA_NEW(b->p->arena, struct py_bindings);
	struct py_binding *new = VEC_PUSH(*list, b->p->arena);
	*new = value;
	return new;
}

static struct py_binding *bind(struct builder *b, size_t scope, struct str name, struct py_binding value)
{
	return bind_to(b, &b->m->scope.p[scope].name, name, value);
}

static bool is_sequence(TSNode n)
{
	return tree_is(n, "pattern_list") || tree_is(n, "tuple_pattern") || tree_is(n, "list_pattern") ||
	       tree_is(n, "expression_list") || tree_is(n, "tuple") || tree_is(n, "list");
}

/* Binds a target of an assignment or a loop; sequences that match are taken apart, to any depth of the target. */
static void target_bind(struct builder *b, TSNode target, struct py_binding value, unsigned depth)
{
	if (tree_is(target, "identifier")) {
		bind(b, py_scope_at(b->m, ts_node_start_byte(target)), tree_text(b->m->source, target), value);
		return;
	}
	if (tree_is(target, "attribute") && tree_is(tree_field(target, "object"), "identifier")) {
		bind_to(b, &b->m->attribute, tree_text(b->m->source, tree_field(target, "attribute")), value);
		return;
	}
	if (!is_sequence(target) || depth > 8)
		return;
	uint32_t n = ts_node_named_child_count(target);
	bool apart =
	    value.kind == PY_BIND_VALUE && is_sequence(value.node) && ts_node_named_child_count(value.node) == n;
	for (uint32_t i = 0; i < n; i++) {
		struct py_binding one = value;
		if (apart)
			one.node = ts_node_named_child(value.node, i);
		else
			one.kind = PY_BIND_UNKNOWN;
		target_bind(b, ts_node_named_child(target, i), one, depth + 1);
	}
}

/* `for i, x in enumerate(xs)` and `for k, v in m.items()`: the two names of a loop over pairs. */
static bool pairs_bind(struct builder *b, TSNode left, TSNode right, uint32_t at)
{
	if (!is_sequence(left) || ts_node_named_child_count(left) != 2 || !tree_is(right, "call"))
		return false;
	TSNode function = tree_field(right, "function"), second = ts_node_named_child(left, 1);
	if (tree_is(function, "identifier") && str_is(tree_text(b->m->source, function), "enumerate")) {
		TSNode list = py_argument(right, 0);
		if (!ts_node_is_null(list))
			target_bind(b, second, (struct py_binding){ .kind = PY_BIND_ELEMENT, .at = at, .node = list },
			            0);
		return true;
	}
	if (tree_is(function, "attribute") &&
	    str_is(tree_text(b->m->source, tree_field(function, "attribute")), "items")) {
		struct py_binding pair = { .kind = PY_BIND_KEY, .at = at, .node = tree_field(function, "object") };
		target_bind(b, ts_node_named_child(left, 0), pair, 0);
		pair.kind = PY_BIND_ENTRY;
		target_bind(b, second, pair, 0);
		return true;
	}
	return false;
}

static void loop_bind(struct builder *b, TSNode n, uint32_t at)
{
	TSNode left = tree_field(n, "left"), right = tree_field(n, "right");
	if (b->p->narrow || !pairs_bind(b, left, right, at))
		target_bind(b, left, (struct py_binding){ .kind = PY_BIND_ELEMENT, .at = at, .node = right }, 0);
}

static void assignment_bind(struct builder *b, TSNode n)
{
	TSNode right = tree_field(n, "right");
	while (tree_is(right, "assignment"))
		right = tree_field(right, "right");
	if (ts_node_is_null(right)) /* a: str */
		return;
	enum py_bind kind = tree_is(n, "augmented_assignment") ? PY_BIND_AND : PY_BIND_VALUE;
	if (kind == PY_BIND_AND && !tree_has_token(n, "+="))
		kind = PY_BIND_UNKNOWN;
	struct py_binding value = { .kind = kind, .at = ts_node_end_byte(n), .node = right };
	target_bind(b, tree_field(n, "left"), value, 0);
	/* X = … in a class is read as self.X and Class.X. */
	TSNode left = tree_field(n, "left");
	if (tree_is(left, "identifier") && b->m->scope.p[py_scope_at(b->m, ts_node_start_byte(left))].class_body)
		bind_to(b, &b->m->attribute, tree_text(b->m->source, left), value);
}

static void function_bind(struct builder *b, TSNode n)
{
	size_t outer = py_scope_at(b->m, ts_node_start_byte(n));
	struct py_routine *f = ARENA_NEW(b->p->arena, struct py_routine);
	*f = (struct py_routine){ .node = n, .module = b->m, .name = tree_text(b->m->source, tree_field(n, "name")) };
	f->method = b->m->scope.p[outer].class_body;
	*VEC_PUSH(&b->m->function, b->p->arena) = f;
	bind(b, outer, f->name,
	     (struct py_binding){ .kind = PY_BIND_FUNCTION, .at = ts_node_start_byte(n), .node = n, .function = f });
	f->scope = scope_open(b, tree_field(n, "body"));
	b->m->scope.p[f->scope].function = f;
	TSNode parameters = tree_field(n, "parameters");
	for (uint32_t i = 0; i < ts_node_named_child_count(parameters); i++) {
		TSNode parameter = ts_node_named_child(parameters, i);
		struct str name = py_parameter_name(b->p, parameter);
		if (name.n > 0)
			bind(b, f->scope, name,
			     (struct py_binding){ .kind = PY_BIND_PARAMETER, .node = parameter, .function = f });
	}
}

static void lambda_bind(struct builder *b, TSNode n)
{
	size_t scope = scope_open(b, tree_field(n, "body"));
	TSNode parameters = tree_field(n, "parameters");
	for (uint32_t i = 0; !ts_node_is_null(parameters) && i < ts_node_named_child_count(parameters); i++)
		bind(b, scope, py_parameter_name(b->p, ts_node_named_child(parameters, i)),
		     (struct py_binding){ .kind = PY_BIND_UNKNOWN });
}

static void call_note(struct builder *b, TSNode n)
{
	TSNode function = tree_field(n, "function");
	if (tree_is(function, "attribute"))
		function = tree_field(function, "attribute");
	if (tree_is(function, "identifier"))
		*VEC_PUSH(&b->m->call, b->p->arena) = (struct py_call){ n, tree_text(b->m->source, function) };
}

static void alias_bind(struct builder *b, TSNode n)
{
	TSNode alias = tree_field(n, "alias");
	if (tree_is(alias, "as_pattern_target"))
		alias = tree_first(alias);
	if (tree_is(alias, "identifier"))
		target_bind(b, alias, (struct py_binding){ .kind = PY_BIND_UNKNOWN, .at = ts_node_end_byte(n) }, 0);
}

static bool is_comprehension(TSNode n)
{
	return tree_is(n, "list_comprehension") || tree_is(n, "set_comprehension") ||
	       tree_is(n, "dictionary_comprehension") || tree_is(n, "generator_expression");
}

static void node_bind(struct builder *b, TSNode n)
{
	if (tree_is(n, "call"))
		call_note(b, n);
	else if (tree_is(n, "assignment") || tree_is(n, "augmented_assignment"))
		assignment_bind(b, n);
	else if (tree_is(n, "function_definition"))
		function_bind(b, n);
	else if (tree_is(n, "class_definition")) {
		bind(b, py_scope_at(b->m, ts_node_start_byte(n)), tree_text(b->m->source, tree_field(n, "name")),
		     (struct py_binding){ .kind = PY_BIND_CLASS, .node = n });
		size_t scope = scope_open(b, tree_field(n, "body"));
		b->m->scope.p[scope].class_body = true;
	} else if (tree_is(n, "for_statement"))
		loop_bind(b, n, ts_node_end_byte(tree_field(n, "right")));
	else if (is_comprehension(n))
		scope_open(b, n);
	else if (tree_is(n, "for_in_clause") && b->p->narrow)
		target_bind(b, tree_field(n, "left"), (struct py_binding){ .kind = PY_BIND_UNKNOWN }, 0);
	else if (tree_is(n, "for_in_clause"))
		loop_bind(b, n, 0);
	else if (tree_is(n, "named_expression"))
		target_bind(b, tree_field(n, "name"),
		            (struct py_binding){
		                .kind = b->p->narrow ? PY_BIND_UNKNOWN : PY_BIND_VALUE,
		                .at = ts_node_end_byte(n), .node = tree_field(n, "value") },
		            0);
	else if (tree_is(n, "lambda"))
		lambda_bind(b, n);
	else if (tree_is(n, "as_pattern"))
		alias_bind(b, n);
}

/* --- imports --- */

static struct py_module *import_open(struct builder *b, struct str module, unsigned level)
{
	struct str text;
	const char *file;
	if (b->p->opener == NULL || b->p->module.n >= PY_MAX_FILES ||
	    !b->p->opener->open(b->p->opener->ctx, b->m->file, module, level, &text, &file))
		return NULL;
	for (size_t i = 0; i < b->p->module.n; i++)
		if (strcmp(b->p->module.p[i]->file, file) == 0)
			return b->p->module.p[i];
	return py_module_open(b->p, file, text);
}

static void import_bind(struct builder *b, const struct py_import *import)
{
	size_t scope = py_scope_at(b->m, (uint32_t)import->at);
	struct py_module *from = import->from ? import_open(b, import->module, import->level) : NULL;
	for (size_t i = 0; i < import->n_name; i++) {
		const struct py_import_name *name = &import->name[i];
		struct py_binding value = { .kind = PY_BIND_UNKNOWN, .at = (uint32_t)import->end, .module = from };
		struct str as = name->as.n > 0 ? name->as : name->name;
		if (!import->from)
			value.module = import_open(b, name->name, 0);
		else if (from != NULL)
			value.name = name->name;
		else {
			struct str dotted = import->module.n > 0 ? str_fmt(b->p->arena, "%.*s.%.*s",
			                                                   STR_ARG(import->module), STR_ARG(name->name))
			                                         : name->name;
			value.module = import_open(b, dotted, import->level);
		}
		if (value.module != NULL && value.module->source != NULL)
			value.kind = PY_BIND_IMPORT;
		bind(b, scope, as, value);
	}
}

/* --- a whole file --- */

static uint32_t common_indent(struct str text)
{
	size_t indent = SIZE_MAX;
	struct str rest = text, line;
	while (str_cut(&rest, '\n', &line)) {
		size_t n = 0;
		while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'))
			n++;
		if (!str_blank(line) && n < indent)
			indent = n;
	}
	return indent == SIZE_MAX ? 0 : (uint32_t)indent;
}

static struct str dedented(struct arena *a, struct str text, uint32_t indent)
{
	struct buf b = { 0 };
	struct str rest = text, line;
	bool first = true;
	while (str_cut(&rest, '\n', &line)) {
		if (!first)
			buf_addc(&b, '\n');
		first = false;
		buf_add(&b, str_skip(line, indent < line.n ? indent : line.n));
	}
	struct str out = buf_take(&b, a);
	buf_release(&b);
	return out;
}

struct py_module *py_module_open(struct py_program *p, const char *file, struct str text)
{
	struct builder b = { p, ARENA_NEW(p->arena, struct py_module) };
	struct py_error error;
	TSNode node;
	*VEC_PUSH(&p->module, p->arena) = b.m;
	b.m->file = file;
	b.m->indent = common_indent(text);
	if (b.m->indent > 0)
		text = dedented(p->arena, text, b.m->indent);
	b.m->source = p->newer ? py_parse_newer(text, &error) : py_parse(text, &error);
	if (b.m->source == NULL) {
		*VEC_PUSH(&p->out->doubt, p->arena) = (struct py_doubt){
			PY_BAD_SOURCE,
			str_fmt(p->arena, "Could not parse Python for table extraction: %.*s", STR_ARG(error.problem)),
			file,
			error.line,
			error.col + b.m->indent,
		};
		return b.m;
	}
	TSNode root = ts_tree_root_node(b.m->source->tree);
	*VEC_PUSH(&b.m->scope, p->arena) = (struct py_scope){ .start = 0, .end = UINT32_MAX };
	struct tree_walk walk;
	tree_walk_init(&walk, root);
	while (tree_walk_next(&walk, true, &node))
		if (ts_node_is_named(node)) /* the word `lambda` has the type of the whole lambda */
			node_bind(&b, node);
	tree_walk_finish(&walk);
	struct py_import *import;
	size_t n;
	py_imports(b.m->source, p->arena, &import, &n);
	for (size_t i = 0; i < n; i++)
		import_bind(&b, &import[i]);
	return b.m;
}

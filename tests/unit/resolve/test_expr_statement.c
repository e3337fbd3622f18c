#include "test_expr.h"

static const struct expr_case statements[] = {
	{ "{% if n == 5 %}five{% endif %}", "five" },
	{ "{% if n == 4 %}four{% elif n == 5 %}five{% else %}other{% endif %}", "five" },
	{ "{% if missing %}a{% else %}b{% endif %}", "b" },
	{ "{% if n %}{% if f %}both{% endif %}{% endif %}", "both" },
	{ "{% if 1, %}tuple{% endif %}", "tuple" },
	{ "{% for c in cols %}{{ c }};{% endfor %}", "id;name;kwh;" },
	{ "{% for c in none_ %}x{% else %}empty{% endfor %}", "empty" },
	{ "{% for c in missing %}x{% else %}empty{% endfor %}", "empty" },
	{ "{% for c in cols if c != 'id' %}{{ loop.index }}{{ c }} {% endfor %}", "1name 2kwh " },
	{ "{% for c in cols if false %}x{% else %}none{% endfor %}", "none" },
	{ "{% for k, v in conf.items() %}{{ k }}={{ v }},{% endfor %}", "site=north,depth=2,items=9," },
	{ "{% for k in conf %}{{ k }},{% endfor %}", "site,depth,items," },
	{ "{% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}", "123" },
	{ "{% for x in 1, 2 %}{{ x }}{% endfor %}", "12" },
	{ "{% for c in 'abc' %}{{ c }}.{% endfor %}", "a.b.c." },
	{ "{% for c in cols %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.length }}{{ loop.first }}{{ loop.last }} {% endfor %}",
	  "10323TrueFalse 21213FalseFalse 32103FalseTrue " },
	{ "{% for c in cols %}{{ c }}{% if not loop.last %}, {% endif %}{% endfor %}", "id, name, kwh" },
	{ "{% for c in cols %}[{{ loop.previtem }}<{{ loop.nextitem }}]{% endfor %}", "[<name][id<kwh][name<]" },
	{ "{% for c in cols %}{{ loop.cycle('a', 'b') }}{% endfor %}", "aba" },
	{ "{% for c in [1, 1, 2] %}{{ loop.changed(c) }} {% endfor %}", "True False True " },
	{ "{% for c in cols %}{{ loop.depth }}{{ loop.depth0 }}{% endfor %}", "101010" },
	{ "{% for r in [[1, 2], [3]] %}{% for x in r %}{{ loop.index }}{{ x }} {% endfor %}{{ loop.index }};{% endfor %}",
	  "11 22 1;13 2;" },
	{ "{% for x in nums %}{% endfor %}{{ x }}", "" },
	{ "{% for g in rows|groupby('a') %}{{ g.grouper }}:{{ g.list|length }} {% endfor %}", "1:1 2:2 " },
	{ "{% for k, xs in rows|groupby('b') %}{{ k }}{{ xs|length }}{% endfor %}", "X1y1z1" },
	{ "{% set x = 3 %}{{ x + 1 }}", "4" },
	{ "{% set a, b = 1, 2 %}{{ b }}{{ a }}", "21" },
	{ "{% set x = 1, 2 %}{{ x }}", "(1, 2)" },
	{ "{% set x = 1 %}{% for i in nums %}{% set x = x + i %}{{ x }} {% endfor %}{{ x }}", "4 2 3 1" },
	{ "{% if true %}{% set x = 1 %}{% endif %}{{ x }}", "1" },
	{ "{% set s = namespace(total=0) %}{% for i in nums %}{% set s.total = s.total + i %}{% endfor %}{{ s.total }}",
	  "6" },
	{ "{% set s = namespace() %}{% set s.a = 1 %}{{ s.a }}{{ s.b }}", "1" },
	{ "{% set x %}a{{ n }}b{% endset %}[{{ x }}]", "[a5b]" },
	{ "{% set x | upper | replace('A', '-') %}a{{ n }}b{% endset %}{{ x }}", "-5B" },
	{ "{% set xs = [] %}{% for i in nums %}{% set _ = xs.append(i * 2) %}{% endfor %}{{ xs }}", "[6, 2, 4]" },
	{ "{% set n = n + 1 %}{{ n }}", "6" },
	{ "{% with a = 1, b = 2 %}{{ a }}{{ b }}{% endwith %}{{ a }}", "12" },
	{ "{% with %}{% set z = 1 %}{% endwith %}{{ z }}", "" },
	{ "{% set d = {} %}{% set _ = d.update({'a': 1}) %}{{ d }}", "{'a': 1}" },
	{ "{% set it = cols|map('upper') %}{{ it|join }}{{ it|join }}", "IDNAMEKWH" },
	{ "{% raw %}{{ x }} {% y %} {# z #}{% endraw %}", "{{ x }} {% y %} {# z #}" },
	{ "a {%- raw -%} {{ x }} {%- endraw -%} b", "a{{ x }}b" },
	{ "{# gone #}a{# {{ x }} #}", "a" },
	{ "{{ '{{' }} {{ '}}' }}", "{{ }}" },
	{ "{{ {'a': {'b': 1}}['a'] }}", "{'b': 1}" },
	{ "{{ {'a': {'b': {}}} }}", "{'a': {'b': {}}}" },
	{ "a {{- 1 -}} b", "a1b" },
	{ "a\n  {%- if true %} x {%- endif -%}\n b", "a xb" },
	{ "a {#- c -#} b", "ab" },
	{ "{{-5}}", "5" },
	{ "{{+5}}", "5" },
	{ "a {%+ if true +%} b{% endif %}", "a  b" },
	{ "{% for x in nums -%} {{ x }} {%- endfor %}", "312" },
	{ "  {%- set x = 1 -%}  \n{{ x }}", "1" },
	{ "a\n", "a" },
	{ "a\n\n", "a\n" },
	{ "a\r\nb\r", "a\nb" },
	{ "\n", "" },
	{ "", "" },
	{ "{{ 1 }}\n", "1" },
	{ "}}", "}}" },
	{ "{ {", "{ {" },
	{ "a { b } %}", "a { b } %}" },
	{ "{{ '\r\n'|length }}", "1" },
	{ "SELECT {% for c in cols %}{{ c }}{% if not loop.last %}, {% endif %}{% endfor %} FROM {{ conf.site }}",
	  "SELECT id, name, kwh FROM north" },
};

static void a_statement_prints_its_body(void **state)
{
	(void)state;
	TEMPLATES(statements);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_statement_prints_its_body),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

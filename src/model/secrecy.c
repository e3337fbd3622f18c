#include "model/secrecy.h"

#include "base/arena.h"
#include "base/utf8.h"

/* With '_' around every word; one that ends as the last ones do counts too (dbpassword). */
static const char *const words[] = {
	"_password_",    "_passwd_",      "_pwd_",         "_passphrase_",  "_secret_",      "_secrets_",  "_credential_",
	"_credentials_", "_token_",       "_apikey_",      "_jaas_",        "_api_key_",     "_access_key_", "_account_key_",
	"_auth_key_",    "_private_key_", "_shared_key_",  "_signing_key_", "_storage_key_", "_encryption_key_",
	"password_",     "passwd_",       "secret_",       "apikey_",
};

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* "sslKeyPassword", "api.key" -> "_ssl_key_password_", "_api_key_". */
static void words_split(struct buf *b, struct str name)
{
	buf_addc(b, '_');
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];
		bool starts = is_upper(c) && i > 0 && !is_upper(name.p[i - 1]);

		if (starts && b->p[b->n - 1] != '_')
			buf_addc(b, '_');
		if (ascii_is_word(c))
			buf_addc(b, is_upper(c) ? (char)(c - 'A' + 'a') : c);
		else
			buf_addc(b, '_');
	}
	buf_addc(b, '_');
}

bool name_is_secret(struct str name)
{
	struct buf b = { 0 };
	bool found = false;

	words_split(&b, name);
	for (size_t i = 0; !found && i < sizeof words / sizeof *words; i++)
		found = str_has(buf_str(&b), str_of(words[i]));
	buf_release(&b);
	return found;
}

bool value_is_reference(struct str value)
{
	static const struct str open[] = { STR_INIT("${"), STR_INIT("%{"), STR_INIT("{{"), STR_INIT("dbutils.") };

	for (size_t i = 0; i < sizeof open / sizeof *open; i++)
		if (str_starts(value, open[i]))
			return true;
	return false;
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

static size_t blanks_skip(struct str s, size_t i)
{
	while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t'))
		i++;
	return i;
}

/* Offset of the value that the name ending at `i` is given; s.n when none follows. */
static size_t value_start(struct str s, size_t i)
{
	bool quoted = i < s.n && is_quote(s.p[i]);

	i = blanks_skip(s, i + quoted);
	if (i >= s.n || (s.p[i] != ':' && s.p[i] != '=' && !(quoted && s.p[i] == ',')))
		return s.n;
	return blanks_skip(s, i + 1);
}

/* End of the value at `i`: its closing quote; inside of brackets the next one or comma; else the line's end. */
static size_t value_end(struct str s, size_t i, bool bracketed)
{
	char quote = is_quote(s.p[i]) ? s.p[i] : '\0';

	for (i += quote != '\0'; i < s.n && s.p[i] != '\n'; i++) {
		if (quote != '\0' && s.p[i] == '\\')
			i++;
		else if (quote != '\0' ? s.p[i] == quote : bracketed && strchr(",}])", s.p[i]) != NULL)
			break;
	}
	return i < s.n ? i : s.n;
}

static bool has_secret(struct str s, size_t start)
{
	return start < s.n && strchr("{[&*|>\n", s.p[start]) == NULL &&
	       !value_is_reference(str_skip(s, start + is_quote(s.p[start])));
}

/* Behind the ${…} at `i`, whose words are no names, or behind the one character there. */
static size_t reference_skip(struct str s, size_t i)
{
	ptrdiff_t end = str_starts(str_skip(s, i), STR("${")) ? str_find_char(s, '}', i) : -1;

	return end < 0 ? i + 1 : (size_t)end + 1;
}

static void stars_add(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n; utf8_next(s, &i))
		buf_addc(b, '*');
}

struct str line_concealed(struct arena *a, struct str line)
{
	struct buf b = { 0 };
	struct str out;
	size_t done = 0;

	for (size_t i = 0; i < line.n;) {
		size_t from = i, start, end;

		while (i < line.n && (ascii_is_word(line.p[i]) || line.p[i] == '.' || line.p[i] == '-'))
			i++;
		if (i == from) {
			i = reference_skip(line, i);
			continue;
		}
		start = name_is_secret(str_sub(line, from, i)) ? value_start(line, i) : line.n;
		if (!has_secret(line, start))
			continue;
		end = value_end(line, start, memchr(line.p, '{', from) != NULL || memchr(line.p, '(', from) != NULL);
		start += is_quote(line.p[start]);
		buf_add(&b, str_sub(line, done, start));
		stars_add(&b, str_sub(line, start, end));
		i = done = end;
	}
	if (done == 0)
		return line;
	buf_add(&b, str_skip(line, done));
	out = buf_take(&b, a);
	buf_release(&b);
	return out;
}

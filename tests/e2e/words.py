"""Choices, words and values of random flowgroups: plain ones mostly, odd ones often enough."""

import random

WORDS = (
    "orders customers lines price amount region status created_at updated_at id sku qty note total river crane station größe 漢字 naïve x_1"
).split()
TYPES = "STRING BIGINT INT INTEGER LONG DOUBLE FLOAT BOOLEAN DATE TIMESTAMP BINARY BYTE SHORT DECIMAL(10,2) MAP<STRING,INT>".split()
SPICE = [
    '"',
    "'",
    "\\",
    '"""',
    "\\n",
    "\n",
    "\t",
    "{ }",
    "{}",
    "#",
    "''",
    '""',
    " \\",
    "\\\\",
    "\u2028",
    "\x85",
    "é",
    "😀",
    "%s",
    "$",
    "`",
    "--",
    ";",
    ": ",
    "/* */",
    "\n\n",
    "\n  ",
    "  \n",
    "\r\n",
    "\x0b",
    "\\x41",
    "<b>&amp;",
    'f"x"',
    "\u00a0",
    "\ufeff",
    "\u2007",
    "\u3000",
    "\x1f",
    "\x1c",
    "\x7f",
    "\u200b",
]
TESTS = (
    "row_count uniqueness referential_integrity completeness range schema_match all_lookups_found custom_sql custom_expectations"
).split()
METHODS = ["trigger", "cloudFiles.x", "a.b.c", "Header", "multiLine", "with space", 'q"uote', "größe"]


class Words:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.serial = 0
        self.made = []  # (entity, kind or None, key) of every field written

    # --- choices ---

    def some(self, p):
        return self.r.random() < p

    def pick(self, *of):
        return self.r.choice(of)

    def number(self):
        self.serial += 1
        return self.serial

    def times(self, low, high, one):
        return [one() for _ in range(self.r.randint(low, high))]

    def chosen(self, entity, kind, always, **optional):
        """A map with `always` and about a third of the optional keys; values of those are made by calls."""
        out = dict(always)
        for key, make in optional.items():
            if self.some(0.35):
                out[key] = make()
        self.made += [(entity, kind, key) for key in out]
        return self.shuffled(out) if self.some(0.1) else out

    def shuffled(self, m):
        keys = list(m)
        self.r.shuffle(keys)
        return {k: m[k] for k in keys}

    # --- words ---

    def word(self):
        return self.pick(*WORDS)

    def name(self, prefix):
        return f"{prefix}_{self.pick('orders', 'lines', 'a', 'Big', 'x_raw', 'v_y')}_{self.number()}"

    def column(self):
        return self.word() if self.some(0.9) else self.pick("a.b", "with space", "q`t", 'd"q', "*")

    def columns(self, low=1, high=4):
        return list(dict.fromkeys(self.times(low, high, self.column)))

    def token(self):
        return self.pick("${tok_word}", "${tok_int}", "${tok_quote}", "${tok_nested}", "%{var_a}", "${tok_long}")

    def secret(self):
        return self.pick("${secret:scope_a/key-1}", "${secret:key_2}", "${secret:alias/k_3}")

    def text(self, lines=True, secret=0.0):
        parts = self.times(1, self.pick(2, 6, 14), self.word)
        if self.some(0.35):
            for _ in range(self.r.randint(1, 3)):
                spice = self.pick(*SPICE)
                if lines or "\n" not in spice and "\r" not in spice:
                    parts.insert(self.r.randint(0, len(parts)), spice)
        if self.some(0.15):
            parts.insert(self.r.randint(0, len(parts)), self.token())
        if self.some(secret):
            return self.secret() if self.some(0.5) else f"{self.word()} {self.secret()} {self.pick('', self.secret(), 'tail')}"
        text = self.pick(" ", " ", "").join(parts)
        return text if text.strip() else "x"

    def line(self, secret=0.0):
        return self.text(lines=False, secret=secret)

    def condition(self):
        return self.pick(
            f"{self.column()} IS NOT NULL",
            f"{self.word()} > {self.r.randint(0, 99)}",
            f"name <> '{self.word()}'",
            f"{self.word()} IN (\"a\", 'b')",
            f"a = 1 AND {self.word()} RLIKE '\\\\d+'",
            self.line(),
        )

    def sql(self, view):
        source = self.pick(view, f"stream({view})", f"STREAM {view}")
        head = self.pick(
            "SELECT *",
            f"SELECT {', '.join(self.columns())}",
            "SELECT\n  a,\n  b  ",
            'SELECT "x" AS c',
            "SELECT '\\\\' AS b",
            f"SELECT '{self.word()}' AS c -- {self.line()}",
            'SELECT /* """ */ 1 AS one',
            "SELECT ${tok_int} AS t",
            'SELECT ""',
        )
        text = f"{head}\nFROM {source}" if self.some(0.5) else f"{head} FROM {source}"
        if self.some(0.4):
            text += f" WHERE {self.condition()}"
        return self.pick("", "", "\n", "  ") + text + self.pick("", "", "\n", ' "', "\n\n", " \\")

    def scalar(self):
        return self.pick(True, False, 0, 7, -3, 10**12, 0.5, 1e16, 1e-7, 100.0, "true", "10", self.line(), self.line(secret=0.3))

    def data(self, depth=2):
        """JSON-like data: lists, maps, scalars."""
        if depth and self.some(0.35):
            if self.some(0.5):
                return self.times(0, 4, lambda: self.data(depth - 1))
            return {self.pick("a", "b", "key_3", "größe", 'k"q', 4, True): self.data(depth - 1) for _ in range(self.r.randint(0, 4))}
        return None if self.some(0.08) else self.scalar()

    def parameters(self):
        return {
            self.pick("table", "limit", "größe", "path", "nested", "long_parameter_name_for_width"): self.data()
            for _ in range(self.r.randint(0, 5))
        }

    def options(self, prefix=""):
        value = lambda: self.scalar() if self.some(0.93) else self.pick([1, "x"], {"d": 1}, None)
        return {prefix + self.pick(*METHODS): value() for _ in range(self.r.randint(0, 4))}

    def properties(self):
        return {
            self.pick("delta.enableChangeDataFeed", "quality", "pipelines.autoOptimize.zOrderCols", "größe", 'p"q'): self.data(1)
            for _ in range(self.r.randint(0, 4))
        }

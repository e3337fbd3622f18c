"""Data as YAML 1.1 text that every parser reads as the same data: texts are double-quoted, the rest is in flow style."""


def escaped(c):
    n = ord(c)
    if c in '"\\':
        return "\\" + c
    if c == "\n":
        return "\\n"
    if 32 <= n < 127 or 0xA1 <= n < 0x2028 or 0x2030 <= n < 0xD800 or 0xE000 <= n < 0xFEFF:
        return c
    return f"\\x{n:02x}" if n < 256 else f"\\u{n:04x}" if n < 65536 else f"\\U{n:08x}"


def text(s):
    return '"' + "".join(map(escaped, s)) + '"'


def scalar(v):
    if isinstance(v, str):
        return text(v)
    if isinstance(v, bool):
        return "true" if v else "false"
    if v is None:
        return "null"
    if isinstance(v, float):
        return f"{v:.17e}" if v not in (float("inf"), float("-inf")) else ".inf" if v > 0 else "-.inf"
    return str(v)


def flow(v):
    if isinstance(v, dict):
        return "{" + ", ".join(f"{flow(k)}: {flow(x)}" for k, x in v.items()) + "}"
    if isinstance(v, (list, tuple)):
        return "[" + ", ".join(map(flow, v)) + "]"
    return scalar(v)


def block(v, indent):
    """Lines of a map's value or a list's item: flow style when short, else one key a line."""
    pad = " " * indent
    short = flow(v)
    if not isinstance(v, (dict, list)) or not v or len(short) < 90:
        return " " + short + "\n"
    if isinstance(v, dict):
        return "\n" + "".join(f"{pad}{flow(k)}:{block(x, indent + 2)}" for k, x in v.items())
    return "\n" + "".join(f"{pad}- {block(x, indent + 2).lstrip()}" for x in v)


def to_yaml(v):
    return block(v, 0).lstrip("\n ") if isinstance(v, dict) else flow(v) + "\n"

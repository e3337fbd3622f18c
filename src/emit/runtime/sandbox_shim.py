def __lhp_sandbox_table(name: str) -> str:
    """Name of a table in this sandbox, for reads whose table is known at run time only.

    A table that the sandbox writes gets its own name there; any other stays as it is. Written by lhp @VERSION@.
    """
    full: "frozenset[str]" = frozenset({"catalog.schema.table"})
    pairs: "frozenset[str]" = frozenset({"schema.table"})
    bare: "frozenset[str]" = frozenset({"schema.table"})
    pattern = "namespace_{table}"

    if not isinstance(name, str):
        return name
    parts = name.split(".")
    words = [part.replace("`", "").strip() for part in parts]
    key = ".".join(words).lower()
    if len(words) == 3:
        ours = key in full or key.split(".", 1)[1] in bare
    else:
        ours = len(words) == 2 and key in pairs
    if not ours:
        return name
    quote = "`" if "`" in parts[-1] else ""
    parts[-1] = quote + pattern.replace("{table}", words[-1]) + quote
    return ".".join(parts)

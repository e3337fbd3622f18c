# What this module does: gives the tables and columns of this pipeline the Unity Catalog tags that the project declares.
# ENTITIES above are (kind, name, tags); the rest are settings of lhp.yaml. Written by lhp with each generate.
import json
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

from pyspark import pipelines as dp

PATH = "/api/2.1/unity-catalog/entity-tag-assignments"
FINAL_STATES = {"COMPLETED", "FAILED", "CANCELED", "STOPPING"}
ATTEMPTS, LONGEST_WAIT = 4, 30
ABSENT = ("does not exist", "not found")
BUSY = ("429", "503", "too many requests", "rate limit", "throttl", "temporarily unavailable")


def parts_of(kind, name):
    """Catalog, schema, table, and the column or None."""
    catalog, schema, table = name.split(".")[:3]
    return catalog, schema, table, ".".join(name.split(".")[3:]) if kind == "columns" else None


def read_query(entities):
    """One query for the current tags, with plain filters that the metastore can use."""
    tables = sorted({tuple(part.lower() for part in parts_of(kind, name)[:3]) for kind, name, _ in entities})
    text = lambda value: "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    where = " OR ".join(
        f"(catalog_name = {text(c)} AND schema_name = {text(s)} AND table_name = {text(t)})"
        for c, s, t in tables
    )
    return (
        "SELECT 'tables' AS kind, concat_ws('.', catalog_name, schema_name, table_name) AS name, tag_name, tag_value"
        f" FROM system.information_schema.table_tags WHERE {where} UNION ALL"
        " SELECT 'columns', concat_ws('.', catalog_name, schema_name, table_name, column_name), tag_name, tag_value"
        f" FROM system.information_schema.column_tags WHERE {where}"
    )


def read_tags(session, entities):
    """(kind, lower-case name) -> {tag: value}, and the text of what went wrong, or None."""
    current = {}
    try:
        for row in session.sql(read_query(entities)).collect():
            current.setdefault((row["kind"], row["name"].lower()), {})[row["tag_name"]] = row["tag_value"] or ""
    except Exception as error:
        return {}, f"the current tags could not be read: {error}"
    return current, None


def wait_of(error, attempt):
    """Seconds to wait before another try, or None when there is no point in one."""
    hint = getattr(error, "retry_after_secs", None)
    if hint is None and not any(word in str(error).lower() for word in BUSY):
        return None
    return min(hint if hint is not None else 2 ** attempt, LONGEST_WAIT)


def call(api, method, path, query=None, body=None, sleep=time.sleep):
    for attempt in range(ATTEMPTS):
        try:
            return api.do(method, path, query=query, body=body)
        except Exception as error:
            wait = wait_of(error, attempt)
            if wait is None or attempt == ATTEMPTS - 1:
                raise
            sleep(wait)


class Tagger:
    """Brings the declared tags to their entities; each is done once."""

    def __init__(self, entities, current, api, remove, workers, read_failure=None):
        self.open, self.current, self.api = list(entities), current, api
        self.remove, self.workers, self.read_failure = remove, workers, read_failure
        self.finished = False

    def changes(self, kind, name, declared):
        """(method, path, query, body) of every call that the entity needs."""
        table = name if kind == "tables" else ".".join(name.split(".")[:3])
        entity = table if kind == "tables" else f"{table}.{parts_of(kind, name)[3]}"
        present = self.current.get((kind, name.lower()), {})
        base = f"{PATH}/{kind}/{quote(entity, safe='')}/tags"
        for key, value in declared.items():
            body = {"entity_type": kind, "entity_name": entity, "tag_key": key, "tag_value": value}
            if key not in present:
                yield "POST", PATH, None, body
            elif present[key] != value:
                yield "PATCH", f"{base}/{quote(key, safe='')}", {"update_mask": "tag_value"}, body
        for key in present if self.remove else []:
            if key not in declared:
                yield "DELETE", f"{base}/{quote(key, safe='')}", None, None

    def tag(self, entity):
        """None when it went well, else the error."""
        try:
            for method, path, query, body in self.changes(*entity):
                call(self.api(), method, path, query, body)
        except Exception as error:
            return error
        return None

    def work(self, last):
        """Tags what is open. What is not there yet stays open, unless this is the last time."""
        if not self.open:
            return
        with ThreadPoolExecutor(max_workers=self.workers) as pool:
            answers = list(zip(self.open, pool.map(self.tag, self.open)))
        errors, still_open = [], []
        for entity, error in answers:
            if error is None:
                continue
            if not last and any(word in str(error).lower() for word in ABSENT):
                still_open.append(entity)
            else:
                errors.append(f"{entity[1]}: {error}")
        self.open = still_open
        if self.read_failure is not None:
            errors.append(self.read_failure)
            self.read_failure = None
        if errors:
            raise RuntimeError("Tags: " + "; ".join(errors))

    def handle(self, event):
        if event.get("event_type") != "update_progress" or self.finished:
            return
        details = event.get("details") or {}
        details = json.loads(details) if isinstance(details, str) else details
        state = (details.get("update_progress") or {}).get("state")
        if state == "RUNNING":
            self.work(last=False)
        elif state in FINAL_STATES:
            self.finished = True
            self.work(last=True)


def workspace_api():
    from databricks.sdk import WorkspaceClient

    return WorkspaceClient().api_client


_current, _failure = read_tags(spark, ENTITIES)
_tagger = Tagger(ENTITIES, _current, workspace_api, REMOVE_UNDECLARED, CONCURRENCY, _failure)


@dp.on_event_hook(max_allowable_consecutive_failures=MAX_FAILURES)
def apply_tags(event):
    _tagger.handle(event)

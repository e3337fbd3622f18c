# What this module does: gives the tables and columns of this pipeline the Unity Catalog tags that the project declares.
# ENTITIES above are (kind, name, tags); the rest are settings of lhp.yaml. Written by lhp @VERSION@ with each generate.
import functools
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

from pyspark import pipelines as dp

PATH = "/api/2.1/unity-catalog/entity-tag-assignments"
FINAL_STATES = {"COMPLETED", "FAILED", "CANCELED", "STOPPING"}
ATTEMPTS, LONGEST_WAIT = 4, 30
ABSENT = ("does not exist", "not found")
BUSY = ("429", "503", "too many requests", "rate limit", "throttl", "temporarily unavailable")

Entity = tuple[str, str, dict[str, str]]  # kind (tables or columns), name, declared tags
Tags = dict[tuple[str, str], dict[str, str]]  # by kind and lower-case name
Call = tuple[str, str, dict[str, str] | None, dict[str, str] | None]  # method, path, query, body


def parts_of(kind: str, name: str) -> tuple[str, str, str, str | None]:
    """Catalog, schema, table, and the column or None."""
    catalog, schema, table = name.split(".")[:3]
    return catalog, schema, table, ".".join(name.split(".")[3:]) if kind == "columns" else None


def sql_text(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def read_query(entities: list[Entity]) -> str:
    """One query for the current tags, with plain filters that the metastore can use."""
    tables = sorted({parts_of(kind, name.lower())[:3] for kind, name, _ in entities})
    where = " OR ".join(
        f"(catalog_name = {sql_text(c)} AND schema_name = {sql_text(s)} AND table_name = {sql_text(t)})"
        for c, s, t in tables
    )
    return (
        "SELECT 'tables' AS kind, concat_ws('.', catalog_name, schema_name, table_name) AS name, tag_name, tag_value"
        f" FROM system.information_schema.table_tags WHERE {where} UNION ALL"
        " SELECT 'columns', concat_ws('.', catalog_name, schema_name, table_name, column_name), tag_name, tag_value"
        f" FROM system.information_schema.column_tags WHERE {where}"
    )


def read_tags(session: Any, entities: list[Entity]) -> tuple[Tags, str | None]:
    """(kind, lower-case name) -> {tag: value}, and the text of what went wrong, or None."""
    current: Tags = {}
    try:
        for row in session.sql(read_query(entities)).collect():
            current.setdefault((row["kind"], row["name"].lower()), {})[row["tag_name"]] = row["tag_value"] or ""
    except Exception as error:
        return {}, f"the current tags could not be read: {error}"
    return current, None


def wait_of(error: Exception, attempt: int) -> float | None:
    """Seconds to wait before another try, or None when there is no point in one."""
    hint: float | None = getattr(error, "retry_after_secs", None)
    if hint is None and not any(word in str(error).lower() for word in BUSY):
        return None
    return min(hint if hint is not None else 2 ** attempt, LONGEST_WAIT)


def call(api: Any, one: Call, sleep: Callable[[float], None] = time.sleep) -> None:
    """Makes one call, again and later when the workspace is busy."""
    method, path, query, body = one
    for attempt in range(ATTEMPTS):
        try:
            api.do(method, path, query=query, body=body)
            return
        except Exception as error:
            wait = wait_of(error, attempt)
            if wait is None or attempt == ATTEMPTS - 1:
                raise
            sleep(wait)


class Tagger:
    """Brings the declared tags to their entities; each is done once."""

    def __init__(
        self,
        entities: list[Entity],
        current: Tags,
        api: Callable[[], Any],
        remove: bool,
        workers: int,
        read_failure: str | None = None,
    ) -> None:
        self.open, self.current, self.api = list(entities), current, api
        self.remove, self.workers, self.read_failure = remove, workers, read_failure
        self.finished = False

    def changes(self, kind: str, name: str, declared: dict[str, str]) -> Iterator[Call]:
        """Every call that the entity needs."""
        present = self.current.get((kind, name.lower()), {})
        base = f"{PATH}/{kind}/{quote(name, safe='')}/tags"
        for key, value in declared.items():
            body = {"entity_type": kind, "entity_name": name, "tag_key": key, "tag_value": value}
            if key not in present:
                yield "POST", PATH, None, body
            elif present[key] != value:
                yield "PATCH", f"{base}/{quote(key, safe='')}", {"update_mask": "tag_value"}, body
        for key in present if self.remove else []:
            if key not in declared:
                yield "DELETE", f"{base}/{quote(key, safe='')}", None, None

    def tag(self, entity: Entity) -> Exception | None:
        """None when it went well, else the error."""
        try:
            for one in self.changes(*entity):
                call(self.api(), one)
        except Exception as error:
            return error
        return None

    def work(self, last: bool) -> None:
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

    def handle(self, event: dict[str, Any]) -> None:
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


@functools.cache
def workspace_api() -> Any:
    from databricks.sdk import WorkspaceClient

    return WorkspaceClient().api_client


_current, _failure = read_tags(spark, ENTITIES)
_tagger = Tagger(ENTITIES, _current, workspace_api, REMOVE_UNDECLARED, CONCURRENCY, _failure)


@dp.on_event_hook(max_allowable_consecutive_failures=MAX_FAILURES)
def apply_tags(event: dict[str, Any]) -> None:
    _tagger.handle(event)

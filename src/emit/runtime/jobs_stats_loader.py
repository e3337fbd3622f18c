"""Matches updates of pipelines with the job runs that started them.

Written by lhp @VERSION@ with each generate; changes are overwritten.
"""

import json
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

from pyspark.sql.types import StringType, StructField, StructType, TimestampType

MATCH_WITHIN_MS = 5 * 60 * 1000
TEXTS_BEFORE = ["pipeline_id", "pipeline_name", "update_id", "job_id", "job_run_id", "job_name"]
TIMES = ["job_run_start_time", "job_run_end_time"]
TEXTS_AFTER = ["job_run_status", "pipeline_tags", "job_tags"]
SCHEMA = StructType(
    [StructField(name, StringType()) for name in TEXTS_BEFORE]
    + [StructField(name, TimestampType()) for name in TIMES]
    + [StructField(name, StringType()) for name in TEXTS_AFTER]
)


def tried(what: str, call: Callable[[], Any], otherwise: Any) -> Any:
    """Every error of the API is printed and skipped: statistics must not fail a pipeline."""
    try:
        return call()
    except Exception as error:
        print(f"{what}: {error}")
        return otherwise


def workspace() -> Any:
    from databricks.sdk import WorkspaceClient

    return WorkspaceClient()


def as_time(milliseconds: int | None) -> datetime | None:
    if not milliseconds:
        return None
    return datetime.fromtimestamp(milliseconds / 1000, tz=timezone.utc)


def runs_of_pipelines(client: Any, since: datetime) -> dict[str, list[Any]]:
    """Job runs by the pipeline that a task of theirs is; those that did not start yet are left out."""
    started = int(since.timestamp() * 1000)
    runs = tried("job runs", lambda: list(client.jobs.list_runs(expand_tasks=True, start_time_from=started)), [])
    found: dict[str, list[Any]] = {}
    for run in runs:
        for task in run.tasks or []:
            if getattr(task, "pipeline_task", None) and run.start_time:
                found.setdefault(task.pipeline_task.pipeline_id, []).append(run)
    return found


def job_facts(client: Any, job_id: int) -> tuple[str | None, dict[str, str]]:
    """Name and tags."""
    job = tried(f"job {job_id}", lambda: client.jobs.get(job_id), None)
    settings = getattr(job, "settings", None)
    return getattr(settings, "name", None), dict(getattr(settings, "tags", None) or {})


def pipeline_facts(client: Any, pipeline_id: str) -> tuple[str | None, list[Any], dict[str, str]]:
    """Name, latest updates and tags. The SDK's own object has no tags."""
    pipeline = tried(f"pipeline {pipeline_id}", lambda: client.pipelines.get(pipeline_id), None)
    raw = tried(
        f"tags of pipeline {pipeline_id}",
        lambda: client.api_client.do("GET", f"/api/2.0/pipelines/{pipeline_id}"),
        {},
    )
    tags = (raw.get("spec") or {}).get("tags") or {}
    updates = list(getattr(pipeline, "latest_updates", None) or [])
    return getattr(pipeline, "name", None), updates, tags


def created_ms(update: Any) -> int:
    created = update.creation_time
    if isinstance(created, str):
        return int(datetime.fromisoformat(created.replace("Z", "+00:00")).timestamp() * 1000)
    return int(created or 0)


def nearest_run(update: Any, runs: list[Any]) -> Any:
    """The run that started nearest to the update's creation, or None."""
    created = tried(f"update {update.update_id}", lambda: created_ms(update), 0)
    near = [run for run in runs if abs(run.start_time - created) <= MATCH_WITHIN_MS]
    return min(near, key=lambda run: abs(run.start_time - created), default=None)


def status_of(run: Any) -> str:
    result = getattr(getattr(run, "state", None), "result_state", None)
    return getattr(result, "value", None) or (str(result) if result else "UNKNOWN")


def rows_of(client: Any, pipeline_id: str, runs: list[Any]) -> Iterator[tuple[Any, ...]]:
    name, updates, tags = pipeline_facts(client, pipeline_id)
    for update in updates:
        run = nearest_run(update, runs)
        if run is None:
            continue
        job_name, job_tags = job_facts(client, run.job_id)
        yield (
            pipeline_id,
            name,
            update.update_id,
            str(run.job_id),
            str(run.run_id),
            job_name,
            as_time(run.start_time),
            as_time(run.end_time),
            status_of(run),
            json.dumps(tags, sort_keys=True),
            json.dumps(job_tags, sort_keys=True),
        )


def get_jobs_stats(spark: Any, parameters: dict[str, Any]) -> Any:
    """A row per update of a pipeline that a job run started, of the last `lookback_hours` (168)."""
    client = tried("workspace", workspace, None)
    since = datetime.now(timezone.utc) - timedelta(hours=int(parameters.get("lookback_hours", 168)))
    runs = runs_of_pipelines(client, since) if client is not None else {}
    rows = [row for pipeline_id in sorted(runs) for row in rows_of(client, pipeline_id, runs[pipeline_id])]
    return spark.createDataFrame(rows, SCHEMA)

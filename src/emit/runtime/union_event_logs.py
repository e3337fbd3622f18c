# What this notebook does: brings the event logs of all pipelines together in one Delta table. The constants above name the
# target, the folder of checkpoints, and the sources, pairs of pipeline and event log table. Written by lhp @VERSION@
# with each generate; changes are overwritten.
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from pyspark.sql import functions as F
from pyspark.sql.utils import AnalysisException

Source = tuple[str, str]  # pipeline, event log table


def make_target(session: Any, sources: list[Source], target: str) -> None:
    """Makes the target table, empty, with the columns of the first source that can be read: parallel streams would race for it."""
    if not sources or session.catalog.tableExists(target):
        return
    errors = []
    for pipeline, table in sources:
        try:
            empty = session.read.table(table).limit(0)
            empty = empty.withColumn("_source_pipeline", F.lit(pipeline))
            empty.write.format("delta").mode("append").saveAsTable(target)
            return
        except AnalysisException as error:
            errors.append(error)
            print(f"{table} cannot be read yet: {error}")
    raise errors[-1]


def append_source(session: Any, pipeline: str, table: str, target: str, checkpoint_base: str) -> None:
    """Appends what is new in one event log, and waits for the end. A failed stream is stopped."""
    rows = session.readStream.format("delta").table(table)
    rows = rows.withColumn("_source_pipeline", F.lit(pipeline))
    query = (
        rows.writeStream.format("delta")
        .outputMode("append")
        .option("checkpointLocation", f"{checkpoint_base}/{pipeline}")
        .option("mergeSchema", "true")
        .trigger(availableNow=True)
        .toTable(target)
    )
    try:
        query.awaitTermination()
    except Exception:
        query.stop()
        raise


def append_all(
    session: Any, sources: list[Source], target: str, checkpoint_base: str, workers: int
) -> tuple[list[str], list[str]]:
    """Appends all sources, some at a time. Returns the pipelines that went well, and texts of those that failed."""
    good, failed = [], []
    with ThreadPoolExecutor(max_workers=workers) as pool:
        jobs = {
            pool.submit(
                append_source, session, pipeline, table, target, checkpoint_base
            ): pipeline
            for pipeline, table in sources
        }
        for job in as_completed(jobs):
            error = job.exception()
            if error is None:
                good.append(jobs[job])
            else:
                failed.append(f"{jobs[job]}: {error}")
    return sorted(good), sorted(failed)


def main(session: Any, utils: Any) -> None:
    make_target(session, SOURCES, TARGET_TABLE)
    good, failed = append_all(
        session, SOURCES, TARGET_TABLE, CHECKPOINT_BASE, MAX_CONCURRENT_STREAMS
    )
    if failed:
        raise RuntimeError(
            f"{len(failed)} of {len(SOURCES)} event logs failed:\n" + "\n".join(failed)
        )
    utils.notebook.exit(f"{len(good)} event logs appended to {TARGET_TABLE}")


if __name__ == "__main__":
    main(spark, dbutils)

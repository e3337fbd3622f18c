from typing import Optional, Tuple

from pyspark.sql import DataFrame


def next_customers(latest: Optional[int], *, table: str) -> Optional[Tuple[DataFrame, int]]:
    """The oldest snapshot that is newer than `latest`, and its number."""
    snapshots = spark.read.table(table)
    if latest is not None:
        snapshots = snapshots.where(snapshots.snapshot_no > latest)
    first = snapshots.agg({"snapshot_no": "min"}).collect()[0][0]
    if first is None:
        return None
    return snapshots.where(snapshots.snapshot_no == first).drop("snapshot_no"), int(first)

from typing import Optional, Tuple

from pyspark.sql import DataFrame


def next_stations(latest: Optional[int], *, table: str) -> Optional[Tuple[DataFrame, int]]:
    """The oldest list of stations that is newer than `latest`, and its number."""
    lists = spark.read.table(table)
    if latest is not None:
        lists = lists.where(lists.list_no > latest)
    first = lists.agg({"list_no": "min"}).collect()[0][0]
    if first is None:
        return None
    return lists.where(lists.list_no == first).drop("list_no"), int(first)

# What these functions do: rows that break a rule go to a dead letter table, each once. Rows that somebody has repaired and
# marked as fixed there go to its outbox, from where they come back. Written by lhp @VERSION@ with each generate.


def _dlq_column(name: str) -> pyspark.sql.Column:
    """A column, whatever its name is made of."""
    return F.col("`" + name.replace("`", "``") + "`")


def _dlq_json(names: list[str]) -> pyspark.sql.Column:
    """Columns as one JSON text, without those that are null."""
    return F.to_json(F.struct(*[_dlq_column(name) for name in names]))


def _dlq_fill(row: pyspark.sql.Column, names: list[str], rescued: pyspark.sql.Column) -> pyspark.sql.Column:
    """The JSON of a row with what was rescued in place of columns that are null."""
    nulls = F.array_except(F.array(*[F.lit(name) for name in names]), F.json_object_keys(row))
    entries = F.from_json(rescued, MapType(StringType(), StringType()))
    fill = F.to_json(
        F.map_filter(entries, lambda name, value: (name != "_file_path") & F.array_contains(nulls, name))
    )
    both = F.concat(row.substr(F.lit(1), F.length(row) - 1), F.lit(","), fill.substr(F.lit(2), F.length(fill)))
    return F.when(fill.isNull() | (fill == "{}"), row).when(row == "{}", fill).otherwise(both)


def _dlq_rows(batch: pyspark.sql.DataFrame, source: str, metadata: list[str]) -> pyspark.sql.DataFrame:
    """What the dead letter table keeps of rows. Their key is made of all columns but metadata."""
    names = [name for name in batch.columns if not name.startswith("_dlq")]
    data = [name for name in names if name != "_rescued_data"]
    rescued = _dlq_column("_rescued_data") if "_rescued_data" in names else F.lit(None).cast("string")
    key = _dlq_json([name for name in names if name not in metadata])
    return batch.select(
        F.xxhash64(F.lit(source), key).cast("string").alias("_dlq_sk"),
        F.lit(source).alias("_dlq_source_table"),
        F.lit("quarantined").alias("_dlq_status"),
        F.parse_json(_dlq_fill(_dlq_json(data), data, rescued)).alias("_row_data"),
        _dlq_column("_dlq_failed_rules"),
        rescued.alias("_dlq_rescued_data"),
        F.current_timestamp().alias("_dlq_timestamp"),
    ).dropDuplicates(["_dlq_sk"])


def _dlq_repairs(batch: pyspark.sql.DataFrame) -> pyspark.sql.DataFrame:
    """What the outbox keeps of repaired rows: the newest repair of each."""
    newest = Window.partitionBy("_dlq_sk").orderBy(F.col("_commit_version").desc())
    return (
        batch.withColumn("_dlq_age", F.row_number().over(newest))
        .where(F.col("_dlq_age") == 1)
        .select(
            "_dlq_sk", "_dlq_source_table", "_row_data", F.current_timestamp().alias("_dlq_recycled_at")
        )
    )


def _dlq_add(rows: pyspark.sql.DataFrame, table: str) -> None:
    """Adds the rows that a table does not have yet."""
    same = "kept._dlq_source_table = new._dlq_source_table AND kept._dlq_sk = new._dlq_sk"
    kept = DeltaTable.forName(rows.sparkSession, table).alias("kept")
    kept.merge(rows.alias("new"), same).whenNotMatchedInsertAll().execute()


def _dlq_value(name: str, kind: str) -> pyspark.sql.Column:
    """A column of a repaired row; null where the repair does not fit its type."""
    quote = '"' if "'" in name else "'"
    return F.try_variant_get(F.col("_row_data"), f"$[{quote}{name}{quote}]", kind).alias(name)

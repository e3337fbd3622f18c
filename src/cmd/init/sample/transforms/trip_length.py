from pyspark.sql import DataFrame, functions as F

METRES = {"km": 1000.0, "mile": 1609.344}


def measure(df: DataFrame, spark, parameters) -> DataFrame:
    """Adds how long a trip took and how far it went."""
    return df.withColumn(
        "minutes", (F.unix_timestamp("ended_at") - F.unix_timestamp("started_at")) / 60
    ).withColumn("distance", F.col("metres") / F.lit(METRES[parameters["unit"]]))

# Databricks notebook source
dbutils.widgets.text("catalog", "bikes_dev")
catalog = dbutils.widgets.get("catalog")

# COMMAND ----------

display(spark.sql(f"SELECT * FROM {catalog}.gold.daily_trips ORDER BY day DESC LIMIT 30"))

# COMMAND ----------

display(spark.sql(f"SELECT * FROM {catalog}.gold.station_use ORDER BY trips DESC"))

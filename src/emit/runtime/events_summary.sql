-- One row per update of a pipeline, newest first.
WITH events AS (
  SELECT
    origin.pipeline_name AS pipeline_name,
    origin.pipeline_id AS pipeline_id,
    origin.update_id AS update_id,
    origin.flow_name AS flow_name,
    event_type,
    timestamp,
    details
  FROM {union_table}
  WHERE origin.update_id IS NOT NULL
),
updates AS (
  SELECT
    pipeline_name,
    pipeline_id,
    update_id,
    max_by(details:update_progress:state::string, timestamp) FILTER (WHERE event_type = 'update_progress') AS run_status,
    max(details:create_update:cause::string) FILTER (WHERE event_type = 'create_update') AS trigger_cause,
    max(details:create_update:full_refresh::boolean) FILTER (WHERE event_type = 'create_update') AS is_full_refresh,
    max(details:create_update:runtime_version:dbr_version::string) FILTER (WHERE event_type = 'create_update') AS dbr_version,
    CASE WHEN max(details:create_update:config:serverless::boolean) FILTER (WHERE event_type = 'create_update')
      THEN 'Serverless' ELSE 'Classic' END AS compute_type,
    min(timestamp) AS run_start_time,
    max(timestamp) AS run_end_time,
    count(DISTINCT flow_name) FILTER (WHERE event_type = 'flow_progress' AND details:flow_progress:metrics IS NOT NULL)
      AS tables_processed,
    coalesce(sum(details:flow_progress:metrics:num_upserted_rows::bigint), 0) AS total_upserted_rows,
    coalesce(sum(details:flow_progress:metrics:num_deleted_rows::bigint), 0) AS total_deleted_rows,
    coalesce(sum(details:flow_progress:data_quality:dropped_records::bigint), 0) AS total_dropped_records
  FROM events
  GROUP BY pipeline_name, pipeline_id, update_id
)
SELECT
  pipeline_name,
  pipeline_id,
  update_id,
  run_status,
  trigger_cause,
  is_full_refresh,
  dbr_version,
  compute_type,
  run_start_time,
  run_end_time,
  round((unix_timestamp(run_end_time) - unix_timestamp(run_start_time)) / 60.0, 2) AS duration_minutes,
  tables_processed,
  total_upserted_rows,
  total_deleted_rows,
  total_upserted_rows + total_deleted_rows AS total_rows_affected,
  total_dropped_records
FROM updates
ORDER BY run_start_time DESC

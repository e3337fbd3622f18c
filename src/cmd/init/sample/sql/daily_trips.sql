SELECT
  DATE(t.started_at) AS day,
  r.plan_name,
  COUNT(*) AS trips,
  SUM(t.distance) AS distance
FROM ${catalog}.${silver}.trips AS t
LEFT JOIN ${catalog}.${silver}.riders AS r
  ON r.rider_id = t.rider_id
GROUP BY DATE(t.started_at), r.plan_name

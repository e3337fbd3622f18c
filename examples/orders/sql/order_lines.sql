SELECT
  order_id,
  line_no,
  sku,
  CAST(quantity AS INT) AS quantity,
  CAST(price AS DECIMAL(10, 2)) AS price,
  CAST(updated_at AS TIMESTAMP) AS updated_at
FROM STREAM(v_raw_order_lines)

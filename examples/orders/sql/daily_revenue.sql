SELECT
  o.order_date,
  c.country,
  SUM(l.quantity * l.price) AS revenue,
  COUNT(DISTINCT o.order_id) AS orders
FROM ${catalog}.${silver}.orders_recent AS o
JOIN ${catalog}.${silver}.order_lines_current AS l
  ON l.order_id = o.order_id
LEFT JOIN ${catalog}.${silver}.dim_customer AS c
  ON c.customer_id = o.customer_id AND c.__END_AT IS NULL
GROUP BY o.order_date, c.country

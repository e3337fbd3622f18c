"""The code that a quarantine puts into a module, generated from YAML and run: which rows go where."""

import ast
import json
import sys
import unittest
from pathlib import Path

from small_pipeline import ENGINE, Pipeline

sys.path.append(str(Path(__file__).resolve().parents[1] / "shipped"))
from project import ProjectTest

SOURCE, DLQ = "shop.raw.orders", "shop.ops.orders_dlq"
OUTBOX = DLQ + "_outbox"
ODD = "it's `odd`"  # the name of a column
KINDS = {"id": "int", "amount": "int", ODD: "string", "_rescued_data": "string", "_batch": "string"}
RULES = {"has id": "id IS NOT NULL", "positive": "amount > 0", "not rescued": "_rescued_data IS NULL"}
VIEWS = [("orders", SOURCE), ("returns", "shop.raw.returns")]
ACTIONS = """
  - name: load_{view}
    type: load
    source: {{type: sql, sql: SELECT 1}}
    target: {view}
  - name: guard_{view}
    type: transform
    transform_type: data_quality
    mode: quarantine
    source: {view}
    target: {view}_good
    operational_metadata: [_batch]
    expectations_file: rules.yaml
    quarantine: {{dlq_table: {dlq}, source_table: {source}}}
  - name: write_{view}
    type: write
    source: {view}_good
    write_target: {{type: streaming_table, catalog: c, schema: s, table: {view}}}
"""
SETTINGS = """
name: shop
version: "1"
operational_metadata: {columns: {_batch: {expression: "F.lit('made')", applies_to: [view]}}}
"""


def rules_yaml(rules):
    return "".join(f'"{rule}": {{action: drop, name: {name}}}\n' for name, rule in rules.items())


class Quarantine(ProjectTest):
    def module(self, rules=RULES, views=VIEWS[:1]):
        actions = "".join(ACTIONS.format(view=view, dlq=DLQ, source=source) for view, source in views)
        self.write(
            {
                "lhp.yaml": SETTINGS,
                "substitutions/dev.yaml": "dev: {}\n",
                "rules.yaml": rules_yaml(rules),
                "pipelines/orders.yaml": "pipeline: shop\nflowgroup: orders\nactions:" + actions,
            }
        )
        self.lhp("generate", "-e", "dev", "--no-format")
        return (self.root / "generated/dev/shop/orders.py").read_text()

    def pipeline(self, *rows, **how):
        made = Pipeline(self.module(**how))
        self.put(made, "orders", *rows)
        return made

    def put(self, made, view, *rows):
        made.put(view, [{"_batch": "b1", **row} for row in rows], KINDS)

    def test_rows_that_hold_every_rule_pass(self):
        made = self.pipeline({"id": 1, "amount": 5}, {"id": 2, "amount": 0}, {"amount": 5})
        self.assertEqual([row["id"] for row in made.rows("_clean_orders")], [1])

    def test_rows_that_break_rules_go_to_the_dead_letter_table_with_the_rules(self):
        made = self.pipeline({"id": 1, "amount": 5}, {"id": 2, "amount": 0}, {"amount": -1, ODD: "x"})
        made.run("quarantine_flow_orders")
        first, second = sorted(made.rows(DLQ), key=lambda row: row["_row_data"]["amount"], reverse=True)
        positive = {"name": "positive", "rule": "amount > 0"}
        self.assertEqual(first["_dlq_failed_rules"], [positive])
        self.assertEqual(second["_dlq_failed_rules"], [{"name": "has id", "rule": "id IS NOT NULL"}, positive])
        self.assertEqual(first["_row_data"], {"id": 2, "amount": 0, "_batch": "b1"})
        self.assertEqual(second["_row_data"], {"amount": -1, ODD: "x", "_batch": "b1"})
        self.assertEqual((first["_dlq_status"], first["_dlq_source_table"]), ("quarantined", SOURCE))
        self.assertIsNone(first["_dlq_rescued_data"])
        self.assertEqual(
            sorted(first),
            ["_dlq_failed_rules", "_dlq_rescued_data", "_dlq_sk", "_dlq_source_table", "_dlq_status", "_dlq_timestamp", "_row_data"],
        )

    def test_a_row_is_kept_once_whatever_its_metadata_says(self):
        made = self.pipeline({"id": 2, "amount": 0}, {"id": 2, "amount": 0, "_batch": "b2"}, {"id": 3, "amount": 0})
        made.run("quarantine_flow_orders")
        self.put(made, "orders", {"id": 2, "amount": 0, "_batch": "b3"}, {"id": 4, "amount": 0})
        made.run("quarantine_flow_orders")
        self.assertEqual(sorted(row["_row_data"]["id"] for row in made.rows(DLQ)), [2, 3, 4])

    def test_the_same_row_of_another_source_is_another_row(self):
        made = self.pipeline(views=VIEWS)
        for view in ("orders", "returns"):
            self.put(made, view, {"id": 2, "amount": 0})
            made.run(f"quarantine_flow_{view}")
        kept = made.rows(DLQ)
        self.assertEqual([row["_dlq_source_table"] for row in kept], [SOURCE, "shop.raw.returns"])
        self.assertNotEqual(kept[0]["_dlq_sk"], kept[1]["_dlq_sk"])

    def test_no_rows_touch_no_table(self):
        made = self.pipeline({"id": 1, "amount": 5})
        made.run("quarantine_flow_orders")
        self.changes(made)
        made.run("recycle_flow_orders")
        self.assertEqual(made.merged, [])

    def test_what_was_rescued_fills_what_is_null(self):
        rescued = '{"amount":"five","id":"9","unknown":"u","_file_path":"/f"}'
        made = self.pipeline({"id": 1, "_rescued_data": rescued}, {"_rescued_data": '{"_file_path":"/f"}', "_batch": None})
        made.run("quarantine_flow_orders")
        kept = {json.dumps(row["_row_data"], sort_keys=True): row["_dlq_rescued_data"] for row in made.rows(DLQ)}
        filled = json.dumps({"_batch": "b1", "amount": "five", "id": 1})
        self.assertEqual(kept, {filled: rescued, "{}": '{"_file_path":"/f"}'})

    def test_a_view_without_rescued_data_needs_none(self):
        made = self.pipeline(rules={"positive": "amount > 0"})
        made.put("orders", [{"amount": 0}], {"amount": "int"})
        made.run("quarantine_flow_orders")
        self.assertEqual([row["_row_data"] for row in made.rows(DLQ)], [{"amount": 0}])

    def changes(self, made, *rows):
        """The change feed of the dead letter table; each row fixed and new unless it says something else."""
        kinds = {"_dlq_sk": "string", "_dlq_source_table": "string", "_dlq_status": "string", "_row_data": "string"}
        kinds |= {"_change_type": "string", "_commit_version": "int"}
        usual = {"_dlq_source_table": SOURCE, "_dlq_status": "fixed", "_change_type": "update_postimage", "_commit_version": 1}
        made.put(DLQ + " changes", [{**usual, **row} for row in rows], kinds)
        made.tables[DLQ + " changes"] = ENGINE.parse_json(made.tables[DLQ + " changes"], "_row_data")

    def test_fixed_rows_of_the_source_go_to_the_outbox_the_newest_repair_of_each(self):
        made = self.pipeline()
        self.changes(
            made,
            {"_dlq_sk": "1", "_row_data": '{"id":1}', "_commit_version": 2},
            {"_dlq_sk": "1", "_row_data": '{"id":11}', "_commit_version": 3},
            {"_dlq_sk": "2", "_row_data": '{"id":2}', "_change_type": "insert"},
            {"_dlq_sk": "3", "_row_data": '{"id":3}', "_change_type": "update_preimage"},
            {"_dlq_sk": "4", "_row_data": '{"id":4}', "_dlq_status": "quarantined"},
            {"_dlq_sk": "5", "_row_data": '{"id":5}', "_dlq_source_table": "shop.raw.returns"},
        )
        made.run("recycle_flow_orders")
        self.changes(made, {"_dlq_sk": "2", "_row_data": '{"id":22}', "_commit_version": 9})
        made.run("recycle_flow_orders")
        kept = {row["_dlq_sk"]: row for row in made.rows(OUTBOX)}
        self.assertEqual({sk: row["_row_data"]["id"] for sk, row in kept.items()}, {"1": 11, "2": 2})
        self.assertEqual(sorted(kept["1"]), ["_dlq_recycled_at", "_dlq_sk", "_dlq_source_table", "_row_data"])

    def recycled(self, made, *rows):
        self.changes(made, *({"_dlq_sk": str(i), "_row_data": row} for i, row in enumerate(rows)))
        made.run("recycle_flow_orders")

    def test_repaired_rows_come_back_with_the_columns_and_types_of_clean_ones(self):
        made = self.pipeline()
        self.recycled(made, '{"id":1,"amount":"7","it\'s `odd`":"y","more":1}')
        self.assertEqual(made.rows("_recycled_orders"), [{"id": 1, "amount": 7, ODD: "y", "_rescued_data": None, "_batch": None}])

    def test_a_repair_that_breaks_a_rule_or_a_type_is_dropped(self):
        made = self.pipeline()
        self.recycled(made, '{"id":1,"amount":0}', '{"id":2,"amount":"much"}', '{"id":3,"amount":1}')
        self.assertEqual([row["id"] for row in made.rows("_recycled_orders")], [3])

    def test_rows_of_another_source_in_the_outbox_stay_there(self):
        made = self.pipeline(views=VIEWS)
        self.put(made, "returns")
        self.recycled(made, '{"id":1,"amount":1}')
        self.assertEqual(made.rows("_recycled_returns"), [])

    def test_the_target_has_clean_and_repaired_rows_and_metadata(self):
        made = self.pipeline({"id": 1, "amount": 5}, {"id": 2, "amount": 0})
        self.recycled(made, '{"id":2,"amount":6}')
        good = [(row["id"], row["amount"], row["_batch"]) for row in made.rows("orders_good")]
        self.assertEqual(good, [(1, 5, "made"), (2, 6, "made")])

    def test_rules_on_rescued_data_do_not_count_for_repaired_rows(self):
        made = self.pipeline(rules={"not rescued": "_rescued_data IS NULL", "positive": "amount > 0"})
        self.assertEqual(made.views["_clean_orders"].rules, {"not rescued": "_rescued_data IS NULL", "positive": "amount > 0"})
        self.assertEqual(made.views["_recycled_orders"].rules, {"positive": "amount > 0"})
        made = self.pipeline(rules={"not rescued": "_rescued_data IS NULL"})
        self.assertFalse(hasattr(made.views["_recycled_orders"], "rules"))

    def test_two_quarantines_of_a_module_share_their_functions(self):
        text = self.module(views=VIEWS)
        names = [node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
        self.assertEqual(len(names), len(set(names)))
        self.assertIn("_clean_orders", names)
        self.assertIn("_clean_returns", names)

    def test_the_module_says_what_wrote_it(self):
        self.assertRegex(self.module(), r"# What these functions do: [^\n]+\n# [^\n]* Written by lhp 0\.9\.3 ")


if __name__ == "__main__":
    unittest.main()

import json
import unittest
from contextlib import redirect_stdout
from io import StringIO

from fakes import EventHooks, runtime_load


def flow(table, expectations, update="u1"):
    return {
        "event_type": "flow_progress",
        "origin": {"flow_name": table, "update_id": update},
        "details": {"flow_progress": {"data_quality": {"expectations": expectations}}},
    }


def end(state, update="u1"):
    return {
        "event_type": "update_progress",
        "origin": {"pipeline_id": "p", "pipeline_name": "sales", "update_id": update},
        "details": {"update_progress": {"state": state}},
    }


class TestReporting(unittest.TestCase):
    def setUp(self):
        self.calls, self.answer, self.dp = [], None, EventHooks()

        def publish(**arguments):
            self.calls.append(arguments)
            if isinstance(self.answer, Exception):
                raise self.answer
            return self.answer

        head = {"TEST_IDS": {"t": "T-1"}, "CONFIG": {"k": 1}, "publish": publish}
        runtime_load("test_reporting_hook.py", dp=self.dp, spark="session", **head)

    def send(self, *events):
        out = StringIO()
        with redirect_stdout(out):
            for event in events:
                self.dp.registered[0][0](event)
        return out.getvalue()

    def test_registers_one_hook_that_may_fail_five_times(self):
        self.assertEqual([options for _, options in self.dp.registered], [{"max_allowable_consecutive_failures": 5}])

    def test_results_go_to_the_provider_at_the_end_of_the_update(self):
        rows = [
            {"name": "a", "passed_records": 3, "failed_records": 0},
            {"name": "b", "passed_records": 1, "failed_records": 2},
        ]
        self.send(flow("c.s.t", rows), end("RUNNING"), end("COMPLETED"))
        (call,) = self.calls
        shown = [(r["test_id"], r["flow_name"], r["expectation_name"], r["status"]) for r in call["results"]]
        self.assertEqual(shown, [("T-1", "t", "a", "PASS"), ("T-1", "t", "b", "FAIL")])
        self.assertTrue(call["results"][0]["collected_at"].endswith("+00:00"))
        self.assertEqual((call["config"], call["spark"]), ({"k": 1}, "session"))
        self.assertEqual(
            call["context"],
            {"pipeline_id": "p", "update_id": "u1", "pipeline_name": "sales", "terminal_state": "COMPLETED"},
        )

    def test_an_update_is_published_once(self):
        self.send(flow("t", [{"name": "a"}]), end("STOPPING"), flow("t", [{"name": "a"}]), end("COMPLETED"))
        self.assertEqual([call["context"]["terminal_state"] for call in self.calls], ["STOPPING"])

    def test_flows_without_a_test_id_are_left_out(self):
        out = self.send(flow("other", [{"name": "a"}]), end("FAILED"))
        self.assertEqual(self.calls, [])
        self.assertIn("no results", out)

    def test_details_may_be_json_text(self):
        event = flow("t", [{"name": "a", "passed_records": 1}])
        self.send(dict(event, details=json.dumps(event["details"])), end("CANCELED"))
        self.assertEqual(len(self.calls), 1)

    def test_counts_that_the_provider_returns_are_printed(self):
        self.answer = {"published": 2, "failed": 1}
        self.assertIn("2 published, 1 failed", self.send(flow("t", [{"name": "a"}]), end("COMPLETED")))

    def test_nothing_is_raised(self):
        self.answer = ValueError("no such board")
        broken = {"event_type": "flow_progress", "details": "no json"}
        out = self.send(broken, flow("t", [{"name": "a"}]), end("FAILED"))
        self.assertIn("no such board", out)


if __name__ == "__main__":
    unittest.main()

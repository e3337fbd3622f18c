import sys
import types
import unittest
from contextlib import redirect_stdout
from io import StringIO
from types import SimpleNamespace as Made

from fakes import runtime_load

MINUTE = 60 * 1000
START = 1_700_000_000_000


def job_run(run_id, start, result="SUCCESS"):
    task = Made(pipeline_task=Made(pipeline_id="p1"))
    state = Made(result_state=Made(value=result) if result else None)
    tasks = [Made(pipeline_task=None), task]
    return Made(job_id=5, run_id=run_id, start_time=start, end_time=None, tasks=tasks, state=state)


class Client:
    """A workspace with one pipeline, one update, and the given runs. `broken` names calls that fail."""

    def __init__(self, runs, broken=()):
        self.runs, self.broken, self.since = runs, broken, None
        job = Made(settings=Made(name="nightly", tags={"t": "1"}))
        self.jobs = Made(list_runs=self.list_runs, get=lambda _: self.give("job", job))
        update = Made(update_id="u1", creation_time=START)
        self.pipelines = Made(get=lambda _: self.give("pipeline", Made(name="sales", latest_updates=[update])))
        self.api_client = Made(do=lambda *_: self.give("tags", {"spec": {"tags": {"b": "2", "a": "1"}}}))

    def give(self, what, value):
        if what in self.broken:
            raise RuntimeError(f"{what} is down")
        return value

    def list_runs(self, expand_tasks, start_time_from):
        self.since = start_time_from
        return self.give("runs", self.runs)


class JobsStats(unittest.TestCase):
    def rows(self, client, parameters=None):
        def workspace_client():
            if isinstance(client, Exception):
                raise client
            return client

        sdk = types.ModuleType("databricks.sdk")
        sdk.WorkspaceClient = workspace_client
        sys.modules.update({"databricks": types.ModuleType("databricks"), "databricks.sdk": sdk})
        spark, self.out = Made(createDataFrame=lambda rows, schema: (rows, schema)), StringIO()
        loader = runtime_load("jobs_stats_loader.py")
        with redirect_stdout(self.out):
            rows, self.schema = loader.get_jobs_stats(spark, parameters or {})
        return rows

    def test_an_update_is_matched_with_the_nearest_run(self):
        runs = [job_run(1, START - 4 * MINUTE), job_run(2, START + MINUTE), job_run(3, START + 9 * MINUTE)]
        (row,) = self.rows(Client(runs))
        self.assertEqual(row[:6], ("p1", "sales", "u1", "5", "2", "nightly"))
        self.assertEqual(row[8:], ("SUCCESS", '{"a": "1", "b": "2"}', '{"t": "1"}'))

    def test_a_run_more_than_five_minutes_away_is_no_match(self):
        self.assertEqual(self.rows(Client([job_run(1, START + 5 * MINUTE + 1)])), [])

    def test_a_run_without_result_is_unknown(self):
        (row,) = self.rows(Client([job_run(1, START, result=None)]))
        self.assertEqual(row[8], "UNKNOWN")

    def test_no_runs_give_an_empty_frame_with_the_schema(self):
        self.assertEqual(self.rows(Client([])), [])
        self.assertEqual(len(self.schema.fields), 11)

    def test_the_look_back_is_a_week_unless_said_otherwise(self):
        usual, short = Client([]), Client([])
        self.rows(usual)
        self.rows(short, {"lookback_hours": 1})
        self.assertAlmostEqual(short.since - usual.since, 167 * 60 * MINUTE, delta=MINUTE)

    def test_errors_of_calls_are_printed_and_skipped(self):
        self.assertEqual(self.rows(Client([], broken=("runs",))), [])
        self.assertIn("runs is down", self.out.getvalue())
        (row,) = self.rows(Client([job_run(1, START)], broken=("job", "tags")))
        self.assertEqual((row[5], row[9], row[10]), (None, "{}", "{}"))
        self.assertEqual(self.rows(Client([job_run(1, START)], broken=("pipeline",))), [])

    def test_a_workspace_that_cannot_be_reached_gives_an_empty_frame(self):
        self.assertEqual(self.rows(ValueError("no credentials")), [])
        self.assertEqual(len(self.schema.fields), 11)
        self.assertIn("no credentials", self.out.getvalue())

    def test_a_run_that_did_not_start_is_left_out(self):
        self.assertEqual(self.rows(Client([job_run(1, None)])), [])

    def test_an_update_with_an_unreadable_time_is_printed_and_skipped(self):
        client = Client([job_run(1, START)])
        odd = Made(update_id="u9", creation_time="yesterday")
        client.pipelines = Made(get=lambda _: Made(name="sales", latest_updates=[odd]))
        self.assertEqual(self.rows(client), [])
        self.assertIn("u9", self.out.getvalue())

    def test_times_may_be_texts(self):
        client = Client([job_run(1, START)])
        update = Made(update_id="u1", creation_time="2023-11-14T22:13:20Z")
        client.pipelines = Made(get=lambda _: Made(name="sales", latest_updates=[update]))
        self.assertEqual([row[2] for row in self.rows(client)], ["u1"])


if __name__ == "__main__":
    unittest.main()

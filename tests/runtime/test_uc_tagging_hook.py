import unittest

from fakes import EventHooks, runtime_load

ASSIGN = "/api/2.1/unity-catalog/entity-tag-assignments"
TABLE = ("tables", "c.s.T", {"owner": "kari"})
COLUMN = ("columns", "c.s.T.id", {"pii": ""})


class Session:
    def __init__(self, rows):
        self.rows, self.queries = rows, []

    def sql(self, query):
        self.queries.append(query)
        if isinstance(self.rows, Exception):
            raise self.rows
        return self

    def collect(self):
        return self.rows


class Api:
    """Answers calls with the given errors first, then with success."""

    def __init__(self, *errors):
        self.errors, self.calls = list(errors), []

    def do(self, method, path, query=None, body=None):
        self.calls.append((method, path, query, body))
        if self.errors:
            error = self.errors.pop(0)
            if error is not None:
                raise error


def progress(state):
    return {"event_type": "update_progress", "details": {"update_progress": {"state": state}}}


def row(kind, name, tag, value):
    return {"kind": kind, "name": name, "tag_name": tag, "tag_value": value}


class Tagging(unittest.TestCase):
    def hook(self, entities, rows=(), api=None, remove=False, failures=3):
        self.dp, self.session, self.api = EventHooks(), Session(rows), api or Api()
        names = runtime_load(
            "uc_tagging_hook.py",
            dp=self.dp,
            spark=self.session,
            ENTITIES=list(entities),
            REMOVE_UNDECLARED=remove,
            CONCURRENCY=1,
            MAX_FAILURES=failures,
        )
        names._tagger.api = lambda: self.api
        return names

    def send(self, *states):
        for state in states:
            self.dp.registered[0][0](progress(state))

    def test_registers_with_the_number_of_failures_of_the_settings(self):
        self.hook([TABLE], failures=None)
        self.assertEqual(self.dp.registered[0][1], {"max_allowable_consecutive_failures": None})

    def test_one_query_reads_tables_and_columns_by_plain_lower_case_names(self):
        self.hook([TABLE, COLUMN])
        (query,) = self.session.queries
        self.assertEqual(query.count("(catalog_name = 'c' AND schema_name = 's' AND table_name = 't')"), 2)

    def test_quotes_in_names_stay_inside_the_query_text(self):
        self.hook([("tables", "c.s.o'b", {})])
        self.assertIn(r"table_name = 'o\'b'", self.session.queries[0])

    def test_an_absent_tag_is_posted(self):
        self.hook([TABLE, COLUMN])
        self.send("RUNNING")
        shown = [(method, path, body["entity_type"], body["entity_name"], body["tag_key"], body["tag_value"])
                 for method, path, _, body in self.api.calls]
        self.assertEqual(
            shown,
            [("POST", ASSIGN, "tables", "c.s.T", "owner", "kari"), ("POST", ASSIGN, "columns", "c.s.T.id", "pii", "")],
        )

    def test_another_value_is_patched_and_an_equal_one_left(self):
        self.hook([("tables", "c.s.T", {"a/b": "new", "same": "x"})],
                  [row("tables", "c.s.t", "a/b", "old"), row("tables", "c.s.t", "same", "x")])
        self.send("RUNNING")
        body = {"entity_type": "tables", "entity_name": "c.s.T", "tag_key": "a/b", "tag_value": "new"}
        self.assertEqual(
            self.api.calls, [("PATCH", f"{ASSIGN}/tables/c.s.T/tags/a%2Fb", {"update_mask": "tag_value"}, body)]
        )

    def test_undeclared_tags_go_only_when_asked(self):
        rows = [row("tables", "c.s.t", "old", "x")]
        for remove, calls in ((False, []), (True, [("DELETE", f"{ASSIGN}/tables/c.s.T/tags/old", None, None)])):
            self.hook([("tables", "c.s.T", {})], rows, remove=remove)
            self.send("RUNNING")
            self.assertEqual(self.api.calls, calls)

    def test_what_does_not_exist_yet_waits_for_the_end(self):
        gone = RuntimeError("Table c.s.T does not exist")
        self.hook([TABLE], api=Api(gone, None))
        self.send("RUNNING", "COMPLETED", "STOPPING")
        self.assertEqual(len(self.api.calls), 2)

    def test_absence_at_the_end_is_an_error_once(self):
        self.hook([TABLE], api=Api(RuntimeError("not found")))
        with self.assertRaisesRegex(RuntimeError, "c.s.T: not found"):
            self.send("FAILED")
        self.send("COMPLETED")
        self.assertEqual(len(self.api.calls), 1)

    def test_a_real_error_is_not_tried_again(self):
        self.hook([TABLE], api=Api(RuntimeError("permission denied")))
        with self.assertRaisesRegex(RuntimeError, "permission denied"):
            self.send("RUNNING")
        self.send("COMPLETED")
        self.assertEqual(len(self.api.calls), 1)

    def test_a_failed_read_is_told_once_and_tagging_goes_on(self):
        self.hook([TABLE], RuntimeError("no warehouse"))
        with self.assertRaisesRegex(RuntimeError, "no warehouse"):
            self.send("RUNNING")
        self.assertEqual([call[0] for call in self.api.calls], ["POST"])
        self.send("COMPLETED")

    def test_busy_answers_are_tried_four_times(self):
        names, waits = self.hook([TABLE]), []
        api = Api(*[RuntimeError("429 Too Many Requests")] * 4)
        with self.assertRaises(RuntimeError):
            names.call(api, ("POST", ASSIGN, None, None), sleep=waits.append)
        self.assertEqual((len(api.calls), waits), (4, [1, 2, 4]))

    def test_a_hint_to_wait_is_followed_up_to_half_a_minute(self):
        names, waits = self.hook([TABLE]), []
        short, long = RuntimeError("later"), RuntimeError("later")
        short.retry_after_secs, long.retry_after_secs = 7, 900
        names.call(Api(short, long), ("POST", ASSIGN, None, None), sleep=waits.append)
        self.assertEqual(waits, [7, 30])


if __name__ == "__main__":
    unittest.main()

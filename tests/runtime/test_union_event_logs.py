import unittest
from contextlib import redirect_stdout
from io import StringIO
from unittest.mock import MagicMock

from fakes import AnalysisException, runtime_load

SOURCES = [("a", "c.s.a_log"), ("b", "c.s.b_log")]


class UnionEventLogs(unittest.TestCase):
    def setUp(self):
        out = redirect_stdout(StringIO())
        out.__enter__()
        self.addCleanup(out.__exit__, None, None, None)
        head = {"TARGET_TABLE": "c.s.all", "CHECKPOINT_BASE": "/cp", "MAX_CONCURRENT_STREAMS": 2}
        self.notebook = runtime_load("union_event_logs.py", SOURCES=SOURCES, **head)
        self.spark, self.dbutils = MagicMock(), MagicMock()
        self.spark.catalog.tableExists.return_value = True
        self.rows = self.spark.readStream.format.return_value.table.return_value.withColumn
        writer = self.rows.return_value.writeStream.format.return_value
        writer.outputMode.return_value = writer.option.return_value = writer.trigger.return_value = writer
        self.writer, self.query = writer, writer.toTable.return_value

    def test_each_source_is_appended_with_a_checkpoint_of_its_own(self):
        self.notebook.main(self.spark, self.dbutils)
        options = [call.args for call in self.writer.option.call_args_list]
        folders = sorted(value for name, value in options if name == "checkpointLocation")
        self.assertEqual(folders, ["/cp/a", "/cp/b"])
        self.writer.trigger.assert_called_with(availableNow=True)
        self.writer.toTable.assert_called_with("c.s.all")
        self.rows.assert_any_call("_source_pipeline", ("lit", "a"))
        self.dbutils.notebook.exit.assert_called_once_with("2 event logs appended to c.s.all")

    def test_a_failed_stream_is_stopped_and_named_after_all_have_run(self):
        self.query.awaitTermination.side_effect = [None, ValueError("disk full")]
        with self.assertRaisesRegex(RuntimeError, "1 of 2 event logs failed:\n[ab]: disk full"):
            self.notebook.main(self.spark, self.dbutils)
        self.query.stop.assert_called_once_with()
        self.dbutils.notebook.exit.assert_not_called()

    def test_a_missing_target_is_made_of_the_first_source_that_can_be_read(self):
        self.spark.catalog.tableExists.return_value = False
        good = MagicMock()
        self.spark.read.table.side_effect = [AnalysisException("no such table"), good]
        self.notebook.make_target(self.spark, SOURCES, "c.s.all")
        empty = good.limit.return_value
        good.limit.assert_called_once_with(0)
        empty.withColumn.assert_called_once_with("_source_pipeline", ("lit", "b"))
        write = empty.withColumn.return_value.write.format.return_value.mode.return_value
        write.saveAsTable.assert_called_once_with("c.s.all")

    def test_the_last_error_counts_when_no_source_can_be_read(self):
        self.spark.catalog.tableExists.return_value = False
        self.spark.read.table.side_effect = [AnalysisException("first"), AnalysisException("last")]
        with self.assertRaisesRegex(AnalysisException, "last"):
            self.notebook.make_target(self.spark, SOURCES, "c.s.all")

    def test_a_target_that_exists_is_left_alone(self):
        self.notebook.make_target(self.spark, SOURCES, "c.s.all")
        self.spark.read.table.assert_not_called()


if __name__ == "__main__":
    unittest.main()

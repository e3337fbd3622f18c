# What this module does: hands the results of this pipeline's tests to the project's provider function, once per update.
# TEST_IDS and CONFIG above are of this pipeline; `publish` is the provider. Written by lhp @VERSION@ with each generate.
import json
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

FINAL_STATES = {"STOPPING", "FAILED", "CANCELED", "COMPLETED"}


class Collector:
    """Results of one pipeline's tests, update by update."""

    def __init__(
        self, test_ids: dict[str, str], config: dict[str, Any], publish: Callable[..., Any], session: Any
    ) -> None:
        self.test_ids, self.config, self.publish, self.session = test_ids, config, publish, session
        self.results: dict[str | None, list[dict[str, Any]]] = {}
        self.published: set[str | None] = set()

    def handle(self, event: dict[str, Any]) -> None:
        """Takes one event. Nothing that goes wrong here may fail the pipeline: it is printed."""
        try:
            details = event.get("details") or {}
            details = json.loads(details) if isinstance(details, str) else details
            origin = event.get("origin") or {}
            if event.get("event_type") == "flow_progress":
                self.collect(origin, details)
            elif event.get("event_type") == "update_progress":
                state = (details.get("update_progress") or {}).get("state")
                if state in FINAL_STATES:
                    self.finish(origin, state)
        except Exception as error:
            print(f"Test reporting: {error}")

    def collect(self, origin: dict[str, Any], details: dict[str, Any]) -> None:
        quality = (details.get("flow_progress") or {}).get("data_quality") or {}
        table = str(origin.get("flow_name", "")).split(".")[-1]
        if table not in self.test_ids:
            return
        for expectation in quality.get("expectations") or []:
            failed = int(expectation.get("failed_records") or 0)
            self.results.setdefault(origin.get("update_id"), []).append(
                {
                    "test_id": self.test_ids[table],
                    "flow_name": table,
                    "expectation_name": expectation.get("name"),
                    "passed_records": int(expectation.get("passed_records") or 0),
                    "failed_records": failed,
                    "status": "PASS" if failed == 0 else "FAIL",
                    "collected_at": datetime.now(timezone.utc).isoformat(),
                }
            )

    def finish(self, origin: dict[str, Any], state: str) -> None:
        update = origin.get("update_id")
        if update in self.published:
            return
        self.published.add(update)
        results = self.results.pop(update, [])
        if not results:
            print("Test reporting: no results were collected")
            return
        context = {
            "pipeline_id": origin.get("pipeline_id"),
            "update_id": update,
            "pipeline_name": origin.get("pipeline_name"),
            "terminal_state": state,
        }
        answer = self.publish(results=results, config=self.config, context=context, spark=self.session)
        if isinstance(answer, dict):
            print(
                f"Test reporting: {answer.get('published', 0)} published, {answer.get('failed', 0)} failed"
            )


_collector = Collector(TEST_IDS, CONFIG, publish, spark)


@dp.on_event_hook(max_allowable_consecutive_failures=5)
def report_tests(event: dict[str, Any]) -> None:
    _collector.handle(event)

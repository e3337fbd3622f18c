"""New projects: what `lhp init` makes works as it stands, and its examples once their names lose `.tmpl`."""

import json
import unittest

import yaml

from bundle_shape import faults_of
from project import ProjectTest


class Init(ProjectTest):
    def examples_adopt(self):
        for example in self.root.rglob("*.tmpl"):
            example.rename(example.with_suffix(""))

    def assert_resources_fit(self, *pipelines):
        made = sorted((self.root / "resources" / "lhp").glob("*.yml"))
        self.assertEqual([file.name for file in made], [f"{name}.pipeline.yml" for name in pipelines])
        for file in made:
            self.assertEqual(faults_of(yaml.safe_load(file.read_text())), [], file.name)

    def test_the_examples_of_a_bundle_generate(self):
        self.lhp("init", "demo")
        self.examples_adopt()
        words = ("-e", "dev", "-pc", "config/pipeline_config_env.yaml")
        self.lhp("validate", *words, "--strict")
        self.lhp("generate", *words, "--no-format")
        self.assert_resources_fit("acme_bronze", "bronze", "raw_ingestion", "silver")

    def test_the_examples_without_a_bundle_generate(self):
        self.lhp("init", "--no-bundle", "demo")
        self.examples_adopt()
        for env in ("dev", "tst", "prod"):
            self.lhp("validate", "-e", env, "--strict")
            self.lhp("generate", "-e", env, "--no-format")
            self.assertTrue((self.root / "generated" / env / "silver" / "orders_silver_fct.py").is_file())
        self.assertFalse((self.root / "resources").exists())

    def test_the_sample_generates_with_its_bundle(self):
        self.lhp("init", "--sample", "--no-git", "demo")
        words = ("-e", "prod", "-pc", "config/pipeline_config.yaml")
        self.lhp("validate", *words, "--strict", "--include-tests")
        self.lhp("generate", *words, "--no-format")
        self.assert_resources_fit("bikes_gold", "bikes_ingest", "bikes_silver")

    def test_the_monitoring_that_the_settings_offer_works(self):
        self.lhp("init", "--sample", "--no-git", "demo")
        settings = self.root / "lhp.yaml"
        offered = (self.root / "config" / "event_log.yaml.example").read_text()
        settings.write_text(settings.read_text() + "\n" + offered)
        self.lhp("generate", "-e", "dev", "-pc", "config/pipeline_config.yaml", "--no-format")
        (job,) = (self.root / "resources").glob("*monitoring.job.yml")
        self.assertEqual(faults_of(yaml.safe_load(job.read_text())), [])

    def test_editors_find_the_schema_of_each_kind_of_file(self):
        self.lhp("init", "demo")
        settings = json.loads((self.root / ".vscode" / "settings.json").read_text())
        kinds = {"project", "flowgroup", "template", "preset", "blueprint", "substitution"}
        self.assertEqual(set(settings["yaml.schemas"]), {f".vscode/schemas/{kind}.schema.json" for kind in kinds})
        for path in settings["yaml.schemas"]:
            self.assertIn("$schema", json.loads((self.root / path).read_text()), path)

    def test_the_workflow_keeps_the_store_between_runs(self):
        self.lhp("init", "demo")
        steps = yaml.safe_load((self.root / ".github/workflows/lhp.yml").read_text())["jobs"]["validate"]["steps"]
        (cache,) = [step for step in steps if step.get("uses", "").startswith("actions/cache@")]
        self.assertEqual(cache["with"]["path"], ".lhp/cache")
        self.assertTrue(cache["with"]["key"].startswith(cache["with"]["restore-keys"]))

    def test_one_id_names_project_and_bundle(self):
        self.lhp("init", "demo")
        project, bundle = (yaml.safe_load((self.root / name).read_text()) for name in ("lhp.yaml", "databricks.yml"))
        self.assertEqual(project["project_id"], bundle["bundle"]["uuid"])
        self.assertEqual(bundle["include"], ["resources/*.yml", "resources/lhp/*.yml"])


if __name__ == "__main__":
    unittest.main()

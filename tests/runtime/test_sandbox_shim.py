import unittest

from fakes import runtime_load


class SandboxShim(unittest.TestCase):
    """The file as it stands renames catalog.schema.table, which is written under one catalog only, and schema.table."""

    def setUp(self):
        self.table = getattr(runtime_load("sandbox_shim.py"), "__lhp_sandbox_table")

    def test_a_member_gets_its_own_name_in_its_own_spelling(self):
        self.assertEqual(self.table("catalog.schema.table"), "catalog.schema.namespace_table")
        self.assertEqual(self.table("Catalog.SCHEMA.Table"), "Catalog.SCHEMA.namespace_Table")
        self.assertEqual(self.table("schema.table"), "schema.namespace_table")

    def test_backticks_stay(self):
        self.assertEqual(self.table("`catalog`.schema.`table`"), "`catalog`.schema.`namespace_table`")

    def test_anything_else_stays_as_it_is(self):
        for name in ("catalog.schema.other", "table", "a.catalog.schema.table", "", None, 7):
            self.assertEqual(self.table(name), name)

    def test_a_new_name_is_not_renamed_again(self):
        once = self.table("catalog.schema.table")
        self.assertEqual(self.table(once), once)


if __name__ == "__main__":
    unittest.main()

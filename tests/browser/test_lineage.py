"""The page of `lhp dag --format html`, clicked through in a headless Chromium.

    test_lineage.py LHP

Without Chromium it says so and exits with 77, which ctest counts as skipped.
"""
import subprocess, sys, tempfile, unittest
from pathlib import Path

import browser

SETTINGS = 'name: orchard\nversion: "1.0"\n'


def view(name, pipeline, sources, schema="s"):
    sql = " JOIN ".join(sources)
    return (f"pipeline: {pipeline}\nflowgroup: {name}\nactions:\n"
            f'  - {{name: load_{name}, type: load, source: {{type: sql, sql: "SELECT * FROM {sql}"}}, target: v_{name}}}\n'
            f"  - {{name: write_{name}, type: write, source: v_{name}, write_target: {{type: materialized_view, catalog: c, schema: {schema}, table: {name}}}}}\n")


SMALL = {"apple": ("pick", ["ext.farm.apple"]), "pear": ("pick", ["ext.farm.pear"]), "juice": ("press", ["c.s.apple", "c.s.pear"]),
         "cider": ("cellar", ["c.s.juice"]), "perry": ("cellar", ["c.s.pear"])}


def page(folder, files):
    for name, text in files.items():
        target = Path(folder, name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    subprocess.run([LHP, "dag", "--format", "html", "-o", "out"], cwd=folder, check=True, capture_output=True)
    return f"file://{folder}/out/lineage.html"


class Lineage(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="lhp-lineage-")
        self.browser = browser.Browser(CHROMIUM)
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(self.browser.close)

    def tearDown(self):
        self.assertEqual(self.browser.errors, [])

    def open_small(self):
        files = {"lhp.yaml": SETTINGS}
        files |= {f"pipelines/{name}.yaml": view(name, *what) for name, what in SMALL.items()}
        self.browser.open(page(self.folder.name, files))

    def box(self, name):
        return f"[...document.querySelectorAll('.node')].find((n) => n.title.split('\\n')[0] === '{name}')"

    def listed(self, title):
        """The items below a heading of the details."""
        return self.browser.value("(() => { const h = [...document.querySelectorAll('aside h3')]"
                                  f".find((h) => h.textContent.startsWith('{title} ·')); return h ? [...h.nextElementSibling.children].map((li) => li.textContent) : null; }})()")

    def marked(self, side):
        return sorted(self.browser.value(f"[...document.querySelectorAll('.node.{side}')].map((n) => n.title.split('\\n')[0])"))

    def test_stages_stand_from_left_to_right(self):
        self.open_small()
        left = {name: self.browser.value(self.box(name) + ".getBoundingClientRect().left") for name in ("ext.farm.pear", "c.s.pear", "c.s.juice", "c.s.cider")}
        self.assertEqual(sorted(left, key=left.get), list(left))
        self.assertEqual(len(set(left.values())), 4)
        self.assertEqual(left["c.s.juice"], self.browser.value(self.box("c.s.perry") + ".getBoundingClientRect().left"))

    def test_a_click_shows_maker_readers_and_closure(self):
        self.open_small()
        self.browser.click(self.box("c.s.juice"))
        self.assertEqual(self.browser.value("document.querySelector('aside h2').textContent"), "c.s.juice")
        self.assertEqual(self.listed("Made by"), ["press.juice.write_juice (write, pipelines/juice.yaml)"])
        self.assertEqual(self.listed("Read by"), ["cellar.cider.load_cider (load, pipelines/cider.yaml)"])
        self.assertEqual(self.listed("Directly from"), ["c.s.apple", "c.s.pear"])
        self.assertEqual(self.listed("Upstream, all"), ["c.s.apple", "c.s.pear", "ext.farm.apple", "ext.farm.pear"])
        self.assertEqual(self.listed("Downstream, all"), ["c.s.cider"])
        self.assertEqual(self.marked("up"), ["c.s.apple", "c.s.pear", "ext.farm.apple", "ext.farm.pear"])
        self.assertEqual(self.marked("down"), ["c.s.cider"])
        self.browser.press("Escape")
        self.assertEqual(self.marked("up"), [])

    def test_names_in_the_details_lead_on(self):
        self.open_small()
        self.browser.click(self.box("c.s.juice"))
        self.browser.click("[...document.querySelectorAll('aside button')].find((b) => b.textContent === 'c.s.pear')")
        self.assertEqual(self.browser.value("document.querySelector('aside h2').textContent"), "c.s.pear")
        self.assertEqual(self.listed("Downstream, all"), ["c.s.cider", "c.s.juice", "c.s.perry"])

    def test_search_leaves_what_has_all_words_and_enter_takes_the_first(self):
        self.open_small()
        self.browser.click("document.getElementById('search')")
        self.browser.type("cellar cid")
        shown = self.browser.value("[...document.querySelectorAll('.node')].filter((n) => n.offsetParent).map((n) => n.title.split('\\n')[0])")
        self.assertEqual(shown, ["c.s.cider"])
        self.assertEqual(self.browser.value("document.getElementById('count').textContent"), "1 of 7")
        self.browser.press("Enter")
        self.assertEqual(self.browser.value("document.querySelector('aside h2').textContent"), "c.s.cider")

    def test_external_sources_have_another_shape(self):
        self.open_small()
        style = lambda name: self.browser.value(f"(() => {{ const s = getComputedStyle({self.box(name)}); return [s.borderTopStyle, s.borderTopLeftRadius]; }})()")
        self.assertEqual(style("ext.farm.pear")[0], "dashed")
        self.assertEqual(style("c.s.pear")[0], "solid")
        self.assertNotEqual(style("ext.farm.pear")[1], style("c.s.pear")[1])
        self.browser.click(self.box("ext.farm.pear"))
        self.assertEqual(self.listed("Made by"), [])
        self.assertEqual(self.listed("Downstream, all"), ["c.s.cider", "c.s.juice", "c.s.pear", "c.s.perry"])

    def test_nothing_is_fetched_and_no_name_is_markup(self):
        odd = "</script><img src=x onerror=alert(1)>"
        files = {"lhp.yaml": SETTINGS, "pipelines/a.yaml": view("a", "p", ["e.s.t"]).replace("pipeline: p", f'pipeline: "{odd}"')}
        self.browser.open(page(self.folder.name, files))
        self.assertEqual(self.browser.value("document.images.length"), 0)
        self.assertEqual(self.browser.value("performance.getEntriesByType('resource').length"), 0)
        self.browser.click(self.box("c.s.a"))
        self.assertIn(odd, self.browser.value("document.querySelector('aside').textContent"))

    def test_5000_tables_can_be_searched_and_clicked(self):
        """Ten chains of 500: table k of a chain reads table k - 1."""
        files = {"lhp.yaml": SETTINGS}
        for chain in range(10):
            files[f"pipelines/{chain}.yaml"] = "---\n".join(
                view(f"t{chain}_{k}", f"p{chain}", [f"c.s.t{chain}_{k - 1}" if k else f"ext.s.t{chain}"]) for k in range(500))
        self.browser.open(page(self.folder.name, files))
        self.assertEqual(self.browser.value("document.querySelectorAll('.node').length"), 5010)
        self.browser.click("document.getElementById('search')")
        self.browser.type("t7_250")
        self.browser.press("Enter")
        self.assertEqual(len(self.marked("up")), 251)
        self.assertEqual(len(self.marked("down")), 249)
        shown = self.browser.value("[...document.querySelectorAll('.node')].filter((n) => n.offsetParent).length")
        self.assertEqual(shown, 501)
        self.browser.click(self.box("c.s.t7_251"))
        self.assertEqual(len(self.marked("up")), 252)


if __name__ == "__main__":
    LHP, CHROMIUM = str(Path(sys.argv.pop(1)).resolve()), browser.find()
    if CHROMIUM is None:
        print("SKIPPED: no Chromium here (Debian: apt-get install chromium)")
        sys.exit(77)
    unittest.main()

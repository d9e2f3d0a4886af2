#!/usr/bin/env python3
"""Reports in a real browser (headless Chromium): browser_test.py PERSLAY. Exit code 77 means that there is none."""

import base64
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

try:
    from selenium import webdriver
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.support.ui import Select
except ImportError:
    print("Skipped: python3-selenium is not installed.")
    sys.exit(77)

chromium, driver_program = shutil.which("chromium"), shutil.which("chromedriver")
if not chromium or not driver_program:
    print("Skipped: chromium and chromedriver are not installed.")
    sys.exit(77)

perslay = sys.argv.pop(1)
folder = pathlib.Path(tempfile.mkdtemp())

HOSTILE = ['<script>document.title = "bad"</script>', '"><img src=x onerror=alert(1)>', "naïve ∂ 名前 \U0001f600"]


def run(*arguments):
    done = subprocess.run([perslay, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"perslay {arguments}: {done.stderr}")
    return done.stdout


def make_dataset():
    """Graphs of three classes, by hand, so that classes may have any names: rings, trees and cliques as diagrams."""
    run("shapes", "--per-class", 20, "-o", folder / "SHAPES", "--quiet")
    run("diagrams", folder / "SHAPES", "--filtration", "hks:10,degree", "-o", folder / "shapes.h5", "--quiet",
        "--plot", folder / "plot.html")


def make_reports():
    make_dataset()
    try:
        run("evaluate", folder / "SHAPES", "--set", "training.epochs=8", "--folds", 4, "--repeats", 2, "-o",
            folder / "results", "--quiet", "--no-cache")
    except AssertionError as error:
        if "built without libtorch" not in str(error):
            raise
        run("evaluate", folder / "SHAPES", "--model", "ridge:diagrams-only", "--folds", 4, "--repeats", 2, "-o",
            folder / "results", "--quiet", "--no-cache")
    run("report", folder / "results", "-o", folder / "report.html")
    # The same results with names that nobody should trust.
    shutil.copytree(folder / "results", folder / "hostile")
    (folder / "hostile/sample.h5").unlink()
    for path in [folder / "hostile/results.json"]:
        content = json.loads(path.read_text())
        content["classes"] = HOSTILE
        content["dataset"] = HOSTILE[0]
        path.write_text(json.dumps(content))
    run("report", folder / "hostile", "-o", folder / "hostile.html")


def browser(width):
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     f"--window-size={width},900", "--hide-scrollbars"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.set_capability("goog:perfLoggingPrefs", {"enableNetwork": True})
    return webdriver.Chrome(service=Service(driver_program), options=options)


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        make_reports()
        cls.browser = browser(1200)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        shutil.rmtree(folder)

    def open(self, name, width=1200):
        self.browser.set_window_size(width, 900)
        self.browser.get_log("performance")
        self.browser.get_log("browser")
        self.browser.get((folder / name).as_uri())

    def find(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def tip(self):
        tip = self.find("#tip")[0]
        return tip.text if tip.is_displayed() else ""

    def hover(self, element):
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        time.sleep(0.2)  # scrolling hides tips
        ActionChains(self.browser).move_to_element(element).perform()

    def test_loads_without_errors_and_without_requests(self):
        for name in ["report.html", "plot.html", "hostile.html"]:
            self.open(name)
            self.assertEqual([entry["message"] for entry in self.browser.get_log("browser")], [], name)
            urls = set()
            for entry in self.browser.get_log("performance"):
                message = json.loads(entry["message"])["message"]
                if message["method"] == "Network.requestWillBeSent":
                    urls.add(message["params"]["request"]["url"])
            self.assertEqual({url for url in urls if not url.startswith("data:")}, {(folder / name).as_uri()}, name)

    def test_every_chart_has_marks(self):
        for name in ["report.html", "plot.html"]:
            self.open(name)
            charts = self.find("svg.chart")
            self.assertGreaterEqual(len(charts), 1 if name == "plot.html" else 5)
            for chart in charts:
                marks = chart.find_elements(By.CSS_SELECTOR, "[data-tip], .slot > path")
                self.assertGreater(len(marks), 0, chart.get_attribute("aria-label"))

    def test_hovering_shows_values(self):
        self.open("report.html")
        for section, expected in [("accuracy", "repeat "), ("confusion", " taken for "), ("time", "of the time")]:
            marks = self.find(f"#{section} circle[data-tip], #{section} rect[data-tip]")
            wide = [mark for mark in marks if mark.rect["width"] > 3]
            self.hover(wide[0])
            self.assertIn(expected, self.tip())
        # After scrolling, a movement within the same mark shows its values again.
        self.browser.execute_script("scrollBy(0, 2)")
        time.sleep(0.3)
        self.assertEqual(self.tip(), "")
        ActionChains(self.browser).move_by_offset(1, 0).perform()
        self.assertIn("of the time", self.tip())
        self.hover(self.find("h1")[0])
        self.assertEqual(self.tip(), "")

    def test_points_tell_item_kind_and_vertices(self):
        self.open("report.html")
        point = self.find("#diagrams .slot path")[0]
        self.hover(point)
        self.assertRegex(self.tip(), r"^graph \d+, (\d+ points of )?\w+\nbirth [-\d.e]+, death [-\d.e]+\n"
                                     r"vertices \d+ and \d+(; \d+ and \d+)*(; …)?$")

    def test_points_at_one_place_are_counted(self):
        """As many points are told of as the item has."""
        self.open("report.html")
        for item in [0, 25, 59]:
            Select(self.find("#diagrams select")[0]).select_by_index(item)
            tips = [path.get_attribute("data-tip").split("\n") for path in self.find("#diagrams .slot path")]
            found = collections.Counter()
            for head, *_ in tips:
                count, kind = re.fullmatch(r"graph \d+, (?:(\d+) points of )?(\w+)", head).groups()
                found[kind] += int(count or 1)
            said = re.findall(r"(\d+) \S+ (\w+)", self.find("#diagrams output")[0].text)
            expected = collections.Counter()
            for count, kind in said:
                expected[kind] += int(count)
            self.assertEqual(found, +expected)
            coordinates = [(head.split()[-1], where) for head, where, *_ in tips]
            self.assertEqual(len(coordinates), len(set(coordinates)))

    def test_choosing_items(self):
        self.open("report.html")
        select = Select(self.find("#diagrams select")[0])
        self.assertEqual(len(select.options), 60)
        self.assertEqual(select.options[59].text, "graph 59, class 2")

        def drawn():
            return [path.get_attribute("data-tip") for path in self.find("#diagrams .slot path")]

        first = drawn()
        select.select_by_index(59)
        last = drawn()
        self.assertNotEqual(first, last)
        self.assertTrue(all(tip.startswith("graph 59,") for tip in last))
        self.find('#diagrams button[data-step="1"]')[0].click()
        self.assertEqual(drawn(), first, "after the last comes the first")
        kinds = {tip.split("\n")[0].split()[-1] for tip in first}
        self.find('#diagrams input[value="ord0"]')[0].click()
        self.assertEqual({tip.split("\n")[0].split()[-1] for tip in drawn()}, kinds - {"ord0"})

    def test_keyboard(self):
        self.open("report.html")
        chart = self.find("#accuracy svg.chart")[0]
        self.browser.execute_script("arguments[0].focus()", chart)
        ActionChains(self.browser).send_keys(Keys.ARROW_RIGHT).perform()
        first = self.tip()
        ActionChains(self.browser).send_keys(Keys.ARROW_RIGHT).perform()
        self.assertTrue(first)
        self.assertNotIn(self.tip(), ["", first])
        ActionChains(self.browser).send_keys(Keys.ARROW_LEFT).perform()
        self.assertEqual(self.tip(), first)
        ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()
        self.assertEqual(self.tip(), "")

    def test_layout_at_two_widths(self):
        for width in [1200, 400]:
            self.open("report.html", width)
            inner, content = self.browser.execute_script("return [innerWidth, document.documentElement.scrollWidth]")
            self.assertLessEqual(content, inner, "the page itself does not scroll sideways")
            for element in self.find("h1, h2, .tile, .panel, .choice, pre, .wide"):
                box = element.rect
                self.assertGreaterEqual(box["x"], 0)
                self.assertLessEqual(box["x"] + box["width"], inner + 1, element.get_attribute("outerHTML")[:80])
            for number in self.find(".tile b"):
                self.assertTrue(self.browser.execute_script("return arguments[0].scrollWidth <= arguments[0].clientWidth",
                                                            number), number.text)
            tiles = [tile.rect["y"] for tile in self.find(".tile")]
            self.assertEqual(tiles, sorted(tiles))
            self.assertGreater(len(set(tiles)), 1 if width == 400 else 0)
            self.assert_painted(self.browser.get_screenshot_as_png())

    def assert_painted(self, png):
        """The screenshot is no empty page."""
        self.browser.switch_to.window(self.browser.window_handles[0])
        colours = self.browser.execute_async_script("""
            const done = arguments[1];
            const image = new Image();
            image.onload = () => {
              const canvas = document.createElement('canvas');
              canvas.width = image.width; canvas.height = image.height;
              const context = canvas.getContext('2d');
              context.drawImage(image, 0, 0);
              const data = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
              done(new Set(data).size);
            };
            image.src = 'data:image/png;base64,' + arguments[0];""", base64.b64encode(png).decode())
        self.assertGreater(colours, 20)

    def test_dark_theme_and_print(self):
        self.open("report.html")

        def paper():
            return self.browser.execute_script("return getComputedStyle(document.body).backgroundColor")

        def emulate(**media):
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)

        emulate(features=[{"name": "prefers-color-scheme", "value": "light"}])
        self.assertEqual(paper(), "rgb(255, 255, 255)")
        emulate(features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertEqual(paper(), "rgb(20, 24, 31)")
        emulate(media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertEqual(paper(), "rgb(255, 255, 255)")
        self.assertFalse(self.find("nav")[0].is_displayed())
        emulate(media="", features=[])

    def test_hostile_names_are_inert(self):
        self.open("hostile.html")
        self.assertTrue(self.browser.title.startswith(HOSTILE[0]), self.browser.title)
        self.assertEqual(self.find("img"), [])
        self.assertIn(HOSTILE[0], self.find("h1")[0].text)
        cell = self.find("#confusion rect[data-tip]")[1]
        self.hover(cell)
        self.assertIn(HOSTILE[1], self.tip())
        text = self.browser.execute_script("return document.body.textContent")
        self.assertIn(HOSTILE[2], text)


if __name__ == "__main__":
    unittest.main()

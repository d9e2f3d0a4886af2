#!/usr/bin/env python3
"""Reports in a real browser (headless Chromium): browser_test.py PERSLAY. Exit code 77 means that there is none."""

import base64
import collections
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
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

HOSTILE = ['"><img src=x onerror=alert(1)>', '<script>document.title = "bad"</script>',
           "naïve ∂ 名前 \U0001f600 with a name that is much longer than any margin of a chart may be"]
# An evaluation; other learners and protocols; several evaluations; a model; diagrams alone; names that nobody should
# trust; diagrams that are hard to draw.
PAGES = ["report.html", "svm.html", "split.html", "comparison.html", "model.html", "plot.html", "hostile.html",
         "stamps.html", "clipped.html"]


def run(*arguments):
    done = subprocess.run([perslay, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"perslay {arguments}: {done.stderr}")
    return done.stdout


def evaluate(data, name, *arguments):
    run("evaluate", data, *arguments, "-o", folder / name, "--quiet", "--no-cache")


def make_clouds():
    """Point clouds of three classes whose names nobody should trust."""
    clouds = folder / "clouds"
    clouds.mkdir()
    numbers = random.Random(1)
    labels = ["file,label"]
    for i in range(24):
        points = [(numbers.random(), numbers.random() ** (1 + i % 3)) for _ in range(20)]
        (clouds / f"c{i}.csv").write_text("\n".join(f"{x},{y}" for x, y in points))
        labels.append(f'c{i}.csv,"{HOSTILE[i % 3].replace(chr(34), chr(34) * 2)}"')
    (clouds / "labels.csv").write_text("\n".join(labels))
    return clouds


def make_reports():
    run("shapes", "--per-class", 20, "-o", folder / "SHAPES", "--quiet")
    shapes = folder / "SHAPES"
    run("diagrams", shapes, "--filtration", "hks:10,degree", "--quiet", "--plot", folder / "plot.html")
    ridge = ["--model", "ridge:diagrams-only"]
    evaluate(shapes, "results", "--set", "training.epochs=8", "--folds", 4, "--repeats", 2)
    run("report", folder / "results", "-o", folder / "report.html")
    (folder / "several").mkdir()
    evaluate(shapes, "several/svm", "--model", "svm:sw", "--folds", 3)
    evaluate(shapes, "several/split", *ridge, "--test-fraction", 0.3, "--runs", 3)
    run("report", folder / "several/svm", "-o", folder / "svm.html")
    run("report", folder / "several/split", "-o", folder / "split.html")
    run("report", folder / "several", "--items", 3, "-o", folder / "comparison.html")
    run("train", shapes, "--set", "training.epochs=2", "--quiet", "--no-cache", "-o", folder / "m.safetensors")
    run("report", folder / "m.safetensors", "-o", folder / "model.html")
    evaluate(make_clouds(), "hostile", "--model", "svm:sw", "--folds", 2)
    content = json.loads((folder / "hostile/results.json").read_text())
    content["dataset"] = HOSTILE[1]
    (folder / "hostile/results.json").write_text(json.dumps(content))
    run("report", folder / "hostile", "-o", folder / "hostile.html")
    (folder / "edges.txt").write_text("0 1\n1 2\n2 0\n2 3\n")
    (folder / "stamps.txt").write_text("1700000000\n1700000001\n1700000002\n1700000003.5\n")
    run("diagrams", folder / "edges.txt", "--filtration", f"file:{folder / 'stamps.txt'}", "--plot",
        folder / "stamps.html")
    run("diagrams", folder / "edges.txt", "--filtration", "degree", "--ordinary", "--essential", "clip:5", "--plot",
        folder / "clipped.html")


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

    def scroll(self, script, *arguments):
        """Waits until the page has been told of the scrolling, which hides tips: that comes before a frame, or soon."""
        self.browser.execute_script(script, *arguments)
        self.browser.execute_async_script("""
            const done = arguments[0], frame = count => count > 0 ? requestAnimationFrame(() => frame(count - 1)) : done();
            frame(5);""")

    def hover(self, element):
        self.scroll("arguments[0].scrollIntoView({block: 'center'})", element)
        ActionChains(self.browser).move_to_element(element).perform()

    def test_loads_without_errors_and_without_requests(self):
        for name in PAGES:
            self.open(name)
            self.assertEqual([entry["message"] for entry in self.browser.get_log("browser")], [], name)
            urls = set()
            for entry in self.browser.get_log("performance"):
                message = json.loads(entry["message"])["message"]
                if message["method"] == "Network.requestWillBeSent":
                    urls.add(message["params"]["request"]["url"])
            self.assertEqual({url for url in urls if not url.startswith("data:")}, {(folder / name).as_uri()}, name)

    def test_every_chart_has_marks(self):
        least = {"plot.html": 2, "stamps.html": 1, "clipped.html": 1, "model.html": 0, "comparison.html": 8}
        for name in PAGES:
            self.open(name)
            charts = self.find("svg.chart")
            self.assertGreaterEqual(len(charts), least.get(name, 4), name)
            for chart in charts:
                marks = chart.find_elements(By.CSS_SELECTOR, "[data-tip], .slot > path")
                self.assertGreater(len(marks), 0, f"{name}: {chart.get_attribute('aria-label')}")

    def test_text_and_marks_lie_inside_their_charts(self):
        for name in PAGES:
            for width in [1200, 400]:
                self.open(name, width)
                outside, overlapping = self.browser.execute_script("""
                    const outside = [], overlapping = [];
                    for (const chart of document.querySelectorAll('svg.chart')) {
                      const all = chart.getBoundingClientRect();
                      const frame = chart.querySelector('.frame').getBoundingClientRect();
                      const name = chart.getAttribute('aria-label') + ': ';
                      const leaves = (own, box, slack) => own.left < box.left - slack || own.right > box.right + slack
                        || own.top < box.top - slack || own.bottom > box.bottom + slack;
                      for (const text of chart.querySelectorAll('text'))
                        if (text.textContent && leaves(text.getBoundingClientRect(), all, 1))
                          outside.push(name + text.textContent);
                      for (const mark of chart.querySelectorAll('[data-tip]'))
                        if (leaves(mark.getBoundingClientRect(), frame, 9)) outside.push(name + mark.dataset.tip);
                      const labels = [...chart.querySelectorAll('text.number')].map((text) => text.getBoundingClientRect());
                      labels.forEach((a, i) => labels.slice(0, i).forEach((b) => {
                        const [x, y] = [Math.min(a.right, b.right) - Math.max(a.left, b.left),
                          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
                        if (x > 1 && y > 5) overlapping.push(name + x + ' ' + y);
                      }));
                    }
                    return [outside, overlapping];""")
                self.assertEqual((outside, overlapping), ([], []), f"{name} at {width}")
                text = self.browser.execute_script("return document.body.outerHTML.split('<script>')[0]")
                self.assertIsNone(re.search(r"\b(NaN|nan|inf|Infinity|undefined)\b", text), name)

    def test_names_are_told_whole(self):
        self.open("report.html")
        names = [text.get_attribute("textContent") for text in self.find("#time text.number.end")]
        self.assertEqual(names, ["prediction", "training", "preparation"])
        self.open("hostile.html")
        titles = [title.get_attribute("textContent") for title in self.find("#confusion text > title")]
        self.assertEqual(titles.count(HOSTILE[2]), 2)

    def test_close_coordinates_are_told_apart(self):
        self.open("stamps.html")
        tips = [path.get_attribute("data-tip").split("\n")[1] for path in self.find(".slot path")]
        self.assertEqual(sorted(tips), ["birth 1700000000, death 1700000003.5", "birth 1700000002, death 1700000000"])

    def test_classes_that_never_die_have_one_vertex(self):
        self.open("clipped.html")
        tips = [path.get_attribute("data-tip") for path in self.find(".slot path")]
        self.assertTrue(any(re.search(r"death 5\nvertex \d+$", tip) for tip in tips), tips)
        self.assertFalse(any("-1" in tip for tip in tips), tips)

    def test_diagrams_without_points_say_so(self):
        self.open("plot.html")
        for box in self.find(".kinds input"):
            box.click()
        self.assertEqual([text.text for text in self.find(".slot > text")], ["no points"] * 2)
        self.assertEqual(self.find(".slot rect"), [])

    def test_comparison_leads_to_every_evaluation(self):
        self.open("comparison.html")
        links = self.find("body > nav a")
        self.assertEqual([link.text for link in links], ["SHAPES, split", "SHAPES, svm"])
        for link in self.find("nav a"):
            target = link.get_attribute("href").split("#")[1]
            self.assertEqual(len(self.find(f"#{target}")), 1, target)
        counts = [len(Select(select).options) for select in self.find("select")]
        self.assertEqual(counts, [2, 1])

    def test_page_of_many_large_diagrams_is_small(self):
        """As large as ORBIT5K: 200 clouds of 1000 points shown."""
        run("orbits", "--per-class", 40, "--prom", 500, "--quiet", "-o", folder / "orbits.h5")
        run("diagrams", folder / "orbits.h5", "--quiet", "--plot", folder / "orbits.html")
        self.assertLess((folder / "orbits.html").stat().st_size, 3e6)
        self.open("orbits.html")
        self.assertEqual(len(Select(self.find("select")[0]).options), 200)
        self.assertGreater(len(self.find(".slot path")), 500)

    def test_hovering_shows_values(self):
        self.open("report.html")
        for section, expected in [("accuracy", "repeat "), ("confusion", " taken for "), ("time", "of the time")]:
            marks = self.find(f"#{section} circle[data-tip], #{section} rect[data-tip]")
            wide = [mark for mark in marks if mark.rect["width"] > 3]
            self.hover(wide[0])
            self.assertIn(expected, self.tip())
        # After scrolling, a movement within the same mark shows its values again.
        self.scroll("scrollBy(0, 2)")
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

    def test_intervals_are_the_points(self):
        """One for each point, from the smaller coordinate to the larger, kind by kind from the bottom up."""
        self.open("report.html")
        for item in [0, 25, 59]:
            Select(self.find("#diagrams select")[0]).select_by_index(item)
            told = re.findall(r"(\d+) (\S+) (\w+)", self.find("#diagrams output")[0].text)
            bars = self.find("#diagrams .slot.intervals")[0].find_elements(By.CSS_SELECTOR, "rect")
            kinds = [bar.get_attribute("data-tip").split("\n")[0].split()[-1] for bar in bars]
            first = [(int(count), kind) for count, filtration, kind in told if filtration == told[0][1]]
            self.assertEqual(kinds, [kind for count, kind in first for _ in range(count)])
            heights = [float(bar.get_attribute("y")) for bar in bars]
            self.assertEqual(heights, sorted(heights, reverse=True))
            ends = {}
            for bar in bars:
                birth, death = map(float, re.search(r"birth (\S+), death (\S+)", bar.get_attribute("data-tip")).groups())
                x, width = float(bar.get_attribute("x")), float(bar.get_attribute("width"))
                ends.setdefault(min(birth, death), set()).add(round(x, 1))
                if abs(birth - death) > 1e-3:
                    ends.setdefault(max(birth, death), set()).add(round(x + width, 1))
            self.assertGreater(len(ends), 1)
            places = [sum(found) / len(found) for _, found in sorted(ends.items())]
            self.assertTrue(all(b - a > -0.2 for a, b in zip(places, places[1:])), places)

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
        reached = []
        for _ in range(60):
            ActionChains(self.browser).send_keys(Keys.TAB).perform()
            focused = self.browser.switch_to.active_element
            reached.append(focused.get_attribute("aria-label") or focused.tag_name)
            if reached[-1] == "Next graph":
                break
        # In the order of the page: contents, charts, then what chooses an item.
        self.assertEqual(reached[0], "a")
        order = ["Accuracy of every fold", "Confusion matrix", "Previous graph", "select", "Next graph"]
        self.assertEqual([name for name in reached if name in order], order)
        self.open("report.html")
        while self.browser.switch_to.active_element.get_attribute("aria-label") != order[0]:
            ActionChains(self.browser).send_keys(Keys.TAB).perform()
        ActionChains(self.browser).send_keys(Keys.ARROW_RIGHT).perform()
        first = self.tip()
        ActionChains(self.browser).send_keys(Keys.ARROW_RIGHT).perform()
        self.assertTrue(first)
        self.assertNotIn(self.tip(), ["", first])
        ActionChains(self.browser).send_keys(Keys.ARROW_LEFT).perform()
        self.assertEqual(self.tip(), first)
        ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()
        self.assertEqual(self.tip(), "")

    def test_tips_leave_when_a_panel_scrolls(self):
        self.open("report.html", 400)
        mark = self.find("#accuracy circle[data-tip]")[0]
        self.hover(mark)
        self.assertNotEqual(self.tip(), "")
        self.scroll("document.querySelector('#accuracy .panel').scrollLeft += 20")
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
            tiles = [tile.rect for tile in self.find(".tile")]
            self.assertEqual(len(tiles), 6)
            rows = len({tile["y"] for tile in tiles})
            self.assertEqual(rows, 1 if width == 1200 else 3)
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
        # Text with smooth edges, tiles and the colours of a chart.
        self.assertGreater(colours, 150)

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
        self.assertEqual(self.browser.execute_script("return getComputedStyle(document.querySelector('.panel')).breakInside"),
                         "avoid")
        emulate(media="", features=[])

    def test_counts_are_readable_in_both_themes(self):
        self.open("report.html")
        for theme in ["light", "dark"]:
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                         {"features": [{"name": "prefers-color-scheme", "value": theme}]})
            contrasts = self.browser.execute_script("""
                const numbers = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
                const light = (rgb) => {
                  const [r, g, b] = rgb.map((x) => x / 255).map((x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
                  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const paper = numbers(getComputedStyle(document.body).backgroundColor);
                const cells = [...document.querySelectorAll('#confusion .cell')];
                return [...document.querySelectorAll('#confusion .count')].map((count, i) => {
                  const part = Number(getComputedStyle(cells[i]).fillOpacity);
                  const below = numbers(getComputedStyle(cells[i]).fill).map((x, k) => part * x + (1 - part) * paper[k]);
                  const [a, b] = [light(below), light(numbers(getComputedStyle(count).fill))].sort((x, y) => y - x);
                  return (a + 0.05) / (b + 0.05);
                });""")
            self.assertEqual(len(contrasts), 9)
            self.assertGreater(min(contrasts), 3.9, theme)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def test_hostile_names_are_inert(self):
        self.open("hostile.html")
        self.assertTrue(self.browser.title.startswith(HOSTILE[1]), self.browser.title)
        self.assertEqual(self.find("img"), [])
        self.assertIn(HOSTILE[1], self.find("h1")[0].text)
        tips = [cell.get_attribute("data-tip") for cell in self.find("#confusion rect[data-tip]")]
        options = [option.text for option in Select(self.find("#diagrams select")[0]).options]
        for name in HOSTILE:
            self.assertTrue(any(tip.startswith(f"class {name} taken for ") for tip in tips), name)
            self.assertTrue(any(option.endswith(f", class {name}") for option in options), name)
        self.hover(self.find("#confusion rect[data-tip]")[1])
        self.assertIn(" taken for ", self.tip())


if __name__ == "__main__":
    unittest.main()

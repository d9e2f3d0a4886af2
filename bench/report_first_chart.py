#!/usr/bin/env python3
"""Time from the start of navigation until a report's first chart, and its first diagram, are painted, in headless
Chromium: report_first_chart.py REPORT.html. Median and range of 10 loads, each from a blank page."""

import pathlib
import statistics
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

# Runs before the page's own script. What matches is in the document at the next frame; the frame after that has been
# painted when its callback runs. performance.now() counts from the start of navigation.
WATCH = """
window.painted = {};
function watch(name, selector) {
  const look = () => {
    if (!document.querySelector(selector)) return requestAnimationFrame(look);
    requestAnimationFrame(() => requestAnimationFrame(() => { window.painted[name] = performance.now(); }));
  };
  look();
}
watch('first chart', 'svg.chart');
watch('first diagram', '.slot > path');
"""

page = pathlib.Path(sys.argv[1]).resolve()
options = webdriver.ChromeOptions()
options.binary_location = "/usr/bin/chromium"
for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,900"]:
    options.add_argument(argument)
browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
times = {}
for _ in range(10):
    browser.get("about:blank")
    browser.get(page.as_uri())
    time.sleep(0.5)
    for name, milliseconds in browser.execute_script("return window.painted").items():
        times.setdefault(name, []).append(milliseconds)
browser.quit()
print(f"{page.name}: {page.stat().st_size / 1e6:.2f} MB")
for name, found in times.items():
    print(f"{name}: {statistics.median(found):.0f} ms ({min(found):.0f} to {max(found):.0f}, {len(found)} loads)")

#!/usr/bin/env python3
"""Takes the picture of a report for the README: shoot_report.py REPORT.html PICTURE.png (needs chromium and selenium).

    perslay evaluate MUTAG.zip --settings mutag --repeats 10 -o mutag
    perslay report mutag -o mutag.html
    docs/pictures/shoot_report.py mutag.html docs/pictures/report.png
"""

import pathlib
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

options = webdriver.ChromeOptions()
options.binary_location = "/usr/bin/chromium"
for argument in ["--headless=new", "--no-sandbox", "--hide-scrollbars", "--window-size=1180,1500"]:
    options.add_argument(argument)
browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
browser.get(pathlib.Path(sys.argv[1]).resolve().as_uri())
# The top, accuracies and the weights; the rest would make the picture too long.
browser.execute_script("""
    for (const id of ['confusion', 'training', 'diagrams', 'time', 'settings']) document.getElementById(id).remove();
    const weights = document.querySelector('#learned figure');
    while (weights.nextSibling) weights.nextSibling.remove();
    document.querySelector('footer')?.remove();
    document.body.style.paddingBottom = 0;""")
height = browser.execute_script("return document.body.scrollHeight")
browser.set_window_size(1180, height + 143)  # the window's own bars
browser.save_screenshot(sys.argv[2])
browser.quit()

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
# The top, one item's diagrams and the weights; the rest would make the picture too long.
browser.execute_script("""
    for (const id of ['accuracy', 'confusion', 'training', 'time', 'settings']) document.getElementById(id)?.remove();
    document.querySelectorAll('#learned figure')[1]?.remove();
    document.querySelectorAll('#learned h3')[1 + document.querySelectorAll('#learned .panel').length]?.remove();
    document.querySelector('#diagrams select').selectedIndex = 5;
    document.querySelector('#diagrams select').dispatchEvent(new Event('change'));
    scrollTo(0, 0);""")
browser.save_screenshot(sys.argv[2])
browser.quit()

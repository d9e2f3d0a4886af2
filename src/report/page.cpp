#include "assets.h"

#include <fmt/format.h>

#include <perslay/base/version.h>
#include <perslay/report/html.h>
#include <perslay/report/page.h>

namespace perslay::report {

std::string Page::html() const {
  std::string contents;
  std::string body;
  for (const auto& section : sections) {
    if (section.listed)
      contents += fmt::format("<a href=\"#{}\">{}</a>\n", section.id, escaped(section.title));
    body += fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n",
        section.id, escaped(section.title), section.html);
  }
  std::string remarks;
  for (const auto& note : notes) remarks += fmt::format("<p class=\"subtitle\">{}</p>\n", escaped(note));
  const std::string navigation =
      sections.size() < 2 ? "" : fmt::format("<nav aria-label=\"Contents\">\n{}</nav>\n", contents);
  // The policy makes sure that nothing is ever fetched, whatever a name may hold.
  return fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>{0}</title>
<style>
{1}{2}</style>
</head>
<body>
<header>
<h1>{0}</h1>
<p class="subtitle">{3}</p>
</header>
{4}<main>
{5}{6}</main>
<footer>Made by perslay {7}.</footer>
<div id="tip" role="status"></div>
<noscript><p>Diagrams of single items and tips need JavaScript; everything else is here without.</p></noscript>
<script>
{8}</script>
</body>
</html>
)",
                     escaped(title), assets::chart_css(), assets::page_css(), escaped(subtitle), navigation,
                     lead + remarks, body, base::version(), assets::page_js());
}

}  // namespace perslay::report

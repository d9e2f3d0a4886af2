#pragma once

#include <string>
#include <vector>

namespace perslay::report {

/// Part of a page, under a heading.
struct Section {
  std::string id;     ///< The target of links: letters, digits and '-'.
  std::string title;  ///< A text.
  std::string html;
  bool listed = true;  ///< Whether the contents at the top link to it.
};

/// One HTML file that needs nothing else: no network, no other file. It follows the reader's light or dark
/// theme, prints, and shows tips of marks to the pointer and to the keyboard.
struct Page {
  std::string title;     ///< A text.
  std::string subtitle;  ///< A text.
  std::string lead;      ///< HTML before the first section.
  std::vector<Section> sections;
  std::vector<std::string> notes{};  ///< Sentences about what the page leaves out, after the lead.

  [[nodiscard]] std::string html() const;
};

}  // namespace perslay::report

#pragma once

#include <string>
#include <vector>

namespace perslay::report {

/// Part of a page, under a heading.
struct Section {
  std::string id;     ///< Where links go; letters, digits and '-'.
  std::string title;  ///< A text.
  std::string html;
  bool listed = true;  ///< Whether the contents at the top lead here.
};

/// One HTML file that needs nothing else: no network, no other file. It follows the reader's light or dark
/// theme, prints, and shows tips of marks to the pointer and to the keyboard.
struct Page {
  std::string title;  ///< Texts.
  std::string subtitle;
  std::string lead;  ///< HTML before the first section.
  std::vector<Section> sections;
  std::vector<std::string> notes{};  ///< Sentences about what is not on the page, shown after the lead.

  [[nodiscard]] std::string html() const;
};

}  // namespace perslay::report

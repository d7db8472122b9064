// The report page: one self-contained HTML file.
//
// The page is built from web/ and is part of the library (cmake/embed_page.cmake); its data are one
// JSON object and programs in JavaScript. Strings of a robot file may contain anything, including
// "</script>", so all text passes through the escaping here.

#pragma once

#include <string>
#include <string_view>

#include "report/layer.hpp"

namespace parid::report {

struct ReportPage {
  std::string title;
  std::string data;      // a JSON object
  std::string programs;  // generated JavaScript: only identifiers and numbers
};

// Throws std::logic_error if the programs could end their script element.
std::string text(const ReportPage&);

// Text escaped for HTML.
std::string html_escaped(std::string_view);

// False: the library was built without npm, and the page has no 3-D view.
bool report_page_is_full();

}  // namespace parid::report

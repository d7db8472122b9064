// The report page: one self-contained HTML file.
//
// The page is built from web/ and is part of the library (cmake/embed_page.cmake); its data are one
// JSON object and programs in JavaScript. Strings of a robot file may contain anything, including
// "</script>", so all text passes through the escaping here.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "report/layer.hpp"

namespace parid::report {

struct ReportPage {
  std::string title;
  std::string data;      // a JSON object
  std::string programs;  // generated JavaScript: only identifiers and numbers
  // The number of the page at a PageServer, from which the page then requests changes. Without it,
  // the page requests nothing.
  std::optional<long> watch = {};
};

// Throws std::logic_error if the programs could end their script element.
std::string text(const ReportPage&);

// A page with one message for a PageServer that has no other page yet.
std::string error_page(const std::string& message, long watch);

// Text escaped for HTML.
std::string html_escaped(std::string_view);

// False: the library was built without npm, and the page has no 3-D view.
bool report_page_is_full();

}  // namespace parid::report

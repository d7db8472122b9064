// The page itself: one HTML file that needs nothing else.
//
// The page is built from web/ and is part of the library (cmake/embed_page.cmake); what it shows is
// one JSON object and programs in JavaScript. Strings of a robot's file may hold anything,
// "</script>" included, so no text goes into the page but through here.

#pragma once

#include <string>
#include <string_view>

#include "report/layer.hpp"

namespace parid::report {

struct ReportPage {
  std::string title;
  std::string data;      // a JSON object
  std::string programs;  // JavaScript, generated: identifiers and numbers alone
};

// Throws std::logic_error where the programs could end the script they stand in.
std::string text(const ReportPage&);

// Text as HTML shows it.
std::string html_escaped(std::string_view);

// False: the library was built where npm could not be had, and the page is without 3-D.
bool report_page_is_full();

}  // namespace parid::report

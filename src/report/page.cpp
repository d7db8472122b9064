#include "report/page.hpp"

#include <stdexcept>

#include "report/embedded_page.hpp"

namespace parid::report {
namespace {

// In JSON "<" occurs only within strings, where this escape is equivalent.
std::string json_in_html(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 64);
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

void demand_harmless(std::string_view program) {
  for (const char* bad : {"</", "<!"})
    if (program.find(bad) != program.npos)
      throw std::logic_error("a generated program contains an end tag of a script");
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  return out;
}

// In one pass, so that a value that contains a placeholder is not replaced.
std::string text(const ReportPage& page) {
  demand_harmless(page.programs);
  const std::string title = html_escaped(page.title), data = json_in_html(page.data);
  const struct {
    std::string_view mark, value;
  } parts[] = {
      {"@PARID_TITLE@", title}, {"@PARID_DATA@", data}, {"@PARID_PROGRAMS@", page.programs}};
  std::string_view rest = embedded_page();
  std::string out;
  out.reserve(rest.size() + data.size() + page.programs.size());
  for (std::size_t at; (at = rest.find("@PARID_")) != rest.npos;) {
    out += rest.substr(0, at);
    rest.remove_prefix(at);
    bool known = false;
    for (const auto& [mark, value] : parts)
      if (!known && rest.starts_with(mark)) {
        out += value;
        rest.remove_prefix(mark.size());
        known = true;
      }
    if (!known) {
      out += rest[0];
      rest.remove_prefix(1);
    }
  }
  return out += rest;
}

bool report_page_is_full() {
  return embedded_page().find("<!-- parid: full page -->") != std::string_view::npos;
}

}  // namespace parid::report

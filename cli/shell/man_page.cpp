#include "cli/shell/shell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cli/shell/command_help.hpp"
#include "parid/parid.h"

namespace parid::cli {
namespace {

// In roff, backslashes, hyphens and a line's first dot or quote have a meaning.
std::string roff(const std::string& text) {
  std::string out = !text.empty() && (text[0] == '.' || text[0] == '\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '`')
      out += "\\(ga";
    else if (c == '^')
      out += "\\(ha";
    else if (c == '~')
      out += "\\(ti";
    else
      out += c;
  }
  return out;
}
std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }

std::string file_name(std::string name) {  // "parid torque" is parid-torque(1)
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

// A text, optionally followed by a list: "  name   description".
std::string body(const std::string& text) {
  std::istringstream lines(text);
  std::string line, out;
  std::getline(lines, line);
  out = line.empty() ? "\\&\n" : roff(line) + "\n";
  bool list = false;
  while (std::getline(lines, line)) {
    line.erase(0, line.find_first_not_of(' '));
    const std::size_t end = line.find(' '), start = line.find_first_not_of(' ', end);
    out += std::string(list ? "" : ".RS\n") + ".TP\n" + bold(line.substr(0, end)) + "\n" +
           (start == std::string::npos ? "\\&" : roff(line.substr(start))) + "\n";
    list = true;
  }
  return out + (list ? ".RE\n" : "");
}

std::string section(const char* title, const std::vector<HelpEntry>& entries) {
  if (entries.empty()) return "";
  std::string text = fmt::format(".SH {}\n", title);
  for (const HelpEntry& e : entries) {
    text += ".TP\n";
    for (std::size_t k = 0; k < e.names.size(); ++k) text += (k ? ", " : "") + bold(e.names[k]);
    if (!e.value.empty()) text += " \\fI" + roff(e.value) + "\\fR";
    text += "\n";
    text += body(e.text);
  }
  return text;
}

}  // namespace

std::string man_page(const CLI::App& app) {
  const CommandHelp h = help_of(app);
  const CLI::App* program = app.get_parent() ? app.get_parent() : &app;
  std::string title = file_name(h.name), upper = title;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text = fmt::format(
      ".\\\" written by `parid man`\n.TH {} 1 \"\" \"parid {}\" \"User Commands\"\n.SH NAME\n{} "
      "\\- {}\n.SH SYNOPSIS\n{}\n",
      roff(upper), parid_version(), roff(title), roff(h.summary), bold(h.usage));
  if (!h.notes.empty()) {
    text += ".SH DESCRIPTION\n";
    for (const std::string& line : h.notes)
      text += (&line == &h.notes[0] ? ""
               : line[0] == ' '     ? ".br\n"
                                    : ".PP\n") +
              roff(line.substr(line.find_first_not_of(' '))) + "\n";
  }
  text += section("ARGUMENTS", h.arguments) + section("COMMANDS", h.commands) +
          section("OPTIONS", h.options);
  text +=
      ".SH EXIT STATUS\n0: success. 1: negative result. 2: bad usage or bad input.\n.SH "
      "ENVIRONMENT\n.TP\n\\fBPARID_ISA\\fR\nbaseline, avx2 or avx512: widest instruction set to "
      "use.\n.TP\n\\fBPARID_CACHE\\fR\ndirectory of compiled kernels.\n.TP\n\\fBNO_COLOR\\fR\nif "
      "not empty, print no colours.\n";
  if (!h.examples.empty()) {
    text += ".SH EXAMPLES\n.nf\n";
    for (const std::string& line : h.examples) text += roff(line) + "\n";
    text += ".fi\n";
  }
  text += ".SH SEE ALSO\n";
  std::string others;
  if (app.get_parent())
    others = bold("parid") + "(1)";
  else
    for (const HelpEntry& c : help_of(*program).commands)
      others += (others.empty() ? "" : ",\n") + bold("parid-" + c.names[0]) + "(1)";
  return text + others + "\n";
}

}  // namespace parid::cli

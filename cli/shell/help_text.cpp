#include "cli/shell/command_help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cli/output/terminal.hpp"

namespace parid::cli {
namespace {

constexpr int names_width = 28;  // longer names have their text on the next line
constexpr int widest = 100;      // longer lines are hard to read in windows of any width

// Columns, not bytes: one for each character of UTF-8.
int columns(const std::string& s) {
  return static_cast<int>(
      std::count_if(s.begin(), s.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Words from column `indent` on, in lines of `width`; lines after the first begin at `hanging`.
std::string wrapped(const std::string& text, int width, int indent, int hanging) {
  std::istringstream words(text);
  std::string out;
  int at = indent;
  bool first = true;
  for (std::string word; words >> word; first = false) {
    const int w = columns(word);
    if (!first && at + 1 + w > width) {
      out += "\n" + std::string(hanging, ' ');
      at = hanging;
    } else if (!first) {
      out += ' ';
      ++at;
    }
    out += word;
    at += w;
  }
  return out;
}

// "  name      description" of a list inside a text: the description keeps its column.
std::string list_line(const std::string& line, int width, int indent) {
  const std::size_t start = line.find_first_not_of(' ');
  if (start == std::string::npos) return "";
  const std::string item = line.substr(start);
  const std::size_t gap = item.find("  ");
  std::size_t text =
      gap == std::string::npos ? std::string::npos : item.find_first_not_of(' ', gap);
  if (text == std::string::npos) {
    const std::size_t space = item.find(' ');  // a name as wide as its column
    if (space == std::string::npos) return std::string(indent, ' ') + item;
    text = space + 1;
  }
  const std::string name = item.substr(0, text);
  const int from = indent + columns(name);
  return std::string(indent, ' ') + name + wrapped(item.substr(text), width, from, from);
}

std::string entry(const HelpEntry& e, int width) {
  const std::string left = e.left();
  std::string out = "  " + painted(stdout, Paint::bold, left);
  const int used = 2 + columns(left), indent = names_width + 2;
  out += used < indent ? std::string(indent - used, ' ') : "\n" + std::string(indent, ' ');
  std::istringstream lines(e.text);
  bool first = true;
  for (std::string line; std::getline(lines, line); first = false)
    out += first ? wrapped(line, width, indent, indent) : "\n" + list_line(line, width, indent + 2);
  return out + "\n";
}

std::string section(const char* title, const std::vector<HelpEntry>& entries, int width) {
  if (entries.empty()) return "";
  std::string out = "\n" + heading(title) + "\n";
  for (const HelpEntry& e : entries) out += entry(e, width);
  return out;
}

}  // namespace

std::string HelpText::make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const {
  const CommandHelp h = help_of(*app);
  const int width = std::clamp(width_of(stdout, widest), 60, widest);
  std::string out =
      wrapped(h.summary, width, 0, 0) + "\n\n" + heading("Usage:") + " " + h.usage + "\n";
  out += section("Arguments:", h.arguments, width) + section("Commands:", h.commands, width) +
         section("Options:", h.options, width);
  if (!h.notes.empty()) out += "\n";
  for (const std::string& line : h.notes) {
    const int indent = static_cast<int>(line.find_first_not_of(' '));
    out += std::string(indent, ' ') + wrapped(line, width, indent, indent) + "\n";
  }
  if (!h.examples.empty())
    out += "\n" + heading(h.examples.size() == 1 ? "Example:" : "Examples:") + "\n";
  for (const std::string& line : h.examples) out += "  " + line + "\n";
  return out;
}

}  // namespace parid::cli

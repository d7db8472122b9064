#include "cli/shell/command_help.hpp"

#include <fmt/format.h>

#include <sstream>

namespace parid::cli {
namespace {

std::string trimmed(const std::string& s) {
  const std::size_t first = s.find_first_not_of(" \n"), last = s.find_last_not_of(" \n");
  return first == std::string::npos ? "" : s.substr(first, last + 1 - first);
}

std::string value_of(const CLI::Option& o) {
  if (o.get_items_expected_max() == 0 || o.get_type_size_max() == 0) return "";
  if (const std::string said = trimmed(o.get_option_text()); !said.empty()) return said;
  const std::string type = o.get_type_name();  // "INT:INT in [1 - 8]"
  return type.substr(0, type.find(':'));
}

std::string text_of(const CLI::Option& o) {
  std::string text = o.get_description();
  const std::string preset = o.get_default_str();
  if (!preset.empty() && text.find("(default") == std::string::npos) {
    const std::size_t end = std::min(text.find(":\n"), text.size());
    text.insert(end, fmt::format(" (default: {})", preset));
  }
  for (const CLI::Option* other : o.get_needs())
    text += fmt::format("; with {}", other->get_name());
  return text;
}

HelpEntry entry_of(const CLI::Option& o) {
  if (o.get_positional()) return {{o.get_name(true, false)}, "", text_of(o)};
  HelpEntry e{{}, value_of(o), text_of(o)};
  for (const std::string& name : o.get_snames()) e.names.push_back("-" + name);
  for (const std::string& name : o.get_lnames()) e.names.push_back("--" + name);
  return e;
}

// "ROBOT [MOTION]": the arguments in the command's order.
std::string usage_of(const CLI::App& app, const CommandHelp& h) {
  std::string usage = h.name;
  if (!h.options.empty()) usage += " [OPTION…]";
  for (const CLI::Option* o : app.get_options()) {
    if (!o->get_positional()) continue;
    const std::string name =
        o->get_name(true, false) + (o->get_items_expected_max() > 1 ? "…" : "");
    usage += o->get_required() ? " " + name : " [" + name + "]";
  }
  return h.commands.empty() ? usage : usage + " COMMAND …";
}

void take_footer(CommandHelp& h, const std::string& footer) {
  std::istringstream lines(footer);
  bool examples = false;
  for (std::string line; std::getline(lines, line);) {
    std::string said = trimmed(line);
    for (const std::string word : {"Examples:", "Example:"})
      if (said.starts_with(word)) {
        examples = true;
        said = trimmed(said.substr(word.size()));
        break;
      }
    if (said.empty()) continue;
    // Text after the examples begins at the margin.
    if (examples && line[0] != ' ' && !line.starts_with("Example")) examples = false;
    if (examples)
      h.examples.push_back(said);
    else if (line[0] != ' ' && !h.notes.empty() && h.notes.back()[0] != ' ' &&
             h.notes.back().back() != '.')
      h.notes.back() += " " + said;  // a sentence goes on
    else
      h.notes.push_back(line);
  }
}

}  // namespace

std::string HelpEntry::left() const {
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  return value.empty() ? text : text + " " + value;
}

CommandHelp help_of(const CLI::App& app) {
  CommandHelp h;
  h.name = app.get_name();
  if (const CLI::App* parent = app.get_parent()) h.name = parent->get_name() + " " + h.name;
  h.summary = app.get_description();
  for (const CLI::Option* o : app.get_options()) {
    if (o->get_group().empty()) continue;
    (o->get_positional() ? h.arguments : h.options).push_back(entry_of(*o));
  }
  for (const CLI::App* c : app.get_subcommands(nullptr))
    if (!c->get_group().empty()) h.commands.push_back({{c->get_name()}, "", c->get_description()});
  h.usage = usage_of(app, h);
  take_footer(h, app.get_footer());
  return h;
}

}  // namespace parid::cli

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/shell/shell.hpp"
#include "cli/shell/vocabulary.hpp"

namespace parid::cli {
namespace {

std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text.substr(0, text.find('\n'))) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

// " -x -a 'a b c'" of an option, " -a …" of an argument.
std::string fish_offer(const Completion& c) {
  std::string words = fmt::format("{}", fmt::join(c.words, " "));
  for (const std::string& ending : c.endings)
    words += fmt::format("{}(__fish_complete_suffix .{})", words.empty() ? "" : " ", ending);
  if (c.folders) words = "(__fish_complete_directories)";
  return words.empty() ? "" : " -a " + in_quotes(words);
}

std::string fish_branch(const CLI::App& command) {
  const CommandHelp help = help_of(command);
  const std::string head =
      fmt::format("complete -c parid -n '__fish_seen_subcommand_from {}'", command.get_name());
  std::string text;
  for (const HelpEntry& e : help.options) {
    text += head;
    for (const std::string& name : e.names)
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    const Completion c = completion_of(command.get_name(), e);
    if (!e.value.empty()) text += (c.any_file ? " -r -F" : " -x") + fish_offer(c);
    text += " -d " + in_quotes(brief(e.text)) + "\n";
  }
  for (const HelpEntry& e : help.arguments)
    if (const Completion c = completion_of(command.get_name(), e); !c.nothing())
      text += head + fish_offer(c) + "\n";
  return text;
}

}  // namespace

std::string fish_completion(const CLI::App& program) {
  const CommandHelp help = help_of(program);
  std::string text =
      "# fish completion of parid, written by `parid completion fish`\n\ncomplete -c parid "
      "-f\ncomplete -c parid -n __fish_use_subcommand -l version -d 'Show version and "
      "build'\ncomplete -c parid -n __fish_use_subcommand -s h -l help -d 'Show help'\n";
  for (const HelpEntry& c : help.commands)
    text += fmt::format("complete -c parid -n __fish_use_subcommand -a {} -d {}\n", c.names[0],
                        in_quotes(brief(c.text)));
  for (const HelpEntry& c : help.commands) text += fish_branch(*program.get_subcommand(c.names[0]));
  return text;
}

}  // namespace parid::cli

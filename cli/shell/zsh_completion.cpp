#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/shell/shell.hpp"
#include "cli/shell/vocabulary.hpp"

namespace parid::cli {
namespace {

// Inside single quotes; _arguments and _describe interpret colons and brackets.
std::string escaped(const std::string& text, const std::string& special) {
  std::string out;
  for (const char c : text.substr(0, text.find('\n'))) {
    if (c == '\'')
      out += "'\\''";
    else if (special.find(c) != std::string::npos)
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

// ":NAME:(a b c)": the choices for a value.
std::string action(const std::string& name, const Completion& c) {
  std::string words, files;
  for (const std::string& word : c.words) words += (words.empty() ? "" : " ") + escaped(word, ":");
  if (c.folders) files = "_files -/";
  if (c.any_file) files = "_files";
  if (!c.endings.empty()) files = fmt::format("_files -g \"*.({})\"", fmt::join(c.endings, "|"));
  std::string does = " ";
  if (!words.empty() && !files.empty())
    does = fmt::format("_alternative \"words:{}:({})\" \"files:file:{}\"", name, words,
                       escaped(files, "\""));
  else if (!words.empty())
    does = fmt::format("({})", words);
  else if (!files.empty())
    does = files;
  if (!words.empty() && !files.empty()) does = fmt::format("{{{}}}", does);
  return fmt::format(":{}:{}", escaped(name, ":[]"), does);
}

std::string zsh_branch(const CLI::App& command) {
  const CommandHelp help = help_of(command);
  std::string text = fmt::format("    {})\n      _arguments -s \\\n", command.get_name());
  for (const HelpEntry& e : help.options) {
    const std::string after =
        e.value.empty() ? "" : action(e.value, completion_of(command.get_name(), e));
    for (const std::string& name : e.names)
      text += fmt::format("        '*{}[{}]{}' \\\n", name, escaped(brief(e.text), "[]:"), after);
  }
  for (const HelpEntry& e : help.arguments)
    text +=
        fmt::format("        ':{}' \\\n", action(e.names[0], completion_of(command.get_name(), e)));
  return text + "        && return ;;\n";
}

}  // namespace

std::string zsh_completion(const CLI::App& program) {
  const CommandHelp help = help_of(program);
  std::string text =
      "#compdef parid\n# zsh completion of parid, written by `parid completion zsh`\n\n_parid() {\n"
      "  local state curcontext=$curcontext\n"
      "  _arguments -C '(- *)'{-h,--help}'[help]' '(- *)--version[version]' ':command:->command' "
      "'*::argument:->argument' && return\n"
      "  if [[ $state == command ]]; then\n    local -a commands=(\n";
  for (const HelpEntry& c : help.commands)
    text += fmt::format("      '{}:{}'\n", c.names[0], escaped(brief(c.text), ":"));
  text += "    )\n    _describe command commands && return\n  fi\n  case $words[1] in\n";
  for (const HelpEntry& c : help.commands) text += zsh_branch(*program.get_subcommand(c.names[0]));
  return text +
         "  esac\n}\n\nif [[ $funcstack[1] == _parid ]]; then _parid \"$@\"; else compdef _parid "
         "parid; fi\n";
}

}  // namespace parid::cli

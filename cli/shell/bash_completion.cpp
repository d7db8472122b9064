#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/shell/shell.hpp"
#include "cli/shell/vocabulary.hpp"

namespace parid::cli {
namespace {

// "words='…' files='urdf toml'": the choices of the function below.
std::string bash_offer(const Completion& c) {
  std::string text;
  if (!c.words.empty()) text += fmt::format(" words='{}'", fmt::join(c.words, " "));
  if (!c.endings.empty()) text += fmt::format(" files='{}'", fmt::join(c.endings, " "));
  if (c.any_file) text += " files='*'";
  if (c.folders) text += " files='/'";
  return text.empty() ? " :" : text;
}

std::string bash_branch(const CLI::App& command) {
  const CommandHelp help = help_of(command);
  std::string options, valued, values, arguments;
  for (const HelpEntry& e : help.options) {
    for (const std::string& name : e.names) options += (options.empty() ? "" : " ") + name;
    if (e.value.empty()) continue;
    valued += fmt::format(" {}", fmt::join(e.names, " "));
    if (const Completion c = completion_of(command.get_name(), e); !c.nothing())
      values += fmt::format("        {}){} ;;\n", fmt::join(e.names, "|"), bash_offer(c));
  }
  int place = 0;
  for (const HelpEntry& e : help.arguments)
    arguments += fmt::format("        {}){} ;;\n", place++,
                             bash_offer(completion_of(command.get_name(), e)));
  return fmt::format(
      "    {})\n      options='{}' valued='{} '\n      _parid_place\n"
      "      case $option in\n{}        '') case $place in\n{}        esac ;;\n      esac ;;\n",
      command.get_name(), options, valued, values, arguments);
}

// Completes one word at a time: bash treats ':' and '=' as separators and passes them separately.
constexpr const char* head = R"(# bash completion of parid, written by `parid completion bash`

# Which argument the current word is, after options and their values, or of which option it is the value.
_parid_place() {
  local i word
  place=0 option=
  for ((i = at + 1; i < ${#line[@]} - 1; ++i)); do
    word=${line[i]}
    if [[ -n $option ]]; then option=
    elif [[ $word == --*=* ]]; then :
    elif [[ $word == -?* ]]; then [[ $valued == *" $word "* ]] && option=$word
    else ((++place)); fi
  done
  [[ $current == --*=* ]] && option=${current%%=*}
  return 0
}

_parid() {
  local -a line
  local typed=${COMP_LINE:0:COMP_POINT} current at command= words= files= options= valued= place option i
  read -ra line <<<"$typed"
  [[ $typed == *[[:space:]] ]] && line+=('')
  current=${line[-1]}
  for ((at = 1; at < ${#line[@]} - 1; ++at)); do
    [[ ${line[at]} != -* ]] && { command=${line[at]}; break; }
  done
  case $command in
)";
constexpr const char* tail = R"(  esac
  local prefix=
  if [[ $current == --*=* ]]; then  # --method=wat
    prefix=${current%%=*}= current=${current#*=}
  fi
  COMPREPLY=()
  if [[ $current == -* && -z $option ]]; then
    words=$options files=
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    local file
    while IFS= read -r file; do
      if [[ -d $file || $files == '*' ]]; then COMPREPLY+=("$file"); continue; fi
      for i in $files; do [[ $file == *".$i" ]] && COMPREPLY+=("$file"); done
    done < <(set -f; compgen -f -- "$current")
  fi
  # what stands before the last ':' or '=' is already on the line
  local before=$prefix$current
  case $before in
    *[:=]*) local cut=${before%"${before##*[:=]}"}
            cut=${cut#"$prefix"}
            [[ $COMP_WORDBREAKS == *:* || $cut != *:* ]] && COMPREPLY=("${COMPREPLY[@]#"$cut"}") ;;
  esac
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null
  return 0
}

complete -F _parid parid
)";

}  // namespace

std::string bash_completion(const CLI::App& program) {
  const CommandHelp help = help_of(program);
  std::string text = head, commands, options;
  for (const HelpEntry& c : help.commands) commands += (commands.empty() ? "" : " ") + c.names[0];
  for (const HelpEntry& e : help.options)
    for (const std::string& name : e.names) options += (options.empty() ? "" : " ") + name;
  text += fmt::format("    '') words='{} help' options='{}' ;;\n", commands, options);
  text += fmt::format("    help) words='{}' ;;\n", commands);
  for (const HelpEntry& c : help.commands) text += bash_branch(*program.get_subcommand(c.names[0]));
  return text + tail;
}

}  // namespace parid::cli

// Words of the command line, one per line of the input. All are parsed; only fast commands that
// write no files are run, and not for robots of a thousand links and more.

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "fuzz/fuzz.hpp"
#include "parid/error.hpp"

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// The commands by name. Creating all of them for each input would take most of the time.
std::map<std::string, parid::cli::AddCommand> by_name() {
  std::map<std::string, parid::cli::AddCommand> all;
  for (const parid::cli::AddCommand add : parid::cli::commands) {
    CLI::App app;
    parid::cli::Action action;
    add(app, action);
    for (const CLI::App* command : app.get_subcommands({})) all.emplace(command->get_name(), add);
  }
  return all;
}

// chain:1000 … chain:999999; longer ones are refused at once.
bool is_long_robot(const std::string& word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string::npos) return false;
  const std::size_t digits = word.size() - colon - 1;
  return digits >= 4 && digits <= 6;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parid::cli;
  static const bool silent = std::freopen("/dev/null", "w", stdout) != nullptr;
  CLI::App app("Parid", "parid");
  app.require_subcommand(1);
  Action action;
  std::vector<std::string> words = words_of(parid::fuzz::text_of(data, size));
  static const std::map<std::string, AddCommand> known = by_name();
  if (const auto named = words.empty() ? known.end() : known.find(words[0]); named != known.end())
    named->second(app, action);
  else
    for (const AddCommand add : commands) add(app, action);
  const bool long_robot = std::any_of(words.begin(), words.end(), is_long_robot);
  std::reverse(words.begin(), words.end());  // CLI11 expects them reversed
  try {
    app.parse(words);
  } catch (const CLI::ParseError&) {
    app.help();
    return silent ? 0 : -1;
  }
  static const std::set<std::string> quick = {"robots", "info", "check"};
  if (!quick.contains(app.get_subcommands().at(0)->get_name())) return 0;
  if (long_robot) return 0;
  try {
    action();
  } catch (const parid::Error&) {
  }
  return 0;
}

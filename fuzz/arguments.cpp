// Words of the command line, one per line of the input. All are parsed; only commands that neither write
// files nor take long are carried out.

#include <algorithm>
#include <cstdio>
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parid::cli;
  static const bool silent = std::freopen("/dev/null", "w", stdout) != nullptr;
  CLI::App app("Parid", "parid");
  app.require_subcommand(1);
  Action action;
  for (const AddCommand add : commands) add(app, action);
  std::vector<std::string> words = words_of(parid::fuzz::text_of(data, size));
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    app.parse(words);
  } catch (const CLI::ParseError&) {
    app.help();
    return silent ? 0 : -1;
  }
  static const std::set<std::string> quick = {"robots", "info", "check"};
  if (!quick.contains(app.get_subcommands().at(0)->get_name())) return 0;
  try {
    action();
  } catch (const parid::Error&) {
  }
  return 0;
}

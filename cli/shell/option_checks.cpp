#include "cli/shell/option_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/spelling.hpp"
#include "parid/error.hpp"

namespace parid::cli {

bool given(const CLI::App& c, const char* option) { return c.get_option(option)->count() > 0; }

void refuse(const CLI::App& c, std::initializer_list<const char*> options, const std::string& why) {
  for (const char* option : options)
    if (given(c, option)) throw Error(fmt::format("{}: {}", option, why));
}

void refuse_all_but(const CLI::App& c, std::initializer_list<const char*> allowed,
                    const std::string& why) {
  for (const CLI::Option* o : c.get_options()) {
    if (o->count() == 0) continue;
    bool fine = false;
    for (const char* name : allowed) fine |= o->check_name(name);
    if (!fine) throw Error(fmt::format("{}: {}", o->get_name(), why));
  }
}

CLI::Validator one_of(std::vector<std::string> words) {
  return CLI::Validator(
      [words = std::move(words)](std::string& said) {
        if (std::find(words.begin(), words.end(), said) != words.end()) return std::string();
        return no_such(said, words);
      },
      "");
}

}  // namespace parid::cli

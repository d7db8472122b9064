#include "cli/shell/one_of.hpp"

#include <algorithm>

#include "base/text/spelling.hpp"

namespace parid::cli {

CLI::Validator one_of(std::vector<std::string> words) {
  return CLI::Validator(
      [words = std::move(words)](std::string& said) {
        if (std::find(words.begin(), words.end(), said) != words.end()) return std::string();
        return no_such(said, words);
      },
      "");
}

}  // namespace parid::cli

#include "model/format/toml/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "model/format/size_limit.hpp"
#include "model/format/toml/toml_text.hpp"

namespace parid::model {
namespace {

// Changes "Error while parsing key-value pair: expected X, saw Y" to "in key-value pair: …".
std::string plain_sentence(std::string_view description) {
  constexpr std::string_view opening = "Error while parsing ";
  if (description.starts_with(opening))
    return "in " + std::string(description.substr(opening.size()));
  std::string sentence(description);
  if (!sentence.empty())
    sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

// toml++ gives no place if it asserts: the first line with which the text up to it no longer parses
// to its end or to an ordinary error.
int line_of_assertion(const std::string& text) {
  std::vector<size_t> ends;  // of the lines
  for (size_t i = 0; i < text.size(); i = ends.back())
    ends.push_back(std::min(text.find('\n', i), text.size() - 1) + 1);
  const auto asserts = [&](size_t end) {
    try {
      (void)toml::parse(std::string_view(text).substr(0, end));
    } catch (const toml::parse_error&) {
    } catch (const TomlAssertion&) {
      return true;
    }
    return false;
  };
  const auto first =
      std::partition_point(ends.begin(), ends.end(), [&](size_t end) { return !asserts(end); });
  return static_cast<int>(first - ends.begin()) + 1;
}

}  // namespace

toml::table parsed_toml(const std::string& text, const std::string& file) {
  require_few_parts(file, text, "=,[{.", "keys and values");
  refuse_bad_text(text, file);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& e) {
    throw Error(Place{file, static_cast<int>(e.source().begin.line)},
                "this is not TOML: " + plain_sentence(e.description()), "");
  } catch (const TomlAssertion&) {
    throw Error(Place{file, line_of_assertion(text)},
                "this is not TOML: a key or a value is missing", "write key = value");
  }
}

std::string toml_text(const std::string& path, const std::string& what,
                      const std::string& example) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none))
    throw Error(Place{path, 0}, "this is a directory",
                "give " + what + " " + (std::filesystem::path(path) / example).string());
  if (!std::filesystem::exists(path, none))
    throw Error(Place{path, 0}, "there is no such file", "check the path");
  return text_of_file(path, "a TOML file");
}

}  // namespace parid::model

// Text with ${…} and $(…), and the files that it names.

#include <glob.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "base/text/spelling.hpp"
#include "model/format/size_limit.hpp"
#include "model/format/xacro/expander_class.hpp"
#include "model/format/xacro/yaml.hpp"

namespace parid::model::xacro {

namespace fs = std::filesystem;

Value Expander::load_yaml(const std::string& name) {
  const std::string path = absolute_name(name);
  require_allowed(path, at_);
  const std::string text = read(path, "a YAML file", at_);
  return parse_yaml(text, path, *this);
}

std::string Expander::absolute_name(const std::string& name) {
  return fs::path(name).is_absolute() ? name : (fs::path(folders_.back()) / name).string();
}

std::string Expander::argument(const std::string& name) {
  const auto found = arguments_.find(name);
  read_arguments_.insert(name);
  if (found != arguments_.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [key, value] : arguments_) known.push_back(key);
  fail(at_, fmt::format("argument '{}' has no value", brief(name)),
       fmt::format("{}give argument '{}' a value, or a default: <xacro:arg name=\"{}\" "
                   "default=\"...\"/> above",
                   did_you_mean(name, known), brief(name), brief(name)));
}

void Expander::warn(const std::string& message) {
  remark(remarks_, finding("xacro-warning", at_, "the file warns: " + message, ""));
}

void Expander::spend(std::size_t steps) {
  steps_ += steps;
  if (steps_ > options_.limits.steps)
    fail(at_, fmt::format("the expansion takes more than {} steps", options_.limits.steps),
         "look for a macro that calls itself without end, or expand the file elsewhere");
}

Value Expander::resolve(Scope& scope, const std::string& name, Property& p) {
  if (p.resolving)
    fail(p.at, fmt::format("property '{}' is defined in terms of itself", brief(name)),
         "give it another name, or lazy_eval=\"false\"");
  if (++lazy_ > options_.limits.lazy)
    fail(p.at, fmt::format("more than {} properties read one another", options_.limits.lazy),
         "define some of them by numbers");
  p.resolving = true;
  const Place user = at_;
  at_ = p.at;
  const Value v = literal_of(text_value(p.text, scope));
  at_ = user;
  p.value = v;
  p.lazy = p.resolving = false;
  --lazy_;
  return v;
}

Value Expander::text_value(const std::string& text, Scope& scope) {
  spend(1 + text.size() / 16);
  if (text.find('$') == text.npos) return Value(text);
  if (++text_depth_ > 300) fail(at_, "expressions are nested too deeply", "simplify them");
  std::vector<Value> parts;
  std::string plain;
  const auto flush = [&] {
    if (!plain.empty()) parts.emplace_back(plain);
    plain.clear();
  };
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t dollars = std::min(text.find_first_not_of('$', i), text.size()) - i;
    const char bracket = i + dollars < text.size() ? text[i + dollars] : '\0';
    if (dollars == 0 || (bracket != '{' && bracket != '(')) {
      const std::size_t end =
          std::min(text.find('$', i + std::max<std::size_t>(dollars, 1)), text.size());
      plain += text.substr(i, end - i);
      i = end;
    } else if (dollars > 1) {  // $${ is ${
      plain += text.substr(i + 1, dollars);
      i += dollars + 1;
    } else {
      const std::size_t end = text.find(bracket == '{' ? '}' : ')', i);
      if (end == text.npos)
        fail(at_, fmt::format("'{}' is not closed", brief(text.substr(i))),
             fmt::format("add '{}', or write $${} for the characters themselves",
                         bracket == '{' ? '}' : ')', bracket));
      flush();
      const std::string inside = text_value(text.substr(i + 2, end - i - 2), scope).text();
      parts.push_back(bracket == '{' ? expression(inside, scope) : substitution(inside));
      i = end + 1;
    }
  }
  flush();
  --text_depth_;
  if (parts.size() == 1) return parts[0];
  std::string all;
  for (const Value& v : parts) all += v.text();
  spend(all.size() / 16);
  return string_value(all);
}

Value Expander::string_value(const std::string& s) const {
  try {
    return Value(s);
  } catch (const std::invalid_argument& e) {
    fail(at_, e.what(), "give a shorter text");
  }
}

Value Expander::expression(const std::string& text, Scope& scope) {
  try {
    return evaluate(*parse_expression(text), scope, *this);
  } catch (const std::invalid_argument& e) {
    fail(at_, fmt::format("${{{}}}: {}", brief(text), e.what()), "correct the expression");
  }
}

Value Expander::substitution(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t i = text.find_first_not_of(' '); i < text.size();) {
    const std::size_t end = std::min(text.find(' ', i), text.size());
    words.push_back(text.substr(i, end - i));
    i = std::min(text.find_first_not_of(' ', end), text.size());
  }
  const std::string command = words.empty() ? "" : words[0];
  if (words.size() == 2 && command == "arg") return string_value(argument(words[1]));
  if (words.size() == 2 && command == "find") return string_value(package(words[1]));
  if (words.size() == 2 && command == "env") return string_value(variable(words[1], nullptr));
  if (words.size() >= 2 && command == "optenv") {
    const std::size_t rest = text.find(words[1], text.find("optenv") + 6) + words[1].size();
    const std::size_t from = std::min(text.find_first_not_of(' ', rest), text.size());
    const std::string fallback = text.substr(from);
    return string_value(variable(words[1], &fallback));
  }
  if (words.size() == 1 && command == "dirname")
    return string_value(fs::absolute(folders_.back()).lexically_normal().string());
  if (words.size() == 1 && command == "cwd") return string_value(fs::current_path().string());
  fail(at_, fmt::format("$({}) is not known", brief(text)),
       "give one of $(arg NAME), $(find PACKAGE), $(env NAME), $(optenv NAME DEFAULT), $(dirname) "
       "and $(cwd)");
}

std::string Expander::package(const std::string& name) {
  if (const auto directory = files_.package(name)) return *directory;
  fail(at_, fmt::format("package '{}' is not found", brief(name)),
       "give its directory in `packages`, or set ROS_PACKAGE_PATH or AMENT_PREFIX_PATH");
}

std::string Expander::variable(const std::string& name, const std::string* fallback) {
  const bool listed = options_.environment.contains(name);
  const char* value = listed ? std::getenv(name.c_str()) : nullptr;
  if (value) return value;
  if (fallback && !listed)
    remark(remarks_,
           finding("unlisted-variable", at_,
                   fmt::format("environment variable '{}' is not read", brief(name)),
                   "its default is used; list it in `environment` if the file may read it"));
  if (fallback) return *fallback;
  if (!listed)
    fail(at_, fmt::format("environment variable '{}' may not be read", brief(name)),
         "list it in `environment` if the file may read it");
  fail(at_, fmt::format("environment variable '{}' is not set", brief(name)), "set it");
}

bool Expander::condition(const std::string& text, Scope& scope) {
  const Value v = text_value(text, scope);
  if (!v.string()) return v.truth();
  const Value read = literal(*v.string());
  if (read.is_integer()) return read.truth();
  fail(at_,
       fmt::format("the condition \"{}\" is '{}', which is not a truth value", brief(text),
                   brief(*v.string())),
       "give true, false, a number or a comparison");
}

std::string Expander::folder_of(const std::string& file) {
  const fs::path folder = fs::path(file).parent_path();
  return folder.empty() ? "." : folder.string();
}

void Expander::require_allowed(const std::string& path, const Place& at) const {
  if (const std::string why = files_.refusal(path); !why.empty())
    fail(at, fmt::format("'{}' is not read: {}", brief(path), why),
         "keep it beside the robot file, or name its folder as a package");
}

std::string Expander::read(const std::string& path, const char* what, const Place& at) {
  std::error_code trouble;
  if (!fs::exists(path, trouble))
    fail(at, fmt::format("there is no file '{}'", brief(path)), "correct the file name");
  if (fs::is_directory(path, trouble))
    fail(at, fmt::format("'{}' is a directory", brief(path)), fmt::format("name {}", what));
  std::string text = text_of_file(path, what);
  spend(text.size() / 16);
  return text;
}

std::vector<std::string> Expander::matching(const std::string& pattern) const {
  if (pattern.find_first_of("*?[") == pattern.npos) return {pattern};
  std::vector<std::string> all;
  ::glob_t found{};
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
    for (std::size_t k = 0; k < found.gl_pathc; ++k) all.emplace_back(found.gl_pathv[k]);
  ::globfree(&found);
  return all;
}

}  // namespace parid::model::xacro

#include "model/format/xacro/yaml.hpp"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>

#include "parid/error.hpp"

namespace parid::model::xacro {
namespace {

constexpr int deepest_yaml = deepest_value - 1;

bool one_of(std::string_view s, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), s) != words.end();
}

// The characters of `s` from `at` on that are digits of a base, or '_'; those without '_'.
std::string digits_from(std::string_view s, std::size_t& at, int base) {
  std::string digits;
  for (; at < s.size(); ++at) {
    const char c = s[at];
    if (c == '_') continue;
    const int d = is_digit(c)            ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                         : 99;
    if (d >= base) break;
    digits += c;
  }
  return digits;
}

std::optional<Value> integer_of(std::string_view s) {
  std::size_t at = 0;
  const bool minus = s.starts_with('-');
  if (minus || s.starts_with('+')) at = 1;
  int base = 10;
  const std::string_view rest = s.substr(at);
  if (rest.starts_with("0b")) {
    base = 2;
    at += 2;
  } else if (rest.starts_with("0x")) {
    base = 16;
    at += 2;
  } else if (rest.size() > 1 && rest[0] == '0') {
    base = 8;
    at += 1;
  } else if (rest.empty() || !is_digit(rest[0]))
    return {};
  const std::string digits = (minus ? "-" : "") + digits_from(s, at, base);
  if (at != s.size()) return {};
  std::int64_t i = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), i, base);
  if (error == std::errc{} && end == digits.data() + digits.size()) return Value(i);
  if (error == std::errc::result_out_of_range)
    throw std::invalid_argument("an integer of more than 64 bits");
  return {};
}

std::optional<Value> float_of(std::string_view s) {
  std::size_t at = 0;
  const bool minus = s.starts_with('-');
  if (minus || s.starts_with('+')) at = 1;
  const std::string_view rest = s.substr(at);
  if (one_of(rest, {".inf", ".Inf", ".INF"}))
    return Value(minus ? -std::numeric_limits<double>::infinity()
                       : std::numeric_limits<double>::infinity());
  if (one_of(s, {".nan", ".NaN", ".NAN"})) return Value(std::numeric_limits<double>::quiet_NaN());
  if (rest.empty() ||
      !(is_digit(rest[0]) || (rest[0] == '.' && rest.size() > 1 && is_digit(rest[1]))))
    return {};
  std::string number = (minus ? "-" : "") + digits_from(s, at, 10);
  if (at >= s.size() || s[at] != '.') return {};  // 1e3 is a string in YAML 1.1
  number += s[at++];
  number += digits_from(s, at, 10);
  if (at < s.size() && (s[at] == 'e' || s[at] == 'E')) {
    if (at + 2 >= s.size() || (s[at + 1] != '+' && s[at + 1] != '-')) return {};  // so is 1.0e3
    number += s.substr(at, 2);
    at += 2;
    if (!is_digit(s[at])) return {};
    while (at < s.size() && is_digit(s[at])) number += s[at++];
  }
  if (at != s.size()) return {};
  const Value v = literal(number);
  return Value(v.number());
}

Value plain_scalar(const std::string& s) {
  if (one_of(s, {"", "~", "null", "Null", "NULL"})) return {};
  if (one_of(s, {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}))
    return Value(true);
  if (one_of(s, {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}))
    return Value(false);
  if (auto i = integer_of(s)) return *i;
  if (auto x = float_of(s)) return *x;
  return Value(s);
}

struct Unit {
  std::string_view tag;
  double factor;
};
constexpr Unit units[] = {{"!radians", 1.0}, {"!degrees", std::numbers::pi / 180},
                          {"!meters", 1.0},  {"!millimeters", 0.001},
                          {"!foot", 0.3048}, {"!inches", 0.0254}};

class NoNames : public Names {
 public:
  std::optional<Value> find(const std::string&) override { return {}; }
  std::string nearest_name(const std::string&) const override { return ""; }
};

class Reader {
 public:
  Reader(const std::string& text, const std::string& file, Host& host) : file_(file), host_(host) {
    if (!yaml_parser_initialize(&parser_)) throw std::bad_alloc();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~Reader() {
    if (has_event_) yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  Value document() {
    next();  // the stream's start
    next();
    if (event_.type == YAML_STREAM_END_EVENT) return {};
    next();
    Value v = guarded(0);
    next();  // the document's end
    next();
    if (event_.type != YAML_STREAM_END_EVENT)
      fail("the file has more than one document", "keep the part above the second ---");
    return v;
  }

 private:
  [[noreturn]] void fail(const std::string& wrong, const std::string& right) const {
    throw Error({file_, line()}, wrong, right);
  }
  int line() const { return static_cast<int>(event_.start_mark.line) + 1; }

  void next() {
    if (has_event_) yaml_event_delete(&event_);
    has_event_ = false;
    if (!yaml_parser_parse(&parser_, &event_))
      throw Error(
          {file_, static_cast<int>(parser_.problem_mark.line) + 1},
          fmt::format("this is not YAML: {}", parser_.problem ? parser_.problem : "unreadable"),
          "correct it there or just above");
    has_event_ = true;
    host_.spend(1);
  }

  Value guarded(int depth) {
    try {
      return value(depth);
    } catch (const std::invalid_argument& e) {
      fail(e.what(), "correct the value");
    }
  }

  // Of the present event, up to its last.
  Value value(int depth) {
    if (depth > deepest_yaml) fail("it is nested too deeply", "give a flatter file");
    switch (event_.type) {
      case YAML_ALIAS_EVENT: {
        const auto known = anchors_.find(text_of(event_.data.alias.anchor));
        if (known == anchors_.end()) fail("an alias names no anchor", "add the anchor above it");
        return known->second;
      }
      case YAML_SCALAR_EVENT: {
        const std::string anchor = text_of(event_.data.scalar.anchor);
        return kept(anchor, scalar());
      }
      case YAML_SEQUENCE_START_EVENT: {
        const std::string anchor = text_of(event_.data.sequence_start.anchor);
        List items;
        for (next(); event_.type != YAML_SEQUENCE_END_EVENT; next())
          items.push_back(value(depth + 1));
        return kept(anchor, Value(std::move(items)));
      }
      case YAML_MAPPING_START_EVENT: {
        const std::string anchor = text_of(event_.data.mapping_start.anchor);
        return kept(anchor, mapping(depth));
      }
      default: fail("a value is missing", "give a number, a text, a list or a dict");
    }
  }

  Value mapping(int depth) {
    Dict d;
    std::vector<Value> merged;
    for (next(); event_.type != YAML_MAPPING_END_EVENT; next()) {
      const bool merge = event_.type == YAML_SCALAR_EVENT && scalar_text() == "<<" &&
                         event_.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
      const Value key = value(depth + 1);
      next();
      Value v = value(depth + 1);
      if (!merge)
        d.set(key, std::move(v));
      else if (v.list())
        merged.insert(merged.end(), v.list()->begin(), v.list()->end());
      else
        merged.push_back(std::move(v));
    }
    for (const Value& other : merged) {
      if (!other.dict())
        fail("<< merges a value that is not a mapping", "give an alias of a mapping");
      for (const auto& [key, v] : other.dict()->items)
        if (!d.find(key)) d.set(key, v);
    }
    return Value(std::move(d));
  }

  Value kept(const std::string& anchor, Value v) {
    if (!anchor.empty()) anchors_[anchor] = v;
    return v;
  }

  std::string scalar_text() const {
    return {reinterpret_cast<const char*>(event_.data.scalar.value), event_.data.scalar.length};
  }
  Value scalar() {
    const std::string s = scalar_text(), tag = text_of(event_.data.scalar.tag);
    for (const Unit& unit : units) {
      if (tag != unit.tag) continue;
      NoNames none;
      try {
        const Value v = evaluate(*parse_expression(s), none, host_);
        if (!v.is_number()) throw std::invalid_argument("it is not a number");
        return Value(v.number() * unit.factor);
      } catch (const std::invalid_argument& e) {
        fail(fmt::format("{} {}: {}", tag, s.substr(0, 80), e.what()), "give a number");
      }
    }
    if (tag == "tag:yaml.org,2002:str") return Value(s);
    if (tag == "tag:yaml.org,2002:float" || tag == "tag:yaml.org,2002:int") {
      const Value v = literal(s);
      if (!v.is_number())
        fail(fmt::format("'{}' is not a number", s.substr(0, 80)), "give a number");
      return tag.ends_with("float") ? Value(v.number()) : v;
    }
    if (!tag.empty() && tag != "!" && !tag.starts_with("tag:yaml.org,2002:"))
      fail(fmt::format("the tag '{}' is not known", tag.substr(0, 80)),
           "use !radians, !degrees, !meters, !millimeters, !foot or !inches");
    return event_.data.scalar.style == YAML_PLAIN_SCALAR_STYLE && tag.empty() ? plain_scalar(s)
                                                                              : Value(s);
  }
  static std::string text_of(const yaml_char_t* s) {
    return s ? reinterpret_cast<const char*>(s) : "";
  }

  const std::string& file_;
  Host& host_;
  yaml_parser_t parser_;
  yaml_event_t event_{};
  bool has_event_ = false;
  std::map<std::string, Value> anchors_;
};

}  // namespace

Value parse_yaml(const std::string& text, const std::string& file, Host& host) {
  host.spend(text.size() / 16);
  return Reader(text, file, host).document();
}

}  // namespace parid::model::xacro

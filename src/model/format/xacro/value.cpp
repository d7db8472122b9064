#include "model/format/xacro/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "base/text/beyond_range.hpp"

namespace parid::model::xacro {
namespace {

std::string quoted(const std::string& s) {
  const char quote =
      s.find('\'') != s.npos && s.find('"') == s.npos ? '"' : '\'';  // as Python chooses
  std::string out(1, quote);
  for (const char c : s) {
    if (c == quote || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\r')
      out += "\\r";
    else
      out += c;
  }
  return out += quote;
}

std::string repr_of(const Value& v) {
  std::string out;
  if (const List* list = v.list()) {
    for (const Value& item : *list) out += (out.empty() ? "" : ", ") + repr_of(item);
    return "[" + out + "]";
  }
  if (const Dict* dict = v.dict()) {
    for (const auto& [key, value] : dict->items)
      out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", repr_of(key), repr_of(value));
    return "{" + out + "}";
  }
  return v.string() ? quoted(*v.string()) : v.text();
}

std::string key_of(const Value& v) {
  if (v.string()) return "s" + *v.string();
  if (v.is_number()) {
    const double x = v.number();
    if (v.is_integer() || (x == std::floor(x) && std::abs(x) < 9e18))
      return fmt::format("n{}", v.is_integer() ? v.integer() : static_cast<std::int64_t>(x));
    return fmt::format("n{}", x);
  }
  if (v.is_none()) return "none";
  throw std::invalid_argument(fmt::format("a {} cannot be a key", v.type_name()));
}

std::string_view trimmed(std::string_view s) {
  const std::size_t begin = std::min(s.find_first_not_of(white_space), s.size());
  s.remove_prefix(begin);
  return s.substr(0, s.find_last_not_of(white_space) + 1);
}

}  // namespace

Value::Value(std::string s) : weight_(1 + s.size()) {
  if (weight_ > heaviest_value)
    throw std::invalid_argument(
        fmt::format("a string has more than {} characters", heaviest_value));
  storage_ = std::move(s);
}
Value::Value(List l) {
  for (const Value& item : l) contain(item);
  storage_ = std::make_shared<const List>(std::move(l));
}
Value::Value(Dict d) {
  for (const auto& [key, value] : d.items) {
    contain(key);
    contain(value);
  }
  storage_ = std::make_shared<const Dict>(std::move(d));
}

void Value::contain(const Value& part) {
  weight_ += part.weight_;
  depth_ = std::max(depth_, part.depth_ + 1);
  if (weight_ > heaviest_value)
    throw std::invalid_argument(
        fmt::format("a list or dict holds more than {} items and characters", heaviest_value));
  if (depth_ > deepest_value)
    throw std::invalid_argument(
        fmt::format("lists and dicts are nested more than {} deep", deepest_value));
}

const List* Value::list() const {
  const auto* p = std::get_if<std::shared_ptr<const List>>(&storage_);
  return p ? p->get() : nullptr;
}
const Dict* Value::dict() const {
  const auto* p = std::get_if<std::shared_ptr<const Dict>>(&storage_);
  return p ? p->get() : nullptr;
}
Scope* Value::scope() const {
  const auto* p = std::get_if<Scope*>(&storage_);
  return p ? *p : nullptr;
}

std::int64_t Value::integer() const {
  if (const bool* b = std::get_if<bool>(&storage_)) return *b ? 1 : 0;
  return std::get<std::int64_t>(storage_);
}
double Value::number() const {
  if (const double* x = std::get_if<double>(&storage_)) return *x;
  return static_cast<double>(integer());
}

bool Value::truth() const {
  if (is_none()) return false;
  if (is_number()) return number() != 0;
  if (string()) return !string()->empty();
  if (list()) return !list()->empty();
  if (dict()) return !dict()->items.empty();
  return true;
}

std::string Value::text() const {
  if (string()) return *string();
  if (is_bool()) return truth() ? "True" : "False";
  if (is_integer()) return fmt::format("{}", integer());
  if (is_float()) return python_float(number());
  if (is_none()) return "None";
  if (builtin()) return fmt::format("<function {}>", builtin()->name);
  if (method()) return fmt::format("<method {}>", method()->name);
  if (scope()) return "<namespace>";
  return repr_of(*this);
}
std::string Value::repr() const { return repr_of(*this); }

const char* Value::type_name() const {
  if (is_none()) return "NoneType";
  if (is_bool()) return "bool";
  if (is_integer()) return "int";
  if (is_float()) return "float";
  if (string()) return "str";
  if (list()) return "list";
  if (dict()) return "dict";
  return scope() ? "namespace" : "function";
}

const Value* Dict::find(const Value& key) const {
  const auto at = index.find(key_of(key));
  return at == index.end() ? nullptr : &items[at->second].second;
}
void Dict::set(const Value& key, Value value) {
  const auto [at, is_new] = index.emplace(key_of(key), items.size());
  if (is_new)
    items.emplace_back(key, std::move(value));
  else
    items[at->second].second = std::move(value);
}

bool equal(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number())
    return a.is_integer() && b.is_integer() ? a.integer() == b.integer() : a.number() == b.number();
  if (a.string() && b.string()) return *a.string() == *b.string();
  if (a.list() && b.list())
    return std::equal(a.list()->begin(), a.list()->end(), b.list()->begin(), b.list()->end(),
                      equal);
  if (a.dict() && b.dict()) {
    if (a.dict()->items.size() != b.dict()->items.size()) return false;
    for (const auto& [key, value] : a.dict()->items) {
      const Value* other = b.dict()->find(key);
      if (!other || !equal(value, *other)) return false;
    }
    return true;
  }
  return a.is_none() && b.is_none();
}

int compare(const Value& a, const Value& b) {
  const auto order = [](const auto& x, const auto& y) { return x < y ? -1 : y < x ? 1 : 0; };
  if (a.is_integer() && b.is_integer()) return order(a.integer(), b.integer());
  if (a.is_number() && b.is_number()) return order(a.number(), b.number());
  if (a.string() && b.string()) return order(*a.string(), *b.string());
  if (a.list() && b.list()) {
    const List &x = *a.list(), &y = *b.list();
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
      if (!equal(x[i], y[i])) return compare(x[i], y[i]);
    return order(x.size(), y.size());
  }
  throw std::invalid_argument(
      fmt::format("a {} and a {} have no order", a.type_name(), b.type_name()));
}

// The fewest digits that read back to the same; an exponent below 1e-4 and from 1e16 on.
std::string python_float(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  char buffer[40];
  const auto [end, error] =
      std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::scientific);
  std::string_view all(buffer, static_cast<std::size_t>(end - buffer));
  std::string sign;
  if (all.front() == '-') {
    sign = "-";
    all.remove_prefix(1);
  }
  const std::size_t e = all.find('e');
  std::string digits(all.substr(0, 1));
  if (e > 2) digits += all.substr(2, e - 2);
  const int exponent = std::stoi(std::string(all.substr(e + 1)));
  const int count = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16)
    return fmt::format("{}{}{}e{}{:02}", sign, digits.substr(0, 1),
                       count > 1 ? "." + digits.substr(1) : "", exponent < 0 ? '-' : '+',
                       std::abs(exponent));
  if (exponent < 0)
    return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const std::size_t whole = static_cast<std::size_t>(exponent) + 1;
  if (static_cast<std::size_t>(count) <= whole)
    return sign + digits + std::string(whole - digits.size(), '0') + ".0";
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

namespace {

std::optional<Value> number_literal(std::string_view s) {
  s = trimmed(s);
  std::string_view unsigned_part = s;
  if (!s.empty() && (s[0] == '+' || s[0] == '-')) unsigned_part.remove_prefix(1);
  if (unsigned_part.empty() || unsigned_part[0] == '+' || unsigned_part[0] == '-') return {};
  if (s[0] == '+') s.remove_prefix(1);
  const char *begin = s.data(), *end = s.data() + s.size();
  const bool digits = std::all_of(unsigned_part.begin(), unsigned_part.end(),
                                  [](char c) { return c >= '0' && c <= '9'; });
  std::int64_t i = 0;
  if (digits) {
    const auto read = std::from_chars(begin, end, i);
    if (read.ec == std::errc{} && read.ptr == end) return Value(i);
  }
  double x = 0;
  const auto read = std::from_chars(begin, end, x);
  if (read.ptr != end) return {};
  if (read.ec == std::errc{}) return Value(x);
  if (read.ec == std::errc::result_out_of_range) return Value(beyond_range(s));
  return {};
}

}  // namespace

Value literal(const std::string& text) {
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'')
    return Value(text.substr(1, text.size() - 2));
  if (text.find('_') != text.npos) return Value(text);
  if (auto number = number_literal(text)) return *number;
  if (text == "true" || text == "True") return Value(true);
  if (text == "false" || text == "False") return Value(false);
  return Value(text);
}

}  // namespace parid::model::xacro

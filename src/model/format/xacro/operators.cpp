// Python's operators on values: int and float stay apart, // and % round down, / is always a float.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/text/characters.hpp"
#include "model/format/xacro/evaluate.hpp"

namespace parid::model::xacro {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::invalid_argument(what); }

[[noreturn]] void unsupported(std::string_view sign, const Value& a, const Value& b) {
  fail(fmt::format("'{}' of {} ({}) and {} ({})", sign, a.type_name(), a.repr().substr(0, 60),
                   b.type_name(), b.repr().substr(0, 60)));
}
[[noreturn]] void too_large(std::string_view sign) {
  fail(fmt::format("the result of '{}' is an integer of more than 64 bits", sign));
}

std::int64_t floor_divided(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

Value integer_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0)
    return Value(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  if (base == 0 || base == 1) return Value(exponent == 0 ? std::int64_t{1} : base);
  if (base == -1) return Value(std::int64_t{exponent % 2 == 0 ? 1 : -1});
  std::int64_t result = 1;
  for (; exponent > 0; --exponent)  // at most 63 times before it overflows
    if (__builtin_mul_overflow(result, base, &result)) too_large("**");
  return Value(result);
}

Value integers(std::string_view sign, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (sign == "+"   ? __builtin_add_overflow(a, b, &result)
      : sign == "-" ? __builtin_sub_overflow(a, b, &result)
      : sign == "*" ? __builtin_mul_overflow(a, b, &result)
                    : false)
    too_large(sign);
  if (sign == "+" || sign == "-" || sign == "*") return Value(result);
  if (sign == "**") return integer_power(a, b);
  if (sign == "&") return Value(a & b);
  if (sign == "|") return Value(a | b);
  if (sign == "^") return Value(a ^ b);
  if (sign == "<<" || sign == ">>") {
    if (b < 0) fail("a shift by a negative number");
    if (sign == ">>") return Value(a >> std::min<std::int64_t>(b, 63));
    if (b > 62 || std::abs(static_cast<double>(a)) * std::ldexp(1.0, static_cast<int>(b)) > 9e18)
      too_large(sign);
    return Value(a * (std::int64_t{1} << b));
  }
  if (b == 0) fail("a division by zero");
  if (b == -1) {  // the one quotient that overflows
    if (sign == "%") return Value(std::int64_t{0});
    if (sign == "//") {
      if (__builtin_sub_overflow(std::int64_t{0}, a, &result)) too_large(sign);
      return Value(result);
    }
  }
  if (sign == "//") return Value(floor_divided(a, b));
  if (sign == "%") return Value(a - floor_divided(a, b) * b);
  return Value(static_cast<double>(a) / static_cast<double>(b));
}

Value reals(std::string_view sign, double a, double b) {
  if (sign == "+") return Value(a + b);
  if (sign == "-") return Value(a - b);
  if (sign == "*") return Value(a * b);
  if (sign == "**") {
    if (a == 0 && b < 0) fail("0.0 to a negative power");
    const double power = std::pow(a, b);
    if (std::isnan(power) && !std::isnan(a) && !std::isnan(b))
      fail("a negative number to a fractional power");
    return Value(power);
  }
  if (b == 0) fail("a division by zero");
  if (sign == "/") return Value(a / b);
  double remainder = std::fmod(a, b);
  if (remainder != 0 && (remainder < 0) != (b < 0)) remainder += b;
  if (sign == "%") return Value(remainder);
  return Value(std::floor((a - remainder) / b + 0.5));
}

Value repeated(const Value& what, std::int64_t times, Host& host) {
  const std::size_t size = what.string() ? what.string()->size() : what.list()->size();
  const auto n = static_cast<std::size_t>(std::max<std::int64_t>(times, 0));
  if (size > 0 && n > heaviest_value / size)
    fail(fmt::format("a repetition has more than {} items", heaviest_value));
  host.spend(size * n / 16);
  if (what.string()) {
    std::string s;
    for (std::size_t k = 0; k < (size ? n : 0); ++k) s += *what.string();
    return Value(s);
  }
  List l;
  for (std::size_t k = 0; k < (size ? n : 0); ++k)
    l.insert(l.end(), what.list()->begin(), what.list()->end());
  return Value(l);
}

std::vector<std::string> characters(const std::string& s) {
  std::vector<std::string> all;
  for (std::string_view rest = s; !rest.empty();) {
    const std::size_t length = std::max<std::size_t>(utf8_length(rest), 1);
    all.emplace_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  return all;
}

bool contains(const Value& in, const Value& what) {
  if (in.string()) {
    if (!what.string()) unsupported("in", what, in);
    return in.string()->find(*what.string()) != std::string::npos;
  }
  if (in.dict()) return in.dict()->find(what) != nullptr;
  if (!in.list()) unsupported("in", what, in);
  for (const Value& item : *in.list())
    if (equal(item, what)) return true;
  return false;
}

}  // namespace

Value unary_operation(std::string_view sign, const Value& v) {
  if (sign == "not") return Value(!v.truth());
  if (!v.is_number()) fail(fmt::format("'{}' before a {}", sign, v.type_name()));
  if (sign == "+") return v.is_float() ? v : Value(v.integer());
  if (sign == "~") {
    if (v.is_float()) fail("'~' before a float");
    return Value(~v.integer());
  }
  return v.is_float() ? Value(-v.number()) : integers("-", 0, v.integer());
}

Value binary_operation(std::string_view sign, const Value& a, const Value& b, Host& host) {
  if (a.is_integer() && b.is_integer()) return integers(sign, a.integer(), b.integer());
  const bool on_bits = sign == "&" || sign == "|" || sign == "^" || sign == "<<" || sign == ">>";
  if (a.is_number() && b.is_number() && !on_bits) return reals(sign, a.number(), b.number());
  if (sign == "+" && a.string() && b.string()) {
    host.spend((a.string()->size() + b.string()->size()) / 16);
    return Value(*a.string() + *b.string());
  }
  if (sign == "+" && a.list() && b.list()) {
    host.spend((a.list()->size() + b.list()->size()) / 4);
    List both = *a.list();
    both.insert(both.end(), b.list()->begin(), b.list()->end());
    return Value(std::move(both));
  }
  if (sign == "*" && (a.string() || a.list()) && b.is_integer())
    return repeated(a, b.integer(), host);
  if (sign == "*" && (b.string() || b.list()) && a.is_integer())
    return repeated(b, a.integer(), host);
  unsupported(sign, a, b);
}

bool holds(std::string_view sign, const Value& a, const Value& b) {
  if (sign == "==") return equal(a, b);
  if (sign == "!=") return !equal(a, b);
  if (sign == "in") return contains(b, a);
  if (sign == "not in") return !contains(b, a);
  if (sign == "is" || sign == "is not") {
    const bool same = std::string_view(a.type_name()) == b.type_name() && equal(a, b);
    return (sign == "is") == same;
  }
  if (a.is_number() && b.is_number() && (std::isnan(a.number()) || std::isnan(b.number())))
    return false;
  const int order = compare(a, b);
  if (sign == "<") return order < 0;
  if (sign == "<=") return order <= 0;
  if (sign == ">") return order > 0;
  return order >= 0;
}

Value item_of(const Value& object, const Value& key) {
  if (const Dict* dict = object.dict()) {
    if (const Value* found = dict->find(key)) return *found;
    fail(fmt::format("the dict has no key {}", key.repr().substr(0, 80)));
  }
  if (!object.list() && !object.string())
    fail(fmt::format("a {} has no items to index", object.type_name()));
  if (!key.is_integer())
    fail(fmt::format("an index of a {} is a {}, not an int", object.type_name(), key.type_name()));
  const List items = object.string() ? items_of(object, "index") : List();
  const List& all = object.string() ? items : *object.list();
  const auto size = static_cast<std::int64_t>(all.size());
  const std::int64_t at = key.integer() < 0 ? key.integer() + size : key.integer();
  if (at < 0 || at >= size)
    fail(fmt::format("index {} of a {} of {} items", key.integer(), object.type_name(), size));
  return all[static_cast<std::size_t>(at)];
}

Value slice_of(const Value& object, const Value& begin, const Value& end, const Value& step) {
  if (!object.list() && !object.string())
    fail(fmt::format("a {} has no items to slice", object.type_name()));
  for (const Value* bound : {&begin, &end, &step})
    if (!bound->is_none() && !bound->is_integer()) fail("a slice's bounds are integers");
  const List all = items_of(object, "slice");
  const auto size = static_cast<std::int64_t>(all.size());
  const std::int64_t by = step.is_none() ? 1 : step.integer();
  if (by == 0) fail("a slice's step is zero");
  const std::int64_t low = by > 0 ? 0 : -1, high = by > 0 ? size : size - 1;
  const auto bound = [&](const Value& v, std::int64_t other) {
    if (v.is_none()) return other;
    const std::int64_t i = v.integer() < 0 ? v.integer() + size : v.integer();
    return std::clamp(i, low, high);
  };
  const std::int64_t first = bound(begin, by > 0 ? low : high),
                     last = bound(end, by > 0 ? high : low);
  List out;
  if (by > 0)
    for (std::int64_t i = first; i < last; i += std::min(by, size + 1))
      out.push_back(all[static_cast<std::size_t>(i)]);
  else
    for (std::int64_t i = first; i > last; i += std::max(by, -size - 1))
      out.push_back(all[static_cast<std::size_t>(i)]);
  if (object.list()) return Value(std::move(out));
  std::string s;
  for (const Value& c : out) s += *c.string();
  return Value(s);
}

List items_of(const Value& v, std::string_view for_what) {
  if (v.list()) return *v.list();
  List out;
  if (v.dict())
    for (const auto& [key, value] : v.dict()->items) out.push_back(key);
  else if (v.string())
    for (std::string& c : characters(*v.string())) out.emplace_back(std::move(c));
  else
    fail(fmt::format("{}: a {} has no items", for_what, v.type_name()));
  return out;
}

}  // namespace parid::model::xacro

// The functions that expressions can call: Python's on numbers, strings and lists, those of its
// math module, and xacro's own. All of them are here.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "model/format/xacro/evaluate.hpp"

namespace parid::model::xacro {
namespace {

constexpr std::int64_t most_items = 100'000;

[[noreturn]] void fail(const Arguments& a, const std::string& what) {
  throw std::invalid_argument(fmt::format("{}(): {}", a.function, what));
}

const Value& at(const Arguments& a, std::size_t k) {
  if (k >= a.values.size()) fail(a, fmt::format("{} arguments are too few", a.values.size()));
  return a.values[k];
}
double number(const Arguments& a, std::size_t k) {
  if (!at(a, k).is_number())
    fail(a, fmt::format("{} is a {}, not a number", at(a, k).repr().substr(0, 60),
                        at(a, k).type_name()));
  return at(a, k).number();
}
std::int64_t integer(const Arguments& a, std::size_t k) {
  if (!at(a, k).is_integer()) fail(a, fmt::format("a {} is not an int", at(a, k).type_name()));
  return at(a, k).integer();
}
const std::string& string(const Arguments& a, std::size_t k) {
  if (!at(a, k).string()) fail(a, fmt::format("a {} is not a string", at(a, k).type_name()));
  return *at(a, k).string();
}
std::int64_t whole(const Arguments& a, double x) {
  if (!(std::abs(x) < 9.2e18))
    fail(a, fmt::format("{} has no integer of 64 bits", python_float(x)));
  return static_cast<std::int64_t>(x);
}
double defined(const Arguments& a, double x, std::initializer_list<double> of) {
  if (std::isnan(x) && std::none_of(of.begin(), of.end(), [](double y) { return std::isnan(y); }))
    fail(a, "the argument is outside the function's domain");
  return x;
}
void takes(const Arguments& a, std::size_t least, std::size_t most) {
  if (a.values.size() < least || a.values.size() > most)
    fail(a, least == most
                ? fmt::format("takes {} arguments, not {}", least, a.values.size())
                : fmt::format("takes {} to {} arguments, not {}", least, most, a.values.size()));
  if (!a.keywords.empty()) fail(a, fmt::format("has no argument '{}'", a.keywords[0].first));
}

template <double (*F)(double)>
Value real_function(const Arguments& a, Host&) {
  takes(a, 1, 1);
  const double x = number(a, 0);
  return Value(defined(a, F(x), {x}));
}
template <double (*F)(double, double)>
Value real_function2(const Arguments& a, Host&) {
  takes(a, 2, 2);
  const double x = number(a, 0), y = number(a, 1);
  return Value(defined(a, F(x, y), {x, y}));
}
template <double (*F)(double)>
Value to_integer(const Arguments& a, Host&) {  // floor, ceil, trunc
  takes(a, 1, 1);
  if (at(a, 0).is_integer()) return Value(at(a, 0).integer());
  return Value(whole(a, F(number(a, 0))));
}

double log_of(const Arguments& a, double x) {
  if (x <= 0) fail(a, "the argument is outside the function's domain");
  return std::log(x);
}
Value logarithm(const Arguments& a, Host&) {
  takes(a, 1, 2);
  const double x = log_of(a, number(a, 0));
  return Value(a.values.size() == 1 ? x : x / log_of(a, number(a, 1)));
}

Value rounded(const Arguments& a, Host&) {
  takes(a, 1, 2);
  const Value& x = at(a, 0);
  const bool places = a.values.size() == 2 && !at(a, 1).is_none();
  if (x.is_integer() && (!places || integer(a, 1) >= 0)) return Value(x.integer());
  if (!places) return Value(whole(a, std::nearbyint(number(a, 0))));  // halves to even
  const std::int64_t digits = integer(a, 1);
  if (digits < 0) {
    const double unit = std::pow(10.0, static_cast<double>(-digits));
    const double r = std::nearbyint(number(a, 0) / unit) * unit;
    return x.is_integer() ? Value(whole(a, r)) : Value(r);
  }
  const double value = number(a, 0);
  if (digits > 300 || !std::isfinite(value)) return x;
  const std::string places_text = fmt::format("{:.{}f}", value, static_cast<int>(digits));
  double r = 0;
  std::from_chars(places_text.data(), places_text.data() + places_text.size(), r);
  return Value(r);
}

Value absolute(const Arguments& a, Host&) {
  takes(a, 1, 1);
  const double x = number(a, 0);
  if (at(a, 0).is_float()) return Value(std::abs(x));
  return Value(at(a, 0).integer() < 0 ? whole(a, -x) : at(a, 0).integer());
}

Value extreme(const Arguments& a, int sign) {
  if (!a.keywords.empty()) fail(a, fmt::format("has no argument '{}'", a.keywords[0].first));
  const List all = a.values.size() == 1 ? items_of(at(a, 0), a.function) : a.values;
  if (all.empty()) fail(a, "the sequence is empty");
  const Value* best = &all[0];
  for (const Value& v : all)
    if (compare(v, *best) * sign > 0) best = &v;
  return *best;
}
Value least(const Arguments& a, Host&) { return extreme(a, -1); }
Value largest(const Arguments& a, Host&) { return extreme(a, 1); }

Value length(const Arguments& a, Host&) {
  takes(a, 1, 1);
  return Value(static_cast<std::int64_t>(items_of(at(a, 0), a.function).size()));
}
Value text(const Arguments& a, Host&) {
  takes(a, 0, 1);
  return Value(a.values.empty() ? std::string() : at(a, 0).text());
}
Value representation(const Arguments& a, Host&) {
  takes(a, 1, 1);
  return Value(at(a, 0).repr());
}
Value to_int(const Arguments& a, Host&) {
  takes(a, 0, 1);
  if (a.values.empty()) return Value(std::int64_t{0});
  const Value& v = at(a, 0);
  if (v.is_integer()) return Value(v.integer());
  if (v.is_float()) return Value(whole(a, std::trunc(v.number())));
  const Value read = literal(string(a, 0));
  if (read.is_bool() || !read.is_integer())
    fail(a, fmt::format("{} is not an integer", v.repr().substr(0, 80)));
  return read;
}
Value to_float(const Arguments& a, Host&) {
  takes(a, 0, 1);
  if (a.values.empty()) return Value(0.0);
  if (at(a, 0).is_number()) return Value(at(a, 0).number());
  const Value read = literal(string(a, 0));
  if (read.is_bool() || !read.is_number())
    fail(a, fmt::format("{} is not a number", at(a, 0).repr().substr(0, 80)));
  return Value(read.number());
}
Value to_bool(const Arguments& a, Host&) {
  takes(a, 0, 1);
  return Value(!a.values.empty() && at(a, 0).truth());
}
Value to_list(const Arguments& a, Host&) {
  takes(a, 0, 1);
  return Value(a.values.empty() ? List() : items_of(at(a, 0), a.function));
}
Value to_dict(const Arguments& a, Host&) {
  if (a.values.size() > 1) fail(a, "takes one dict or list of pairs, and keywords");
  Dict d;
  if (!a.values.empty() && at(a, 0).dict()) {
    d = *at(a, 0).dict();
  } else if (!a.values.empty()) {
    for (const Value& pair : items_of(at(a, 0), a.function)) {
      const List two = items_of(pair, a.function);
      if (two.size() != 2) fail(a, "an item is not a pair");
      d.set(two[0], two[1]);
    }
  }
  for (const auto& [key, value] : a.keywords) d.set(Value(key), value);
  return Value(std::move(d));
}
Value sum(const Arguments& a, Host& host) {
  takes(a, 1, 2);
  Value total = a.values.size() == 2 ? at(a, 1) : Value(std::int64_t{0});
  for (const Value& v : items_of(at(a, 0), a.function))
    total = binary_operation("+", total, v, host);
  return total;
}
Value all_of(const Arguments& a, Host&) {
  takes(a, 1, 1);
  const List l = items_of(at(a, 0), a.function);
  return Value(std::all_of(l.begin(), l.end(), [](const Value& v) { return v.truth(); }));
}
Value any_of(const Arguments& a, Host&) {
  takes(a, 1, 1);
  const List l = items_of(at(a, 0), a.function);
  return Value(std::any_of(l.begin(), l.end(), [](const Value& v) { return v.truth(); }));
}
Value range(const Arguments& a, Host& host) {
  takes(a, 1, 3);
  const std::int64_t first = a.values.size() > 1 ? integer(a, 0) : 0,
                     last = a.values.size() > 1 ? integer(a, 1) : integer(a, 0),
                     step = a.values.size() > 2 ? integer(a, 2) : 1;
  if (step == 0) fail(a, "the step is zero");
  const double count =
      (static_cast<double>(last) - static_cast<double>(first)) / static_cast<double>(step);
  if (count > static_cast<double>(most_items))
    fail(a, fmt::format("more than {} items", most_items));
  List out;
  for (std::int64_t k = 0; static_cast<double>(k) < count; ++k) out.emplace_back(first + k * step);
  host.spend(out.size());
  return Value(std::move(out));
}
Value sorted(const Arguments& a, Host& host) {
  takes(a, 1, 1);
  List l = items_of(at(a, 0), a.function);
  host.spend(l.size() * 16);
  std::stable_sort(l.begin(), l.end(),
                   [](const Value& x, const Value& y) { return compare(x, y) < 0; });
  return Value(std::move(l));
}
Value reversed(const Arguments& a, Host&) {
  takes(a, 1, 1);
  List l = items_of(at(a, 0), a.function);
  std::reverse(l.begin(), l.end());
  return Value(std::move(l));
}
Value enumerated(const Arguments& a, Host&) {
  takes(a, 1, 1);
  List out;
  for (const Value& v : items_of(at(a, 0), a.function))
    out.emplace_back(List{Value(static_cast<std::int64_t>(out.size())), v});
  return Value(std::move(out));
}
Value zipped(const Arguments& a, Host&) {
  std::vector<List> columns;
  std::size_t rows = a.values.empty() ? 0 : heaviest_value;
  for (const Value& v : a.values) {
    columns.push_back(items_of(v, a.function));
    rows = std::min(rows, columns.back().size());
  }
  List out;
  for (std::size_t r = 0; r < rows; ++r) {
    List row;
    for (const List& column : columns) row.push_back(column[r]);
    out.emplace_back(std::move(row));
  }
  return Value(std::move(out));
}

template <bool (*F)(double)>
Value test(const Arguments& a, Host&) {
  takes(a, 1, 1);
  return Value(F(number(a, 0)));
}
bool is_nan(double x) { return std::isnan(x); }
bool is_inf(double x) { return std::isinf(x); }
bool is_finite(double x) { return std::isfinite(x); }
double radians(double x) { return x * (std::numbers::pi / 180); }
double degrees(double x) { return x * (180 / std::numbers::pi); }
double square_root(double x) { return std::sqrt(x); }
double logarithm10(double x) { return x <= 0 ? std::nan("") : std::log10(x); }
double logarithm2(double x) { return x <= 0 ? std::nan("") : std::log2(x); }

Value load_yaml(const Arguments& a, Host& host) {
  takes(a, 1, 1);
  return host.load_yaml(at(a, 0).text());
}
Value absolute_name(const Arguments& a, Host& host) {
  takes(a, 1, 1);
  return Value(host.absolute_name(at(a, 0).text()));
}
Value dotified(const Arguments& a, Host&) {  // every dict has dotted access here
  takes(a, 1, 1);
  return at(a, 0);
}
Value argument(const Arguments& a, Host& host) {
  takes(a, 1, 1);
  return Value(host.argument(at(a, 0).text()));
}
Value tokenized(const Arguments& a, Host&) {
  const std::string& s = string(a, 0);
  const std::string separators = a.values.size() > 1 ? string(a, 1) : ",; ";
  List out;
  std::string word;
  for (const char c : s + separators.substr(0, 1)) {
    if (separators.find(c) == separators.npos) {
      word += c;
      continue;
    }
    if (!word.empty()) out.emplace_back(word);
    word.clear();
  }
  if (!word.empty()) out.emplace_back(word);
  return Value(std::move(out));
}
std::string joined(const Arguments& a) {
  std::string all;
  for (const Value& v : a.values) all += (all.empty() ? "" : " ") + v.text();
  return all.substr(0, 500);
}
Value message(const Arguments&, Host&) { return Value(std::string()); }
Value warning(const Arguments& a, Host& host) {
  host.warn(joined(a));
  return Value(std::string());
}
Value fatal(const Arguments& a, Host&) { throw std::invalid_argument(joined(a)); }

using Function = Value (*)(const Arguments&, Host&);
struct Row {
  std::string_view module, name;
  Function call;
};
// clang-format off
constexpr Row functions[] = {
    {"python", "abs", absolute}, {"python", "all", all_of}, {"python", "any", any_of},
    {"python", "bool", to_bool}, {"python", "dict", to_dict}, {"python", "enumerate", enumerated},
    {"python", "float", to_float}, {"python", "int", to_int}, {"python", "len", length},
    {"python", "list", to_list}, {"python", "max", largest}, {"python", "min", least},
    {"python", "range", range}, {"python", "repr", representation}, {"python", "reversed", reversed},
    {"python", "round", rounded}, {"python", "sorted", sorted}, {"python", "str", text},
    {"python", "sum", sum}, {"python", "tuple", to_list}, {"python", "zip", zipped},
    {"math", "acos", real_function<std::acos>}, {"math", "acosh", real_function<std::acosh>},
    {"math", "asin", real_function<std::asin>}, {"math", "asinh", real_function<std::asinh>},
    {"math", "atan", real_function<std::atan>}, {"math", "atan2", real_function2<std::atan2>},
    {"math", "atanh", real_function<std::atanh>}, {"math", "ceil", to_integer<std::ceil>},
    {"math", "copysign", real_function2<std::copysign>}, {"math", "cos", real_function<std::cos>},
    {"math", "cosh", real_function<std::cosh>}, {"math", "degrees", real_function<degrees>},
    {"math", "exp", real_function<std::exp>}, {"math", "expm1", real_function<std::expm1>},
    {"math", "fabs", real_function<std::fabs>}, {"math", "floor", to_integer<std::floor>},
    {"math", "fmod", real_function2<std::fmod>}, {"math", "hypot", real_function2<std::hypot>},
    {"math", "isfinite", test<is_finite>}, {"math", "isinf", test<is_inf>},
    {"math", "isnan", test<is_nan>}, {"math", "log", logarithm},
    {"math", "log10", real_function<logarithm10>}, {"math", "log1p", real_function<std::log1p>},
    {"math", "log2", real_function<logarithm2>}, {"math", "pow", real_function2<std::pow>},
    {"math", "radians", real_function<radians>}, {"math", "sin", real_function<std::sin>},
    {"math", "sinh", real_function<std::sinh>}, {"math", "sqrt", real_function<square_root>},
    {"math", "tan", real_function<std::tan>}, {"math", "tanh", real_function<std::tanh>},
    {"math", "trunc", to_integer<std::trunc>},
    {"xacro", "abs_filename", absolute_name}, {"xacro", "arg", argument},
    {"xacro", "dotify", dotified}, {"xacro", "error", warning}, {"xacro", "fatal", fatal},
    {"xacro", "load_yaml", load_yaml}, {"xacro", "message", message},
    {"xacro", "tokenize", tokenized}, {"xacro", "warning", warning}};
// clang-format on
struct Constant {
  std::string_view name;
  double value;
};
constexpr Constant constants[] = {{"pi", std::numbers::pi},
                                  {"e", std::numbers::e},
                                  {"tau", 2 * std::numbers::pi},
                                  {"inf", std::numeric_limits<double>::infinity()},
                                  {"nan", std::numeric_limits<double>::quiet_NaN()}};
constexpr std::string_view modules[] = {"python", "math", "xacro"};

// Methods of strings and dicts. -------------------------------------------------------------------

std::string stripped(const std::string& s, bool left, bool right) {
  const std::size_t begin = left ? std::min(s.find_first_not_of(white_space), s.size()) : 0;
  const std::size_t end = right ? s.find_last_not_of(white_space) + 1 : s.size();
  return end > begin ? s.substr(begin, end - begin) : "";
}
std::string mapped(std::string s, int (*to)(int)) {
  for (char& c : s)
    if (static_cast<unsigned char>(c) < 0x80) c = static_cast<char>(to(c));
  return s;
}
Value split(const std::string& s, const Arguments& a) {
  takes(a, 0, 1);
  List out;
  if (a.values.empty()) {
    for (std::size_t i = s.find_first_not_of(white_space); i < s.size();) {
      const std::size_t end = std::min(s.find_first_of(white_space, i), s.size());
      out.emplace_back(s.substr(i, end - i));
      i = std::min(s.find_first_not_of(white_space, end), s.size());
    }
    return Value(std::move(out));
  }
  const std::string& by = string(a, 0);
  if (by.empty()) fail(a, "the separator is empty");
  std::size_t from = 0;
  for (std::size_t k; (k = s.find(by, from)) != s.npos; from = k + by.size())
    out.emplace_back(s.substr(from, k - from));
  out.emplace_back(s.substr(from));
  return Value(std::move(out));
}
Value replaced(const std::string& s, const Arguments& a) {
  takes(a, 2, 2);
  const std::string &from = string(a, 0), &to = string(a, 1);
  if (from.empty()) fail(a, "the text to replace is empty");
  std::string out;
  std::size_t at = 0;
  for (std::size_t k; (k = s.find(from, at)) != s.npos; at = k + from.size()) {
    out += s.substr(at, k - at) + to;
    if (out.size() > heaviest_value) fail(a, "the result is too long");
  }
  return Value(out + s.substr(at));
}
Value join(const std::string& s, const Arguments& a) {
  takes(a, 1, 1);
  std::string out;
  bool first = true;
  for (const Value& v : items_of(at(a, 0), a.function)) {
    if (!v.string()) fail(a, fmt::format("an item is a {}, not a string", v.type_name()));
    out += (first ? "" : s) + *v.string();
    first = false;
    if (out.size() > heaviest_value) fail(a, "the result is too long");
  }
  return Value(out);
}

using StringMethod = Value (*)(const std::string&, const Arguments&);
struct StringRow {
  std::string_view name;
  StringMethod call;
};
const StringRow string_methods[] = {
    {"endswith",
     [](const std::string& s, const Arguments& a) { return Value(s.ends_with(string(a, 0))); }},
    {"join", join},
    {"lower",
     [](const std::string& s, const Arguments&) { return Value(mapped(s, std::tolower)); }},
    {"lstrip",
     [](const std::string& s, const Arguments&) { return Value(stripped(s, true, false)); }},
    {"replace", replaced},
    {"rstrip",
     [](const std::string& s, const Arguments&) { return Value(stripped(s, false, true)); }},
    {"split", split},
    {"startswith",
     [](const std::string& s, const Arguments& a) { return Value(s.starts_with(string(a, 0))); }},
    {"strip",
     [](const std::string& s, const Arguments&) { return Value(stripped(s, true, true)); }},
    {"upper",
     [](const std::string& s, const Arguments&) { return Value(mapped(s, std::toupper)); }},
};

using DictMethod = Value (*)(const Dict&, const Arguments&);
struct DictRow {
  std::string_view name;
  DictMethod call;
};
const DictRow dict_methods[] = {
    {"get",
     [](const Dict& d, const Arguments& a) {
       takes(a, 1, 2);
       const Value* found = d.find(at(a, 0));
       return found ? *found : a.values.size() == 2 ? a.values[1] : Value();
     }},
    {"items",
     [](const Dict& d, const Arguments&) {
       List out;
       for (const auto& [key, value] : d.items) out.emplace_back(List{key, value});
       return Value(std::move(out));
     }},
    {"keys",
     [](const Dict& d, const Arguments&) {
       List out;
       for (const auto& [key, value] : d.items) out.push_back(key);
       return Value(std::move(out));
     }},
    {"values",
     [](const Dict& d, const Arguments&) {
       List out;
       for (const auto& [key, value] : d.items) out.push_back(value);
       return Value(std::move(out));
     }},
};

}  // namespace

std::optional<Value> module_value(const std::string& module, const std::string& name) {
  if (module == "math")
    for (const Constant& c : constants)
      if (c.name == name) return Value(c.value);
  for (const Row& f : functions)
    if (f.module == module && f.name == name) return Value(Builtin{module + "." + name});
  return {};
}
std::optional<Value> builtin_value(const std::string& name) {
  for (const std::string_view module : modules) {
    if (name == module) return Value(Builtin{name});
    if (module == "xacro" && name != "load_yaml" && name != "abs_filename" && name != "dotify")
      continue;  // the others have no short name
    if (auto found = module_value(std::string(module), name)) return found;
  }
  return {};
}

Value call_builtin(const Builtin& builtin, const Arguments& arguments, Host& host) {
  for (const Row& f : functions)
    if (fmt::format("{}.{}", f.module, f.name) == builtin.name) {
      Arguments named = arguments;
      named.function = f.name;
      return f.call(named, host);
    }
  throw std::invalid_argument(fmt::format("'{}' cannot be called", builtin.name));
}

std::optional<Value> method_value(const Value& object, const std::string& name) {
  const bool known =
      (object.string() && std::any_of(std::begin(string_methods), std::end(string_methods),
                                      [&](const auto& row) { return row.name == name; })) ||
      (object.dict() && std::any_of(std::begin(dict_methods), std::end(dict_methods),
                                    [&](const auto& row) { return row.name == name; }));
  if (!known) return {};
  return Value(Method{std::make_shared<const Value>(object), name});
}

Value call_method(const Method& method, const Arguments& arguments, Host& host) {
  host.spend(1);
  if (const std::string* s = method.object->string()) {
    host.spend(s->size() / 16);
    for (const StringRow& row : string_methods)
      if (row.name == method.name) return row.call(*s, arguments);
  }
  if (const Dict* dict = method.object->dict())
    for (const DictRow& row : dict_methods)
      if (row.name == method.name) return row.call(*dict, arguments);
  throw std::invalid_argument(fmt::format("there is no method '{}'", method.name));
}

}  // namespace parid::model::xacro

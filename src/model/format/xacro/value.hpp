// Values of xacro expressions: Python's None, bool, int, float, str, list and dict, with Python's
// comparisons and text. Integers have 64 bits; an expression that would exceed them is an error.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "model/layer.hpp"

namespace parid::model::xacro {

// ---- Characters, as Python sees them in ASCII.

constexpr std::string_view white_space = " \t\r\n\f\v";
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// ---- Values.

class Scope;
class Value;
struct Dict;
using List = std::vector<Value>;

struct None {};
// A function or a module of the fixed list in functions.cpp, by its full name: "math.sin", "math".
struct Builtin {
  std::string name;
};
// A method of a string or dict before its call: 'a b'.split.
struct Method {
  std::shared_ptr<const Value> object;
  std::string name;
};

// Limits that keep operations linear in a value's contents (text, comparison) fast, and recursion
// over nested lists shallow: larger values throw std::invalid_argument when they are created.
constexpr std::size_t heaviest_value = 1'000'000;  // items and characters
constexpr int deepest_value = 50;

class Value {
 public:
  using Storage =
      std::variant<None, bool, std::int64_t, double, std::string, std::shared_ptr<const List>,
                   std::shared_ptr<const Dict>, Builtin, Method, Scope*>;
  Value() = default;
  explicit Value(bool b) : storage_(b) {}
  explicit Value(std::int64_t i) : storage_(i) {}
  explicit Value(double x) : storage_(x) {}
  explicit Value(std::string s);
  explicit Value(const char*) = delete;  // would be a bool
  explicit Value(List l);
  explicit Value(Dict d);
  explicit Value(Builtin b) : storage_(std::move(b)) {}
  explicit Value(Method m) : storage_(std::move(m)) {}
  explicit Value(Scope* name_space) : storage_(name_space) {}

  bool is_none() const { return std::holds_alternative<None>(storage_); }
  bool is_string() const { return std::holds_alternative<std::string>(storage_); }
  bool is_float() const { return std::holds_alternative<double>(storage_); }
  bool is_bool() const { return std::holds_alternative<bool>(storage_); }
  bool is_integer() const {  // a bool is one, as in Python
    return is_bool() || std::holds_alternative<std::int64_t>(storage_);
  }
  bool is_number() const { return is_integer() || is_float(); }

  const std::string* string() const { return std::get_if<std::string>(&storage_); }
  const List* list() const;  // null for another type; likewise the others
  const Dict* dict() const;
  const Builtin* builtin() const { return std::get_if<Builtin>(&storage_); }
  const Method* method() const { return std::get_if<Method>(&storage_); }
  Scope* scope() const;

  std::int64_t integer() const;  // of an integer
  double number() const;         // of a number

  bool truth() const;
  std::string text() const;  // str(x)
  std::string repr() const;  // repr(x)
  const char* type_name() const;

 private:
  void contain(const Value& part);

  Storage storage_;
  std::size_t weight_ = 1;  // of all its contents; a list may contain one list many times
  int depth_ = 0;           // of lists in lists
};

// Keys keep their order. Numbers that are equal are one key, as in Python.
struct Dict {
  std::vector<std::pair<Value, Value>> items;
  std::unordered_map<std::string, std::size_t> index;

  const Value* find(const Value& key) const;
  void set(const Value& key, Value value);
};

bool equal(const Value&, const Value&);
// -1, 0 or 1; throws std::invalid_argument if Python has no order for the two types.
int compare(const Value&, const Value&);

std::string python_float(double);
// The number, bool or string of a literal: 'abc' without its quotes, 12, 1.5, true.
Value literal(const std::string& text);

}  // namespace parid::model::xacro

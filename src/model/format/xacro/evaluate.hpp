// Evaluates an expression. It can read names, compute, and call the functions of the fixed list in
// functions.cpp; nothing else is reachable from a file.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/format/xacro/expression.hpp"
#include "model/format/xacro/value.hpp"
#include "model/layer.hpp"

namespace parid::model::xacro {

// Services that an expression may use.
class Host {
 public:
  virtual ~Host() = default;
  virtual Value load_yaml(const std::string& file) = 0;
  virtual std::string absolute_name(const std::string& file) = 0;
  virtual std::string argument(const std::string& name) = 0;
  virtual void warn(const std::string& message) = 0;
  virtual void spend(std::size_t steps) = 0;  // throws if a file takes too many
};

// Names that an expression sees.
class Names {
 public:
  virtual ~Names() = default;
  virtual std::optional<Value> find(const std::string& name) = 0;
  virtual std::string nearest_name(const std::string& name) const = 0;  // for messages; may be ""
};

// Throws std::invalid_argument with the error.
Value evaluate(const Expression&, Names&, Host&);

// functions.cpp
// ------------------------------------------------------------------------------------

struct Arguments {
  std::string function;  // for messages
  std::vector<Value> values;
  std::vector<std::pair<std::string, Value>> keywords;
};

// A function, constant or module by the name that expressions have for it: "sin", "pi", "math".
std::optional<Value> builtin_value(const std::string& name);
// The same of a module: ("math", "sin").
std::optional<Value> module_value(const std::string& module, const std::string& name);
Value call_builtin(const Builtin&, const Arguments&, Host&);
// A method of a string, list or dict; none if there is no such method.
std::optional<Value> method_value(const Value& object, const std::string& name);
Value call_method(const Method&, const Arguments&, Host&);

// operators.cpp
// ------------------------------------------------------------------------------------

Value unary_operation(std::string_view sign, const Value&);
Value binary_operation(std::string_view sign, const Value&, const Value&, Host&);
bool holds(std::string_view sign, const Value&, const Value&);  // a comparison
Value item_of(const Value& object, const Value& key);
Value slice_of(const Value& object, const Value& begin, const Value& end, const Value& step);
// The items of a loop over it: a list's items, a dict's keys, a string's characters.
List items_of(const Value&, std::string_view for_what);

}  // namespace parid::model::xacro

#include "model/format/xacro/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/text/spelling.hpp"
#include "model/format/xacro/scope.hpp"

namespace parid::model::xacro {
namespace {

using Kind = Expression::Kind;

class Evaluation {
 public:
  Evaluation(Names& names, Host& host) : names_(names), host_(host) {}

  Value value(const Expression& e) {
    host_.spend(1);
    switch (e.kind) {
      case Kind::constant: return e.value;
      case Kind::name: return named(e.word);
      case Kind::unary: return unary_operation(e.word, part(e, 0));
      case Kind::binary: {
        const Value a = part(e, 0);
        return binary_operation(e.word, a, part(e, 1), host_);
      }
      case Kind::comparison: return comparison(e);
      case Kind::both: return chain(e, false);
      case Kind::either: return chain(e, true);
      case Kind::conditional: return part(e, part(e, 0).truth() ? 1 : 2);
      case Kind::list: return list(e);
      case Kind::dict: return dict(e);
      case Kind::index: {
        const Value object = part(e, 0);
        if (object.scope()) return attribute(object, part(e, 1).text());
        return item_of(object, part(e, 1));
      }
      case Kind::slice: {
        const Value object = part(e, 0), begin = part(e, 1), end = part(e, 2);
        return slice_of(object, begin, end, part(e, 3));
      }
      case Kind::attribute: return attribute(part(e, 0), e.word);
      case Kind::call: return call(e);
      case Kind::comprehension: return comprehension(e);
    }
    return {};
  }

 private:
  Value part(const Expression& e, std::size_t k) { return value(*e.parts[k]); }

  Value named(const std::string& word) {
    for (auto local = locals_.rbegin(); local != locals_.rend(); ++local)
      if (local->first == word) return local->second;
    if (auto found = names_.find(word)) return *found;
    if (auto found = builtin_value(word)) return *found;
    const std::string meant = names_.nearest_name(word);
    throw std::invalid_argument(
        fmt::format("name '{}' is not defined{}", word,
                    meant.empty() ? "" : fmt::format(" (did you mean '{}'?)", meant)));
  }

  Value comparison(const Expression& e) {
    Value left = part(e, 0);
    for (std::size_t k = 0; k < e.words.size(); ++k) {
      Value right = part(e, k + 1);
      if (!holds(e.words[k], left, right)) return Value(false);
      left = std::move(right);
    }
    return Value(true);
  }
  Value chain(const Expression& e, bool stops_at) {  // gives the operand that decides, as Python
    Value v;
    for (std::size_t k = 0; k < e.parts.size(); ++k) {
      v = part(e, k);
      if (v.truth() == stops_at) break;
    }
    return v;
  }
  Value list(const Expression& e) {
    List items;
    for (std::size_t k = 0; k < e.parts.size(); ++k) items.push_back(part(e, k));
    return Value(std::move(items));
  }
  Value dict(const Expression& e) {
    Dict d;
    for (std::size_t k = 0; k + 1 < e.parts.size(); k += 2) {
      const Value key = part(e, k);
      d.set(key, part(e, k + 1));
    }
    return Value(std::move(d));
  }

  Value attribute(const Value& object, const std::string& word) {
    if (word.starts_with("__"))
      throw std::invalid_argument(fmt::format("the name '{}' is not allowed", word));
    if (const Dict* dict = object.dict())
      if (const Value* found = dict->find(Value(word))) return *found;
    if (object.scope())
      if (auto found = object.scope()->find(word)) return *found;
    if (object.builtin())
      if (auto found = module_value(object.builtin()->name, word)) return *found;
    if (auto method = method_value(object, word)) return *method;
    throw std::invalid_argument(
        object.builtin()
            ? fmt::format("'{}' has no '{}'", object.builtin()->name, word)
            : fmt::format("a {} has no {} '{}'", object.type_name(),
                          object.dict() || object.scope() ? "key" : "attribute", word));
  }

  Value call(const Expression& e) {
    const Value function = part(e, 0);
    Arguments arguments;
    const std::size_t positional = e.parts.size() - 1 - e.words.size();
    for (std::size_t k = 0; k < positional; ++k) arguments.values.push_back(part(e, k + 1));
    for (std::size_t k = 0; k < e.words.size(); ++k)
      arguments.keywords.emplace_back(e.words[k], part(e, 1 + positional + k));
    if (function.builtin()) {
      arguments.function = function.builtin()->name;
      return call_builtin(*function.builtin(), arguments, host_);
    }
    if (function.method()) {
      arguments.function = function.method()->name;
      return call_method(*function.method(), arguments, host_);
    }
    throw std::invalid_argument(fmt::format("a {} cannot be called", function.type_name()));
  }

  Value comprehension(const Expression& e) {
    List out;
    for (const Value& item : items_of(part(e, 1), "for")) {
      host_.spend(1);
      const std::size_t before = locals_.size();
      if (e.words.size() == 1) {
        locals_.emplace_back(e.words[0], item);
      } else {
        const List parts = items_of(item, "for");
        if (parts.size() != e.words.size())
          throw std::invalid_argument(
              fmt::format("an item of {} values for {} variables", parts.size(), e.words.size()));
        for (std::size_t k = 0; k < parts.size(); ++k) locals_.emplace_back(e.words[k], parts[k]);
      }
      bool wanted = true;
      for (std::size_t k = 2; wanted && k < e.parts.size(); ++k) wanted = part(e, k).truth();
      if (wanted) out.push_back(part(e, 0));
      locals_.resize(before);
    }
    return Value(std::move(out));
  }

  Names& names_;
  Host& host_;
  std::vector<std::pair<std::string, Value>> locals_;
};

}  // namespace

Value evaluate(const Expression& e, Names& names, Host& host) {
  return Evaluation(names, host).value(e);
}

}  // namespace parid::model::xacro

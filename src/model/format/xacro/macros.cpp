// <xacro:property>, <xacro:macro> and calls of macros.

#include <algorithm>
#include <set>

#include "base/text/spelling.hpp"
#include "model/format/xacro/expander_class.hpp"

namespace parid::model::xacro {

void Expander::do_property(const Node& in, Node&, Scope& scope) {
  remark_on_attributes(in, {"name", "value", "default", "remove", "scope", "lazy_eval"});
  const std::string name = text_value(required(in, "name"), scope).text();
  if (!is_identifier(name) || name.starts_with("__"))
    fail(in.at(), fmt::format("'{}' cannot name a property", brief(name)),
         "give a name of letters, digits and _ that is not a Python keyword");
  const std::string *value = in.attribute("value"), *fallback = in.attribute("default"),
                    *removed = in.attribute("remove"), *where = in.attribute("scope"),
                    *lazily = in.attribute("lazy_eval");
  const bool removes = removed && condition(*removed, scope);
  if ((value != nullptr) + (fallback != nullptr) + removes > 1)
    fail(in.at(), fmt::format("property '{}' has several of value, default and remove", name),
         "give one of them");
  if (removes) return scope.remove(name);
  if (fallback) {
    if (scope.has(name)) return;
    value = fallback;
  }
  Scope* target = &scope;
  bool lazy = !lazily || condition(*lazily, scope);
  if (where && *where == "global") {
    target = &scope.top();
    lazy = false;
  } else if (where && *where == "parent") {
    lazy = false;
    if (scope.parent()) target = scope.parent();
    if (!scope.is_namespace())
      while (target->is_namespace() && target->parent()) target = target->parent();
  } else if (where && *where != "local") {
    fail(in.at(), fmt::format("property '{}' has the scope '{}'", name, brief(*where)),
         "give parent or global, or leave it out");
  }
  if (!value) {
    spend(size_of(in));
    target->set_block("**" + name, std::make_shared<const Node>(in));
    return;
  }
  Property p;
  p.at = in.at();
  p.value = literal_of(lazy ? string_value(*value) : text_value(*value, scope));
  p.lazy = lazy && p.value.string() && value->find('$') != value->npos;
  if (p.lazy) p.text = *p.value.string();
  target->set(name, std::move(p));
}

void Expander::do_macro(const Node& in, Node&, Scope& scope) {
  remark_on_attributes(in, {"name", "params"});
  auto macro = std::make_shared<Macro>();
  macro->name = required(in, "name");
  if (macro->name.starts_with(prefix)) macro->name.erase(0, prefix.size());
  if (!plain_name(macro->name) || macro->name == "call" ||
      macro->name.find('.') != std::string::npos)
    fail(in.at(), fmt::format("'{}' cannot name a macro", brief(macro->name)),
         "give a name of letters, digits and _ other than 'call'");
  if (const std::string* params = in.attribute("params"))
    macro->parameters = parse_parameters(*params);
  spend(size_of(in));
  macro->body = std::make_shared<const Node>(in);
  scope.set_macro(std::move(macro));
}

void Expander::do_call(const Node& in, Node& out, Scope& scope) {
  const std::string name = text_value(required(in, "macro"), scope).text();
  spend(size_of(in));
  Node plain = in;
  std::erase_if(plain.attributes, [](const auto& a) { return a.first == "macro"; });
  call(plain, name, out, scope);
}

void Expander::call(const Node& in, const std::string& name, Node& out, Scope& caller) {
  const Scope::FoundMacro found = caller.macro(name);
  if (!found.macro) {
    const std::string meant = caller.nearest_macro(name);
    fail(in.at(), fmt::format("there is no macro '{}'", brief(name)),
         meant.empty() ? "define it above with <xacro:macro>, or include the file that does"
                       : fmt::format("did you mean '{}'?", meant));
  }
  const Deeper deeper(depth_);
  require_shallow(in);
  spend(100);
  const Macro& macro = *found.macro;
  Scope& surrounding = *found.scope;  // of a namespace, if the name has one
  Scope& scope = new_scope(&surrounding);
  std::set<std::string> missing;
  for (const Parameter& p : macro.parameters) missing.insert(p.name);
  for (const auto& [key, value] : in.attributes) {
    if (key.starts_with("xmlns:")) continue;
    if (missing.erase(key) == 0) refuse_parameter(in, macro, key);
    scope.set(key, constant(literal_of(text_value(value, surrounding)), in.at()));
  }
  blocks(in, macro, surrounding, scope, missing);
  for (const Parameter& p : macro.parameters)
    if (missing.contains(p.name) && give_default(p, surrounding, scope, in)) missing.erase(p.name);
  if (!missing.empty())
    fail(in.at(), fmt::format("macro '{}' is called without '{}'", macro.name, *missing.begin()),
         missing.begin()->starts_with('*') ? "add the element inside the call"
                                           : fmt::format("add {}=\"...\"", *missing.begin()));
  const int before = call_;
  calls_.push_back({fmt::format("macro '{}' called", macro.name), in.at(), call_});
  call_ = static_cast<int>(calls_.size()) - 1;
  children(*macro.body, out, scope);
  call_ = before;
  if (&scopes_.back() == &scope) scopes_.pop_back();  // a namespace created inside refers to it
}

Property Expander::constant(Value v, const Place& at) {
  Property p;
  p.value = std::move(v);
  p.at = at;
  return p;
}

void Expander::refuse_parameter(const Node& in, const Macro& macro, const std::string& key) const {
  std::vector<std::string> known;
  for (const Parameter& p : macro.parameters) known.push_back(p.name);
  fail(in.at(), fmt::format("macro '{}' has no parameter '{}'", macro.name, brief(key)),
       did_you_mean(key, known) + "remove it, or add it to params");
}

void Expander::blocks(const Node& in, const Macro& macro, Scope& caller, Scope& scope,
                      std::set<std::string>& missing) {
  Node inside;
  inside.file = in.file;
  inside.line = in.line;
  children(in, inside, caller);
  auto block = inside.children.begin();
  const auto skip_text = [&] {
    while (block != inside.children.end() && block->is_text()) ++block;
  };
  skip_text();
  for (const Parameter& p : macro.parameters) {
    if (!p.name.starts_with('*') || block == inside.children.end()) continue;
    missing.erase(p.name);
    scope.set_block(p.name, std::make_shared<const Node>(*block));
    ++block;
    skip_text();
  }
  if (block != inside.children.end())
    fail(block->at(),
         fmt::format("macro '{}' has no parameter for a further block <{}>", macro.name,
                     block->name),
         "remove it, or add a parameter *NAME to the macro");
}

bool Expander::give_default(const Parameter& p, Scope& caller, Scope& scope, const Node& in) {
  if (p.name.starts_with('*')) return false;
  if (p.forwarded) {
    if (auto v = caller.find(p.name)) {
      scope.set(p.name, constant(*v, in.at()));
      return true;
    }
  }
  if (!p.fallback) return false;
  scope.set(p.name, constant(literal_of(text_value(*p.fallback, caller)), in.at()));
  return true;
}

}  // namespace parid::model::xacro

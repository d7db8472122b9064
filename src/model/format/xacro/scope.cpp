#include "model/format/xacro/scope.hpp"

#include <algorithm>

#include "base/text/spelling.hpp"

namespace parid::model::xacro {

std::optional<Value> Scope::find(const std::string& name) {
  for (Scope* s = this; s; s = s->parent_) {
    if (const auto n = s->namespaces_.find(name); n != s->namespaces_.end())
      return Value(n->second);
    const auto p = s->properties_.find(name);
    if (p == s->properties_.end()) continue;
    return p->second.lazy ? resolver_.resolve(*s, name, p->second) : p->second.value;
  }
  return {};
}

bool Scope::has(const std::string& name) const {
  for (const Scope* s = this; s; s = s->parent_)
    if (s->properties_.contains(name)) return true;
  return false;
}

void Scope::remove(const std::string& name) {
  for (Scope* s = this; s; s = s->parent_) s->properties_.erase(name);
}

const xml::Node* Scope::block(const std::string& name) const {
  for (const Scope* s = this; s; s = s->parent_)
    if (const auto b = s->blocks_.find(name); b != s->blocks_.end()) return b->second.get();
  return nullptr;
}

Scope::FoundMacro Scope::macro(const std::string& name) {
  for (Scope* s = this; s; s = s->parent_)
    if (const auto m = s->macros_.find(name); m != s->macros_.end()) return {m->second, this};
  const std::size_t dot = name.find('.');
  if (dot == name.npos) return {};
  for (Scope* s = this; s; s = s->parent_)
    if (const auto n = s->namespaces_.find(name.substr(0, dot)); n != s->namespaces_.end())
      return n->second->macro(name.substr(dot + 1));
  return {};
}

std::string Scope::nearest_name(const std::string& name) const {
  std::vector<std::string> known;
  for (const Scope* s = this; s; s = s->parent_)
    for (const auto& [key, p] : s->properties_) known.push_back(key);
  return known.size() > 10'000 ? "" : nearest(name, known);
}
std::string Scope::nearest_macro(const std::string& name) const {
  std::vector<std::string> known;
  for (const Scope* s = this; s; s = s->parent_)
    for (const auto& [key, m] : s->macros_) known.push_back(key);
  return known.size() > 10'000 ? "" : nearest(name, known);
}

namespace {

// The end of a default value that begins at `i`: ${…}, $(…), or words and quoted texts up to a
// space.
std::size_t end_of_default(const std::string& s, std::size_t i) {
  for (const auto& [open, close] : {std::pair{"${", '}'}, std::pair{"$(", ')'}}) {
    if (s.compare(i, 2, open) != 0) continue;
    const std::size_t end = s.find(close, i);
    if (end != s.npos && (end + 1 == s.size() || white_space.find(s[end + 1]) != white_space.npos))
      return end + 1;
  }
  while (i < s.size() && white_space.find(s[i]) == white_space.npos) {
    const std::size_t quote = s[i] == '\'' || s[i] == '"' ? s.find(s[i], i + 1) : s.npos;
    i = quote == s.npos ? i + 1 : quote + 1;
  }
  return i;
}

}  // namespace

std::vector<Parameter> parse_parameters(const std::string& s) {
  std::vector<Parameter> all;
  const auto after_spaces = [&](std::size_t i) {
    return std::min(s.find_first_not_of(white_space, i), s.size());
  };
  for (std::size_t i = after_spaces(0); i < s.size(); i = after_spaces(i)) {
    Parameter p;
    const std::size_t begin = i;
    while (i < s.size() && white_space.find(s[i]) == white_space.npos && s[i] != ':' && s[i] != '=')
      ++i;
    if (i == begin) ++i;  // a stray mark is a name that no call gives
    p.name = s.substr(begin, i - begin);
    std::size_t sign = after_spaces(i);
    if (s.compare(sign, 2, ":=") == 0 || s.compare(sign, 1, "=") == 0) {
      i = after_spaces(sign + (s[sign] == ':' ? 2 : 1));
      if (i < s.size() && s[i] == '^') {
        p.forwarded = true;
        ++i;
        if (i < s.size() && s[i] == '|') ++i;
      }
      const std::size_t end = end_of_default(s, i);
      if (end > i) p.fallback = s.substr(i, end - i);
      i = end;
    }
    all.push_back(std::move(p));
  }
  return all;
}

}  // namespace parid::model::xacro

#include "model/format/mjcf/mjcf_defaults.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/spelling.hpp"
#include "model/names.hpp"

namespace parid::model::mjcf {

bool is_actuator(std::string_view tag) {
  constexpr std::string_view tags[] = {"general",     "motor",   "position", "velocity",
                                       "intvelocity", "damper",  "cylinder", "muscle",
                                       "adhesion",    "dcmotor", "plugin"};
  return std::find(std::begin(tags), std::end(tags), tag) != std::end(tags);
}

std::string_view default_kind(std::string_view tag) { return is_actuator(tag) ? "actuator" : tag; }

const std::string* DefaultClass::find(std::string_view kind, std::string_view attribute) const {
  const std::pair<std::string, std::string> key(kind, attribute);
  for (const DefaultClass* c = this; c; c = c->parent)
    if (const auto at = c->value.find(key); at != c->value.end()) return &at->second;
  return nullptr;
}

Defaults::Defaults(const Document& document) : main_(add("main", nullptr)) {
  for (const Element& section : document.root.children)
    if (section.name == "default") read(document, section, nullptr);
}

DefaultClass* Defaults::add(const std::string& name, const DefaultClass* parent) {
  auto& slot = classes_[name];
  if (!slot) {
    slot = std::make_unique<DefaultClass>();
    slot->parent = parent;
  }
  return slot.get();
}

void Defaults::read(const Document& document, const Element& tag, const DefaultClass* parent) {
  const std::string* name = tag.attribute("class");
  if (name) require_short_name(*name, "a default class", document.at(tag.line));
  DefaultClass* here = main_;
  if (parent) {
    if (!name || name->empty())
      throw Error(document.at(tag.line), "a nested <default> has no attribute 'class'",
                  "name the class");
    if (classes_.contains(*name))
      throw Error(document.at(tag.line),
                  fmt::format("the default class '{}' is defined a second time", *name),
                  "give each class a unique name");
    here = add(*name, parent);
  } else if (name && !name->empty() && *name != "main") {
    auto& slot = classes_[*name];  // the top class may have a name of its own
    if (!slot) slot = std::make_unique<DefaultClass>();
    slot->parent = main_;
  }
  for (const Element& child : tag.children) {
    if (child.name == "default") {
      read(document, child, here);
      continue;
    }
    const std::string kind(default_kind(child.name));
    for (const auto& [attribute, text] : child.attributes) here->value[{kind, attribute}] = text;
    // A servo's force depends on the position too: see mjcf_extras.cpp.
    if (kind == "actuator") here->value[{kind, "(tag)"}] = child.name;
  }
}

const DefaultClass* Defaults::named(const std::string& name, const Document& document,
                                    int line) const {
  const auto found = classes_.find(name);
  if (found != classes_.end()) return found->second.get();
  std::vector<std::string> known;
  if (classes_.size() <= 1000)
    for (const auto& [other, unused] : classes_) known.push_back(other);
  throw Error(document.at(line), fmt::format("there is no default class '{}'", name.substr(0, 200)),
              did_you_mean(name.substr(0, 200), known) + "define it in <default>");
}

}  // namespace parid::model::mjcf

// Scopes of names in xacro: properties, blocks and macros of a macro call or an included namespace,
// then those of its parent.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/format/xacro/evaluate.hpp"
#include "model/format/xml/node.hpp"
#include "model/layer.hpp"

namespace parid::model::xacro {

struct Property {
  Value value;
  std::string text;  // evaluated at the first use
  bool lazy = false, resolving = false;
  Place at;
};

struct Parameter {
  std::string name;        // "*name" and "**name" are blocks
  bool forwarded = false;  // ^: the caller's property of this name, if there is one
  std::optional<std::string> fallback;
};

struct Macro {
  std::string name;
  std::vector<Parameter> parameters;
  std::shared_ptr<const xml::Node> body;
};

class Scope : public Names {
 public:
  // Evaluates lazy properties; the expander is one.
  class Resolver {
   public:
    virtual ~Resolver() = default;
    virtual Value resolve(Scope&, const std::string& name, Property&) = 0;
  };

  Scope(Scope* parent, Resolver& resolver, bool is_namespace = false)
      : parent_(parent), resolver_(resolver), is_namespace_(is_namespace) {}

  Scope* parent() const { return parent_; }
  bool is_namespace() const { return is_namespace_; }
  Scope& top() { return parent_ ? parent_->top() : *this; }

  // Of this scope or of those above it; nothing, or null, if there is none.
  std::optional<Value> find(const std::string& name) override;
  bool has(const std::string& name) const;
  void set(const std::string& name, Property p) { properties_[name] = std::move(p); }
  void remove(const std::string& name);  // from here up to the top

  const xml::Node* block(const std::string& name) const;
  void set_block(const std::string& name, std::shared_ptr<const xml::Node> block) {
    blocks_[name] = std::move(block);
  }

  // "name", or "namespace.name": then also the namespace's scope.
  struct FoundMacro {
    std::shared_ptr<const Macro> macro;
    Scope* scope = nullptr;
  };
  FoundMacro macro(const std::string& name);
  void set_macro(std::shared_ptr<const Macro> m) { macros_[m->name] = std::move(m); }
  void set_namespace(const std::string& name, Scope* scope) { namespaces_[name] = scope; }
  bool has_namespaces() const { return !namespaces_.empty(); }

  std::string nearest_name(const std::string& name) const override;  // for messages; may be ""
  std::string nearest_macro(const std::string& name) const;

 private:
  Scope* parent_;
  Resolver& resolver_;
  bool is_namespace_;
  std::map<std::string, Property> properties_;
  std::map<std::string, std::shared_ptr<const xml::Node>> blocks_;
  std::map<std::string, std::shared_ptr<const Macro>> macros_;
  std::map<std::string, Scope*> namespaces_;
};

// The parameters that a macro declares: "a b:=1 c:=^ d:=^|2 *block **blocks".
std::vector<Parameter> parse_parameters(const std::string& text);

}  // namespace parid::model::xacro

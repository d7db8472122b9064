// What expands a file, for expander.cpp (elements, includes), substitutions.cpp (${…}, $(…), files)
// and macros.cpp (properties, macros, calls).

#pragma once

#include <fmt/format.h>

#include <deque>
#include <span>

#include "model/format/source_files.hpp"
#include "model/format/xacro/expander.hpp"
#include "model/format/xacro/scope.hpp"
#include "model/layer.hpp"
#include "model/lint/finding.hpp"

namespace parid::model::xacro {

using xml::Node;

constexpr std::string_view prefix = "xacro:";

inline std::string brief(const std::string& s) {
  return s.size() <= 100 ? s : s.substr(0, 100) + "…";
}

inline std::size_t size_of(const Node& node) {
  std::size_t size = 1 + node.text.size() / 16;
  for (const Node& child : node.children) size += size_of(child);
  return size;
}

class Expander : public Host, public Scope::Resolver {
 public:
  Expander(const std::string& file, const Options& options)
      : options_(options), arguments_(options.arguments), files_(file, options.packages) {
    folders_.push_back(folder_of(file));
  }

  Expansion run(const std::string& text, const std::string& file);

  // ---- Host

  Value load_yaml(const std::string& name) override;
  std::string absolute_name(const std::string& name) override;
  std::string argument(const std::string& name) override;
  void warn(const std::string& message) override;
  void spend(std::size_t steps) override;

  // ---- Resolver

  Value resolve(Scope& scope, const std::string& name, Property& p) override;

 private:
  // ---- Errors

  [[noreturn]] void fail(const Place& at, const std::string& wrong, const std::string& right) const;
  const std::string& required(const Node& n, const char* attribute) const;
  void remark_on_attributes(const Node& n, std::initializer_list<std::string_view> known);

  // ---- Text

  Value literal_of(const Value& v) const { return v.string() ? literal(*v.string()) : v; }

  // Replaces ${…} and $(…). A text that consists of one of them keeps its type.
  Value text_value(const std::string& text, Scope& scope);
  Value string_value(const std::string& s) const;
  Value expression(const std::string& text, Scope& scope);
  Value substitution(const std::string& text);
  std::string package(const std::string& name);
  std::string variable(const std::string& name, const std::string* fallback);
  bool condition(const std::string& text, Scope& scope);

  // ---- Files

  static std::string folder_of(const std::string& file);
  void require_allowed(const std::string& path, const Place& at) const;
  std::string read(const std::string& path, const char* what, const Place& at);
  std::vector<std::string> matching(const std::string& pattern) const;

  // ---- Elements

  struct Deeper {  // one level of macros, includes or elements
    Deeper(int& depth) : depth_(depth) { ++depth_; }
    ~Deeper() { --depth_; }
    int& depth_;
  };
  Scope& new_scope(Scope* parent, bool is_namespace = false);
  void attributes(const Node& in, Node& out, Scope& scope);
  Node made(const Node& in);
  void children(const Node& in, Node& out, Scope& scope);
  void text(const Node& in, Node& out, Scope& scope);
  void element(const Node& in, Node& out, Scope& scope);

  using Handler = void (Expander::*)(const Node&, Node&, Scope&);
  struct Instruction {
    std::string_view name;
    Handler handler;
  };
  static std::span<const Instruction> instructions();
  void instruction(const Node& in, const std::string& word, Node& out, Scope& scope);
  void do_if(const Node& in, Node& out, Scope& scope) { conditional(in, true, out, scope); }
  void do_unless(const Node& in, Node& out, Scope& scope) { conditional(in, false, out, scope); }
  void conditional(const Node& in, bool wanted, Node& out, Scope& scope);
  void do_arg(const Node& in, Node&, Scope& scope);
  void do_element(const Node& in, Node& out, Scope& scope);
  static bool plain_name(const std::string& name);
  void do_attribute(const Node& in, Node& out, Scope& scope);
  void do_insert_block(const Node& in, Node& out, Scope& scope);
  void do_property(const Node& in, Node&, Scope& scope);
  void do_macro(const Node& in, Node&, Scope& scope);
  void do_include(const Node& in, Node& out, Scope& scope);
  std::shared_ptr<const Node> parsed(const std::string& path, const Place& at);
  void require_shallow(const Node& in) const;

  // ---- Macros

  void do_call(const Node& in, Node& out, Scope& scope);
  void call(const Node& in, const std::string& name, Node& out, Scope& caller);
  static Property constant(Value v, const Place& at);

  [[noreturn]] void refuse_parameter(const Node& in, const Macro& macro,
                                     const std::string& key) const;

  // The contents of the call, evaluated in the caller's scope, become the block parameters in
  // order.
  void blocks(const Node& in, const Macro& macro, Scope& caller, Scope& scope,
              std::set<std::string>& missing);
  bool give_default(const Parameter& p, Scope& caller, Scope& scope, const Node& in);
  void refuse_unread_arguments(const Node& root) const;

  const Options& options_;
  std::map<std::string, std::string> arguments_;
  std::set<std::string> read_arguments_;
  SourceFiles files_;
  // of the file that is being read, and of those that include it
  std::vector<std::string> folders_;
  std::map<std::string, std::shared_ptr<const Node>> parsed_;
  std::deque<Scope> scopes_;
  std::vector<Call> calls_;
  xml::Places places_;
  std::vector<Finding> remarks_;
  int call_ = -1;  // the innermost
  int depth_ = 0, elements_ = 0, lazy_ = 0, text_depth_ = 0;
  std::size_t steps_ = 0, nodes_ = 0;
  Place at_;
};

}  // namespace parid::model::xacro

#include "model/format/xacro/expander.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/text/spelling.hpp"
#include "model/format/size_limit.hpp"
#include "model/format/xacro/expander_class.hpp"

namespace parid::model::xacro {
namespace {

namespace fs = std::filesystem;

constexpr auto how_it_begins = "a xacro file has one root, <robot xmlns:xacro=\"...\">";

}  // namespace

Expansion Expander::run(const std::string& text, const std::string& file) {
  const Node root = xml::parse(text, file, how_it_begins);
  places_.add_file(file);
  Scope& scope = new_scope(nullptr);
  Expansion result;
  result.root.name = root.name;
  result.root.file = root.file;
  result.root.line = root.line;
  at_ = root.at();
  children(root, result.root, scope);
  // $(arg) in the root's own attributes may be declared below it.
  attributes(root, result.root, scope);
  refuse_unread_arguments(root);
  result.calls = std::move(calls_);
  result.places = std::move(places_);
  result.remarks = std::move(remarks_);
  return result;
}

void Expander::fail(const Place& at, const std::string& wrong, const std::string& right) const {
  const std::string called = call_chain(calls_, call_);
  throw Error(at, wrong + (called.empty() ? "" : fmt::format(" (in {})", called)), right);
}

const std::string& Expander::required(const Node& n, const char* attribute) const {
  if (const std::string* value = n.attribute(attribute)) return *value;
  fail(n.at(), fmt::format("<{}> has no attribute '{}'", n.name, attribute),
       fmt::format("add it: <{} {}=\"...\">", n.name, attribute));
}

void Expander::remark_on_attributes(const Node& n, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : n.attributes)
    if (std::find(known.begin(), known.end(), name) == known.end() && !name.starts_with("xmlns:"))
      remark(remarks_,
             finding("unknown-attribute", n.at(),
                     fmt::format("<{}> has an unknown attribute '{}'", n.name, brief(name)),
                     "it is ignored; remove it"));
}

Scope& Expander::new_scope(Scope* parent, bool is_namespace) {
  scopes_.emplace_back(parent, *this, is_namespace);
  return scopes_.back();
}

void Expander::attributes(const Node& in, Node& out, Scope& scope) {
  for (const auto& [name, value] : in.attributes) {
    if (name.starts_with(prefix) || name == "xmlns:xacro") continue;
    out.set_attribute(name, text_value(value, scope).text());
  }
}

Node Expander::made(const Node& in) {
  if (++nodes_ > options_.limits.nodes)
    fail(in.at(), fmt::format("the result has more than {} elements", options_.limits.nodes),
         "look for a macro that is called too often");
  Node out;
  out.name = in.name;
  out.file = in.file;
  out.line = in.line;
  out.cdata = in.cdata;
  out.origin = in.origin >= 0 ? in.origin : call_;
  return out;
}

void Expander::children(const Node& in, Node& out, Scope& scope) {
  for (const Node& child : in.children) {
    at_ = child.at();
    if (child.is_text())
      text(child, out, scope);
    else
      element(child, out, scope);
  }
}

void Expander::text(const Node& in, Node& out, Scope& scope) {
  Node node = made(in);
  node.text = in.cdata ? in.text : text_value(in.text, scope).text();
  out.children.push_back(std::move(node));
}

void Expander::element(const Node& in, Node& out, Scope& scope) {
  const Deeper deeper(elements_);
  if (elements_ > options_.limits.elements)
    fail(in.at(), fmt::format("elements are nested more than {} deep", options_.limits.elements),
         "look for a macro that calls itself");
  spend(1);
  if (in.name.starts_with(prefix)) {
    instruction(in, in.name.substr(prefix.size()), out, scope);
    return;
  }
  Node node = made(in);
  attributes(in, node, scope);
  children(in, node, scope);
  out.children.push_back(std::move(node));
}

void Expander::instruction(const Node& in, const std::string& word, Node& out, Scope& scope) {
  for (const Instruction& i : instructions())
    if (i.name == word) return (this->*i.handler)(in, out, scope);
  call(in, word, out, scope);
}

void Expander::conditional(const Node& in, bool wanted, Node& out, Scope& scope) {
  remark_on_attributes(in, {"value"});
  if (condition(required(in, "value"), scope) == wanted) children(in, out, scope);
}

void Expander::do_arg(const Node& in, Node&, Scope& scope) {
  remark_on_attributes(in, {"name", "default"});
  const std::string& name = required(in, "name");
  read_arguments_.insert(name);
  const std::string* fallback = in.attribute("default");
  if (fallback && !arguments_.contains(name))
    arguments_[name] = text_value(*fallback, scope).text();
}

void Expander::do_element(const Node& in, Node& out, Scope& scope) {
  const std::string name = text_value(required(in, "xacro:name"), scope).text();
  if (!plain_name(name) && !name.starts_with(prefix))
    fail(in.at(), fmt::format("<xacro:element> gives the name '{}'", brief(name)),
         "give a name of letters, digits and _");
  spend(size_of(in));
  Node named = in;
  named.name = name;
  if (name == "xacro:element")
    fail(in.at(), "<xacro:element> names itself", "give the element another name");
  element(named, out, scope);
}

bool Expander::plain_name(const std::string& name) {
  if (name.empty() || name.size() > longest_name) return false;
  for (const char c : name)
    if (std::string_view(" \t\r\n<>&\"'=/$").find(c) != std::string_view::npos) return false;
  return !(name[0] >= '0' && name[0] <= '9') && name[0] != '-' && name[0] != '.' &&
         name[0] != '!' && name[0] != '?';
}

void Expander::do_attribute(const Node& in, Node& out, Scope& scope) {
  const std::string name = text_value(required(in, "name"), scope).text();
  if (!plain_name(name))
    fail(in.at(), fmt::format("<xacro:attribute> gives the name '{}'", brief(name)),
         "give a name of letters, digits and _");
  if (out.attributes.size() >= most_attributes)
    fail(in.at(), fmt::format("an element has more than {} attributes", most_attributes),
         "leave some out");
  out.set_attribute(name, text_value(required(in, "value"), scope).text());
}

void Expander::do_insert_block(const Node& in, Node& out, Scope& scope) {
  const std::string name = text_value(required(in, "name"), scope).text();
  if (const Node* all = scope.block("**" + name)) {
    const Node kept = *all;  // the scope may change below
    children(kept, out, scope);
  } else if (const Node* one = scope.block("*" + name)) {
    const Node kept = *one;
    at_ = kept.at();
    element(kept, out, scope);
  } else {
    fail(in.at(), fmt::format("there is no block '{}'", brief(name)),
         "add the parameter *" + brief(name) + " to the macro");
  }
}

void Expander::do_include(const Node& in, Node& out, Scope& scope) {
  remark_on_attributes(in, {"filename", "ns", "optional"});
  const std::string pattern = absolute_name(text_value(required(in, "filename"), scope).text());
  const std::string* optional = in.attribute("optional");
  const bool may_miss = optional && condition(*optional, scope);
  Scope* inner = &scope;
  if (const std::string* ns = in.attribute("ns")) {
    const std::string name = text_value(*ns, scope).text();
    inner = &new_scope(&scope, true);
    scope.set_namespace(name, inner);
  }
  for (const std::string& path : matching(pattern)) {
    require_allowed(path, in.at());
    if (std::error_code none; may_miss && !fs::exists(path, none)) continue;
    const Deeper deeper(depth_);
    require_shallow(in);
    const std::shared_ptr<const Node> root = parsed(path, in.at());
    const int before = call_;
    calls_.push_back({fmt::format("file '{}' included", brief(path)), in.at(), call_});
    call_ = static_cast<int>(calls_.size()) - 1;
    folders_.push_back(folder_of(path));
    for (const auto& [name, value] : root->attributes)
      if (name.starts_with("xmlns:") && name != "xmlns:xacro" && !out.attribute(name))
        out.set_attribute(name, value);
    children(*root, out, *inner);
    folders_.pop_back();
    call_ = before;
  }
}

std::shared_ptr<const Node> Expander::parsed(const std::string& path, const Place& at) {
  auto& root = parsed_[path];
  if (!root) {
    const std::string text = read(path, "a xacro file", at);
    places_.add_file(path);
    root = std::make_shared<const Node>(xml::parse(text, path, how_it_begins));
  }
  return root;
}

void Expander::require_shallow(const Node& in) const {
  if (depth_ > options_.limits.calls)
    fail(in.at(),
         fmt::format("macros and includes are nested more than {} deep", options_.limits.calls),
         "look for one that calls itself without end");
}

void Expander::refuse_unread_arguments(const Node& root) const {
  for (const auto& [name, value] : options_.arguments) {
    if (read_arguments_.contains(name)) continue;
    const std::vector<std::string> known(read_arguments_.begin(), read_arguments_.end());
    throw Error({*root.file, 0}, fmt::format("the file has no argument '{}'", brief(name)),
                did_you_mean(name, known) +
                    (known.empty() ? std::string("it has no arguments at all")
                                   : fmt::format("its arguments are {}", fmt::join(known, ", "))));
  }
}

std::span<const Expander::Instruction> Expander::instructions() {
  static constexpr Instruction all[] = {
      {"arg", &Expander::do_arg},
      {"attribute", &Expander::do_attribute},
      {"call", &Expander::do_call},
      {"element", &Expander::do_element},
      {"if", &Expander::do_if},
      {"include", &Expander::do_include},
      {"insert_block", &Expander::do_insert_block},
      {"macro", &Expander::do_macro},
      {"property", &Expander::do_property},
      {"unless", &Expander::do_unless},
  };
  return all;
}

std::string call_chain(const std::vector<Call>& calls, int innermost) {
  std::string all;
  int count = 0;
  for (int k = innermost; k >= 0; k = calls[static_cast<std::size_t>(k)].above) {
    if (++count > 10) return all + ", …";
    const Call& c = calls[static_cast<std::size_t>(k)];
    all += fmt::format("{}{} at {}", all.empty() ? "" : ", ", c.what, c.at.text());
  }
  return all;
}

Expansion expand(const std::string& text, const std::string& file, const Options& options) {
  return Expander(file, options).run(text, file);
}

}  // namespace parid::model::xacro

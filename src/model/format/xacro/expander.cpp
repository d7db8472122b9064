#include "model/format/xacro/expander.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glob.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <span>
#include <stdexcept>

#include "base/text/spelling.hpp"
#include "model/format/size_limit.hpp"
#include "model/format/source_files.hpp"
#include "model/format/xacro/scope.hpp"
#include "model/format/xacro/yaml.hpp"
#include "model/lint/finding.hpp"

namespace parid::model::xacro {
namespace {

using xml::Node;
namespace fs = std::filesystem;

constexpr auto how_it_begins = "a xacro file has one root, <robot xmlns:xacro=\"...\">";
constexpr std::string_view prefix = "xacro:";

std::string brief(const std::string& s) { return s.size() <= 100 ? s : s.substr(0, 100) + "…"; }

std::size_t size_of(const Node& node) {
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

  Expansion run(const std::string& text, const std::string& file) {
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

  // Host
  // ---------------------------------------------------------------------------------------------

  Value load_yaml(const std::string& name) override {
    const std::string path = absolute_name(name);
    require_allowed(path, at_);
    const std::string text = read(path, "a YAML file", at_);
    return parse_yaml(text, path, *this);
  }
  std::string absolute_name(const std::string& name) override {
    return fs::path(name).is_absolute() ? name : (fs::path(folders_.back()) / name).string();
  }
  std::string argument(const std::string& name) override {
    const auto found = arguments_.find(name);
    read_arguments_.insert(name);
    if (found != arguments_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [key, value] : arguments_) known.push_back(key);
    fail(at_, fmt::format("argument '{}' has no value", brief(name)),
         fmt::format("{}give argument '{}' a value, or a default: <xacro:arg name=\"{}\" "
                     "default=\"...\"/> above",
                     did_you_mean(name, known), brief(name), brief(name)));
  }
  void warn(const std::string& message) override {
    remark(remarks_, finding("xacro-warning", at_, "the file warns: " + message, ""));
  }
  void spend(std::size_t steps) override {
    steps_ += steps;
    if (steps_ > options_.limits.steps)
      fail(at_, fmt::format("the expansion takes more than {} steps", options_.limits.steps),
           "look for a macro that calls itself without end, or expand the file elsewhere");
  }

  // Resolver
  // -----------------------------------------------------------------------------------------

  Value resolve(Scope& scope, const std::string& name, Property& p) override {
    if (p.resolving)
      fail(p.at, fmt::format("property '{}' is defined in terms of itself", brief(name)),
           "give it another name, or lazy_eval=\"false\"");
    if (++lazy_ > options_.limits.lazy)
      fail(p.at, fmt::format("more than {} properties read one another", options_.limits.lazy),
           "define some of them by numbers");
    p.resolving = true;
    const Place user = at_;
    at_ = p.at;
    const Value v = literal_of(text_value(p.text, scope));
    at_ = user;
    p.value = v;
    p.lazy = p.resolving = false;
    --lazy_;
    return v;
  }

 private:
  // Errors
  // -------------------------------------------------------------------------------------------

  [[noreturn]] void fail(const Place& at, const std::string& wrong,
                         const std::string& right) const {
    const std::string called = call_chain(calls_, call_);
    throw Error(at, wrong + (called.empty() ? "" : fmt::format(" (in {})", called)), right);
  }

  const std::string& required(const Node& n, const char* attribute) const {
    if (const std::string* value = n.attribute(attribute)) return *value;
    fail(n.at(), fmt::format("<{}> has no attribute '{}'", n.name, attribute),
         fmt::format("add it: <{} {}=\"...\">", n.name, attribute));
  }
  void remark_on_attributes(const Node& n, std::initializer_list<std::string_view> known) {
    for (const auto& [name, value] : n.attributes)
      if (std::find(known.begin(), known.end(), name) == known.end() && !name.starts_with("xmlns:"))
        remark(remarks_,
               finding("unknown-attribute", n.at(),
                       fmt::format("<{}> has an unknown attribute '{}'", n.name, brief(name)),
                       "it is ignored; remove it"));
  }

  // Text
  // ---------------------------------------------------------------------------------------------

  Value literal_of(const Value& v) const { return v.string() ? literal(*v.string()) : v; }

  // Replaces ${…} and $(…). A text that consists of one of them keeps its type.
  Value text_value(const std::string& text, Scope& scope) {
    spend(1 + text.size() / 16);
    if (text.find('$') == text.npos) return Value(text);
    if (++text_depth_ > 300) fail(at_, "expressions are nested too deeply", "simplify them");
    std::vector<Value> parts;
    std::string plain;
    const auto flush = [&] {
      if (!plain.empty()) parts.emplace_back(plain);
      plain.clear();
    };
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t dollars = std::min(text.find_first_not_of('$', i), text.size()) - i;
      const char bracket = i + dollars < text.size() ? text[i + dollars] : '\0';
      if (dollars == 0 || (bracket != '{' && bracket != '(')) {
        const std::size_t end =
            std::min(text.find('$', i + std::max<std::size_t>(dollars, 1)), text.size());
        plain += text.substr(i, end - i);
        i = end;
      } else if (dollars > 1) {  // $${ is ${
        plain += text.substr(i + 1, dollars);
        i += dollars + 1;
      } else {
        const std::size_t end = text.find(bracket == '{' ? '}' : ')', i);
        if (end == text.npos)
          fail(at_, fmt::format("'{}' is not closed", brief(text.substr(i))),
               fmt::format("add '{}', or write $${} for the characters themselves",
                           bracket == '{' ? '}' : ')', bracket));
        flush();
        const std::string inside = text_value(text.substr(i + 2, end - i - 2), scope).text();
        parts.push_back(bracket == '{' ? expression(inside, scope) : substitution(inside));
        i = end + 1;
      }
    }
    flush();
    --text_depth_;
    if (parts.size() == 1) return parts[0];
    std::string all;
    for (const Value& v : parts) all += v.text();
    spend(all.size() / 16);
    return string_value(all);
  }
  Value string_value(const std::string& s) const {
    try {
      return Value(s);
    } catch (const std::invalid_argument& e) {
      fail(at_, e.what(), "give a shorter text");
    }
  }

  Value expression(const std::string& text, Scope& scope) {
    try {
      return evaluate(*parse_expression(text), scope, *this);
    } catch (const std::invalid_argument& e) {
      fail(at_, fmt::format("${{{}}}: {}", brief(text), e.what()), "correct the expression");
    }
  }

  Value substitution(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t i = text.find_first_not_of(' '); i < text.size();) {
      const std::size_t end = std::min(text.find(' ', i), text.size());
      words.push_back(text.substr(i, end - i));
      i = std::min(text.find_first_not_of(' ', end), text.size());
    }
    const std::string command = words.empty() ? "" : words[0];
    if (words.size() == 2 && command == "arg") return string_value(argument(words[1]));
    if (words.size() == 2 && command == "find") return string_value(package(words[1]));
    if (words.size() == 2 && command == "env") return string_value(variable(words[1], nullptr));
    if (words.size() >= 2 && command == "optenv") {
      const std::size_t rest = text.find(words[1], text.find("optenv") + 6) + words[1].size();
      const std::size_t from = std::min(text.find_first_not_of(' ', rest), text.size());
      const std::string fallback = text.substr(from);
      return string_value(variable(words[1], &fallback));
    }
    if (words.size() == 1 && command == "dirname")
      return string_value(fs::absolute(folders_.back()).lexically_normal().string());
    if (words.size() == 1 && command == "cwd") return string_value(fs::current_path().string());
    fail(
        at_, fmt::format("$({}) is not known", brief(text)),
        "give one of $(arg NAME), $(find PACKAGE), $(env NAME), $(optenv NAME DEFAULT), $(dirname) "
        "and $(cwd)");
  }
  std::string package(const std::string& name) {
    if (const auto directory = files_.package(name)) return *directory;
    fail(at_, fmt::format("package '{}' is not found", brief(name)),
         "give its directory in `packages`, or set ROS_PACKAGE_PATH or AMENT_PREFIX_PATH");
  }
  std::string variable(const std::string& name, const std::string* fallback) {
    const bool listed = options_.environment.contains(name);
    const char* value = listed ? std::getenv(name.c_str()) : nullptr;
    if (value) return value;
    if (fallback && !listed)
      remark(remarks_,
             finding("unlisted-variable", at_,
                     fmt::format("environment variable '{}' is not read", brief(name)),
                     "its default is used; list it in `environment` if the file may read it"));
    if (fallback) return *fallback;
    if (!listed)
      fail(at_, fmt::format("environment variable '{}' may not be read", brief(name)),
           "list it in `environment` if the file may read it");
    fail(at_, fmt::format("environment variable '{}' is not set", brief(name)), "set it");
  }

  bool condition(const std::string& text, Scope& scope) {
    const Value v = text_value(text, scope);
    if (!v.string()) return v.truth();
    const Value read = literal(*v.string());
    if (read.is_integer()) return read.truth();
    fail(at_,
         fmt::format("the condition \"{}\" is '{}', which is not a truth value", brief(text),
                     brief(*v.string())),
         "give true, false, a number or a comparison");
  }

  // Files
  // --------------------------------------------------------------------------------------------

  static std::string folder_of(const std::string& file) {
    const fs::path folder = fs::path(file).parent_path();
    return folder.empty() ? "." : folder.string();
  }
  void require_allowed(const std::string& path, const Place& at) const {
    if (const std::string why = files_.refusal(path); !why.empty())
      fail(at, fmt::format("'{}' is not read: {}", brief(path), why),
           "keep it beside the robot file, or name its folder as a package");
  }
  std::string read(const std::string& path, const char* what, const Place& at) {
    std::error_code trouble;
    if (!fs::exists(path, trouble))
      fail(at, fmt::format("there is no file '{}'", brief(path)), "correct the file name");
    if (fs::is_directory(path, trouble))
      fail(at, fmt::format("'{}' is a directory", brief(path)), fmt::format("name {}", what));
    std::string text = text_of_file(path, what);
    spend(text.size() / 16);
    return text;
  }
  std::vector<std::string> matching(const std::string& pattern) const {
    if (pattern.find_first_of("*?[") == pattern.npos) return {pattern};
    std::vector<std::string> all;
    ::glob_t found{};
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
      for (std::size_t k = 0; k < found.gl_pathc; ++k) all.emplace_back(found.gl_pathv[k]);
    ::globfree(&found);
    return all;
  }

  // Elements
  // -----------------------------------------------------------------------------------------

  struct Deeper {  // one level of macros, includes or elements
    Deeper(int& depth) : depth_(depth) { ++depth_; }
    ~Deeper() { --depth_; }
    int& depth_;
  };

  Scope& new_scope(Scope* parent, bool is_namespace = false) {
    scopes_.emplace_back(parent, *this, is_namespace);
    return scopes_.back();
  }

  void attributes(const Node& in, Node& out, Scope& scope) {
    for (const auto& [name, value] : in.attributes) {
      if (name.starts_with(prefix) || name == "xmlns:xacro") continue;
      out.set_attribute(name, text_value(value, scope).text());
    }
  }

  Node made(const Node& in) {
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

  void children(const Node& in, Node& out, Scope& scope) {
    for (const Node& child : in.children) {
      at_ = child.at();
      if (child.is_text())
        text(child, out, scope);
      else
        element(child, out, scope);
    }
  }

  void text(const Node& in, Node& out, Scope& scope) {
    Node node = made(in);
    node.text = in.cdata ? in.text : text_value(in.text, scope).text();
    out.children.push_back(std::move(node));
  }

  void element(const Node& in, Node& out, Scope& scope) {
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

  using Handler = void (Expander::*)(const Node&, Node&, Scope&);
  struct Instruction {
    std::string_view name;
    Handler handler;
  };
  static std::span<const Instruction> instructions();

  void instruction(const Node& in, const std::string& word, Node& out, Scope& scope) {
    for (const Instruction& i : instructions())
      if (i.name == word) return (this->*i.handler)(in, out, scope);
    call(in, word, out, scope);
  }

  void do_if(const Node& in, Node& out, Scope& scope) { conditional(in, true, out, scope); }
  void do_unless(const Node& in, Node& out, Scope& scope) { conditional(in, false, out, scope); }
  void conditional(const Node& in, bool wanted, Node& out, Scope& scope) {
    remark_on_attributes(in, {"value"});
    if (condition(required(in, "value"), scope) == wanted) children(in, out, scope);
  }

  void do_arg(const Node& in, Node&, Scope& scope) {
    remark_on_attributes(in, {"name", "default"});
    const std::string& name = required(in, "name");
    read_arguments_.insert(name);
    const std::string* fallback = in.attribute("default");
    if (fallback && !arguments_.contains(name))
      arguments_[name] = text_value(*fallback, scope).text();
  }

  void do_element(const Node& in, Node& out, Scope& scope) {
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
  static bool plain_name(const std::string& name) {
    if (name.empty() || name.size() > longest_name) return false;
    for (const char c : name)
      if (std::string_view(" \t\r\n<>&\"'=/$").find(c) != std::string_view::npos) return false;
    return !(name[0] >= '0' && name[0] <= '9') && name[0] != '-' && name[0] != '.' &&
           name[0] != '!' && name[0] != '?';
  }

  void do_attribute(const Node& in, Node& out, Scope& scope) {
    const std::string name = text_value(required(in, "name"), scope).text();
    if (!plain_name(name))
      fail(in.at(), fmt::format("<xacro:attribute> gives the name '{}'", brief(name)),
           "give a name of letters, digits and _");
    if (out.attributes.size() >= most_attributes)
      fail(in.at(), fmt::format("an element has more than {} attributes", most_attributes),
           "leave some out");
    out.set_attribute(name, text_value(required(in, "value"), scope).text());
  }

  void do_insert_block(const Node& in, Node& out, Scope& scope) {
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

  void do_property(const Node& in, Node&, Scope& scope) {
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

  void do_macro(const Node& in, Node&, Scope& scope) {
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

  void do_include(const Node& in, Node& out, Scope& scope) {
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
  std::shared_ptr<const Node> parsed(const std::string& path, const Place& at) {
    auto& root = parsed_[path];
    if (!root) {
      const std::string text = read(path, "a xacro file", at);
      places_.add_file(path);
      root = std::make_shared<const Node>(xml::parse(text, path, how_it_begins));
    }
    return root;
  }
  void require_shallow(const Node& in) const {
    if (depth_ > options_.limits.calls)
      fail(in.at(),
           fmt::format("macros and includes are nested more than {} deep", options_.limits.calls),
           "look for one that calls itself without end");
  }

  // Macros
  // -------------------------------------------------------------------------------------------

  void do_call(const Node& in, Node& out, Scope& scope) {
    const std::string name = text_value(required(in, "macro"), scope).text();
    spend(size_of(in));
    Node plain = in;
    std::erase_if(plain.attributes, [](const auto& a) { return a.first == "macro"; });
    call(plain, name, out, scope);
  }

  void call(const Node& in, const std::string& name, Node& out, Scope& caller) {
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
      if (missing.contains(p.name) && give_default(p, surrounding, scope, in))
        missing.erase(p.name);
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
  static Property constant(Value v, const Place& at) {
    Property p;
    p.value = std::move(v);
    p.at = at;
    return p;
  }

  [[noreturn]] void refuse_parameter(const Node& in, const Macro& macro,
                                     const std::string& key) const {
    std::vector<std::string> known;
    for (const Parameter& p : macro.parameters) known.push_back(p.name);
    fail(in.at(), fmt::format("macro '{}' has no parameter '{}'", macro.name, brief(key)),
         did_you_mean(key, known) + "remove it, or add it to params");
  }

  // The contents of the call, evaluated in the caller's scope, become the block parameters in
  // order.
  void blocks(const Node& in, const Macro& macro, Scope& caller, Scope& scope,
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

  bool give_default(const Parameter& p, Scope& caller, Scope& scope, const Node& in) {
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

  void refuse_unread_arguments(const Node& root) const {
    for (const auto& [name, value] : options_.arguments) {
      if (read_arguments_.contains(name)) continue;
      const std::vector<std::string> known(read_arguments_.begin(), read_arguments_.end());
      throw Error(
          {*root.file, 0}, fmt::format("the file has no argument '{}'", brief(name)),
          did_you_mean(name, known) +
              (known.empty() ? std::string("it has no arguments at all")
                             : fmt::format("its arguments are {}", fmt::join(known, ", "))));
    }
  }

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

}  // namespace

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

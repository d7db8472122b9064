#include "control/table/policy_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/text/spelling.hpp"
#include "model/format/toml/toml_document.hpp"
#include "model/format/toml/toml_value.hpp"
#include "parid/error.hpp"

namespace parid::control {
namespace {

using model::Field, model::TomlTable;

constexpr const char* ages_page = "docs/speculative.md";

constexpr Field policy_fields[] = {
    {"name", "the name of the policy", "\"late_forces\""},
    {"base", "the policy whose ages hold where the file gives none", "\"binder_herzog\""},
    {"prediction", "\"hold\" or \"linear\"", "\"linear\""},
    {"separate_alpha", "true or false", "true"},
    {"delay", "whole periods", "1"},
    {"ahead", "true or false", "true"},
    {"random", "true or false", "true"},
    {"predict_torque", "true or false", "true"},
    {"ages", "ages by variable, in periods", "{w = 1}"},
    {"equations", "ages by equation and variable, in periods", "{alpha = {w.own = 1}}"},
    {"link", "one [[link]] table per link", "[{joint = \"elbow\", ages = {f.neighbour = 0}}]"},
};
constexpr Field link_fields[] = {
    {"joint", "the name of the joint that moves the link", "\"elbow\""},
    {"number", "the number of the link, counted from 1 at the base", "2"},
    {"ages", "ages by variable, in periods", "{w = 1}"},
    {"equations", "ages by equation and variable, in periods", "{alpha = {w.own = 1}}"},
};

class PolicyReader {
 public:
  explicit PolicyReader(std::string file) : file_(std::move(file)) {}

  Policy read(const std::string& text) {
    const toml::table root = model::parsed_toml(text, file_);
    const TomlTable top(root, file_, "", policy_fields);
    top.refuse_unknown(ages_page);
    Policy p;
    if (const auto base = top.word("base")) {
      if (base->ends_with(".toml") || base->find('\n') != std::string::npos)
        top.refuse("base", fmt::format("base is '{}', which is a file", *base));
      try {
        p = policy(*base);
      } catch (const Error& e) {
        throw Error(top.at("base"), e.what(), "");
      }
    }
    p.id = top.word("name").value_or(std::filesystem::path(file_).stem().string());
    if (p.id.empty()) top.refuse("name", "name is empty");
    if (const auto word = top.word("prediction"))
      for (Read& r : p.reads) r.prediction = prediction(top.at("prediction"), *word);
    p.separate_alpha = top.flag("separate_alpha").value_or(p.separate_alpha);
    p.ahead = top.flag("ahead").value_or(p.ahead);
    p.by_chance = top.flag("random").value_or(p.by_chance);
    p.predict_torque = top.flag("predict_torque").value_or(p.predict_torque);
    if (const toml::node* delay = root.get("delay")) p.delay = age("delay", *delay);
    ages(p, root, {});
    equations(p, root, {});
    links(p, root);
    return p;
  }

 private:
  struct Where {
    int link = 0;
    std::string joint;
    bool everywhere() const { return link == 0 && joint.empty(); }
  };
  // What the file gives of an age.
  struct Given {
    bool aged = false;
    int periods = 0;
    bool predicted = false;
    Prediction prediction = Prediction::hold;
  };

  Place place(const toml::node& node) const {
    return {file_, static_cast<int>(node.source().begin.line)};
  }

  Prediction prediction(const Place& at, const std::string& word) const {
    if (word == "hold") return Prediction::hold;
    if (word == "linear") return Prediction::linear;
    throw Error(at, fmt::format("unknown prediction '{}'", word),
                "give prediction = \"hold\" or prediction = \"linear\"");
  }
  Prediction prediction(const toml::node& node) const {
    if (!node.is_string())
      throw Error(place(node), "prediction is not a string",
                  "give prediction = \"hold\" or prediction = \"linear\"");
    return prediction(place(node), node.as_string()->get());
  }
  int age(const std::string& what, const toml::node& node) const {
    const toml::value<int64_t>* whole = node.as_integer();
    if (!whole || whole->get() < 0 || whole->get() > oldest_age)
      throw Error(place(node), fmt::format("{}: the age is not a whole number of periods", what),
                  fmt::format("give one from 0 to {}, such as {} = 1", oldest_age, what));
    return static_cast<int>(whole->get());
  }
  const toml::table& table(const std::string& what, const toml::node& node) const {
    if (!node.is_table())
      throw Error(place(node), fmt::format("{} is not a table", what),
                  "give one, such as [ages] with w = 1, or [equations.alpha] with w.own = 1");
    return *node.as_table();
  }
  Stale variable(const char* what, const toml::node& node, std::string_view word) const {
    std::vector<std::string> names;
    for (int s = 0; s < stale_variables; ++s) {
      names.emplace_back(name_of(static_cast<Stale>(s)));
      if (word == names.back()) return static_cast<Stale>(s);
    }
    throw Error(place(node), fmt::format("unknown {} '{}'", what, word),
                did_you_mean(word, names) + fmt::format("choose from {}", fmt::join(names, ", ")));
  }

  // What a variable's value, or table by reader, asks of the terms that read it: all of them, or
  // those of one equation.
  void assign(Policy& p, const toml::node& value, Stale variable, std::optional<Stale> equation,
              const Where& where) {
    const std::string what =
        equation ? fmt::format("{} in the equation of {}", name_of(variable), name_of(*equation))
                 : name_of(variable);
    std::vector<Term> all;
    std::vector<std::string> readers;
    for (const TermInfo& t : terms()) {
      if (t.variable != variable || (equation && t.equation != *equation)) continue;
      all.push_back(t.term);
      if (std::find(readers.begin(), readers.end(), name_of(t.reader)) == readers.end())
        readers.emplace_back(name_of(t.reader));
    }
    if (all.empty())
      throw Error(
          place(value),
          fmt::format("the equation of {} does not read {}", name_of(*equation), name_of(variable)),
          fmt::format("it reads {}", fmt::join(read_by(*equation), ", ")));
    if (!value.is_table()) {
      const Given given{true, age(name_of(variable), value), false, Prediction::hold};
      for (const Term t : all) put(p, t, given, where, place(value));
      return;
    }
    const toml::table& by = *value.as_table();
    Given all_readers;
    if (const toml::node* node = by.get("prediction")) {
      all_readers.predicted = true;
      all_readers.prediction = prediction(*node);
      if (by.size() == 1)
        for (const Term t : all) put(p, t, all_readers, where, place(value));
    }
    for (const auto& [key, node] : by) {
      if (key.str() == "prediction") continue;
      const std::string reader(key.str());
      if (std::find(readers.begin(), readers.end(), reader) == readers.end())
        throw Error(place(node), fmt::format("{} has no reader '{}'", what, reader),
                    did_you_mean(reader, readers) +
                        fmt::format("choose from {}", fmt::join(readers, ", ")));
      Given given = all_readers;
      reading(fmt::format("{}.{}", name_of(variable), reader), node, given);
      for (const Term t : all)
        if (reader == name_of(info(t).reader)) put(p, t, given, where, place(node));
    }
  }
  // An age, or {age = 1, prediction = "linear"}.
  void reading(const std::string& what, const toml::node& node, Given& given) const {
    if (!node.is_table()) {
      given.aged = true;
      given.periods = age(what, node);
      return;
    }
    for (const auto& [key, value] : *node.as_table()) {
      if (key.str() == "age") {
        given.aged = true;
        given.periods = age(what, value);
      } else if (key.str() == "prediction") {
        given.predicted = true;
        given.prediction = prediction(value);
      } else
        throw Error(place(value), fmt::format("{}: unknown key '{}'", what, key.str()),
                    "give age and prediction, such as {age = 1, prediction = \"linear\"}");
    }
  }
  static std::vector<std::string> read_by(Stale equation) {
    std::vector<std::string> names;
    for (const TermInfo& t : terms())
      if (t.equation == equation)
        names.push_back(fmt::format("{}.{}", name_of(t.variable), name_of(t.reader)));
    return names;
  }
  // What is not given is as it was.
  static void put(Policy& p, Term t, const Given& given, const Where& where, const Place& at) {
    TermAge x{t, p.age(t), where.link, where.joint, at.text()};
    for (const TermAge& earlier : p.exceptions)
      if (earlier.term == t && earlier.link == where.link && earlier.joint == where.joint)
        x.age = earlier.age;
    if (given.aged) x.age.periods = given.periods;
    if (given.predicted) x.age.prediction = given.prediction;
    if (p.age(t) == x.age && where.everywhere()) return;
    p.exceptions.push_back(std::move(x));
  }

  void ages(Policy& p, const toml::table& in, const Where& where) {
    const toml::node* node = in.get("ages");
    if (!node) return;
    for (const auto& [key, value] : table("ages", *node))
      assign(p, value, variable("variable", value, key.str()), {}, where);
    if (where.everywhere()) fold(p);
  }
  void equations(Policy& p, const toml::table& in, const Where& where) {
    const toml::node* node = in.get("equations");
    if (!node) return;
    for (const auto& [key, of] : table("equations", *node)) {
      const Stale equation = variable("equation", of, key.str());
      for (const auto& [name, value] : table(fmt::format("equations.{}", key.str()), of))
        assign(p, value, variable("variable", value, name.str()), equation, where);
    }
  }
  // Ages of whole variables, so far as exceptions, become the variables' own: random policies and
  // their bounds read those.
  static void fold(Policy& p) {
    std::array<AgeRow, 1> row{p.table(0)[0]};
    p.exceptions.clear();
    for (const TermInfo& t : terms()) {
      Read& read = p[t.variable];
      const Age& age = row[0][static_cast<std::size_t>(t.term)];
      (t.reader == Reader::own         ? read.own
       : t.reader == Reader::neighbour ? read.neighbour
                                       : read.across) = age.periods;
      read.prediction = age.prediction;
    }
    // A variable whose readers predict differently keeps them apart.
    for (const TermInfo& t : terms())
      if (const Age& age = row[0][static_cast<std::size_t>(t.term)]; p.age(t.term) != age)
        p.exceptions.push_back({t.term, age, 0, "", ""});
  }

  void links(Policy& p, const toml::table& root) {
    const toml::node* node = root.get("link");
    if (!node) return;
    const char* right = "write one [[link]] table per link, with double brackets";
    if (!node->is_array()) throw Error(place(*node), "link is not a list of tables", right);
    int count = 0;
    for (const toml::node& each : *node->as_array()) {
      if (!each.is_table()) throw Error(place(each), "link is not a list of tables", right);
      const toml::table& entries = *each.as_table();
      const TomlTable link(entries, file_, fmt::format("link {}", ++count), link_fields);
      link.refuse_unknown(ages_page);
      if (link.has("joint") == link.has("number"))
        link.refuse({file_, link.line()}, "give either joint or number",
                    "such as joint = \"elbow\" or number = 2");
      if (!link.has("ages") && !link.has("equations"))
        link.refuse({file_, link.line()}, "it has no ages", "such as ages.f.neighbour = 0");
      Where where{0, link.word("joint").value_or("")};
      if (link.has("joint") && where.joint.empty()) link.refuse("joint", "joint is empty");
      if (const toml::node* number = entries.get("number")) {
        const toml::value<int64_t>* whole = number->as_integer();
        if (!whole || whole->get() < 1 || whole->get() > 1'000'000)
          link.refuse("number", "number is not a whole number from 1");
        where.link = static_cast<int>(whole->get());
      }
      ages(p, entries, where);
      equations(p, entries, where);
    }
  }

  std::string file_;
};

// `line`: the readings that this one excepts are drawn on in a line.
void write_term(std::string& text, const TermAge& x, bool line) {
  const TermInfo& t = info(x.term);
  const bool held = x.age.prediction == Prediction::hold;
  text += fmt::format("{}.{} = ", name_of(t.variable), name_of(t.reader));
  text += held && !line ? fmt::format("{}\n", x.age.periods)
                        : fmt::format("{{age = {}, prediction = \"{}\"}}\n", x.age.periods,
                                      held ? "hold" : "linear");
}

}  // namespace

Policy parse_policy(const std::string& text, const std::string& file) {
  return PolicyReader(file).read(text);
}

Policy read_policy(const std::string& path) {
  return parse_policy(model::toml_text(path, "a table of ages such as", "ages.toml"), path);
}

std::string policy_toml(const Policy& p) {
  std::string text = fmt::format("# Ages in periods: 0 is the current period.\nname = {}\n",
                                 model::toml_quoted(p.id));
  if (p.separate_alpha) text += "separate_alpha = true\n";
  if (p.by_chance) text += "random = true\n";
  if (p.ahead) text += "ahead = true\n";
  if (p.delay > 0) text += fmt::format("delay = {}\n", p.delay);
  if (p.predict_torque) text += "predict_torque = true\n";
  auto rows = [&](const std::string& prefix, int link, const std::string& joint, bool all) {
    for (int s = 0; s < stale_variables; ++s) {
      const auto equation = static_cast<Stale>(s);
      std::vector<TermAge> of;
      for (const TermInfo& t : terms()) {
        if (t.equation != equation) continue;
        if (all) of.push_back({t.term, p.age(t.term), 0, "", ""});
        for (const TermAge& x : p.exceptions)
          if (!all && x.term == t.term && x.link == link && x.joint == joint) {
            if (!of.empty() && of.back().term == t.term) of.pop_back();
            of.push_back(x);
          }
      }
      if (of.empty()) continue;
      text += fmt::format("\n[{}equations.{}]\n", prefix, name_of(equation));
      for (const TermAge& x : of)
        write_term(text, x, !all && p.age(x.term).prediction == Prediction::linear);
    }
  };
  rows("", 0, "", true);
  std::vector<std::pair<int, std::string>> seen;
  for (const TermAge& x : p.exceptions) {
    const std::pair at{x.joint.empty() ? x.link : 0, x.joint};
    if ((x.link == 0 && x.joint.empty()) || std::find(seen.begin(), seen.end(), at) != seen.end())
      continue;
    seen.push_back(at);
    text += x.joint.empty() ? fmt::format("\n[[link]]\n{} = {}\n", "number", x.link)
                            : fmt::format("\n[[link]]\njoint = {}\n", model::toml_quoted(x.joint));
    rows("link.", x.link, x.joint, false);
  }
  return text;
}

}  // namespace parid::control

#include "model/format/toml/toml_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/spelling.hpp"
#include "model/format/angle_text.hpp"
#include "model/lint/finding.hpp"

namespace parid::model {
namespace {

const char* kind(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string: return "a string";
    case toml::node_type::integer:
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "true or false";
    case toml::node_type::array: return "an array";
    case toml::node_type::table: return "a table";
    default: return "a date or time";
  }
}
std::string entry(const char* key, size_t i) { return fmt::format("entry {} of {}", i + 1, key); }

}  // namespace

int TomlTable::line(std::string_view key) const {
  const toml::node* node = table.get(key);
  return line_of(node ? *node : table);
}

void TomlTable::refuse(const Place& at, const std::string& wrong, const std::string& right) const {
  throw Error(at, (owner.empty() ? "" : owner + ": ") + wrong, right);
}
void TomlTable::refuse_at(int line, const char* key, const std::string& wrong) const {
  std::string right;
  for (const Field& f : fields)
    if (std::string_view(f.key) == key)
      right = fmt::format("give {}, such as {} = {}", f.what, f.key, f.example);
  refuse({file, line}, wrong, right);
}
void TomlTable::refuse(const char* key, const std::string& wrong) const {
  refuse_at(line(key), key, wrong);
}

double TomlTable::finite(const char* key, const toml::node& node, const std::string& said) const {
  if (!node.is_number()) refuse_at(line_of(node), key, fmt::format("{} is {}", said, kind(node)));
  // toml++ gives no double for an integer beyond 2^53; use the nearest double, as other readers of
  // decimal numbers do.
  const toml::value<int64_t>* whole = node.as_integer();
  const double v = whole ? static_cast<double>(whole->get()) : node.as_floating_point()->get();
  if (!std::isfinite(v)) refuse_at(line_of(node), key, fmt::format("{} is {}", said, v));
  return v;
}
double TomlTable::radians(const char* key, const toml::node& node, const std::string& said) const {
  if (!node.is_string()) return finite(key, node, said);
  const std::string text = node.as_string()->get();
  const std::optional<double> v = parse_angle(text);
  if (!v)
    refuse_at(line_of(node), key, fmt::format("{} is \"{}\", which is not an angle", said, text));
  return *v;
}

std::optional<double> TomlTable::number(const char* key) const {
  const toml::node* node = table.get(key);
  if (!node) return {};
  return finite(key, *node, key);
}
std::optional<double> TomlTable::angle(const char* key) const {
  const toml::node* node = table.get(key);
  if (!node) return {};
  return radians(key, *node, key);
}
std::optional<std::string> TomlTable::word(const char* key) const {
  const toml::node* node = table.get(key);
  if (!node) return {};
  if (!node->is_string()) refuse(key, fmt::format("{} is {}", key, kind(*node)));
  const std::string text = node->as_string()->get();
  if (text.empty()) refuse(key, fmt::format("{} is empty", key));
  return text;
}
std::optional<std::vector<std::string>> TomlTable::words(const char* key) const {
  const toml::node* node = table.get(key);
  if (!node) return {};
  if (!node->is_array()) return std::vector{*word(key)};
  std::vector<std::string> all;
  for (const toml::node& each : *node->as_array()) {
    if (!each.is_string())
      refuse_at(line_of(each), key, fmt::format("{} is {}", entry(key, all.size()), kind(each)));
    all.push_back(each.as_string()->get());
  }
  return all;
}

const toml::array* TomlTable::array(const char* key) const {
  const toml::node* node = table.get(key);
  if (!node) return nullptr;
  if (!node->is_array()) refuse(key, fmt::format("{} is {}", key, kind(*node)));
  return node->as_array();
}
std::optional<std::vector<double>> TomlTable::numbers(const char* key,
                                                      std::initializer_list<size_t> counts) const {
  const toml::array* entries = array(key);
  if (!entries) return {};
  const size_t n = entries->size();
  if (std::find(counts.begin(), counts.end(), n) == counts.end())
    refuse(key, fmt::format("{} has {} {}", key, n, n == 1 ? "entry" : "entries"));
  std::vector<double> v;
  for (const toml::node& each : *entries) v.push_back(finite(key, each, entry(key, v.size())));
  return v;
}
std::optional<Vec3<double>> TomlTable::vector(const char* key) const {
  const auto v = numbers(key, {3});
  if (!v) return {};
  return Vec3<double>{(*v)[0], (*v)[1], (*v)[2]};
}
std::optional<Vec3<double>> TomlTable::angles(const char* key) const {
  const toml::array* entries = array(key);
  if (!entries) return {};
  if (entries->size() != 3) refuse(key, fmt::format("{} has {} entries", key, entries->size()));
  std::vector<double> v;
  for (const toml::node& each : *entries) v.push_back(radians(key, each, entry(key, v.size())));
  return Vec3<double>{v[0], v[1], v[2]};
}

std::optional<std::vector<std::array<double, 2>>> TomlTable::pairs(const char* key) const {
  const toml::array* rows = array(key);
  if (!rows) return {};
  std::vector<std::array<double, 2>> all;
  for (const toml::node& row : *rows) {
    const toml::array* two = row.as_array();
    const std::string said = fmt::format("point {} of {}", all.size() + 1, key);
    if (!two || two->size() != 2) refuse_at(line_of(row), key, said + " is not two numbers");
    auto at = [&](size_t j) {
      return finite(key, *two->get(j), fmt::format("entry {} of {}", j + 1, said));
    };
    all.push_back({at(0), at(1)});
  }
  return all;
}

std::optional<Mat3<double>> TomlTable::rotation(const char* key) const {
  const toml::array* rows = array(key);
  if (!rows) return {};
  if (rows->size() != 3) refuse(key, fmt::format("{} has {} rows", key, rows->size()));
  std::vector<Vec3<double>> r;
  for (const toml::node& row : *rows) {
    const toml::array* entries = row.as_array();
    const std::string said = fmt::format("row {} of {}", r.size() + 1, key);
    if (!entries || entries->size() != 3)
      refuse_at(line_of(row), key, said + " is not three numbers");
    auto at = [&](size_t j) {
      return finite(key, *entries->get(j), fmt::format("entry {} of {}", j + 1, said));
    };
    r.push_back({at(0), at(1), at(2)});
  }
  // Orthonormal rows, right-handed: 1e-6 allows rounded figures, and the matrix is then
  // orthonormalized.
  const Vec3<double> r2 = cross(r[0], r[1]), off = r[2] - r2;
  const double length = std::max(std::abs(dot(r[0], r[0]) - 1), std::abs(dot(r[1], r[1]) - 1));
  const double error = std::max({length, std::abs(dot(r[0], r[1])), norm(off)});
  if (error > 1e-6)
    refuse(key,
           fmt::format(
               "{} is not a rotation: its rows are not orthonormal and right-handed (error {:.2g})",
               key, error));
  if (error <= 1e-15) return Mat3<double>{r[0], r[1], r[2]};
  const Vec3<double> x = (1 / norm(r[0])) * r[0], y0 = r[1] - dot(x, r[1]) * x,
                     y = (1 / norm(y0)) * y0;
  return Mat3<double>{x, y, cross(x, y)};
}

const toml::table* TomlTable::subtable(const char* key) const {
  const toml::node* node = table.get(key);
  if (!node) return nullptr;
  if (!node->is_table()) refuse(key, fmt::format("{} is {}", key, kind(*node)));
  return node->as_table();
}

std::vector<double> TomlTable::angles_of(const char* key, const toml::array& entries,
                                         const std::string& of) const {
  std::vector<double> v;
  for (const toml::node& each : entries)
    v.push_back(radians(key, each, fmt::format("entry {} of {}", v.size() + 1, of)));
  return v;
}
std::optional<std::vector<double>> TomlTable::angle_list(const char* key) const {
  const toml::array* entries = array(key);
  if (!entries) return {};
  return angles_of(key, *entries, key);
}
std::optional<std::vector<std::vector<double>>> TomlTable::angle_lists(const char* key) const {
  const toml::array* lists = array(key);
  if (!lists) return {};
  std::vector<std::vector<double>> all;
  for (const toml::node& each : *lists) {
    const std::string said = entry(key, all.size());
    if (!each.is_array()) refuse_at(line_of(each), key, fmt::format("{} is {}", said, kind(each)));
    all.push_back(angles_of(key, *each.as_array(), said));
  }
  return all;
}
std::optional<bool> TomlTable::flag(const char* key) const {
  const toml::node* node = table.get(key);
  if (!node) return {};
  if (!node->is_boolean()) refuse(key, fmt::format("{} is {}", key, kind(*node)));
  return node->as_boolean()->get();
}
bool TomlTable::is_table(const char* key) const {
  const toml::node* node = table.get(key);
  return node && node->is_table();
}

void TomlTable::refuse_unknown(const char* page) const {
  std::vector<Finding> remarks;
  remark_unknown(remarks);
  if (remarks.empty()) return;
  const std::string wrong = remarks[0].message.substr(0, remarks[0].message.rfind(" and was"));
  throw Error(remarks[0].at, wrong,
              remarks[0].remedy.starts_with("did") ? remarks[0].remedy
                                                   : fmt::format("{} lists the keys", page));
}

void TomlTable::remark_unknown(std::vector<Finding>& remarks) const {
  std::vector<std::string> known(fields.size());
  for (size_t i = 0; i < fields.size(); ++i) known[i] = fields[i].key;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (enough(remarks)) return;
    const std::string meant = nearest(name, known);
    remark(remarks, finding("unknown-key", {file, static_cast<int>(key.source().begin.line)},
                            fmt::format("{}{}key '{}' is unknown and was ignored", owner,
                                        owner.empty() ? "" : ": ", name),
                            meant.empty() ? "docs/robot-files.md lists the keys"
                                          : fmt::format("did you mean '{}'?", meant)));
  }
}

}  // namespace parid::model

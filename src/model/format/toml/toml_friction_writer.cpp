#include "model/format/toml/toml_friction_writer.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/format/toml/toml_value.hpp"
#include "model/joint/coordinates.hpp"

namespace parid::model {
namespace {

// {key = value, …}, without default values.
class InlineTable {
 public:
  InlineTable& put(const char* key, const std::string& value) {
    entries += fmt::format("{}{} = {}", entries.empty() ? "" : ", ", key, value);
    return *this;
  }
  InlineTable& put(const char* key, double x) { return put(key, toml_number(x)); }
  InlineTable& put_unless(double usual, const char* key, double x) {
    return x == usual ? *this : put(key, x);
  }
  std::string text() const { return "{" + entries + "}"; }

 private:
  std::string entries;
};

std::string drive_text(const Drive& d, double effort) {
  InlineTable t;
  t.put_unless(0, "breakaway", d.breakaway);
  if (d.rated > 0) t.put_unless(effort, "rated", d.rated);
  if (d.efficiency.size() == 1 && d.efficiency[0][0] == 0) {
    t.put("efficiency", d.efficiency[0][1]);
  } else if (!d.efficiency.empty()) {
    std::string points;
    for (const auto& [load, eta] : d.efficiency)
      points += fmt::format("{}[{}, {}]", points.empty() ? "" : ", ", toml_number(load),
                            toml_number(eta));
    t.put("efficiency", "[" + points + "]");
  }
  if (d.interpolation == Interpolation::spline) t.put("interpolation", "\"spline\"");
  return t.text();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> friction_keys(const JointDescription& j) {
  std::vector<std::pair<std::string, std::string>> keys;
  if (j.smoothing != 0) keys.emplace_back("smoothing", toml_number(j.smoothing));
  // others have no friction, and the reader refuses it
  if (velocity_count(j.type) != 1) return keys;
  auto add = [&](const char* key, const InlineTable& t) { keys.emplace_back(key, t.text()); };
  if (const auto& s = j.stribeck)
    add("stribeck", InlineTable().put("breakaway", s->breakaway).put("velocity", s->velocity));
  if (const auto& b = j.journal)
    add("journal", InlineTable()
                       .put("friction", b->friction)
                       .put("radius", b->radius)
                       .put("spacing", b->spacing)
                       .put_unless(0, "at", b->at));
  if (const auto& b = j.linear)
    add("linear", InlineTable()
                      .put("friction", b->friction)
                      .put("spacing", b->spacing)
                      .put_unless(0, "at", b->at));
  if (const auto& b = j.thrust)
    add("thrust", InlineTable().put("friction", b->friction).put("radius", b->radius));
  if (j.drive && !j.mimic)  // a mimic joint uses its leader's
    keys.emplace_back("drive", drive_text(*j.drive, j.limits.effort));
  return keys;
}

}  // namespace parid::model

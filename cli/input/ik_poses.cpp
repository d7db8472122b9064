#include "cli/input/ik_poses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/file/csv.hpp"
#include "base/text/spelling.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "model/joint/quaternions.hpp"
#include "parid/error.hpp"

namespace parid::cli {

std::string IkPoses::place(std::size_t row) const {
  return file.empty() ? "--pose" : fmt::format("{}:{}", file, lines[row]);
}

namespace {

// Collects lengths other than 1 for a single warning.
class QuaternionLengths {
 public:
  // Throws for the zero quaternion.
  void see(const std::string& place, const std::array<double, 4>& q) {
    const double length = quaternion_length(q.data());
    if (is_unit_length(length)) return;
    const std::string said = fmt::format("the quaternion has length {:.8g} instead of 1", length);
    if (!has_direction(length))
      throw Error(fmt::format("{}: {}; give a unit quaternion, such as 0,0,0,1", place, said));
    if (count_++ == 0) first_ = fmt::format("{}: warning: {}", place, said);
  }
  void warn() const {
    if (count_ == 0) return;
    note("{}{}; normalized (order x, y, z, w)", first_,
         count_ == 1 ? "" : fmt::format(" (and {} more that are not unit length)", count_ - 1));
  }

 private:
  std::size_t count_ = 0;
  std::string first_;
};

}  // namespace

IkPoses one_pose(const std::string& text, const std::optional<std::string>& rpy) {
  const std::vector<double> x = numbers("--pose", text);
  if (x.size() != 3 && (x.size() != 7 || rpy))
    throw Error(
        fmt::format("--pose: {} number{} given; give x,y,z, or x,y,z,qx,qy,qz,qw without --rpy",
                    x.size(), x.size() == 1 ? "" : "s"));
  IkPoses out;
  const std::array<double, 3> position{x[0], x[1], x[2]};
  out.oriented = x.size() == 7 || rpy;
  if (rpy) {
    out.pose.push_back(LinkPose::from_rpy(position, vector3("--rpy", *rpy)));
  } else if (x.size() == 7) {
    const std::array<double, 4> q{x[3], x[4], x[5], x[6]};
    QuaternionLengths lengths;
    lengths.see("--pose", q);
    lengths.warn();
    out.pose.push_back(LinkPose::from_quaternion(position, q));
  } else {
    out.pose.push_back({position});
  }
  return out;
}

IkPoses read_poses(const std::string& path) {
  const Table table = read_csv(path, {.example = "x,y,z,qx,qy,qz,qw"});
  auto column = [&](const char* name) { return table.find(name); };
  static constexpr const char* all[] = {"t",  "x",  "y",    "z",     "qx", "qy",
                                        "qz", "qw", "roll", "pitch", "yaw"};
  const std::vector<std::string> known(std::begin(all), std::end(all));
  for (const std::string& name : table.columns)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error({table.file, table.header_line},
                  fmt::format("unknown column '{}' in a pose file", name),
                  did_you_mean(name, known) + "use t; x,y,z; qx,qy,qz,qw or roll,pitch,yaw");
  // All names of a group, or none.
  auto group = [&](std::initializer_list<const char*> names) {
    std::vector<std::size_t> at;
    for (const char* name : names)
      if (const auto k = column(name)) at.push_back(*k);
    if (!at.empty() && at.size() != names.size())
      throw Error({table.file, table.header_line},
                  "columns of the position or orientation are missing",
                  fmt::format("give all of {}", fmt::join(names, ",")));
    return at;
  };
  const auto position = group({"x", "y", "z"}), quaternion = group({"qx", "qy", "qz", "qw"}),
             rpy = group({"roll", "pitch", "yaw"});
  if (position.empty())
    throw Error({table.file, table.header_line}, "the columns of the position are missing",
                "add x,y,z");
  if (!quaternion.empty() && !rpy.empty())
    throw Error({table.file, table.header_line}, "the orientation is given twice",
                "give either qx,qy,qz,qw or roll,pitch,yaw");
  IkPoses out;
  out.file = table.file;
  out.oriented = !quaternion.empty() || !rpy.empty();
  QuaternionLengths lengths;
  for (std::size_t r = 0; r < table.rows; ++r) {
    auto at = [&](const std::vector<std::size_t>& group, std::size_t k) {
      return table.at(r, group[k]);
    };
    const std::array<double, 3> p{at(position, 0), at(position, 1), at(position, 2)};
    out.lines.push_back(table.line_of(r));
    if (!quaternion.empty()) {
      const std::array<double, 4> q{at(quaternion, 0), at(quaternion, 1), at(quaternion, 2),
                                    at(quaternion, 3)};
      lengths.see(table.place_of(r).text(), q);
      out.pose.push_back(LinkPose::from_quaternion(p, q));
    } else if (!rpy.empty()) {
      out.pose.push_back(LinkPose::from_rpy(p, {at(rpy, 0), at(rpy, 1), at(rpy, 2)}));
    } else {
      out.pose.push_back({p});
    }
    if (const auto t = column("t")) out.t.push_back(table.at(r, *t));
  }
  lengths.warn();
  if (out.pose.empty())
    throw Error({table.file, table.header_line}, "the file has no poses below the header",
                "give at least one row");
  return out;
}

}  // namespace parid::cli

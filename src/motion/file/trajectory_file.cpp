#include "motion/file/trajectory_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/file/csv.hpp"
#include "base/file/hdf5.hpp"
#include "base/file/large_pages.hpp"
#include "base/file/npy.hpp"
#include "base/file/npz.hpp"
#include "base/text/spelling.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/quaternions.hpp"
#include "motion/derive.hpp"
#include "parid/error.hpp"

namespace parid::motion {
namespace {

// The target of a file's column: 'q', 'v', 'a', 'u' (tau), 't', or ' ' for an ignored column.
struct Target {
  char part = ' ';
  int index = 0;
};

// "q:elbow", "tau:elbow"; "q3", "tau3".
std::string column_name(char part, const std::vector<std::string>& names, std::size_t k,
                        bool numbered) {
  const std::string word = part == 'u' ? "tau" : std::string(1, part);
  return numbered ? fmt::format("{}{}", word, k + 1) : fmt::format("{}:{}", word, names[k]);
}

std::string header_example(const Robot& robot, bool torques) {
  std::string text = "t";
  auto add = [&](char part, const std::vector<std::string>& names) {
    for (std::size_t k = 0; k < names.size(); ++k) text += "," + column_name(part, names, k, false);
  };
  add('q', robot.position_names());
  add('v', robot.velocity_names());
  add('a', robot.velocity_names());
  if (torques) add('u', robot.velocity_names());
  return text.size() > 300 ? text.substr(0, text.rfind(',', 300)) + ",…" : text;
}

// Names of both styles, "q:elbow" and "q3".
std::unordered_map<std::string, Target> known_columns(const Robot& robot, bool numbered,
                                                      bool torques) {
  std::unordered_map<std::string, Target> known{{"t", {'t', 0}}};
  auto add = [&](char part, const std::vector<std::string>& names) {
    for (int k = 0; k < static_cast<int>(names.size()); ++k)
      known.emplace(column_name(part, names, k, numbered), Target{part, k});
  };
  add('q', robot.position_names());
  add('v', robot.velocity_names());
  add('a', robot.velocity_names());
  if (torques) add('u', robot.velocity_names());
  return known;
}

bool is_numbered(const std::string& name) {
  return name.size() > 1 && std::string("qva").find(name[0]) != std::string::npos &&
         std::all_of(name.begin() + 1, name.end(),
                     [](unsigned char c) { return c >= '0' && c <= '9'; });
}

bool is_output(const std::string& name) {
  for (const char* prefix : {"tau", "rigid:", "bearing:", "drive:"})
    if (name.rfind(prefix, 0) == 0) return true;
  return false;
}

std::vector<Target> recognise(const Robot& robot, const Table& table, bool numbered, bool torques) {
  const auto known = known_columns(robot, numbered, torques);
  std::vector<Target> targets;
  for (const std::string& column : table.columns) {
    const auto it = known.find(column);
    if (it != known.end()) {
      targets.push_back(it->second);
    } else if (is_output(column)) {  // torques of an earlier run may be in the file
      targets.push_back({});
    } else {
      const std::unordered_set<std::string_view> there(table.columns.begin(), table.columns.end());
      std::vector<std::string> names;
      for (const auto& [name, target] : known)
        if (!there.contains(name)) names.push_back(name);  // lists the columns that are missing
      if (numbered && known_columns(robot, false, torques).contains(column))
        throw Error(
            {table.file, table.header_line},
            fmt::format("column '{}' has a name, but other columns have numbers", column),
            fmt::format("name all columns, {}, or number all", header_example(robot, torques)));
      const std::string near = nearest(column, names);
      throw Error(
          {table.file, table.header_line},
          fmt::format("column '{}' is not a coordinate of robot '{}'", column, robot.name()),
          near.empty() ? fmt::format("the header is {}", header_example(robot, torques))
                       : fmt::format("did you mean '{}'?", near));
    }
  }
  return targets;
}

// All of q is required; v and a must be complete or absent.
struct Present {
  bool v, a;
};
Present require_columns(const Robot& robot, const Table& table, const std::vector<Target>& targets,
                        bool numbered, const TrajectoryOptions& options) {
  auto missing = [&](char part, const std::vector<std::string>& names) {
    std::vector<bool> seen(names.size());
    for (const Target& t : targets)
      if (t.part == part) seen[t.index] = true;
    std::vector<std::string> out;
    for (std::size_t k = 0; k < names.size(); ++k)
      if (!seen[k]) out.push_back(column_name(part, names, k, numbered));
    return out;
  };
  auto refuse = [&](const std::vector<std::string>& names, const std::string& remedy) {
    const std::vector<std::string> some(names.begin(),
                                        names.begin() + std::min<std::size_t>(names.size(), 6));
    throw Error({table.file, table.header_line},
                fmt::format("robot '{}' needs column{} {}{}", robot.name(),
                            names.size() > 1 ? "s" : "", fmt::join(some, ", "),
                            names.size() > some.size()
                                ? fmt::format(" and {} more", names.size() - some.size())
                                : ""),
                remedy);
  };
  const std::string whole =
      fmt::format("the complete header is {}", header_example(robot, options.torques));
  if (const auto q = missing('q', robot.position_names()); !q.empty()) refuse(q, whole);
  Present present{};
  for (const auto& [part, flag] : {std::pair{'v', &present.v}, std::pair{'a', &present.a}}) {
    const auto gone = missing(part, robot.velocity_names());
    *flag = gone.empty();
    const bool none = gone.size() == robot.velocity_names().size();
    if (!gone.empty() && !none) refuse(gone, whole);
    if (!gone.empty() && !options.derive)
      refuse(gone, "add them, or use `derive` to compute velocities and accelerations");
  }
  if (!options.torques) return present;
  if (const auto tau = missing('u', robot.velocity_names()); !tau.empty())
    refuse(tau, "add the measured torques");
  return present;
}

// Normalises quaternions. Warns about the first whose length is not 1, with the number of others.
void normalise_quaternions(const Robot& robot, SampledTrajectory& m,
                           const TrajectoryOptions& options) {
  std::size_t odd = 0;
  std::string first;
  for_each_quaternion(robot.description(), [&](const JointDescription& j, int p) {
    for (std::size_t r = 0; r < m.rows; ++r) {
      const double length = normalise_quaternion(&m.q[r * robot.nq() + p]);
      const std::string said =
          is_unit_length(length)
              ? ""
              : fmt::format("the quaternion of joint '{}' has length {:.8g} instead of 1", j.name,
                            length);
      if (!has_direction(length))
        throw Error(m.place(r), said, "give a unit quaternion x, y, z, w");
      if (!said.empty() && odd++ == 0)
        first = fmt::format("{}: warning: {}", m.place(r).text(), said);
    }
  });
  if (odd == 0 || !options.warn) return;
  if (odd > 1)
    first += fmt::format(" (and {} more {} not unit length)", odd - 1,
                         odd == 2 ? "quaternion has" : "quaternions have");
  options.warn(first + "; normalized (order x, y, z, w)");
}

void check_values(const Robot& robot, SampledTrajectory& m, const TrajectoryOptions& options) {
  for (std::size_t r = 1; r < m.t.size(); ++r)
    if (!(m.t[r] > m.t[r - 1]))
      throw Error(m.place(r),
                  fmt::format("t is not ascending: {} is followed by {}", m.t[r - 1], m.t[r]),
                  "sort the rows by time");
  normalise_quaternions(robot, m, options);
}

void finish(const Robot& robot, const std::string& file, SampledTrajectory& m, Present present,
            const TrajectoryOptions& options) {
  check_values(robot, m, options);
  if (present.v && present.a) return;
  const Place whole{file};
  const std::string missing = present.v   ? "accelerations (a)"
                              : present.a ? "velocities (v)"
                                          : "velocities and accelerations (v, a)";
  if (!options.derive)
    throw Error(whole, fmt::format("the file has no {}", missing),
                "add them, or use `derive` to compute them");
  if (m.t.empty())
    throw Error(whole, "`derive` needs the times of the samples",
                "add a column (or array) t, in seconds");
  if (m.rows < 4)
    throw Error(whole,
                fmt::format("`derive` needs at least four samples; there {} {}",
                            m.rows == 1 ? "is" : "are", m.rows),
                "give more samples");
  derive_motion(robot, m, present.v, present.a);
}

void make_room(SampledTrajectory& m, const Robot& robot, const TrajectoryOptions& options) {
  const auto nq = static_cast<std::size_t>(robot.nq()), nv = static_cast<std::size_t>(robot.nv());
  resize_in_large_pages(m.q, m.rows * nq);
  resize_in_large_pages(m.v, m.rows * nv);
  resize_in_large_pages(m.a, m.rows * nv);
  if (options.torques) resize_in_large_pages(m.tau, m.rows * nv);
}

SampledTrajectory from_csv(const Robot& robot, const std::string& path,
                           const TrajectoryOptions& options) {
  const Table table = read_csv(path, {.example = header_example(robot, options.torques),
                                      .progress = options.progress,
                                      .threads = options.threads});
  const bool numbered = std::any_of(table.columns.begin(), table.columns.end(), is_numbered);
  const std::vector<Target> targets = recognise(robot, table, numbered, options.torques);
  const Present present = require_columns(robot, table, targets, numbered, options);

  SampledTrajectory m;
  m.rows = table.rows;
  const int nq = robot.nq(), nv = robot.nv();
  make_room(m, robot, options);
  for (const Target& target : targets)
    if (target.part == 't') m.t.resize(m.rows);
  // Where each column goes: to[r · step].
  struct Way {
    std::size_t column;
    double* to;
    std::size_t step;
  };
  std::vector<Way> ways;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const auto [part, index] = targets[k];
    if (part == 't') ways.push_back({k, m.t.data(), 1});
    if (part == 'q') ways.push_back({k, m.q.data() + index, static_cast<std::size_t>(nq)});
    if (part == 'v') ways.push_back({k, m.v.data() + index, static_cast<std::size_t>(nv)});
    if (part == 'a') ways.push_back({k, m.a.data() + index, static_cast<std::size_t>(nv)});
    if (part == 'u') ways.push_back({k, m.tau.data() + index, static_cast<std::size_t>(nv)});
  }
  // Row by row, so that the table is read once.
  const double* row = table.data.data();
  for (std::size_t r = 0; r < m.rows; ++r, row += table.columns.size()) {
    for (Way& way : ways) {
      *way.to = row[way.column];
      way.to += way.step;
    }
  }
  m.place = [lines = Table{table.file, table.header_line, {}, table.rows, {}, table.runs}](
                std::size_t r) { return lines.place_of(r); };
  finish(robot, table.file, m, present, options);

  // The output order of torques is the order in which the file first names each joint.
  name_torques(robot, m);
  std::vector<int> joint_of_q, joint_of_v;
  for (std::size_t j = 0; j < robot.description().joints.size(); ++j) {
    joint_of_q.insert(joint_of_q.end(), position_count(robot.description().joints[j]),
                      static_cast<int>(j));
    joint_of_v.insert(joint_of_v.end(), velocity_count(robot.description().joints[j]),
                      static_cast<int>(j));
  }
  std::unordered_map<int, int> rank;
  for (const Target& t : targets)
    if (t.part == 'q') rank.emplace(joint_of_q[t.index], static_cast<int>(rank.size()));
  std::stable_sort(m.torque_order.begin(), m.torque_order.end(),
                   [&](int x, int y) { return rank[joint_of_v[x]] < rank[joint_of_v[y]]; });
  for (int k = 0; k < nv; ++k)
    m.torque_columns[k] = numbered ? fmt::format("tau{}", m.torque_order[k] + 1)
                                   : "tau:" + robot.velocity_names()[m.torque_order[k]];
  return m;
}

void require_shape(const std::string& path, const char* name, const Array& x, std::size_t rows,
                   int columns, const Robot& robot) {
  if (x.rows() == rows && x.columns() == static_cast<std::size_t>(columns)) return;
  throw Error(
      {path, 0}, fmt::format("array '{}' is {} x {}", name, x.rows(), x.columns()),
      fmt::format("{} samples of robot '{}' need {} x {}", rows, robot.name(), rows, columns));
}

// A NumPy file has no lines: "motion.npy: row [3]", counted as NumPy does.
std::function<Place(std::size_t)> row_places(const std::string& path) {
  return [path](std::size_t r) { return Place{fmt::format("{}: row [{}]", path, r), 0}; };
}

SampledTrajectory from_npy(const Robot& robot, const std::string& path,
                           const TrajectoryOptions& options) {
  const Array x = read_npy(path);
  const int nq = robot.nq(), nv = robot.nv(), blocks = options.torques ? 3 : 2,
            width = nq + blocks * nv;
  if (x.columns() != static_cast<std::size_t>(width))
    throw Error(
        {path, 0}, fmt::format("the array is {} x {}", x.rows(), x.columns()),
        fmt::format(
            "rows of robot '{}' have {} numbers: {} positions, {} velocities, {} accelerations{}",
            robot.name(), width, nq, nv, nv,
            options.torques ? fmt::format(", {} torques", nv) : ""));
  SampledTrajectory m;
  m.rows = x.rows();
  make_room(m, robot, options);
  double *q = m.q.data(), *v = m.v.data(), *a = m.a.data(), *tau = m.tau.data();
  const double* from = x.data.data();
  for (std::size_t r = 0; r < m.rows; ++r) {
    for (int k = 0; k < nq; ++k) *q++ = *from++;
    for (int k = 0; k < nv; ++k) *v++ = *from++;
    for (int k = 0; k < nv; ++k) *a++ = *from++;
    if (options.torques)
      for (int k = 0; k < nv; ++k) *tau++ = *from++;
  }
  name_torques(robot, m);
  m.place = row_places(path);
  finish(robot, path, m, {true, true}, options);
  return m;
}

// From a file of named arrays, Npz or Hdf5Arrays.
template <class Arrays>
SampledTrajectory from_arrays(const Robot& robot, const std::string& path,
                              const TrajectoryOptions& options) {
  const Arrays file(path);
  const int nq = robot.nq(), nv = robot.nv();
  if (!file.has("q"))
    throw Error({path, 0}, "there is no array 'q'",
                fmt::format("a trajectory has the arrays q, v, a and optionally t; found {}",
                            fmt::join(file.names(), ", ")));
  SampledTrajectory m;
  const Array q = file.read("q");
  m.rows = q.rows();
  require_shape(path, "q", q, m.rows, nq, robot);
  m.q = q.data;
  Present present{file.has("v"), file.has("a")};
  if (options.torques && !file.has("tau"))
    throw Error({path, 0}, "there is no array 'tau'", "add the measured torques");
  for (const auto& [name, there, to] :
       {std::tuple{"v", present.v, &m.v}, std::tuple{"a", present.a, &m.a},
        std::tuple{"tau", options.torques, &m.tau}}) {
    if (!there) continue;
    const Array x = file.read(name);
    require_shape(path, name, x, m.rows, nv, robot);
    *to = x.data;
  }
  if (file.has("t")) {
    const Array t = file.read("t");
    require_shape(path, "t", t, m.rows, 1, robot);
    m.t = t.data;
  }
  name_torques(robot, m);
  m.place = row_places(path);
  finish(robot, path, m, present, options);
  return m;
}

}  // namespace

SampledTrajectory read_trajectory(const Robot& robot, const std::string& path,
                                  const TrajectoryOptions& options) {
  if (robot.nv() == 0)
    throw Error({robot.description().file, 0},
                fmt::format("robot '{}' has no moving joint", robot.name()),
                "a trajectory needs at least one");
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".npy") return from_npy(robot, path, options);
  if (ending == ".npz") return from_arrays<Npz>(robot, path, options);
  if (is_hdf5_name(path)) return from_arrays<Hdf5Arrays>(robot, path, options);
  return from_csv(robot, path, options);
}

}  // namespace parid::motion

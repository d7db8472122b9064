#include <filesystem>

#include "base/file/csv.hpp"
#include "base/file/hdf5.hpp"
#include "base/file/npy.hpp"
#include "base/file/npz.hpp"
#include "motion/file/trajectory_file.hpp"

namespace parid::motion {
namespace {

std::string ending(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

// q, v and a side by side, t before them if it is known.
struct SideBySide {
  std::vector<std::string> columns;
  std::vector<double> rows;
};
SideBySide side_by_side(const Robot& robot, const SampledTrajectory& m, bool with_t) {
  SideBySide out;
  if (with_t) out.columns.push_back("t");
  for (const std::string& name : robot.position_names()) out.columns.push_back("q:" + name);
  for (const char* part : {"v:", "a:"})
    for (const std::string& name : robot.velocity_names()) out.columns.push_back(part + name);
  const auto nq = static_cast<std::size_t>(robot.nq()), nv = static_cast<std::size_t>(robot.nv());
  out.rows.reserve(m.rows * (nq + 2 * nv + with_t));
  for (std::size_t r = 0; r < m.rows; ++r) {
    if (with_t) out.rows.push_back(m.t[r]);
    out.rows.insert(out.rows.end(), m.q.data() + r * nq, m.q.data() + (r + 1) * nq);
    out.rows.insert(out.rows.end(), m.v.data() + r * nv, m.v.data() + (r + 1) * nv);
    out.rows.insert(out.rows.end(), m.a.data() + r * nv, m.a.data() + (r + 1) * nv);
  }
  return out;
}

}  // namespace

void check_trajectory_path(const std::string& path) {
  if (path.empty())
    throw Error(
        "`output`: the name of the file is empty; give a path that ends in .csv, .npy, .npz or "
        ".h5");
  if (path == "-" || path.starts_with("/dev/")) return;  // as CSV
  for (const char* good : {".csv", ".npy", ".npz"})
    if (ending(path) == good) return;
  if (is_hdf5_name(path)) return;
  throw Error({path, 0}, "unknown type of output file", "use the suffix .csv, .npy, .npz or .h5");
}

void write_trajectory(const Robot& robot, const SampledTrajectory& m, const std::string& path) {
  const auto nq = static_cast<std::size_t>(robot.nq()), nv = static_cast<std::size_t>(robot.nv());
  if (ending(path) == ".npz" || is_hdf5_name(path)) {
    std::map<std::string, Array> arrays{
        {"q", {{m.rows, nq}, m.q}}, {"v", {{m.rows, nv}, m.v}}, {"a", {{m.rows, nv}, m.a}}};
    if (!m.t.empty()) arrays["t"] = {{m.rows}, m.t};
    return is_hdf5_name(path) ? write_hdf5(path, arrays) : write_npz(path, arrays);
  }
  const bool npy = ending(path) == ".npy";
  const SideBySide all = side_by_side(robot, m, !npy && !m.t.empty());
  if (npy) return write_npy(path, {{m.rows, nq + 2 * nv}, all.rows});
  write_csv(path, all.columns, all.rows);
}

}  // namespace parid::motion

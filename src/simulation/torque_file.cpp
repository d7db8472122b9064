// Reads torque files, as written by `parid torque -o`.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string_view>
#include <unordered_map>

#include "base/file/csv.hpp"
#include "base/file/hdf5.hpp"
#include "base/file/npz.hpp"
#include "base/text/spelling.hpp"
#include "parid/error.hpp"
#include "parid/torque_source.hpp"
#include "simulation/layer.hpp"

namespace parid {
using namespace simulation;

namespace {

// From a file of named arrays, Npz or Hdf5Arrays.
template <class Arrays>
TorqueSamples from_arrays(const Robot& robot, const std::string& path) {
  const Arrays file(path);
  for (const char* name : {"t", "tau"})
    if (!file.has(name))
      throw Error({path, 0}, fmt::format("there is no array '{}'", name),
                  fmt::format("a torque file has the arrays t and tau; found {}",
                              fmt::join(file.names(), ", ")));
  const Array t = file.read("t"), tau = file.read("tau");
  const auto nv = static_cast<std::size_t>(robot.nv());
  if (t.columns() != 1 || tau.columns() != nv || tau.rows() != t.rows())
    throw Error({path, 0},
                fmt::format("array 't' is {} x {}, array 'tau' {} x {}", t.rows(), t.columns(),
                            tau.rows(), tau.columns()),
                fmt::format("robot '{}' needs N x 1 and N x {}", robot.name(), nv));
  return {t.data, tau.data};
}

TorqueSamples from_csv(const Robot& robot, const std::string& path) {
  const auto& names = robot.velocity_names();
  std::vector<std::string> named, numbered;
  for (std::size_t k = 0; k < names.size(); ++k) {
    named.push_back("tau:" + names[k]);
    numbered.push_back(fmt::format("tau{}", k + 1));
  }
  const Table table =
      read_csv(path, {.example = fmt::format("t,{}", fmt::join(named, ",")), .progress = {}});
  std::unordered_map<std::string_view, std::size_t> column_of;
  for (std::size_t k = 0; k < table.columns.size(); ++k) column_of[table.columns[k]] = k;
  const auto time = table.find("t");
  if (!time)
    throw Error({table.file, table.header_line}, "there is no column 't'",
                "add the times in seconds");
  TorqueSamples out{{}, std::vector<double>(table.rows * names.size())};
  for (std::size_t r = 0; r < table.rows; ++r) out.t.push_back(table.at(r, *time));
  for (std::size_t k = 0; k < names.size(); ++k) {
    auto column = column_of.find(named[k]);
    if (column == column_of.end()) column = column_of.find(numbered[k]);
    if (column == column_of.end())
      throw Error({table.file, table.header_line},
                  fmt::format("robot '{}' needs a column '{}'", robot.name(), named[k]),
                  fmt::format("{}the header is t,{}", did_you_mean(named[k], table.columns),
                              fmt::join(named, ",")));
    for (std::size_t r = 0; r < table.rows; ++r)
      out.tau[r * names.size() + k] = table.at(r, column->second);
  }
  for (std::size_t r = 1; r < table.rows; ++r)
    if (!(out.t[r] > out.t[r - 1]))
      throw Error(table.place_of(r),
                  fmt::format("t is not ascending: {} is followed by {}", out.t[r - 1], out.t[r]),
                  "sort the rows by time");
  return out;
}

}  // namespace

TorqueSamples read_torques(const Robot& robot, const std::string& path) {
  const bool npz = std::filesystem::path(path).extension() == ".npz";
  TorqueSamples out = npz                  ? from_arrays<Npz>(robot, path)
                      : is_hdf5_name(path) ? from_arrays<Hdf5Arrays>(robot, path)
                                           : from_csv(robot, path);
  if (out.t.empty()) throw Error({path, 0}, "the file has no rows", "give at least one row");
  for (std::size_t r = 1; r < out.t.size(); ++r)
    if (!(out.t[r] > out.t[r - 1]))
      throw Error({path, 0},
                  fmt::format("row [{}]: t is not ascending: {} is followed by {}", r, out.t[r - 1],
                              out.t[r]),
                  "sort the rows by time");
  return out;
}

}  // namespace parid

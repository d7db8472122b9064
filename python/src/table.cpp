// Torque tables of a robot, built or loaded, and their errors.

#include <fmt/format.h>

#include <algorithm>

#include "base/text/spelling.hpp"
#include "bindings.hpp"
#include "lookup/torque_error.hpp"

namespace parid::python {
namespace {

TableKind kind_of(const std::string& name) {
  std::vector<std::string> known;
  for (std::size_t k = 0; k < std::size(table_kinds); ++k) {
    if (name == table_kinds[k]) return static_cast<TableKind>(k);
    known.push_back(table_kinds[k]);
  }
  throw Error(fmt::format("'{}' is not a kind of table; {}choose from configuration, state, cmac",
                          name, did_you_mean(name, known)));
}

// Keeps the robot it was made for, which has the sizes and names.
struct TableHandle {
  Robot robot;
  TorqueTable table;

  py::array_t<double> torque(const Numbers& q, const Numbers& v, const Numbers& a) const {
    const std::size_t n = static_cast<std::size_t>(robot.nv()),
                      rows = q.ndim() == 2 ? static_cast<std::size_t>(q.shape(0)) : 1;
    const std::vector<double> x = vector("q", q, rows * n), y = vector("v", v, rows * n),
                              z = vector("a", a, rows * n);
    std::vector<double> tau(rows * n);
    {
      const Unlocked unlocked;
      TableReader reader(table);
      for (std::size_t k = 0; k < rows; ++k) {
        auto row = [&](const std::vector<double>& all) {
          return std::span<const double>(all).subspan(k * n, n);
        };
        reader.torque(row(x), row(y), row(z), std::span<double>(tau).subspan(k * n, n));
      }
    }
    return q.ndim() == 2 ? array(tau, n) : array(tau);
  }

  py::dict error(std::size_t samples, const RobotHandle* other) const {
    if (samples < 1) throw Error("samples: give 1 or more");
    if (other && other->robot.nv() != robot.nv())
      throw Error("robot: its number of coordinates differs from the table's");
    TorqueError e;
    {
      const Unlocked unlocked;
      e = table_error(table, other ? other->robot : robot, samples);
    }
    py::dict d;
    d["samples"] = e.samples;
    d["max_relative_error"] = e.max_relative;
    d["rms_relative_error"] = e.rms_relative;
    d["max_error"] = e.max_absolute;
    return d;
  }
};

TableHandle build(const RobotHandle& r, const std::string& kind, const std::vector<int>& points,
                  double memory, int tilings, std::size_t cells, std::size_t lessons, int threads) {
  TableOptions o;
  o.kind = kind_of(kind);
  for (const int p : points)
    if (p < 1 || p > 100000)
      throw Error(fmt::format("points: {} along an axis is out of range; give 1 to 100000", p));
  if (!(memory > 0)) throw Error("memory: give a positive number of GB");
  if (tilings < 1 || cells < 1 || lessons < 1)
    throw Error("tilings, cells, lessons: give 1 or more of each");
  o.points = points;
  o.memory_limit = 1e9 * memory;
  o.threads = threads;
  o.tilings = tilings;
  o.cells = cells;
  o.lessons = lessons;
  const Unlocked unlocked;
  return {r.robot, TorqueTable::build(r.robot, o)};
}

}  // namespace

void add_table(py::module_& m) {
  py::class_<TableHandle>(m, "TableHandle")
      .def("torque", &TableHandle::torque)
      .def("error", &TableHandle::error)
      .def("save", [](const TableHandle& t, const std::string& path) { t.table.save(path); })
      .def_property_readonly("kind", [](const TableHandle& t) { return name_of(t.table.kind()); })
      .def_property_readonly("bytes", [](const TableHandle& t) { return t.table.bytes(); })
      .def_property_readonly("multiplications",
                             [](const TableHandle& t) { return t.table.cost().multiplications; })
      .def_property_readonly("additions",
                             [](const TableHandle& t) { return t.table.cost().additions; });
  m.def("build_table", build);
  m.def("load_table", [](const RobotHandle& r, const std::string& path) {
    return TableHandle{r.robot, TorqueTable::load(r.robot, path)};
  });
}

}  // namespace parid::python

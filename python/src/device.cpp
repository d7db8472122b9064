// OpenCL devices, and engines on them.

#include "parid/device.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bindings.hpp"

namespace parid::python {
namespace {

template <class Real>
using DeviceNumbers = py::array_t<Real, py::array::c_style | py::array::forcecast>;

struct DeviceHandle {
  DeviceEngine engine;

  DeviceHandle(const RobotHandle& robot, const std::vector<std::string>& quantities,
               const std::string& device, const std::string& link, bool float32,
               std::size_t launch_rows)
      : engine(made(robot.robot, quantities, device, link, float32, launch_rows)) {}

  static DeviceEngine made(const Robot& robot, const std::vector<std::string>& quantities,
                           const std::string& device, const std::string& link, bool float32,
                           std::size_t launch_rows) {
    if (launch_rows == 0) throw Error("launch_rows: give 1 or more");
    DeviceOptions options{.device = device,
                          .quantities = {},
                          .link = link,
                          .single_precision = float32,
                          .launch_rows = launch_rows};
    for (const std::string& name : quantities) options.quantities.push_back(batched_quantity(name));
    const Unlocked unlocked;
    return DeviceEngine(robot, options);
  }

  template <class Real>
  py::list rows(Quantity which, const py::args& arrays) {
    const std::vector<std::size_t> in = engine.input_widths(which),
                                   out = engine.output_widths(which);
    const std::vector<std::string> names = engine.input_names(which);
    if (arrays.size() != in.size())
      throw py::type_error(fmt::format("evaluate('{}') takes {} arrays, {} were given", name(which),
                                       in.size(), arrays.size()));
    std::vector<DeviceNumbers<Real>> kept;
    std::vector<std::span<const Real>> from;
    std::size_t rows = 0;
    for (std::size_t k = 0; k < in.size(); ++k) {
      const auto a = py::cast<DeviceNumbers<Real>>(arrays[k]);
      if (a.ndim() != 2 || static_cast<std::size_t>(a.shape(1)) != in[k])
        throw py::value_error(fmt::format("{}: give an array of shape (N, {})", names[k], in[k]));
      const auto n = static_cast<std::size_t>(a.shape(0));
      if (k > 0 && n != rows)
        throw py::value_error(
            fmt::format("{} has {} rows, the arrays before have {}", names[k], n, rows));
      rows = n;
      kept.push_back(a);
      from.emplace_back(a.data(), rows * in[k]);
    }
    py::list results;
    std::vector<std::span<Real>> to;
    for (const std::size_t width : out) {
      py::array_t<Real> result({rows, width});
      to.emplace_back(result.mutable_data(), rows * width);
      results.append(std::move(result));
    }
    {
      const Unlocked unlocked;
      engine.evaluate(which, rows, from, to);
    }
    return results;
  }

  py::list evaluate(const std::string& quantity, const py::args& arrays) {
    const Quantity which = batched_quantity(quantity);
    return engine.single_precision() ? rows<float>(which, arrays) : rows<double>(which, arrays);
  }
};

py::dict dict_of(const ComputeDevice& d) {
  py::dict all;
  all["name"] = d.name;
  all["platform"] = d.platform;
  all["version"] = d.version;
  all["kind"] = d.kind;
  all["double_precision"] = d.double_precision;
  all["compute_units"] = d.compute_units;
  all["memory"] = d.memory;
  return all;
}

}  // namespace

void add_device(py::module_& m) {
  m.def("devices", [] {
    std::vector<ComputeDevice> all;
    {
      const Unlocked unlocked;
      all = compute_devices();
    }
    py::list list;
    for (const ComputeDevice& d : all) list.append(dict_of(d));
    return list;
  });
  py::class_<DeviceHandle>(m, "DeviceHandle")
      .def(py::init<const RobotHandle&, const std::vector<std::string>&, const std::string&,
                    const std::string&, bool, std::size_t>())
      .def("evaluate", &DeviceHandle::evaluate)
      .def("device", [](const DeviceHandle& d) { return dict_of(d.engine.device()); })
      .def("float32", [](const DeviceHandle& d) { return d.engine.single_precision(); });
}

}  // namespace parid::python

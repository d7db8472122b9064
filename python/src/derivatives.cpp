// Second derivatives, and the operational space of several links: one sample at a time.

#include "parid/derivatives.hpp"

#include "bindings.hpp"
#include "parid/task_space.hpp"

namespace parid::python {
namespace {

using Tensor = py::array_t<double>;

Tensor tensor(std::initializer_list<std::size_t> shape) {
  return Tensor(std::vector<py::ssize_t>(shape.begin(), shape.end()));
}
std::span<double> numbers_of(Tensor& t) {
  return {t.mutable_data(), static_cast<std::size_t>(t.size())};
}

// hessian(robot, workspace, q, v, third, qq, qv, vv, q_third)
template <class Hessian>
py::tuple second_derivatives(RobotContext& d, const Numbers& q, const Numbers& v,
                             const char* third_name, const Numbers& third, Hessian hessian) {
  const std::vector<double> at = vector("q", q, d.nq), speed = vector("v", v, d.nv),
                            x = vector(third_name, third, d.nv);
  Tensor all[4];
  std::span<double> to[4];
  for (int k = 0; k < 4; ++k) {
    all[k] = tensor({d.nv, d.nv, d.nv});
    to[k] = numbers_of(all[k]);
  }
  Rooms& rooms = d.rooms();
  {
    const Unlocked unlocked;
    hessian(d.robot, rooms.workspace, at, speed, x, to[0], to[1], to[2], to[3]);
  }
  return py::make_tuple(all[0], all[1], all[2], all[3]);
}

py::dict operational(RobotContext& d, const Numbers& q, const Numbers& v,
                     const std::vector<std::string>& links) {
  const std::vector<double> at = vector("q", q, d.nq), speed = vector("v", v, d.nv);
  const OperationalSpace x = operational_space(d.robot, d.rooms().workspace, at, speed, links);
  py::dict all;
  all["jacobian"] = array(x.J, d.nv);
  all["inverse_inertia"] = array(x.inverse_inertia, x.rows);
  all["inertia"] = array(x.inertia, x.rows);
  all["free_acceleration"] = array(x.free_acceleration);
  all["bias"] = array(x.bias);
  all["rank"] = x.rank;
  return all;
}

}  // namespace

void add_derivatives(py::module_& m) {
  m.def("inverse_hessian",
        [](RobotHandle& r, const Numbers& q, const Numbers& v, const Numbers& a) {
          return second_derivatives(r, q, v, "a", a, inverse_hessian);
        });
  m.def("forward_hessian",
        [](RobotHandle& r, const Numbers& q, const Numbers& v, const Numbers& tau) {
          return second_derivatives(r, q, v, "tau", tau, forward_hessian);
        });
  m.def("jacobian_hessian",
        [](RobotHandle& r, const Numbers& q, const std::optional<std::string>& link) {
          const std::vector<double> at = vector("q", q, r.nq);
          Tensor H = tensor({6, r.nv, r.nv});
          jacobian_hessian(r.robot, at, link ? r.robot.find_link(*link) : r.tip(), numbers_of(H));
          return H;
        });
  m.def("operational_space_of",
        [](RobotHandle& r, const Numbers& q, const Numbers& v,
           const std::vector<std::string>& links) { return operational(r, q, v, links); });
}

}  // namespace parid::python

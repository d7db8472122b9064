// Motion of links, and inverse kinematics. Poses and Jacobians of many rows are in quantities.cpp.

#include "bindings.hpp"
#include "parid/inverse_kinematics.hpp"

namespace parid::python {
namespace {

using Three = std::array<double, 3>;

Axes axes_of(const std::string& word) {
  if (word == "root") return Axes::root;
  if (word == "link") return Axes::link;
  throw Error("axes: unknown value '" + word + "'; give root or link");
}

int link_index(const RobotContext& d, const std::optional<std::string>& link) {
  return link ? d.robot.find_link(*link) : d.tip();
}

// Rows of an array, or its one sample.
struct Samples {
  Samples(const char* name, const Numbers& x, std::size_t width)
      : data(x.data()), rows(x.ndim() == 2 ? static_cast<std::size_t>(x.shape(0)) : 1) {
    many = x.ndim() == 2;
    if (x.ndim() < 1 || x.ndim() > 2 || static_cast<std::size_t>(x.shape(x.ndim() - 1)) != width)
      throw py::value_error(std::string(name) + ": give (" + std::to_string(width) +
                            ",) for one sample, (N, " + std::to_string(width) + ") for many");
    step = many ? width : 0;
    size = width;
  }
  std::span<const double> operator[](std::size_t r) const { return {data + r * step, size}; }
  const double* data;
  std::size_t rows, step = 0, size = 0;
  bool many = false;
};

std::size_t common(std::initializer_list<const Samples*> all) {
  std::size_t rows = 1;
  bool many = false;
  for (const Samples* s : all) {
    if (!s->many) continue;
    if (many && s->rows != rows) throw py::value_error("the arrays have different numbers of rows");
    rows = s->rows;
    many = true;
  }
  return rows;
}

// what(kinematics, numbers) for each row, the result shaped (…) or (N, …).
template <class What>
py::array_t<double> each(RobotContext& d, const Numbers& q, const Numbers& v, const Numbers& a,
                         std::vector<py::ssize_t> shape, const What& what) {
  const Samples sq("q", q, d.nq), sv("v", v, d.nv), sa("a", a, d.nv);
  const std::size_t rows = common({&sq, &sv, &sa});
  std::size_t numbers = 1;
  for (const py::ssize_t n : shape) numbers *= static_cast<std::size_t>(n);
  if (sq.many || sv.many || sa.many) shape.insert(shape.begin(), static_cast<py::ssize_t>(rows));
  py::array_t<double> out(shape);
  double* to = out.mutable_data();
  Kinematics& k = d.rooms().kinematics();
  const Unlocked unlocked;
  for (std::size_t r = 0; r < rows; ++r) {
    k.set(sq[r], sv[r], sa[r]);
    what(k, to + r * numbers);
  }
  return out;
}

void put(const LinkRate& x, double* to) {
  std::copy(x.linear.begin(), x.linear.end(), to);
  std::copy(x.angular.begin(), x.angular.end(), to + 3);
}

py::tuple tuple_of(const IkReport& r, const std::vector<double>& q, const std::string& why) {
  return py::make_tuple(r.converged, array(q), r.position_error, r.angle_error, r.steps, r.attempts,
                        why);
}

LinkPose pose_of(const double* rotation, const double* position) {
  LinkPose p;
  std::copy(rotation, rotation + 9, p.rotation.begin());
  std::copy(position, position + 3, p.position.begin());
  return p;
}

std::vector<double> seed_of(const InverseKinematics& ik, const std::optional<Numbers>& seed) {
  if (!seed) return {};
  return vector("seed", *seed, static_cast<std::size_t>(ik.robot().nq()));
}

py::tuple solve_rows(InverseKinematics& ik, const Numbers& rotation, const Numbers& position,
                     const std::optional<Numbers>& seeds) {
  const std::size_t n = static_cast<std::size_t>(position.size()) / 3,
                    nq = static_cast<std::size_t>(ik.robot().nq());
  std::vector<LinkPose> poses;
  for (std::size_t r = 0; r < n; ++r)
    poses.push_back(pose_of(rotation.data() + 9 * r, position.data() + 3 * r));
  std::vector<double> from, q(n * nq);
  if (seeds) from = vector("seed", *seeds, n * nq);
  std::vector<IkReport> reports(n);
  {
    const Unlocked unlocked;
    ik.solve(poses, from, q, reports);
  }
  std::vector<double> position_error, angle_error;
  py::array_t<bool> converged(static_cast<py::ssize_t>(n));
  py::list why;
  for (std::size_t r = 0; r < n; ++r) {
    converged.mutable_data()[r] = reports[r].converged;
    position_error.push_back(reports[r].position_error);
    angle_error.push_back(reports[r].angle_error);
    why.append(reports[r].converged ? "" : ik.why(reports[r]));
  }
  return py::make_tuple(converged, array(q, nq), array(position_error), array(angle_error), why);
}

}  // namespace

void add_kinematics(py::module_& m) {
  m.def("velocity",
        [](RobotHandle& d, const Numbers& q, const Numbers& v,
           const std::optional<std::string>& link, const Three& point, const std::string& axes) {
          const int l = link_index(d, link);
          const Axes along = axes_of(axes);
          return each(d, q, v, array(std::vector<double>(d.nv)), {6},
                      [&](Kinematics& k, double* to) { put(k.velocity(l, point, along), to); });
        });
  m.def("acceleration",
        [](RobotHandle& d, const Numbers& q, const Numbers& v, const Numbers& a,
           const std::optional<std::string>& link, const Three& point, const std::string& axes) {
          const int l = link_index(d, link);
          const Axes along = axes_of(axes);
          return each(d, q, v, a, {6},
                      [&](Kinematics& k, double* to) { put(k.acceleration(l, point, along), to); });
        });
  m.def("jacobian_of", [](RobotHandle& d, const Numbers& q, const std::optional<std::string>& link,
                          const Three& point, const std::string& axes) {
    const int l = link_index(d, link);
    const Axes along = axes_of(axes);
    const auto zero = array(std::vector<double>(d.nv));
    return each(d, q, zero, zero, {6, static_cast<py::ssize_t>(d.nv)},
                [&](Kinematics& k, double* to) {
                  k.jacobian(l, {to, 6 * d.nv}, point, along);
                });
  });
  m.def("jacobian_rate",
        [](RobotHandle& d, const Numbers& q, const Numbers& v,
           const std::optional<std::string>& link, const Three& point, const std::string& axes) {
          const int l = link_index(d, link);
          const Axes along = axes_of(axes);
          return each(d, q, v, array(std::vector<double>(d.nv)),
                      {6, static_cast<py::ssize_t>(d.nv)}, [&](Kinematics& k, double* to) {
                        k.jacobian_rate(l, {to, 6 * d.nv}, point, along);
                      });
        });
  m.def("rotation_of_quaternion", [](const std::array<double, 4>& xyzw) {
    const LinkPose p = LinkPose::from_quaternion({}, xyzw);
    return array({p.rotation.begin(), p.rotation.end()}, 3);
  });
  m.def("rotation_of_rpy", [](const Three& rpy) {
    const LinkPose p = LinkPose::from_rpy({}, rpy);
    return array({p.rotation.begin(), p.rotation.end()}, 3);
  });
  m.def("quaternion_of_rotation", [](const Numbers& rotation) {
    const std::vector<double> r = vector("rotation", rotation, 9);
    const auto x = pose_of(r.data(), std::array<double, 3>{}.data()).quaternion();
    return array({x.begin(), x.end()});
  });

  py::class_<InverseKinematics>(m, "InverseKinematics")
      .def(py::init([](const RobotHandle& r, const std::optional<std::string>& link,
                       double position_tolerance, double angle_tolerance, int attempts, int steps,
                       bool closed_form, int threads, const Three& offset,
                       const Numbers& offset_rotation) {
        const std::vector<double> R = vector("offset_rotation", offset_rotation, 9);
        return new InverseKinematics(
            r.robot, link.value_or(r.robot.tip()), pose_of(R.data(), offset.data()),
            {position_tolerance, angle_tolerance, attempts, steps, closed_form, threads});
      }))
      .def_property_readonly("link", &InverseKinematics::link)
      .def_property_readonly("solver", &InverseKinematics::solver)
      .def_property_readonly("closed_form", &InverseKinematics::closed_form)
      .def_property_readonly("closed_form_text", &InverseKinematics::closed_form_text)
      .def_property_readonly("redundancy", &InverseKinematics::redundancy)
      .def("solve_pose",
           [](InverseKinematics& ik, const Numbers& rotation, const Three& position,
              const std::optional<Numbers>& seed) {
             const std::vector<double> r = vector("rotation", rotation, 9);
             const IkSolution s = ik.solve(pose_of(r.data(), position.data()), seed_of(ik, seed));
             return tuple_of(s, s.q, s.why);
           })
      .def("solve_position",
           [](InverseKinematics& ik, const Three& position, const std::optional<Numbers>& seed) {
             const IkSolution s = ik.solve(position, seed_of(ik, seed));
             return tuple_of(s, s.q, s.why);
           })
      .def("all",
           [](InverseKinematics& ik, const Numbers& rotation, const Three& position,
              const std::optional<Numbers>& seed, const std::optional<double>& redundancy) {
             const std::vector<double> r = vector("rotation", rotation, 9);
             const LinkPose pose = pose_of(r.data(), position.data());
             const auto from = seed_of(ik, seed);
             py::list branches;
             for (const IkBranch& b :
                  redundancy ? ik.all_with(pose, *redundancy, from) : ik.all(pose, from))
               branches.append(py::make_tuple(b.number, array(b.q), b.within_limits,
                                              b.position_error, b.angle_error, b.singular));
             return branches;
           })
      .def("solve_rows", solve_rows);
}

}  // namespace parid::python

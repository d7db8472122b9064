#include "one_sample.hpp"

#include <algorithm>
#include <optional>

#include "numpy.hpp"
#include "unlocked.hpp"

namespace py = pybind11;

namespace parid::python {
namespace {

constexpr std::size_t unlocked_from = 256;  // freedoms of one sample: below, the lock costs more

// The numbers of an array that is exactly so, or null.
template <class Real>
inline Real* plain(PyObject* x, std::size_t n, int flags) {
  if (!PyArray_Check(x)) return nullptr;
  auto* a = reinterpret_cast<PyArrayObject*>(x);
  if (PyArray_TYPE(a) != type_of<Real> || PyArray_NDIM(a) != 1 ||
      static_cast<std::size_t>(PyArray_DIM(a, 0)) != n || (PyArray_FLAGS(a) & flags) != flags ||
      !PyArray_ISNOTSWAPPED(a))
    return nullptr;
  return static_cast<Real*>(PyArray_DATA(a));
}
constexpr int readable = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED;

template <class Real>
inline Real* plain_out(PyObject* x, Form form, Door& d) {
  constexpr int flags = readable | NPY_ARRAY_WRITEABLE;
  if (form == Form::q || form == Form::v || form == Form::three)
    return plain<Real>(x, size_of(form, d), flags);
  if (!PyArray_Check(x)) return nullptr;
  auto* a = reinterpret_cast<PyArrayObject*>(x);
  if (PyArray_TYPE(a) != type_of<Real> || (PyArray_FLAGS(a) & flags) != flags ||
      !PyArray_ISNOTSWAPPED(a))
    return nullptr;
  const std::vector<std::size_t> want = shape(form, d);
  if (static_cast<std::size_t>(PyArray_NDIM(a)) != want.size()) return nullptr;
  for (std::size_t k = 0; k < want.size(); ++k)
    if (static_cast<std::size_t>(PyArray_DIM(a, static_cast<int>(k))) != want[k]) return nullptr;
  return static_cast<Real*>(PyArray_DATA(a));
}

}  // namespace

template <class Real>
void answer_one(const Question& q, Door& door, int link, const Real* const* in, Real* const* out) {
  Rooms& rooms = door.rooms();
  std::optional<Unlocked> unlocked;
  if constexpr (std::is_same_v<Real, double>) {
    if (door.nv >= unlocked_from) unlocked.emplace();
    q.one(rooms, link, in, out);
  } else if (q.one_float) {
    if (door.nv >= unlocked_from) unlocked.emplace();
    q.one_float(rooms, link, in, out);
  } else {
    rooms.engine();
    Engine& engine = door.rooms().engine();
    Strided<const Real> from[most_in];
    Strided<Real> to[most_out];
    for (std::size_t k = 0; k < q.in.size(); ++k) from[k] = {in[k], size_of(q.in[k].form, door)};
    for (std::size_t k = 0; k < q.out.size(); ++k) to[k] = {out[k], size_of(q.out[k].form, door)};
    engine.evaluate(q.word, 1, {from, q.in.size()}, {to, q.out.size()}, {},
                    q.link
                        ? std::string_view(door.robot.link_names()[static_cast<std::size_t>(link)])
                        : std::string_view());
  }
}

template <class Real>
PyObject* plainly(const Ready& r, Door& door, const Asked& asked) {
  const Question& q = *r.question;
  const Real* in[most_in];
  Real* out[most_out];
  std::size_t in_size[most_in];
  for (Py_ssize_t k = 0; k < r.in; ++k) {
    in_size[k] = size_of(q.in[k].form, door);
    if (!(in[k] = plain<Real>(asked.in[k], in_size[k], readable))) return nullptr;
  }
  PyObject* outs[most_out] = {};
  py::object kept[most_out];
  if (asked.out) {
    if (r.out == 1) {
      outs[0] = asked.out;
    } else {
      if (!PyTuple_Check(asked.out) || PyTuple_GET_SIZE(asked.out) != r.out) return nullptr;
      for (Py_ssize_t k = 0; k < r.out; ++k) outs[k] = PyTuple_GET_ITEM(asked.out, k);
    }
    for (Py_ssize_t k = 0; k < r.out; ++k) {
      if (!(out[k] = plain_out<Real>(outs[k], q.out[k].form, door))) return nullptr;
      const Real* end = out[k] + size_of(q.out[k].form, door);
      for (Py_ssize_t j = 0; j < r.in; ++j)
        if (out[k] < in[j] + in_size[j] && in[j] < end) return nullptr;
    }
  } else {
    for (Py_ssize_t k = 0; k < r.out; ++k) {
      npy_intp dims[2];
      const std::vector<std::size_t> want = shape(q.out[k].form, door);
      std::copy(want.begin(), want.end(), dims);
      outs[k] = PyArray_SimpleNew(static_cast<int>(want.size()), dims, type_of<Real>);
      if (!outs[k]) throw py::error_already_set();
      kept[k] = py::reinterpret_steal<py::object>(outs[k]);
      out[k] = static_cast<Real*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(outs[k])));
    }
  }
  answer_one<Real>(q, door, q.link ? link_of(door, asked) : 0, in, out);
  return packed(r, outs);
}

template PyObject* plainly<double>(const Ready&, Door&, const Asked&);
template PyObject* plainly<float>(const Ready&, Door&, const Asked&);
template void answer_one<double>(const Question&, Door&, int, const double* const*, double* const*);
template void answer_one<float>(const Question&, Door&, int, const float* const*, float* const*);

}  // namespace parid::python

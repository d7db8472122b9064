#include "call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>

#include "foreign.hpp"
#include "numpy.hpp"
#include "runtime/engine/strided_types.hpp"
#include "unlocked.hpp"

namespace py = pybind11;

namespace parid::python {
namespace {

// Rows in the kernels' form: strides in numbers, none negative. One sample has no rows.
template <class Real>
struct Rows {
  py::object array;  // whose numbers they are
  Real* data = nullptr;
  npy_intp rows = -1;
  std::size_t row = 0, column = 1;
};

std::string shape_text(const std::vector<std::size_t>& s) {
  return fmt::format("({}{})", fmt::join(s, ", "), s.size() == 1 ? "," : "");
}
std::string shape_text(PyArrayObject* a) {
  return shape_text(std::vector<std::size_t>(PyArray_DIMS(a), PyArray_DIMS(a) + PyArray_NDIM(a)));
}

bool whole_strides(PyArrayObject* a) {
  for (int k = 0; k < PyArray_NDIM(a); ++k)
    if (PyArray_DIM(a, k) > 1 &&
        (PyArray_STRIDE(a, k) < 0 || PyArray_STRIDE(a, k) % PyArray_ITEMSIZE(a) != 0))
      return false;
  return true;
}
std::size_t stride(PyArrayObject* a, int k) {
  return static_cast<std::size_t>(PyArray_STRIDE(a, k) / PyArray_ITEMSIZE(a));
}

// Leading dimensions that one stride covers, as NumPy's reshape() would without a copy. The stride
// is in numbers; empty: none does.
std::optional<std::size_t> row_stride(PyArrayObject* a, int leading) {
  std::optional<std::size_t> step;  // 0 in broadcast views
  std::size_t covered = 1;
  for (int k = leading - 1; k >= 0; --k) {
    const auto n = static_cast<std::size_t>(PyArray_DIM(a, k));
    if (n == 1) continue;
    if (!step)
      step = stride(a, k);
    else if (stride(a, k) != *step * covered)
      return std::nullopt;
    covered *= n;
  }
  return step.value_or(0);
}

// An input in the kernels' number type with any leading dimensions.
template <class Real>
py::object input(const ArrayMethod& q, const char* name, std::size_t n, PyObject* x,
                 RobotContext& context, bool dense) {
  py::object array = owned(PyArray_FromAny(x, nullptr, 0, 0, 0, nullptr));
  py::object descr = owned(reinterpret_cast<PyObject*>(PyArray_DescrFromType(type_of<Real>)));
  if (!PyArray_CanCastArrayTo(array_of(array), reinterpret_cast<PyArray_Descr*>(descr.ptr()),
                              NPY_SAME_KIND_CASTING))
    throw py::type_error(fmt::format(
        "{}(): {} has dtype {}; give real numbers", q.method, name,
        std::string(py::str(reinterpret_cast<PyObject*>(PyArray_DESCR(array_of(array)))))));
  int flags = NPY_ARRAY_ALIGNED | NPY_ARRAY_NOTSWAPPED | NPY_ARRAY_FORCECAST;
  const int rank = PyArray_NDIM(array_of(array));
  if (dense || !whole_strides(array_of(array)) || !row_stride(array_of(array), rank - 1))
    flags |= NPY_ARRAY_C_CONTIGUOUS;
  array = owned(PyArray_FromArray(array_of(array),
                                  reinterpret_cast<PyArray_Descr*>(descr.release().ptr()), flags));
  PyArrayObject* a = array_of(array);
  if (rank < 1 || static_cast<std::size_t>(PyArray_DIM(a, rank - 1)) != n)
    throw py::value_error(
        fmt::format("{}(): {} has shape {}; '{}' needs ({},) for one sample, (N, {}) or (…, {}) "
                    "for many",
                    q.method, name, shape_text(a), context.robot.name(), n, n, n));
  return array;
}

using Dimensions = std::vector<npy_intp>;

Dimensions leading_of(PyArrayObject* a) {
  return {PyArray_DIMS(a), PyArray_DIMS(a) + PyArray_NDIM(a) - 1};
}

// By NumPy's rule: dimensions count from the last, and 1 stretches.
bool broadcast(Dimensions& all, const Dimensions& more) {
  if (more.size() > all.size()) all.insert(all.begin(), more.size() - all.size(), 1);
  for (std::size_t k = 0; k < more.size(); ++k) {
    npy_intp& one = all[all.size() - more.size() + k];
    if (one == 1)
      one = more[k];
    else if (more[k] != 1 && more[k] != one)
      return false;
  }
  return true;
}

std::string shape_text(const Dimensions& d) {
  return shape_text(std::vector<std::size_t>(d.begin(), d.end()));
}

Dimensions leading_of_all(const ArrayMethod& q, const std::vector<const char*>& names,
                          const std::vector<py::object>& arrays) {
  Dimensions all;
  const char* whose = "";  // the last argument with more than one sample
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const Dimensions own = leading_of(array_of(arrays[k])), before = all;
    if (!broadcast(all, own))
      throw py::value_error(
          before.size() == 1 && own.size() == 1 && *whose
              ? fmt::format("{}(): {} has {} rows, {} has {}; give equal numbers of rows", q.method,
                            whose, before[0], names[k], own[0])
              : fmt::format("{}(): {} has the leading dimensions {}, the arguments before have {}; "
                            "give dimensions that broadcast",
                            q.method, names[k], shape_text(own), shape_text(before)));
    if (std::any_of(own.begin(), own.end(), [](npy_intp n) { return n != 1; })) whose = names[k];
  }
  return all;
}

// The rows of an input for all leading dimensions. Stretched ones are copied, except one sample for
// all rows.
template <class Real>
Rows<const Real> rows_of(py::object array, const Dimensions& all, npy_intp rows, bool dense) {
  Rows<const Real> r;
  const Dimensions own = leading_of(array_of(array));
  const npy_intp n = PyArray_DIM(array_of(array), PyArray_NDIM(array_of(array)) - 1);
  const bool one = std::all_of(own.begin(), own.end(), [](npy_intp k) { return k == 1; });
  if (rows >= 0 && own != all && (!one || dense)) {
    Dimensions whole = all;
    whole.push_back(n);
    py::object stretched =
        owned(PyArray_SimpleNew(static_cast<int>(whole.size()), whole.data(), type_of<Real>));
    if (PyArray_CopyInto(array_of(stretched), array_of(array)) < 0) throw py::error_already_set();
    array = std::move(stretched);
  }
  PyArrayObject* a = array_of(array);
  const int leading = PyArray_NDIM(a) - 1;
  r.data = static_cast<const Real*>(PyArray_DATA(a));
  r.rows = leading_of(a) == all && !all.empty() ? rows : -1;
  r.row = r.rows >= 0 ? row_stride(a, leading).value_or(0) : 0;
  r.column = n > 1 ? stride(a, leading) : 1;
  r.array = std::move(array);
  return r;
}

struct Extent {
  const char *low, *high;
};
Extent extent(PyArrayObject* a) {
  const char *low = PyArray_BYTES(a), *high = low + PyArray_ITEMSIZE(a);
  for (int k = 0; k < PyArray_NDIM(a); ++k) {
    if (PyArray_DIM(a, k) == 0) return {low, low};
    const npy_intp reach = (PyArray_DIM(a, k) - 1) * PyArray_STRIDE(a, k);
    (reach < 0 ? low : high) += reach;
  }
  return {low, high};
}

// The destination of a result: the user's array or a new one, directly or through a copy.
template <class Real>
struct Output : Rows<Real> {
  py::object final;   // the returned object
  py::object target;  // its numbers: the same object if it is an array
  bool beside = false;
};

// Rows of matrices are rows of numbers if one stride covers them.
template <class Real>
bool lay_out(Output<Real>& o, PyArrayObject* a, int leading) {
  const int first = leading, rank = PyArray_NDIM(a);
  const std::optional<std::size_t> row = row_stride(a, leading);
  if (!whole_strides(a) || !row) return false;
  o.row = *row;
  o.column = 1;
  if (rank > first) o.column = stride(a, rank - 1);
  if (rank == first + 2 && PyArray_DIM(a, first) > 1) {
    if (PyArray_DIM(a, rank - 1) == 1)
      o.column = stride(a, first);
    else if (stride(a, first) != o.column * static_cast<std::size_t>(PyArray_DIM(a, rank - 1)))
      return false;
  }
  o.data = static_cast<Real*>(PyArray_DATA(a));
  return true;
}

template <class Real>
Output<Real> output(const ArrayMethod& q, const ArrayInfo& named, PyObject* given,
                    RobotContext& context, const Dimensions& all, bool columns, bool dense,
                    std::span<const Rows<const Real>> in) {
  std::vector<std::size_t> want = shape(named.shape, context);
  want.insert(want.begin(), all.begin(), all.end());
  const int leading = static_cast<int>(all.size());
  std::vector<npy_intp> dims(want.begin(), want.end());
  auto fresh = [&](bool fortran) {
    return owned(PyArray_EMPTY(static_cast<int>(dims.size()), dims.data(), type_of<Real>, fortran));
  };
  Output<Real> o;
  if (!given) {
    o.array = o.final = fresh(columns && want.size() == 2);
    lay_out(o, array_of(o.array), leading);
    return o;
  }
  o.final = py::reinterpret_borrow<py::object>(given);
  o.target = writable_view(given);
  if (!o.target)
    throw py::type_error(fmt::format(
        "{}(): out for {} is a {}; give an array, or an object with the buffer protocol or DLPack",
        q.method, named.name, Py_TYPE(given)->tp_name));
  PyArrayObject* a = array_of(o.target);
  const bool fits = static_cast<std::size_t>(PyArray_NDIM(a)) == dims.size() &&
                    std::equal(dims.begin(), dims.end(), PyArray_DIMS(a));
  if (!fits)
    throw py::value_error(fmt::format("{}(): out for {} has shape {}; the result has {}", q.method,
                                      named.name, shape_text(a), shape_text(want)));
  if (PyArray_TYPE(a) != type_of<Real>)
    throw py::value_error(
        fmt::format("{}(): out for {} has dtype {}; the result is {}", q.method, named.name,
                    std::string(py::str(reinterpret_cast<PyObject*>(PyArray_DESCR(a)))),
                    std::is_same_v<Real, double> ? "float64" : "float32"));
  if (PyArray_FailUnlessWriteable(a, "out") < 0) throw py::error_already_set();
  const auto [low, high] = extent(a);
  bool apart = PyArray_ISBEHAVED(a) && lay_out(o, a, leading);
  for (const Rows<const Real>& x : in) {
    const Extent e = extent(array_of(x.array));
    apart = apart && !(low < e.high && e.low < high);
  }
  if (dense && !PyArray_IS_C_CONTIGUOUS(a)) apart = false;
  if (apart) {
    o.array = o.target;
  } else {
    o.array = fresh(false);
    lay_out(o, array_of(o.array), leading);
    o.beside = true;
  }
  return o;
}

// The outputs that the user gave, in order; empty: none.
std::vector<PyObject*> given_outputs(const Ready& r, PyObject* out) {
  if (!out) return std::vector<PyObject*>(static_cast<std::size_t>(r.out), nullptr);
  if (r.out == 1) return {out};
  const bool sequence = PyTuple_Check(out) || PyList_Check(out);
  if (!sequence || PySequence_Fast_GET_SIZE(out) != r.out)
    throw py::type_error(fmt::format("{}(): out needs {} arrays: ({})", r.method->method, r.out,
                                     names_of(r.method->out)));
  PyObject** items = PySequence_Fast_ITEMS(out);
  return {items, items + r.out};
}

// Evaluates rows one by one with answer(in, out), gathered and scattered.
template <class Real, class Answer>
void one_by_one(const ArrayMethod& q, RobotContext& context, std::size_t rows,
                std::span<const Rows<const Real>> in, std::span<const Output<Real>> out,
                const Answer& answer) {
  std::vector<Real> memory;
  std::size_t all = 0;
  for (const ArrayInfo& n : q.in) all += size_of(n.shape, context);
  for (const ArrayInfo& n : q.out) all += size_of(n.shape, context);
  memory.resize(all);
  const Real* from[most_in];
  Real* to[most_out];
  for (std::size_t r = 0; r < rows; ++r) {
    Real* at = memory.data();
    for (std::size_t k = 0; k < q.in.size(); ++k) {
      from[k] = at;
      const std::size_t n = size_of(q.in[k].shape, context);
      for (std::size_t c = 0; c < n; ++c) *at++ = in[k].data[r * in[k].row + c * in[k].column];
    }
    for (std::size_t k = 0; k < q.out.size(); ++k) {
      to[k] = at;
      at += size_of(q.out[k].shape, context);
    }
    answer(from, to);
    for (std::size_t k = 0; k < q.out.size(); ++k) {
      const std::size_t n = size_of(q.out[k].shape, context);
      for (std::size_t c = 0; c < n; ++c)
        out[k].data[r * out[k].row + c * out[k].column] = to[k][c];
    }
  }
}

// Numbers for each of several links, as one array: those of a dictionary side by side.
py::object side_by_side(const ArrayMethod& q, const char* name, const py::dict& by_link,
                        std::size_t each, std::vector<std::string>& links) {
  const py::module_ numpy = py::module_::import("numpy");
  py::list parts, leads;
  for (const auto& [link, value] : by_link) {
    if (!py::isinstance<py::str>(link))
      throw py::type_error(fmt::format("{}(): {}: the keys are names of links", q.method, name));
    links.push_back(link.cast<std::string>());
    const py::object array = numpy.attr("asarray")(value);
    const py::tuple shape = array.attr("shape");
    if (shape.empty() || shape[shape.size() - 1].cast<std::size_t>() != each)
      throw py::value_error(fmt::format(
          "{}(): {} of link '{}' has shape {}; it needs ({},) for one sample, (N, {}) or (…, {}) "
          "for many",
          q.method, name, links.back(), std::string(py::str(py::handle(shape))), each, each, each));
    leads.append(shape[py::slice(0, -1, 1)]);
    parts.append(array);
  }
  py::object lead;
  try {
    lead = numpy.attr("broadcast_shapes")(*leads);
  } catch (py::error_already_set& e) {
    if (!e.matches(PyExc_ValueError)) throw;
    throw py::value_error(fmt::format(
        "{}(): {}: the links have different numbers of rows; give equal numbers, or one row",
        q.method, name));
  }
  py::list wide;
  for (const py::handle& part : parts)
    wide.append(numpy.attr("broadcast_to")(part, lead + py::make_tuple(each)));
  return numpy.attr("concatenate")(wide, -1);
}

// What differs by row: which arguments, and their arrays after the quantity's own.
template <class Real>
RowArguments varied(const ArrayMethod& q, const Asked& asked, RobotContext& context,
                    std::vector<py::object>& arrays, std::vector<const char*>& names) {
  RowArguments vary;
  if (!asked.varies()) return vary;
  const RowArgumentUse& use = info(*q.quantity).row_arguments;
  const bool used[] = {use.parameters, use.gravity, use.base_motion, use.wrenches};
  for (int k = 0; k < 4; ++k) {
    if (!asked.vary[k]) continue;
    const char* name = vary_names[k];
    if (!used[k])
      throw py::value_error(fmt::format("{}() does not depend on {}; omit it", q.method, name));
    py::object array = py::reinterpret_borrow<py::object>(asked.vary[k]);
    if (py::isinstance<py::dict>(array) && py::len(array) == 0) continue;  // no link
    std::size_t numbers = k == 1 ? 3 : 9;
    const bool by_link = py::isinstance<py::dict>(array);
    if (k == 0) {
      if (by_link)
        array = side_by_side(q, name, array, 10, vary.parameters);
      else
        vary.parameters = parameter_links(context.robot);
      numbers = 10 * vary.parameters.size();
    } else if (k == 3) {
      if (!by_link)
        throw py::type_error(fmt::format(
            "{}(): wrenches is a dictionary from names of links to arrays, (6,) or (N, 6)",
            q.method));
      array = side_by_side(q, name, array, 6, vary.wrenches);
      numbers = 6 * vary.wrenches.size();
    }
    vary.gravity |= k == 1;
    vary.base_motion |= k == 2;
    arrays.push_back(input<Real>(q, name, numbers, array.ptr(), context, false));
    names.push_back(name);
  }
  return vary;
}

// Long batches check for Ctrl-C, and stop when the interpreter exits.
class Interruptible {
 public:
  // Constructed with Python's lock held. Calls during the interpreter's exit, as by atexit, are
  // completed.
  Interruptible() {
    if (const std::stop_token exit = interpreter_exit(); !exit.stop_requested())
      at_exit_.emplace(exit, [this] { source_.request_stop(); });
    watch_.stop = source_.get_token();
    watch_.progress = [this](std::size_t) {
      const auto now = std::chrono::steady_clock::now();
      if (now - asked_ < std::chrono::milliseconds(100)) return;
      asked_ = now;
      const py::gil_scoped_acquire locked;
      if (PyErr_CheckSignals() != 0) source_.request_stop();
    };
  }
  const Watch& watch() const { return watch_; }

 private:
  std::stop_source source_;
  std::optional<std::stop_callback<std::function<void()>>> at_exit_;
  Watch watch_;
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

template <class Real>
void answer_rows(const ArrayMethod& q, RobotContext& context, const Asked& asked, int link,
                 std::size_t rows, std::span<const Rows<const Real>> in,
                 std::span<const Output<Real>> out, const RowArguments& vary) {
  const int threads = threads_of(asked);
  if (rows == 0) return;
  if (!q.batched && !q.rows) {
    Rooms& rooms = context.rooms();
    const Unlocked unlocked;
    if constexpr (std::is_same_v<Real, double>)
      one_by_one<Real>(
          q, context, rows, in, out,
          [&](const double* const* from, double* const* to) { q.one(rooms, link, from, to); });
    return;
  }
  const std::string name =
      q.link ? context.robot.link_names()[static_cast<std::size_t>(link)] : std::string();
  const Around around = context.around();
  bool done = true;
  {
    Interruptible interruptible;
    const Unlocked unlocked;
    const RobotContext::Lease engine =
        context.engine(threads, q.batched ? q.quantity : std::nullopt, name, rows, around, vary);
    if (q.batched) {
      StridedIn<Real> from[most_in + 4];
      StridedOut<Real> to[most_out];
      for (std::size_t k = 0; k < in.size(); ++k) from[k] = {in[k].data, in[k].row, in[k].column};
      for (std::size_t k = 0; k < out.size(); ++k) to[k] = {out[k].data, out[k].row, out[k].column};
      done = engine->evaluate(*q.quantity, rows, {from, in.size()}, {to, out.size()},
                              interruptible.watch(), name);
    } else if constexpr (std::is_same_v<Real, double>) {
      const double* from[most_in];
      double* to[most_out];
      for (std::size_t k = 0; k < in.size(); ++k) from[k] = in[k].data;
      for (std::size_t k = 0; k < out.size(); ++k) to[k] = out[k].data;
      q.rows(*engine, rows, from, to);
    }
  }
  if (done) return;
  if (!PyErr_Occurred()) PyErr_SetNone(PyExc_SystemExit);  // stopped because the interpreter exits
  // SystemExit, or the exception of CheckSignals
  throw py::error_already_set();
}

// A column-major batch in, a column-major batch out: nothing is transposed.
template <class Real>
bool in_columns(std::span<const Rows<const Real>> in, npy_intp rows) {
  return rows > 1 && std::all_of(in.begin(), in.end(), [rows](const Rows<const Real>& x) {
           return x.row == 1 && x.column == static_cast<std::size_t>(rows);
         });
}

}  // namespace

template <class Real>
PyObject* generally(const Ready& r, RobotContext& context, const Asked& asked) {
  const ArrayMethod& q = *r.method;
  const bool dense = q.rows != nullptr;
  std::vector<py::object> arrays;
  std::vector<const char*> names;
  for (Py_ssize_t k = 0; k < r.in; ++k) {
    names.push_back(q.in[k].name);
    arrays.push_back(
        input<Real>(q, names.back(), size_of(q.in[k].shape, context), asked.in[k], context, dense));
  }
  const RowArguments vary = varied<Real>(q, asked, context, arrays, names);
  const Dimensions all = leading_of_all(q, names, arrays);
  npy_intp rows = all.empty() ? -1 : 1;
  for (const npy_intp n : all) rows *= n;
  std::vector<Rows<const Real>> in;
  for (py::object& x : arrays) in.push_back(rows_of<Real>(std::move(x), all, rows, dense));
  const std::vector<PyObject*> given = given_outputs(r, asked.out);
  std::vector<Output<Real>> out;
  const bool columns = all.size() == 1 && in_columns<Real>(in, rows);
  for (Py_ssize_t k = 0; k < r.out; ++k)
    out.push_back(output<Real>(q, q.out[k], given[k], context, all, columns, dense, in));
  const int link = q.link ? link_of(context, asked) : 0;
  if (!vary.empty())
    answer_rows<Real>(q, context, asked, link, rows < 0 ? 1 : static_cast<std::size_t>(rows), in,
                      out, vary);
  else if (rows < 0)
    one_by_one<Real>(q, context, 1, in, out, [&](const Real* const* from, Real* const* to) {
      evaluate_one<Real>(q, context, link, from, to);
    });
  else
    answer_rows<Real>(q, context, asked, link, static_cast<std::size_t>(rows), in, out, vary);
  PyObject* outs[most_out];
  for (Py_ssize_t k = 0; k < r.out; ++k) {
    if (out[k].beside && PyArray_CopyInto(array_of(out[k].target), array_of(out[k].array)) < 0)
      throw py::error_already_set();
    outs[k] = out[k].final.ptr();
  }
  return packed(r, outs);
}

template PyObject* generally<double>(const Ready&, RobotContext&, const Asked&);
template PyObject* generally<float>(const Ready&, RobotContext&, const Asked&);

}  // namespace parid::python

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <list>
#include <stdexcept>
#include <utility>

#include "codegen/emit/languages.hpp"
#include "dynamics/row_arguments.hpp"
#include "model/canonical_model.hpp"
#include "model/joint/coordinates.hpp"
#include "parid/device.hpp"
#include "parid/engine.hpp"
#include "parid/error.hpp"
#include "runtime/device/opencl_library.hpp"
#include "runtime/engine/generic_rows.hpp"
#include "runtime/engine/strided_types.hpp"
#include "runtime/kernel/specialized_program.hpp"
#include "runtime/layer.hpp"
#include "scalar/angle.hpp"

namespace parid {
using namespace runtime;

namespace {

// Drivers' compilers take time that grows faster than the program.
constexpr std::size_t device_operations_limit = 30'000;

struct FoundDevice {
  opencl::Device id;
  ComputeDevice about;
};

template <class Get>
std::string info_text(const Get& get) {
  std::size_t size = 0;
  if (get(std::size_t{0}, nullptr, &size) != 0 || size == 0) return "";
  std::string text(size, '\0');
  if (get(size, text.data(), nullptr) != 0) return "";
  text.resize(std::min(text.find('\0'), text.size()));
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

template <class Number>
Number device_number(const opencl::Library& cl, opencl::Device d, opencl::Uint what) {
  Number value{};
  cl.clGetDeviceInfo(d, what, sizeof value, &value, nullptr);
  return value;
}

std::vector<FoundDevice> found_devices() {
  const opencl::Library& cl = opencl::library();
  opencl::Uint count = 0;
  const opencl::Int error = cl.clGetPlatformIDs(0, nullptr, &count);
  if (error == opencl::no_platform) return {};
  if (error != 0)
    throw Error(fmt::format("OpenCL: {}; check its drivers", opencl::error_name(error)));
  std::vector<opencl::Platform> platforms(count);
  cl.clGetPlatformIDs(count, platforms.data(), nullptr);
  std::vector<FoundDevice> all;
  for (const opencl::Platform p : platforms) {
    opencl::Uint n = 0;
    if (cl.clGetDeviceIDs(p, opencl::every_kind, 0, nullptr, &n) != 0) continue;
    std::vector<opencl::Device> ids(n);
    cl.clGetDeviceIDs(p, opencl::every_kind, n, ids.data(), nullptr);
    const std::string platform = info_text([&](std::size_t size, char* to, std::size_t* needed) {
      return cl.clGetPlatformInfo(p, opencl::platform_name, size, to, needed);
    });
    for (const opencl::Device d : ids) {
      const auto text = [&](opencl::Uint what) {
        return info_text([&](std::size_t size, char* to, std::size_t* needed) {
          return cl.clGetDeviceInfo(d, what, size, to, needed);
        });
      };
      const auto kind = device_number<opencl::Bits>(cl, d, opencl::device_kind);
      all.push_back(
          {d,
           {.name = text(opencl::device_name),
            .platform = platform,
            .version = text(opencl::device_version),
            .kind = kind & opencl::kind_gpu           ? "GPU"
                    : kind & opencl::kind_accelerator ? "accelerator"
                    : kind & opencl::kind_cpu         ? "CPU"
                                                      : "custom",
            .double_precision = device_number<opencl::Bits>(cl, d, opencl::device_double) != 0,
            .compute_units =
                static_cast<int>(device_number<opencl::Uint>(cl, d, opencl::device_units)),
            .memory = device_number<std::uint64_t>(cl, d, opencl::device_memory)}});
    }
  }
  return all;
}

std::string lower_case(std::string s) {
  for (char& c : s)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return s;
}

FoundDevice chosen_device(const std::string& wanted) {
  const std::vector<FoundDevice> all = found_devices();
  if (all.empty())
    throw Error(
        "OpenCL has no device; install a driver for yours, for example apt install pocl-opencl-icd "
        "for the CPU");
  if (wanted.empty()) {
    for (const FoundDevice& d : all)
      if (d.about.kind == "GPU") return d;
    return all.front();
  }
  std::vector<std::string> names;
  for (const FoundDevice& d : all)
    names.push_back(fmt::format("{} '{}'", names.size(), d.about.name));
  const auto refuse = [&](const std::string& wrong) {
    throw Error(fmt::format("{}; choose from {}", wrong, fmt::join(names, ", ")));
  };
  if (wanted.find_first_not_of("0123456789") == std::string::npos && wanted.size() < 5) {
    const auto place = static_cast<std::size_t>(std::stoul(wanted));
    if (place >= all.size()) refuse(fmt::format("there is no OpenCL device {}", wanted));
    return all[place];
  }
  const std::string word = lower_case(wanted);
  std::vector<FoundDevice> fitting;
  for (const FoundDevice& d : all) {
    const std::string name = lower_case(d.about.name);
    if (name == word) return d;
    if (name.find(word) != std::string::npos ||
        lower_case(d.about.platform).find(word) != std::string::npos)
      fitting.push_back(d);
  }
  if (fitting.empty()) refuse(fmt::format("there is no OpenCL device '{}'", wanted));
  if (fitting.size() > 1)
    refuse(fmt::format("{} OpenCL devices have '{}' in their name or platform", fitting.size(),
                       wanted));
  return fitting.front();
}

// An object of OpenCL that is released once.
template <class Object>
class Owned {
 public:
  Owned() = default;
  Owned(Object object, opencl::Int (*release)(Object)) : object_(object), release_(release) {}
  Owned(Owned&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)), release_(other.release_) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(object_, other.object_);
    std::swap(release_, other.release_);
    return *this;
  }
  ~Owned() {
    if (object_) release_(object_);
  }
  Object get() const { return object_; }

 private:
  Object object_ = nullptr;
  opencl::Int (*release_)(Object) = nullptr;
};

struct DeviceKernel {
  Quantity quantity;
  Shape shape;
  std::vector<Owned<opencl::Buffer>> in, out;
  Owned<opencl::Program> program;
  Owned<opencl::Kernel> kernel;
};

}  // namespace

std::vector<ComputeDevice> compute_devices() {
  std::vector<ComputeDevice> all;
  for (FoundDevice& d : found_devices()) all.push_back(std::move(d.about));
  return all;
}

struct DeviceEngine::Parts {
  Robot robot;
  DeviceOptions options;
  FoundDevice device;
  const opencl::Library& cl = opencl::library();
  Owned<opencl::Context> context;
  Owned<opencl::Queue> queue;
  std::list<DeviceKernel> kernels;  // released before the context
  Engine cpu;                       // for rows that the programs do not cover
  std::vector<bool> turns;          // whether the position is an angle

  Parts(const Robot& r, const DeviceOptions& o)
      : robot(r),
        options(o),
        device(chosen_device(o.device)),
        cpu(r, {.threads = 1,
                .kernel = KernelKind::generic,
                .quantities = {},
                .single_precision = o.single_precision,
                .per_row = o.per_row}) {
    if (o.launch_rows == 0) throw std::invalid_argument("DeviceEngine: launch_rows is 0");
    if (!o.single_precision && !device.about.double_precision)
      throw Error(fmt::format(
          "{}: it has no double precision; choose another device, or set `single_precision`",
          said()));
    for (const JointDescription& j : r.description().joints)
      for (int k = 0; k < position_count(j); ++k)
        turns.push_back(j.type == JointType::revolute || j.type == JointType::continuous ||
                        (j.type == JointType::planar && k == 2));
    opencl::Int error = 0;
    context = {cl.clCreateContext(nullptr, 1, &device.id, nullptr, nullptr, &error),
               cl.clReleaseContext};
    check(error, "clCreateContext");
    queue = {cl.clCreateCommandQueue(context.get(), device.id, 0, &error),
             cl.clReleaseCommandQueue};
    check(error, "clCreateCommandQueue");
    for (const Quantity which : o.quantities) add(which);
  }

  std::string said() const { return fmt::format("OpenCL device '{}'", device.about.name); }

  void check(opencl::Int error, const char* function) const {
    if (error == 0) return;
    const char* remedy = error == -4 || error == -5 || error == -6 || error == -61
                             ? "give fewer launch_rows, or free memory of the device"
                             : "check its driver";
    throw Error(fmt::format("{}: {} failed with {}; {}", said(), function,
                            opencl::error_name(error), remedy));
  }

  std::size_t number_size() const {
    return options.single_precision ? sizeof(float) : sizeof(double);
  }

  void add(Quantity which) {
    for (const DeviceKernel& k : kernels)
      if (k.quantity == which) return;
    cpu.prepare(which, KernelKind::generic, info(which).needs_link ? options.link : "");
    DeviceKernel k;
    k.quantity = which;
    k.shape = shape_of(robot, which, row_layout(robot, options.per_row));
    std::string note;
    const std::string link = !info(which).needs_link ? ""
                             : options.link.empty()  ? robot.tip()
                                                     : options.link;
    SpecializedSource source(robot, which, link, options.per_row);
    const codegen::Program* program = source.program(note);
    if (!program) throw Error(fmt::format("{}; use an Engine on the CPU", note));
    if (program->graph.size() > device_operations_limit)
      throw Error(fmt::format(
          "{} has {} operations, too many for a device's compiler (limit {}); use an Engine on the "
          "CPU",
          source.about(), program->graph.size(), device_operations_limit));
    build(k, codegen::emit_opencl(*program, options.single_precision), program->name,
          source.about());
    const auto buffers = [&](const std::vector<std::size_t>& widths, opencl::Bits access) {
      std::vector<Owned<opencl::Buffer>> all;
      for (const std::size_t width : widths) {
        if (width > SIZE_MAX / number_size() / options.launch_rows)
          throw std::invalid_argument("DeviceEngine: launch_rows is too large");
        opencl::Int error = 0;
        all.emplace_back(
            cl.clCreateBuffer(context.get(), access,
                              std::max<std::size_t>(1, width * options.launch_rows * number_size()),
                              nullptr, &error),
            cl.clReleaseMemObject);
        check(error, "clCreateBuffer");
      }
      return all;
    };
    k.in = buffers(k.shape.in, opencl::read_only);
    k.out = buffers(k.shape.out, opencl::write_only);
    opencl::Uint argument = 1;
    for (const auto* list : {&k.in, &k.out})
      for (const Owned<opencl::Buffer>& b : *list) {
        const opencl::Buffer buffer = b.get();
        check(cl.clSetKernelArg(k.kernel.get(), argument++, sizeof buffer, &buffer),
              "clSetKernelArg");
      }
    kernels.push_back(std::move(k));
  }

  void build(DeviceKernel& k, const std::string& text, const std::string& name,
             const std::string& about) {
    opencl::Int error = 0;
    const char* source = text.c_str();
    const std::size_t size = text.size();
    k.program = {cl.clCreateProgramWithSource(context.get(), 1, &source, &size, &error),
                 cl.clReleaseProgram};
    check(error, "clCreateProgramWithSource");
    if (cl.clBuildProgram(k.program.get(), 1, &device.id, "", nullptr, nullptr) != 0) {
      std::string log = info_text([&](std::size_t n, char* to, std::size_t* needed) {
        return cl.clGetProgramBuildInfo(k.program.get(), device.id, opencl::build_log, n, to,
                                        needed);
      });
      if (log.size() > 500) log.resize(500);
      throw Error(fmt::format("{}: its compiler refuses the program of {}: {}; check its driver",
                              said(), about, log.empty() ? "it gives no reason" : log));
    }
    k.kernel = {cl.clCreateKernel(k.program.get(), name.c_str(), &error), cl.clReleaseKernel};
    check(error, "clCreateKernel");
  }

  DeviceKernel& prepared(Quantity which) {
    for (DeviceKernel& k : kernels)
      if (k.quantity == which) return k;
    throw Error(fmt::format(
        "DeviceEngine: '{}' was not prepared; add it to the quantities of the constructor",
        name(which)));
  }

  template <class Real>
  bool is_far(const Real* q) const {
    for (std::size_t k = 0; k < turns.size(); ++k) {
      const Real limit = turns[k] ? plain_angle<Real> : Real(1e4);
      if (!(q[k] <= limit && q[k] >= -limit)) return true;
    }
    return false;
  }

  template <class Real>
  void check_arrays(const DeviceKernel& k, std::size_t rows,
                    std::span<const std::span<const Real>> in,
                    std::span<const std::span<Real>> out) const {
    if (options.single_precision != (sizeof(Real) == sizeof(float)))
      throw std::invalid_argument(
          fmt::format("DeviceEngine: it computes in {}; give arrays of {}, or choose "
                      "single_precision otherwise",
                      options.single_precision ? "float" : "double",
                      options.single_precision ? "float" : "double"));
    const Shape& s = k.shape;
    if (in.size() != s.in.size() || out.size() != s.out.size())
      throw std::invalid_argument(fmt::format(
          "DeviceEngine: '{}' needs {} input arrays ({}) and {} output arrays ({}), not {} and {}",
          name(k.quantity), s.in.size(), fmt::join(s.in_names, ", "), s.out.size(),
          fmt::join(s.out_names, ", "), in.size(), out.size()));
    const auto each = [&](auto arrays, const auto& widths, const auto& names) {
      for (std::size_t a = 0; a < arrays.size(); ++a)
        if (widths[a] == 0
                ? !arrays[a].empty()
                : arrays[a].size() % widths[a] != 0 || arrays[a].size() / widths[a] != rows)
          throw std::invalid_argument(fmt::format(
              "DeviceEngine, {}: {} has {} numbers; {} rows of '{}' need {} each", name(k.quantity),
              names[a], arrays[a].size(), rows, robot.name(), widths[a]));
    };
    each(in, s.in, s.in_names);
    each(out, s.out, s.out_names);
  }

  template <class Real>
  void evaluate(Quantity which, std::size_t rows, std::span<const std::span<const Real>> in,
                std::span<const std::span<Real>> out) {
    DeviceKernel& k = prepared(which);
    check_arrays<Real>(k, rows, in, out);
    for (std::size_t first = 0; first < rows; first += options.launch_rows)
      launch<Real>(k, first, std::min(options.launch_rows, rows - first), in, out);
    on_cpu<Real>(k, rows, in, out);
  }

  // Writes are queued in order and the last read waits for all of them.
  template <class Real>
  void launch(DeviceKernel& k, std::size_t first, std::size_t rows,
              std::span<const std::span<const Real>> in, std::span<const std::span<Real>> out) {
    const Finish finish{*this};  // also if something fails: the arrays are the caller's
    for (std::size_t a = 0; a < in.size(); ++a) {
      const std::size_t width = k.shape.in[a];
      if (width == 0) continue;
      check(cl.clEnqueueWriteBuffer(queue.get(), k.in[a].get(), 0, 0, rows * width * sizeof(Real),
                                    in[a].data() + first * width, 0, nullptr, nullptr),
            "clEnqueueWriteBuffer");
    }
    const std::uint64_t count = rows;
    check(cl.clSetKernelArg(k.kernel.get(), 0, sizeof count, &count), "clSetKernelArg");
    const std::size_t items = (rows + 63) / 64 * 64;
    check(cl.clEnqueueNDRangeKernel(queue.get(), k.kernel.get(), 1, nullptr, &items, nullptr, 0,
                                    nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    for (std::size_t a = 0; a < out.size(); ++a) {
      const std::size_t width = k.shape.out[a];
      if (width == 0) continue;
      check(cl.clEnqueueReadBuffer(queue.get(), k.out[a].get(), 0, 0, rows * width * sizeof(Real),
                                   out[a].data() + first * width, 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
    }
    check(cl.clFinish(queue.get()), "clFinish");
  }

  struct Finish {
    const Parts& parts;
    ~Finish() { parts.cl.clFinish(parts.queue.get()); }
  };

  // Runs of rows that the programs do not cover.
  template <class Real>
  void on_cpu(const DeviceKernel& k, std::size_t rows, std::span<const std::span<const Real>> in,
              std::span<const std::span<Real>> out) {
    const Shape& s = k.shape;
    for (std::size_t r = 0; r < rows; ++r) {
      std::size_t run = 0;
      while (r + run < rows && is_far(in[0].data() + (r + run) * s.in[0])) ++run;
      if (run == 0) continue;
      StridedIn<Real> from[most_arrays];
      StridedOut<Real> to[most_arrays];
      for (std::size_t a = 0; a < in.size(); ++a)
        from[a] = {in[a].data() + r * s.in[a], s.in[a], 1};
      for (std::size_t a = 0; a < out.size(); ++a)
        to[a] = {out[a].data() + r * s.out[a], s.out[a], 1};
      cpu.evaluate(k.quantity, run, std::span<const StridedIn<Real>>(from, in.size()),
                   std::span<const StridedOut<Real>>(to, out.size()));
      r += run;
    }
  }
};

DeviceEngine::DeviceEngine(const Robot& robot, const DeviceOptions& options)
    : parts_(std::make_unique<Parts>(robot, options)) {}
DeviceEngine::DeviceEngine(DeviceEngine&&) noexcept = default;
DeviceEngine& DeviceEngine::operator=(DeviceEngine&&) noexcept = default;
DeviceEngine::~DeviceEngine() = default;

const Robot& DeviceEngine::robot() const { return parts_->robot; }
const ComputeDevice& DeviceEngine::device() const { return parts_->device.about; }
bool DeviceEngine::single_precision() const { return parts_->options.single_precision; }

std::vector<std::size_t> DeviceEngine::input_widths(Quantity which) const {
  return parts_->prepared(which).shape.in;
}
std::vector<std::size_t> DeviceEngine::output_widths(Quantity which) const {
  return parts_->prepared(which).shape.out;
}
std::vector<std::string> DeviceEngine::input_names(Quantity which) const {
  return parts_->prepared(which).shape.in_names;
}

void DeviceEngine::evaluate(Quantity which, std::size_t rows,
                            std::span<const std::span<const double>> in,
                            std::span<const std::span<double>> out) {
  parts_->evaluate<double>(which, rows, in, out);
}
void DeviceEngine::evaluate(Quantity which, std::size_t rows,
                            std::span<const std::span<const float>> in,
                            std::span<const std::span<float>> out) {
  parts_->evaluate<float>(which, rows, in, out);
}

void DeviceEngine::inverse_dynamics(std::size_t rows, std::span<const double> q,
                                    std::span<const double> v, std::span<const double> a,
                                    std::span<double> tau) {
  const std::span<const double> in[] = {q, v, a};
  const std::span<double> out[] = {tau};
  evaluate(Quantity::inverse_dynamics, rows, in, out);
}
void DeviceEngine::inverse_dynamics(std::size_t rows, std::span<const float> q,
                                    std::span<const float> v, std::span<const float> a,
                                    std::span<float> tau) {
  const std::span<const float> in[] = {q, v, a};
  const std::span<float> out[] = {tau};
  evaluate(Quantity::inverse_dynamics, rows, in, out);
}

}  // namespace parid

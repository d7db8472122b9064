// Kernels for OpenCL and CUDA: the same text but for the words of the two languages.

#include <fmt/format.h>

#include "codegen/emit/body.hpp"
#include "codegen/emit/languages.hpp"
#include "codegen/emit/sin_cos_text.hpp"

namespace parid::codegen {
namespace {

struct DeviceLanguage {
  std::string function;        // before a helper function
  std::string kernel;          // before a kernel
  std::string input, output;   // types of arrays, with {} for the number type
  std::string index;           // the sample of this work item
  std::string size;            // an unsigned integer of 64 bits
  std::string bits_of_double;  // unsigned integers of the sizes of double and float
  std::string bits_of_float;
  std::string wide;  // the suffix of constants of 64 bits
};

const DeviceLanguage opencl = {
    "static inline",
    "kernel void",
    "const global {} *restrict",
    "global {} *restrict",
    "get_global_id(0)",
    "ulong",
    "ulong",
    "uint",
    "ul",
};

const DeviceLanguage cuda = {
    "static __device__ __forceinline__",
    "extern \"C\" __global__ void",
    "const {} *__restrict__",
    "{} *__restrict__",
    "(unsigned long long)blockIdx.x * blockDim.x + threadIdx.x",
    "unsigned long long",
    "unsigned long long",
    "unsigned int",
    "ull",
};

class DeviceText {
 public:
  DeviceText(const Program& program, const DeviceLanguage& language, bool single)
      : p_(program),
        language_(language),
        single_(single),
        real_(single ? "float" : "double"),
        cuda_(&language == &cuda) {}

  std::string text() {
    head();
    if (!angles(p_.graph).empty()) sines();
    body();
    kernel(true);
    kernel(false);
    return o_.text();
  }

 private:
  void head() {
    o_.add("// {}: one sample per {}", p_.name, cuda_ ? "thread" : "work item");
    o_.line("//");
    for (const std::string& line : p_.about) o_.line(line.empty() ? "//" : "// " + line);
    o_.line("//");
    o_.add("//   {}({} rows, {})", p_.name, language_.size, argument_names());
    o_.add("//   {}_columns({} rows, {} stride, {})", p_.name, language_.size, language_.size,
           argument_names());
    o_.line("//");
    o_.line(
        "// with row-major arrays (rows, n), or columns: element k of sample r at [k * stride + "
        "r].");
    if (cuda_)
      o_.line("// Compile with nvcc; start with as many threads as rows, or more, in any blocks.");
    else
      o_.line("// Start with as many work items as rows, or more, in groups of any size.");
    o_.blank();
    if (cuda_ || single_) return;
    o_.line("#if __OPENCL_VERSION__ < 120");
    o_.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
    o_.line("#endif");
    o_.line("#if !defined(cl_khr_fp64) && !defined(__opencl_c_fp64)");
    o_.add("#error \"{}: this device has no double precision; generate it with --float\"", p_.name);
    o_.line("#endif");
    o_.blank();
  }

  void sines() {
    const std::string bits = single_ ? language_.bits_of_float : language_.bits_of_double;
    std::string to_bits = "as_" + bits, to_real = "as_" + real_;
    const std::string keep = p_.name + "_keep";
    if (cuda_) {
      to_bits = p_.name + "_bits";
      to_real = p_.name + "_real";
      o_.add("{} {} {}(const {} x) {{ return ({})__{}(x); }}", language_.function, bits, to_bits,
             real_, bits, single_ ? "float_as_uint" : "double_as_longlong");
      o_.add("{} {} {}(const {} x) {{ return __{}(x); }}", language_.function, real_, to_real, bits,
             single_ ? "uint_as_float" : "longlong_as_double");
      o_.blank();
    }
    if (cuda_) {
      o_.line("#if defined(__NVCC__)");
      o_.add("#define {}(x) (x)  // nvcc reassociates under no flag", keep);
      o_.line("#else");
    }
    emit_keep(o_, keep);
    if (cuda_) {
      o_.line("#endif");
      o_.blank();
    }
    emit_sin_cos(o_, {p_.name + "_sin_cos", real_, bits, to_bits, to_real, keep, single_,
                      language_.function, language_.wide});
    o_.blank();
  }

  // Reads and writes elements that are `step` numbers apart, so that it serves both layouts.
  void body() {
    o_.line("// Elements of one sample are `step` numbers apart.");
    o_.open("{} void {}_sample(const {} step, {}) {{", language_.function, p_.name, language_.size,
            parameters());
    Dialect dialect;
    dialect.declare = "const " + real_ + " ";
    dialect.number = single_ ? decimal_float : decimal;
    dialect.other = [this](Op op, const std::vector<std::string>& x) -> std::string {
      const std::string cast = "(" + real_ + ")";  // a number may be an integer's text
      switch (op) {
        case Op::sqrt: return fmt::format("sqrt({}{})", cast, x[0]);
        case Op::abs: return fmt::format("fabs({}{})", cast, x[0]);
        case Op::atan2: return fmt::format("atan2({0}{1}, {0}{2})", cast, x[0], x[1]);
        case Op::less: return fmt::format("{} < {}", x[0], x[1]);
        default: return fmt::format("{} ? {} : {}", x[0], x[1], x[2]);
      }
    };
    BodyNames names;
    names.input = [this](int k) { return element(p_.inputs, k); };
    names.angle = [](int k, bool cosine) { return fmt::format("{}{}", cosine ? "c" : "s", k + 1); };
    names.emit_angle = [this](int k, const std::string& argument) {
      o_.add("{0} s{1}, c{1};", real_, k + 1);
      o_.add("{0}_sin_cos({2}, &s{1}, &c{1});", p_.name, k + 1, argument);
    };
    const std::vector<bool> used = used_arguments(p_);
    for (std::size_t k = 0; k < p_.inputs.size(); ++k)
      if (!used[k]) o_.add("(void){};", p_.inputs[k].name);
    const std::vector<std::string> results = emit_body(o_, p_.graph, dialect, names);
    for (std::size_t k = 0; k < results.size(); ++k)
      o_.add("{} = {};", element(p_.outputs, static_cast<int>(k)), results[k]);
    o_.close();
    o_.blank();
  }

  void kernel(bool by_rows) {
    const std::string& size = language_.size;
    o_.open("{} {}{}(const {} rows, {}{}) {{", language_.kernel, p_.name, by_rows ? "" : "_columns",
            size, by_rows ? "" : fmt::format("const {} stride, ", size), parameters());
    o_.add("const {} r = {};", size, language_.index);
    o_.line("if (r >= rows) return;");
    std::string arrays;
    for (const auto* all : {&p_.inputs, &p_.outputs})
      for (const Argument& a : *all)
        arrays += fmt::format(", {} + r{}", a.name, by_rows ? fmt::format(" * {}", a.count) : "");
    o_.add("{}_sample({}{});", p_.name, by_rows ? "1" : "stride", arrays);
    o_.close();
    if (by_rows) o_.blank();
  }

  std::string parameters() const {
    std::string all;
    const auto add = [&](const std::string& type, const Argument& a) {
      all += fmt::format("{}{} {}", all.empty() ? "" : ", ", fmt::format(fmt::runtime(type), real_),
                         a.name);
    };
    for (const Argument& a : p_.inputs) add(language_.input, a);
    for (const Argument& a : p_.outputs) add(language_.output, a);
    return all;
  }

  std::string argument_names() const {
    std::string all;
    for (const auto* list : {&p_.inputs, &p_.outputs})
      for (const Argument& a : *list) all += (all.empty() ? "" : ", ") + a.name;
    return all;
  }

  static std::string element(const std::vector<Argument>& arguments, int k) {
    for (const Argument& a : arguments) {
      if (k < a.count) return fmt::format("{}[{} * step]", a.name, k);
      k -= a.count;
    }
    return "?";
  }

  const Program& p_;
  const DeviceLanguage& language_;
  bool single_;
  std::string real_;
  bool cuda_;
  Lines o_;
};

}  // namespace

std::string emit_opencl(const Program& p, bool single_precision) {
  return DeviceText(p, opencl, single_precision).text();
}

std::string emit_cuda(const Program& p, bool single_precision) {
  return DeviceText(p, cuda, single_precision).text();
}

}  // namespace parid::codegen

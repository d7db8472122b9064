// A generated program as its user has it: C, compiled as strictly as C99 goes, loaded and called.

#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "codegen/emit/languages.hpp"
#include "codegen/trace/generate.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"

namespace parid::test {

using Numbers = std::vector<double>;

// Inputs one after the other in the program's order, outputs likewise: a function that takes both
// as one array is added to the file.
class Compiled {
 public:
  explicit Compiled(const Program& p) {
    const CFiles files = emit_c(p);
    folder_.file(p.name + ".h", files.header);
    std::string call;
    for (const Argument& a : p.inputs) {
      call += "in + " + std::to_string(inputs_) + ", ";
      inputs_ += a.count;
    }
    for (const Argument& a : p.outputs) {
      call += (outputs_ ? ", out + " : "out + ") + std::to_string(outputs_);
      outputs_ += a.count;
    }
    const std::string source =
        folder_.file(p.name + ".c", files.source + "\nvoid call(const double *in, double *out);\n" +
                                        "void call(const double *in, double *out) { " + p.name +
                                        "(" + call + "); }\n");
    const std::string library = folder_.path("program.so");
    const std::string command =
        "cc -std=c99 -pedantic -Wall -Wextra -Werror -O0 -ffp-contract=off -shared -fPIC -o " +
        library + " " + source + " -lm";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("cc refuses " + p.name);
    handle_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) throw std::runtime_error(dlerror());
    function_ = reinterpret_cast<void (*)(const double*, double*)>(dlsym(handle_, "call"));
  }
  ~Compiled() { dlclose(handle_); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  Numbers operator()(std::initializer_list<Numbers> arguments) const {
    Numbers in, out(outputs_);
    for (const Numbers& a : arguments) in.insert(in.end(), a.begin(), a.end());
    if (in.size() != inputs_) throw std::invalid_argument("other sizes");
    function_(in.data(), out.data());
    return out;
  }

 private:
  Scratch folder_;
  std::size_t inputs_ = 0, outputs_ = 0;
  void* handle_;
  void (*function_)(const double*, double*);
};

// The largest difference over the largest number.
inline double apart(const Numbers& x, const Numbers& y) {
  if (x.size() != y.size()) return INFINITY;
  double off = 0, scale = 1e-300;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!std::isfinite(x[k]) || !std::isfinite(y[k])) return INFINITY;
    off = std::max(off, std::abs(x[k] - y[k]));
    scale = std::max(scale, std::abs(y[k]));
  }
  return off / scale;
}

}  // namespace parid::test

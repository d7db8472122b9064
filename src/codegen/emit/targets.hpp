// The list of output languages.

#pragma once

#include <string>
#include <vector>

#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

struct EmitOptions {
  bool single_precision = false;
  bool libm_sin_cos = false;  // use the library's sines, if the target has its own
  int lanes = 0;              // number of lanes, if the target has lanes; 0: its default
  bool fma = false;           // fuse products into sums by fma(), if the target can
};

struct EmittedFile {
  std::string name, text;
};

struct Target {
  const char *id, *says;
  std::vector<EmittedFile> (*emit)(const Program&, const EmitOptions&);
};
const std::vector<Target>& targets();

}  // namespace parid::codegen

// The one list of languages that programs are written in.

#pragma once

#include <string>
#include <vector>

#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

struct EmitOptions {
  bool single_precision = false;
  bool libm_sin_cos = false;  // where a target has sines of its own: the library's instead
  int lanes = 0;              // where a target takes samples in lanes: how many; 0: its own choice
  bool fma = false;           // where a target can: products into sums by fma()
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

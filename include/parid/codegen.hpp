// Source code for one robot: a quantity as a standalone program, with its operation count.
//
//   const GeneratedCode code = generate_code(robot, Quantity::inverse_dynamics, {.language = "c"});
//   for (const CodeFile& file : code.files) write(file.name, file.text);
//
// The programs use the robot file's coordinates, in its joint order, in SI units.
//
// A public header: no template, no type of another library.

#pragma once

#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/quantity.hpp"
#include "parid/robot.hpp"

namespace parid {

struct CodeLanguage {
  std::string id;       ///< "c", "cpp", "js", …: CodeOptions::language
  std::string meaning;  ///< one line
};
/// The languages that code is generated in.
PARID_EXPORT std::vector<CodeLanguage> code_languages();

struct CodeOptions {
  std::string language = "c";
  bool single_precision = false;
  bool libm_sin_cos = false;  ///< call the C library's sine and cosine if the language has its own
  bool fma = false;           ///< contract products and sums to fma() if the language can
  /// C with CasADi's interface for external functions, and the derivatives that it looks for; see
  /// docs/casadi.md. Language "c", double precision.
  bool casadi = false;
  int lanes = 0;  ///< samples per call in languages with SIMD lanes; 0: the default

  bool standard_parameters = false;  ///< inertias as in the file, not regrouped
  bool friction = false;             ///< add friction of bearings and drives
  // Numbers that become arguments of the program.
  bool parameters = false;  ///< inertial parameters: ten per moving link
  bool gravity = false;     ///< three numbers in the root link's frame, m/s²
  bool payload = false;     ///< a body on `link`: ten inertial parameters
  bool wrench = false;      ///< on `link`, at its origin in its frame: force in N, moment in N m
  std::string link = {};    ///< for payload, wrench and quantities that need a link; empty: the tip
};

struct CodeFile {
  std::string name, text;
};

struct GeneratedCode {
  std::string function;  ///< the name of the program, an identifier
  std::vector<CodeFile> files;
  // Operations of one evaluation, and the longest chain of multiplications and additions.
  long multiplications = 0, additions = 0, divisions = 0, sin_cos = 0, depth = 0;
  int base_parameters = 0;                   ///< inertial parameters that can affect torques
  std::vector<std::string> parameter_names;  ///< of the argument `pi`; else empty
  std::vector<double> parameter_values;      ///< this robot's
};

/// Traces, simplifies and prints the program of a quantity. Takes from milliseconds to seconds for
/// a robot of many joints, and allocates. Throws Error for a quantity that cannot be generated
/// (QuantityInfo::generated), for an unknown language or link, for an option without effect on the
/// quantity, and for a robot that the quantity does not cover.
PARID_EXPORT GeneratedCode generate_code(const Robot&, Quantity, const CodeOptions& = {});

}  // namespace parid

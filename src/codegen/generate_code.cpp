// The public functions of parid/codegen.hpp.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <initializer_list>
#include <string_view>

#include "base/text/spelling.hpp"
#include "codegen/emit/targets.hpp"
#include "codegen/layer.hpp"
#include "codegen/trace/casadi_program.hpp"
#include "codegen/trace/generate.hpp"
#include "graph/depth.hpp"
#include "parid/codegen.hpp"
#include "parid/error.hpp"

namespace parid {
namespace {

const codegen::Target& target_of(const std::string& language) {
  std::vector<std::string> known;
  for (const codegen::Target& t : codegen::targets()) {
    if (language == t.id) return t;
    known.emplace_back(t.id);
  }
  throw Error(fmt::format("language: unknown language '{}'; {}choose from {}", language,
                          base::did_you_mean(language, known), fmt::join(known, ", ")));
}

void only_for(bool given, const char* option, const std::string& language,
              std::initializer_list<std::string_view> languages) {
  if (!given) return;
  for (std::string_view id : languages)
    if (language == id) return;
  throw Error(fmt::format("{}: it has no effect on the language '{}'; it is for {}", option,
                          language, fmt::join(languages, ", ")));
}

}  // namespace

std::vector<CodeLanguage> code_languages() {
  std::vector<CodeLanguage> all;
  for (const codegen::Target& t : codegen::targets()) all.push_back({t.id, t.says});
  return all;
}

GeneratedCode generate_code(const Robot& robot, Quantity quantity, const CodeOptions& options) {
  const codegen::Target& target = target_of(options.language);
  only_for(options.single_precision, "single_precision", options.language,
           {"c", "cpp", "fortran", "opencl", "cuda"});
  only_for(options.libm_sin_cos, "libm_sin_cos", options.language, {"c"});
  only_for(options.fma, "fma", options.language, {"c"});
  only_for(options.lanes != 0, "lanes", options.language, {"cpp"});
  only_for(options.casadi, "casadi", options.language, {"c"});
  if (options.casadi && options.single_precision)
    throw Error("casadi: CasADi's numbers are double; omit single_precision");
  if (options.casadi) codegen::require_casadi(quantity);
  codegen::GenerateOptions how;
  how.standard_parameters = options.standard_parameters;
  how.friction = options.friction;
  how.parameters = options.parameters;
  how.gravity = options.gravity;
  how.payload = options.payload;
  how.wrench = options.wrench;
  how.link = options.link;
  const codegen::Generated made = codegen::generate(robot, quantity, how);
  GeneratedCode result;
  result.function = made.program.name;
  if (options.casadi) {
    codegen::CasadiCode code =
        codegen::casadi_code(robot, quantity, made, {false, options.libm_sin_cos, options.fma});
    result.function = code.name;
    result.files.push_back({code.name + ".c", std::move(code.text)});
  }
  for (codegen::EmittedFile& file :
       options.casadi ? std::vector<codegen::EmittedFile>{}
                      : target.emit(made.program, {options.single_precision, options.libm_sin_cos,
                                                   options.lanes, options.fma}))
    result.files.push_back({std::move(file.name), std::move(file.text)});
  const graph::Counts n = graph::counts(made.program.graph);
  result.multiplications = n.multiplications;
  result.additions = n.additions;
  result.divisions = n.divisions;
  result.sin_cos = n.sin_cos;
  result.depth = graph::depth(made.program.graph).total();
  result.base_parameters = made.base_parameters;
  result.parameter_names = made.parameter_names;
  result.parameter_values = made.parameter_values;
  return result;
}

}  // namespace parid

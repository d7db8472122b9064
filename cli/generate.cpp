// parid generate: a robot's own program, with its operation count.

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "cli/command.hpp"
#include "cli/json.hpp"
#include "parid/emit/targets.hpp"
#include "parid/error.hpp"
#include "parid/generate/generate.hpp"
#include "parid/io/atomic_file.hpp"
#include "parid/ir/depth.hpp"
#include "parid/ir/fused.hpp"
#include "parid/model/spelling.hpp"

namespace parid::cli {
namespace {

struct Options {
  std::string robot, what, language = "c";
  std::optional<std::string> output;
  int lanes = 0;
  bool single_precision = false, libm = false, fma = false, standard_parameters = false,
       json = false;
} o;

const Target& target() {
  std::vector<std::string> known;
  for (const Target& t : targets()) {
    if (o.language == t.id) return t;
    known.emplace_back(t.id);
  }
  throw Error(fmt::format("--lang: '{}' is not known{}; choose from {}", o.language,
                          did_you_mean(o.language, known), fmt::join(known, ", ")));
}

// Into a directory that is made where it is missing; without one, to standard output.
std::vector<std::string> write(const std::vector<EmittedFile>& files) {
  std::vector<std::string> written;
  if (!o.output) {
    if (!o.json) fmt::print("{}", files.front().text);
    return written;
  }
  std::error_code trouble;
  std::filesystem::create_directories(*o.output, trouble);
  if (trouble || !std::filesystem::is_directory(*o.output))
    throw Error({*o.output, 0}, "this cannot be made a directory",
                "give a directory that exists or can be made");
  for (const EmittedFile& f : files) {
    const std::string path = (std::filesystem::path(*o.output) / f.name).string();
    AtomicFile file(path);
    file.write(f.text);
    file.commit();
    written.push_back(path);
  }
  return written;
}

int run() {
  const Target& chosen = target();
  if (o.output && o.output->empty())
    throw Error("--output: the name of the directory is empty; give one, such as generated");
  if (o.lanes != 0 && (o.lanes < 2 || o.lanes > 32 || (o.lanes & (o.lanes - 1)) != 0))
    throw Error(
        fmt::format("--lanes: {} samples fill no register; give 2, 4, 8, 16 or 32", o.lanes));
  const Robot robot = Robot::load(o.robot);
  const Generated made = generate(robot, o.what, {.standard_parameters = o.standard_parameters});
  const auto files = chosen.emit(made.program, {o.single_precision, o.libm, o.lanes, o.fma});
  const std::vector<std::string> written = write(files);
  const Counts n = counts(made.program.graph);
  const Depth d = depth(made.program.graph);
  if (o.json) {
    print({{"schema", "parid.generate/1"},
           {"robot", robot.name()},
           {"what", o.what},
           {"language", o.language},
           {"multiplications", n.multiplications},
           {"additions", n.additions},
           {"sincos", n.sin_cos},
           {"divisions", n.divisions},
           {"square_roots", n.square_roots},
           {"rotor_multiplications", made.rotors.multiplications},
           {"rotor_additions", made.rotors.additions},
           {"fma_slots", fma_slots(made.program.graph)},
           {"depth", d.total()},
           {"depth_split", {d.multiplications, d.additions}},
           {"values_alive", most_alive(made.program.graph)},
           {"base_parameters", made.base_parameters},
           {"files", written}});
  } else if (o.output) {
    for (const std::string& line : cost_lines(made.program.graph)) fmt::print("{}\n", line);
    for (const std::string& path : written) fmt::print("wrote {}\n", path);
  }
  return 0;
}

}  // namespace

void add_generate(CLI::App& app, Action& action) {
  CLI::App* c = app.add_subcommand("generate", "a robot's own program, with its operation count");
  c->add_option("ROBOT", o.robot, robot_help)->required();
  std::string words, languages;
  for (const Question& q : questions())
    words += fmt::format("\n  {:<18}{} from {}", q.word, q.gives, q.takes);
  for (const Target& t : targets()) languages += fmt::format("\n  {:<10}{}", t.id, t.says);
  c->add_option("WHAT", o.what, "one of:" + words)->required();
  c->add_option("--lang", o.language, "one of:" + languages)->capture_default_str();
  c->add_option("-o,--output", o.output,
                "directory for the files; without it the program goes to standard output")
      ->option_text("DIR");
  c->add_flag("--float", o.single_precision, "single precision");
  c->add_flag("--libm", o.libm, "sines and cosines of math.h instead of the program's own");
  c->add_option("--lanes", o.lanes,
                "C++: samples at a time, 2, 4, 8, 16 or 32; else 32 bytes of them")
      ->option_text("N");
  c->add_flag("--fma", o.fma, "C: products fused into sums by fma() of math.h");
  c->add_flag("--standard-parameters", o.standard_parameters,
              "inertias as they are, not regrouped into base parameters");
  c->add_flag("--json", o.json, "counts and files as one JSON object");
  c->footer(
      "Inertias are regrouped where no torque can tell, zeros and ones folded, sums regrouped: "
      "torques are "
      "the same to rounding.\n"
      "Examples:  parid generate puma560 inverse -o generated\n"
      "           parid generate panda.urdf mass --float --json -o generated\n"
      "           parid generate puma560 inverse --lang cpp --lanes 8 -o generated\n"
      "           parid generate planar2 mass --lang equations\n"
      "           parid generate scara inverse --lang dot | dot -Tsvg > scara.svg");
  c->callback([&action] { action = run; });
}

}  // namespace parid::cli

// parid generate: a robot's specialized program, with its operation count.

#include <fmt/format.h>

#include <memory>

#include <optional>

#include "base/text/spelling.hpp"
#include "cli/command.hpp"
#include "cli/input/robot_options.hpp"
#include "cli/input/torque_options.hpp"
#include "cli/output/counts.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/output/waiting.hpp"
#include "cli/shell/option_checks.hpp"
#include "codegen/emit/c_test_program.hpp"
#include "codegen/emit/targets.hpp"
#include "codegen/trace/casadi_program.hpp"
#include "codegen/trace/generate.hpp"
#include "graph/depth.hpp"
#include "graph/passes.hpp"
#include "identification/base_choice.hpp"
#include "model/given_values.hpp"
#include "parid/dynamics.hpp"
#include "parid/error.hpp"
#include "runtime/verify/reference_rows.hpp"

namespace parid::cli {
namespace generate_command {
namespace {

struct Options {
  RobotOptions robot;
  std::string what, language = "c";
  std::optional<std::string> output, gravity, payload, point, loop, offset;
  std::vector<std::string> inputs;
  GenerateOptions how;
  int lanes = 0, tests = 0;
  bool base = false, counts = false, published = false, markdown = false;
  bool single_precision = false, libm = false, fma = false, casadi = false, json = false;
};

const Target& target(const Options& o) {
  std::vector<std::string> known;
  for (const Target& t : targets()) {
    if (o.language == t.id) return t;
    known.emplace_back(t.id);
  }
  throw Error(fmt::format("--lang: unknown language '{}'; {}choose from {}", o.language,
                          did_you_mean(o.language, known), fmt::join(known, ", ")));
}

// Without a directory, to standard output.
std::vector<std::string> write(const Options& o, const std::vector<EmittedFile>& files) {
  if (o.output) return write_files(*o.output, files);
  if (!o.json) fmt::print("{}", files.front().text);
  return {};
}

// {"q": 6, "v": 6, …}
Json sizes(const std::vector<Argument>& arguments) {
  Json all = Json::object();
  for (const Argument& a : arguments) all[a.name] = a.count;
  return all;
}

// A value that becomes an argument of the program.
struct Input {
  const char* word;
  bool GenerateOptions::*chosen;
};
constexpr Input known_inputs[] = {{"gravity", &GenerateOptions::gravity},
                                  {"payload", &GenerateOptions::payload},
                                  {"wrench", &GenerateOptions::wrench},
                                  {"friction", &GenerateOptions::friction_coefficients},
                                  {"dt", &GenerateOptions::step}};

void choose_inputs(Options& o) {
  for (const std::string& word : o.inputs) {
    std::vector<std::string> words;
    bool found = false;
    for (const Input& i : known_inputs) {
      words.emplace_back(i.word);
      if (word == i.word) o.how.*i.chosen = found = true;
    }
    if (!found)
      throw Error(fmt::format("--input: unknown input '{}'; {}choose from {}", word,
                              did_you_mean(word, words), fmt::join(words, ", ")));
  }
}

// `--loop WHAT` names a quantity too.
void choose_quantity(Options& o) {
  if (!o.loop) {
    if (o.what.empty())
      throw Error("generate: WHAT is missing; for example: parid generate puma560 inverse");
    return;
  }
  const std::vector<std::string> loops = {name(Quantity::computed_torque), name(Quantity::rollout)};
  if (std::find(loops.begin(), loops.end(), *o.loop) == loops.end())
    throw Error(fmt::format("--loop: unknown loop '{}'; {}choose from {}", *o.loop,
                            did_you_mean(*o.loop, loops), fmt::join(loops, ", ")));
  if (!o.what.empty() && o.what != *o.loop)
    throw Error(fmt::format("--loop: '{}' is given too; omit one of them", o.what));
  o.what = *o.loop;
}

Robot asked_robot(const Options& o) {
  Robot robot = load_robot(o.robot);
  require_moving_links(robot, 500, "its program");
  if (o.gravity) robot = robot.with_gravity(vector3("--gravity", *o.gravity));
  if (o.payload) robot = with_payload(robot, *o.payload);
  return robot;
}

CountsAs shape(const Options& o) {
  return o.json ? CountsAs::json : o.markdown ? CountsAs::markdown : CountsAs::text;
}

// Refuses options that have no effect on this program; generate() refuses those that do not apply
// to the quantity.
void check_effects(const Options& o, const CLI::App& c, const Target& chosen, Quantity which) {
  const std::string language = chosen.id;
  const auto only = [&](const char* option, std::initializer_list<const char*> languages) {
    for (const char* l : languages)
      if (language == l) return;
    refuse(c, {option},
           fmt::format("it has no effect on '{}'; it requires --lang {}", language,
                       fmt::join(languages, ", ")));
  };
  only("--float", {"c", "cpp", "fortran", "opencl", "cuda"});
  only("--libm", {"c"});
  only("--fma", {"c"});
  only("--lanes", {"cpp"});
  only("--casadi", {"c"});
  if (o.casadi) {
    refuse(c, {"--float"}, "CasADi's numbers are double; omit it or --casadi");
    refuse(c, {"--tests"}, "the test program calls plain C; omit it or --casadi");
    require_casadi(which);
  }
  refuse(c, {"--markdown"}, "it requires --counts or --published");
  const std::initializer_list<const char*> rollout = {"--steps", "--dt", "--integrator", "--path"};
  if (which != Quantity::rollout)
    refuse(c, rollout, fmt::format("it does not apply to '{}'; it applies to 'rollout'", o.what));
  if (which != Quantity::inverse_kinematics && which != Quantity::inverse_kinematics_step)
    refuse(c, {"--offset"}, fmt::format("it applies to ik and ik_step, not to '{}'", o.what));
  if (which != Quantity::inverse_kinematics)
    refuse(c, {"--all-branches"}, fmt::format("it applies to ik, not to '{}'", o.what));
  const bool geometry = info(which).needs_link;
  if (geometry) refuse(c, {"--payload"}, fmt::format("'{}' does not depend on masses", o.what));
  if (geometry || which == Quantity::mass_matrix)
    refuse(c, {"--gravity"}, fmt::format("'{}' does not depend on gravity", o.what));
}

int run(Options& o, const CLI::App& c) {
  if (o.published) {
    refuse_all_but(
        c, {"--published", "--markdown", "--json"},
        "--published covers the robots and quantities of the papers; omit one of the two");
    print_published_counts(shape(o));
    return 0;
  }
  if (o.robot.robot.empty())
    throw Error("generate: ROBOT is missing; for example: parid generate puma560 inverse");
  if (o.counts) {
    refuse_all_but(c,
                   {"ROBOT", "--counts", "--markdown", "--json", "--gravity", "--payload", "--arg",
                    "--env", "--package"},
                   "--counts covers all quantities and writes no file; omit one of the two");
    print_counts(asked_robot(o), shape(o));
    return 0;
  }
  const Target& chosen = target(o);
  choose_quantity(o);
  const Quantity which = generated_quantity(o.what);
  choose_inputs(o);
  check_effects(o, c, chosen, which);
  if (o.gravity && o.how.gravity)
    throw Error("--gravity: --input gravity makes it an argument; choose one of the two");
  if (o.point) o.how.point = vector3("--point", *o.point);
  if (o.output && o.output->empty())
    throw Error("--output: the name of the directory is empty; give one, such as generated");
  if (o.lanes != 0 && (o.lanes < 2 || o.lanes > 32 || (o.lanes & (o.lanes - 1)) != 0))
    throw Error(
        fmt::format("--lanes: {} samples do not fill a register; give 2, 4, 8, 16 or 32", o.lanes));
  Robot robot = asked_robot(o);
  if (o.offset) {
    std::string link = o.how.link.empty() ? robot.tip() : o.how.link;
    robot = with_tip_offset(robot, *o.offset, link);
    o.how.link = link;
  }
  if (o.base) o.how.choice = base_choice(robot, o.how.gravity);
  std::optional<Waiting> waiting(std::in_place, "generating");
  const Generated made = generate(robot, which, o.how);
  std::vector<EmittedFile> files;
  std::optional<CasadiCode> casadi;
  if (o.casadi) {
    casadi = casadi_code(robot, which, made, {false, o.libm, o.fma});
    files = {{casadi->name + ".c", casadi->text}};
  } else {
    files = chosen.emit(made.program, {o.single_precision, o.libm, o.lanes, o.fma});
  }
  waiting.reset();
  if (o.tests > 0) {
    if (o.language != "c")
      throw Error(fmt::format("--tests: test programs are written in C, not for '{}'", o.language));
    if (!o.output)
      throw Error("--tests: the test program is a second file; give a directory with -o");
    const ReferenceRows known = reference_rows(robot, which, o.how, made, o.tests);
    files.push_back({made.program.name + "_test.c",
                     c_test_program(made.program, known.rows, o.single_precision, known.by)});
  }
  const std::vector<std::string> written = write(o, files);
  const Counts n = counts(made.program.graph);
  const Depth d = depth(made.program.graph);
  if (o.json) {
    Json object{{"schema", "parid.generate/1"},
                {"robot", robot.name()},
                {"what", o.what},
                {"language", o.language},
                {"multiplications", n.multiplications},
                {"additions", n.additions},
                {"sincos", n.sin_cos},
                {"divisions", n.divisions},
                {"square_roots", n.square_roots},
                {"arc_tangents", n.atan2},
                {"rotor_multiplications", made.rotors.multiplications},
                {"rotor_additions", made.rotors.additions},
                {"fma_slots", fma_slots(made.program.graph)},
                {"critical_path", depth(made.program.graph, OperationWeights{}).total()},
                {"depth", d.total()},
                {"depth_split", {d.multiplications, d.additions}},
                {"values_alive", most_alive(made.program.graph)},
                {"base_parameters", made.base_parameters},
                {"takes", sizes(made.program.inputs)},
                {"gives", sizes(made.program.outputs)},
                {"parameter_names", made.parameter_names},
                {"parameter_values", made.parameter_values},
                {"files", written}};
    if (casadi)
      object["casadi"] = {{"function", casadi->name},
                          {"jacobian_multiplications", casadi->jacobian.multiplications},
                          {"jacobian_additions", casadi->jacobian.additions},
                          {"jacobian_nonzeros", casadi->nonzeros},
                          {"jacobian_entries", casadi->entries}};
    print(object);
  } else if (o.output) {
    for (const std::string& line : cost_lines(made.program.graph)) fmt::print("{}\n", line);
    if (casadi)
      fmt::print("Jacobian: {}, {} of {} entries are not zero\n", operations_text(casadi->jacobian),
                 casadi->nonzeros, casadi->entries);
    for (const std::string& path : written) fmt::print("wrote {}\n", harmless(path));
  }
  return 0;
}

}  // namespace
}  // namespace generate_command

void add_generate(CLI::App& app, Action& action) {
  using namespace generate_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c =
      app.add_subcommand("generate", "Generate code for a robot and count its operations");
  c->add_option("ROBOT", o.robot.robot, robot_help);
  add_robot_changes(*c, o.robot);
  add_frame_and_tip(*c, o.robot);
  add_no_rotors(*c, o.robot);
  std::string programs, languages;
  for (const Quantity one : generated_quantities())
    programs += fmt::format("\n  {:<18}{}, from {}", name(one), text(info(one).outputs),
                            text(info(one).inputs));
  for (const Target& t : targets()) languages += fmt::format("\n  {:<10}{}", t.id, t.says);
  c->add_option("WHAT", o.what, "quantity to generate:" + programs);
  c->add_option("--lang", o.language, "language of the program:" + languages)
      ->option_text("LANGUAGE")
      ->capture_default_str();
  c->add_option("-o,--output", o.output,
                "write the files to this directory (default: the program to standard output)")
      ->option_text("DIR");
  c->add_flag("--float", o.single_precision, "use single precision");
  c->add_flag("--libm", o.libm, "use sin and cos of math.h instead of generated ones");
  c->add_option("--lanes", o.lanes,
                "C++: samples per register, 2, 4, 8, 16 or 32 (default: 32 bytes)")
      ->option_text("N");
  c->add_flag("--fma", o.fma, "C: fuse multiplications and additions with fma() of math.h");
  c->add_flag("--casadi", o.casadi,
              "C: external functions of CasADi, with first and second derivatives");
  c->add_option("--tests", o.tests,
                "C: also write a test program with this many rows of expected results")
      ->option_text("ROWS")
      ->check(CLI::Range(1, 10000));
  c->add_flag("--standard-parameters", o.how.standard_parameters,
              "keep the robot file's inertias instead of regrouping them into base parameters");
  c->add_flag("--parameters", o.how.parameters,
              "make the inertias an argument, pi: ten numbers per moving link, or the base "
              "parameters with --base");
  c->add_flag("--base", o.base, "for pi, or the columns of regressor: base parameters only");
  c->add_option("--input", o.inputs,
                "make this an argument: gravity, payload, wrench, friction (viscous, coulomb) or "
                "dt; may be repeated")
      ->option_text("NAME")
      ->delimiter(',')
      ->allow_extra_args(false);
  c->add_flag("--friction", o.how.friction,
              "include friction of bearings and drives (in regressor: columns for it)");
  c->add_option("--gravity", o.gravity, "gravity x,y,z in m/s² (default: the robot file's)")
      ->option_text("X,Y,Z");
  c->add_option("--payload", o.payload,
                "attach a body, as in `parid torque`: [LINK:]mass[,x,y,z[,Ixx,…]]")
      ->option_text("BODY");
  c->add_option("--link", o.how.link,
                "link of kinematics (all: every link), jacobian, --input payload and wrench "
                "(default: the tip)")
      ->option_text("NAME");
  c->add_option("--point", o.point,
                "point of jacobian: x,y,z in the link's frame (default: its origin)")
      ->option_text("X,Y,Z");
  c->add_option("--offset", o.offset, std::string("ik, ik_step: ") + tip_offset_help)
      ->option_text("X,Y,Z[,R,P,Y]");
  c->add_flag("--all-branches", o.how.all_branches,
              "ik: compute every branch in one call, instead of that of the argument `branch`");
  c->add_option("--loop", o.loop,
                "generate one step of a loop: computed_torque or rollout (same as WHAT)")
      ->option_text("WORD");
  c->add_option("--steps", o.how.steps, "rollout: number of steps")
      ->option_text("N")
      ->capture_default_str();
  c->add_option("--dt", o.how.dt, "rollout: length of a step in s")
      ->option_text("S")
      ->capture_default_str();
  c->add_option("--integrator", o.how.integrator, "rollout: euler (semi-implicit) or rk4")
      ->option_text("NAME")
      ->capture_default_str();
  c->add_flag("--path", o.how.path, "rollout: return every step, not only the last");
  c->add_flag("--counts", o.counts,
              "print the operation counts of all quantities for this robot; write no files");
  c->add_flag("--published", o.published,
              "compare with the published counts of customised inverse dynamics; write no files");
  c->add_flag("--markdown", o.markdown, "print --counts or --published as a Markdown table");
  c->add_flag("--json", o.json, "print counts and files as one JSON object");
  c->footer(
      "Inertias are regrouped into base parameters and constants are folded; torques are equal up "
      "to rounding.\nExamples:  parid generate puma560 inverse -o generated\n           parid "
      "generate panda.urdf mass --float --json -o generated\n           parid generate ur5 inverse "
      "--parameters --input gravity,wrench --link wrist_3_link\n           parid generate puma560 "
      "regressor --base --friction -o generated\n           parid generate panda jacobian --link "
      "link7 --point 0,0,0.1\n           parid generate ur5 --loop computed_torque --float -o "
      "firmware\n           parid generate scara --loop rollout --steps 20 --dt 0.002 --integrator "
      "rk4\n           parid generate puma560 inverse --lang cpp --lanes 8 -o generated\n          "
      " parid generate puma560 inverse --lang fortran -o generated\n           parid generate "
      "planar2 mass --lang equations\n           parid generate panda forward --casadi -o "
      "generated\n           parid generate scara inverse "
      "--lang dot | dot -Tsvg > scara.svg");
  c->callback([&action, options, c] { action = [options, c] { return run(*options, *c); }; });
}

}  // namespace parid::cli

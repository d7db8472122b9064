#include "cli/shell/vocabulary.hpp"

#include <algorithm>

#include "codegen/emit/targets.hpp"
#include "control/policy.hpp"
#include "control/table/flow_diagram.hpp"
#include "hardware/dynamics_hardware.hpp"
#include "hardware/ik_hardware.hpp"
#include "lookup/methods.hpp"
#include "lookup/torque_table.hpp"
#include "model/format/builtin.hpp"
#include "motion/named_motions.hpp"
#include "parid/controllers.hpp"
#include "parid/quantity.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/tasks/task_source.hpp"
#include "simulation/integrator.hpp"

namespace parid::cli {
namespace {

using Words = std::vector<std::string>;

template <class List>
Words ids(const List& list, Words words = {}) {
  for (const auto& entry : list) words.emplace_back(entry.id);
  return words;
}
Words robots() {
  Words words;
  for (const BuiltinRobot& r : builtin_robots())
    // "chain:N" is one for every N; shells complete its beginning
    words.push_back(r.name.ends_with(":N") ? r.name.substr(0, r.name.size() - 1) : r.name);
  return words;
}
Words motions() {
  Words words;
  for (const NamedMotion& m : named_motions()) words.emplace_back(m.name);
  return words;
}
Words programs() { return names(generated_quantities()); }

const Words motion_files{"csv", "npy", "npz", "toml"}, pictures{"svg", "png", "pdf"};

struct Known {
  const char *command, *name;  // an empty command: every one
  Completion (*completion)();
};
const Known known[] = {
    {"schedule", "ROBOT",
     [] {
       return Completion{robots(), {"urdf", "xacro", "sdf", "toml", "stg"}};
     }},
    {"", "ROBOT",
     [] {
       return Completion{robots(), {"urdf", "xacro", "sdf", "toml"}};
     }},
    {"", "--model",
     [] {
       return Completion{robots(), {"urdf", "xacro", "sdf", "toml"}};
     }},
    {"convert", "IN",
     [] {
       return Completion{robots(), {"urdf", "xacro", "sdf", "toml"}};
     }},
    {"convert", "OUT",
     [] {
       return Completion{{}, {"urdf", "toml"}};
     }},
    {"", "MOTION",
     [] {
       return Completion{{}, motion_files};
     }},
    {"simulate", "--motion",
     [] {
       return Completion{motions(), motion_files};
     }},
    {"control", "--motion",
     [] {
       return Completion{motions(), motion_files};
     }},
    {"stability", "--motion",
     [] {
       return Completion{motions(), motion_files};
     }},
    {"", "--motion", [] { return Completion{motions()}; }},
    {"ik", "POSES",
     [] {
       return Completion{{}, {"csv"}};
     }},
    {"identify", "LOG",
     [] {
       return Completion{{}, {"csv", "npy", "npz"}};
     }},
    {"", "--validate",
     [] {
       return Completion{{}, {"csv", "npy", "npz"}};
     }},
    {"identify", "--filter",
     [] {
       return Completion{{"butterworth", "savitzky-golay", "none"}};
     }},
    {"identify", "--friction",
     [] {
       return Completion{{"none", "viscous", "coulomb", "asymmetric", "stribeck", "auto"}};
     }},
    {"hardware", "WHAT",
     [] {
       Words all = names(pipeline_quantities());
       all.emplace_back("controller");
       return Completion{all};
     }},
    {"hardware", "--law", [] { return Completion{ids(controllers())}; }},
    {"hardware", "--setpoint",
     [] {
       return Completion{{"joint", "pose"}};
     }},
    {"hardware", "--verify",
     [] {
       return Completion{{"model", "rtl"}};
     }},
    {"hardware", "--motion",
     [] {
       return Completion{motions(), motion_files};
     }},
    {"schedule", "WHAT",
     [] {
       Words all = programs();
       for (const ControlStepInfo& i : control_steps()) all.emplace_back(i.id);
       return Completion{all};
     }},
    {"", "WHAT", [] { return Completion{programs()}; }},
    {"completion", "SHELL",
     [] {
       return Completion{{"bash", "zsh", "fish"}};
     }},
    {"torque", "--method", [] { return Completion{ids(methods(), {"auto"})}; }},
    {"", "--method", [] { return Completion{ids(methods())}; }},
    {"", "--only", [] { return Completion{ids(methods())}; }},
    {"", "--kernel",
     [] {
       return Completion{{"auto", "generic", "interpreted", "machine", "compiled"}};
     }},
    {"", "--measure",
     [] {
       return Completion{{"motor", "link"}};
     }},
    {"", "--within-limits",
     [] {
       return Completion{{"slower", "uniform", "optimal"}};
     }},
    {"", "--controller", [] { return Completion{ids(controllers(), {"none"})}; }},
    {"", "--law", [] { return Completion{ids(controllers())}; }},
    {"", "--policy",
     [] {
       return Completion{ids(policies()), {"toml"}};
     }},
    {"policy", "POLICY",
     [] {
       return Completion{ids(policies()), {"toml"}};
     }},
    {"policy", "--detail", [] { return Completion{ids(flow_details())}; }},
    {"control", "--quantity",
     [] {
       return Completion{{"torque", "mass", "ik"}};
     }},
    {"control", "--residuals",
     [] {
       return Completion{{}, {"csv"}};
     }},
    {"policy", "--diagram",
     [] {
       return Completion{{}, {"svg", "dot"}};
     }},
    {"generate", "--integrator",
     [] {
       return Completion{{"euler", "rk4"}};
     }},
    {"", "--integrator", [] { return Completion{ids(integrators())}; }},
    {"", "--hold",
     [] {
       return Completion{{"linear", "zero"}};
     }},
    {"", "--limits",
     [] {
       return Completion{{"position", "all", "none"}};
     }},
    {"", "--lang", [] { return Completion{ids(targets())}; }},
    {"", "--loop",
     [] {
       return Completion{{name(Quantity::computed_torque), name(Quantity::rollout)}};
     }},
    {"", "--input",
     [] {
       return Completion{{"gravity", "payload", "wrench", "friction", "dt"}};
     }},
    {"", "--scheduler", [] { return Completion{ids(schedulers(), {"all"})}; }},
    {"", "--part",
     [] {
       return Completion{{"all", "forward", "backward"}};
     }},
    {"", "--tasks", [] { return Completion{ids(task_decompositions())}; }},
    {"", "--unit", [] { return Completion{{"cordic"}}; }},
    {"", "--arrangement", [] { return Completion{ids(ik_arrangements())}; }},
    {"", "--array",
     [] {
       return Completion{{"linear", "log"}};
     }},
    {"table", "--kind",
     [] {
       return Completion{{std::begin(table_kinds), std::end(table_kinds)}};
     }},
    {"", "--plot",
     [] {
       return Completion{{}, pictures};
     }},
    {"", "--style",
     [] {
       return Completion{{"screen", "print", "mono"}, {}};
     }},
    {"report", "--compare",
     [] {
       return Completion{robots(), {"urdf", "xacro", "sdf", "toml"}};
     }},
    {"report", "--compare-motion",
     [] {
       return Completion{motions(), motion_files};
     }},
};

}  // namespace

Completion completion_of(const std::string& command, const HelpEntry& e) {
  for (const Known& k : known)
    if ((*k.command == '\0' || command == k.command) &&
        std::find(e.names.begin(), e.names.end(), k.name) != e.names.end())
      return k.completion();
  if (e.value == "DIR") return {.folders = true};
  if (const std::size_t dot = e.value.find("FILE."); dot != std::string::npos)
    return {.endings = {e.value.substr(dot + 5)}};
  if (e.value.find("FILE") != std::string::npos) return {.any_file = true};
  return {};
}

}  // namespace parid::cli

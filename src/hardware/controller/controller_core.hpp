// A controller as hardware: from a desired pose or joint set point and measured positions to joint
// torques, with every step between in fixed point on one schedule.
//
//   ControllerCore core = controller_core(robot, {.law = "computed_torque", .interval = 24});
//   CoreModel model(core);                          // bit for bit what the Verilog computes
//   CoreResult r = model.step(core.setpoint_words(q_d), core.measured_words(q));
//   std::string text = verilog_core(core);          // the module core.name, and all it needs
//   CoreLoop loop = run_core_loop(core, motion);    // simulated robot under the bit-true model
//
// What the core computes, for coordinate j and sample k with control period T and window N:
//
//   r[k]   the joint set point: given, or inverse kinematics of the given pose on CORDIC modules,
//          limited to the joint's limits
//   q_d    r[k−N]                                   the reference, in the middle of its filter
//   v_d    (r[k] − r[k−2N]) / 2NT                   central difference
//   a_d    (r[k] − 2 r[k−N] + r[k−2N]) / (NT)²      likewise
//   q      the measured position
//   v      (q[k] − q[k−N]) / NT                     N T / 2 old
//   e, ė   q_d − q, v_d − v
//   τ      computed_torque  N(q, v, a_d + kd ė + kp e)        N: inverse dynamics
//          pd+gravity       N(q, 0, 0) + kd ė + kp e
//          pd               kd ė + kp e
//          pd+feedforward   N(q_d, v_d, a_d) + kd ė + kp e
//          limited to the torque limits
//
// The filters are not recursive: no rounding error stays, and an unrolled core accepts a sample
// with every clock. The reference is N samples behind the stream of set points, so a host sends
// the set point of the instant N T ahead.

#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/emit/targets.hpp"
#include "hardware/controller/core_program.hpp"
#include "hardware/layer.hpp"
#include "parid/controllers.hpp"
#include "parid/robot.hpp"
#include "scalar/quad.hpp"

namespace parid::hardware {

struct IkArm;

enum class SetPoint : std::uint8_t { joint, pose };
constexpr const char* name_of(SetPoint s) { return s == SetPoint::joint ? "joint" : "pose"; }
SetPoint set_point(std::string_view name);  // throws Error for other names

struct CoreOptions {
  std::string law = "computed_torque";  // of parid/controllers.hpp
  // default: pose if the arm has a closed form for the link, else joint
  std::optional<SetPoint> setpoint = {};
  std::string link = {};                // whose pose is given; empty: the tip
  std::string arrangement = "fastest";  // of the closed form: ik_arrangements()
  int word = 32;                        // bits of every word, 12 to 64
  int guard = 6;                        // of the CORDIC modules
  int interval = 24;                    // clocks per sample at the most; 1: unrolled
  int window = 1;                       // N above, in samples
  double rate = 1000;                   // samples per second
  double clock = 100e6;                 // Hz
  Gains gains = {};                     // initial ones; missing: those of parid/controllers.hpp
  // Ranges. Larger values are limited, and the status says so.
  double velocity = 5;        // rad/s or m/s, of joints without a limit
  double acceleration = 100;  // of set points and commands, rad/s² or m/s²
  double error = 0.25;        // rad or m: larger position errors count as this
};

// One joint's numbers that the core is made from.
struct CoreJoint {
  std::string name;
  double lower = 0, upper = 0;  // rad or m
  double velocity = 0;          // rad/s or m/s
  double effort = 0;            // N m or N: the initial torque limit
  double kp = 0, kd = 0;        // as rounded to the registers
  double largest_kp = 0, largest_kd = 0;
};

struct ControllerCore {
  std::string name;  // of the Verilog module
  Robot robot;
  CoreOptions options;  // complete: link, setpoint and gains are set
  std::vector<CoreJoint> joints = {};
  std::vector<std::string> setpoint_names = {};  // px … az, then joints that no pose determines
  std::vector<FixedFormat> setpoint_format = {};
  std::size_t pose_words = 0;  // how many of them describe the pose
  CoreProgram program = {};
  Graph dynamics = Graph();  // that the program contains; empty for pd
  CoreSchedule timing = {};
  std::shared_ptr<const IkArm> arm = {};  // null with joint set points
  double torque_bound = 0;  // proven: rounding errors of a torque, N m or N, largest joint, given
                            // the joint set points, where nothing is limited
  std::vector<double> torque_bounds = {};        // by joint
  double pose_error = 0, orientation_error = 0;  // of the inverse kinematics, regular poses; m

  std::size_t n() const { return joints.size(); }
  double period() const { return 1 / options.rate; }
  // Clocks from the transfer of a set point, and of its measurement, to that of the torques, where
  // nothing waits.
  int clocks() const { return timing.latency() + 1; }
  int feedback_clocks() const { return timing.feedback_latency() + 1; }
  double latency() const { return clocks() / options.clock; }  // s
  double feedback_latency() const { return feedback_clocks() / options.clock; }
  // Set point and measurement as words: joint positions by coordinate (nq). In pose mode the pose
  // of the link at q, whose branch must be that of the branch register.
  std::vector<Raw> setpoint_words(std::span<const double> q) const;
  std::vector<Raw> measured_words(std::span<const double> q) const;
  // Branch of the inverse kinematics that has this posture, as the branch register has it.
  unsigned branch_of(std::span<const double> q) const;
};

// Throws Error for robots whose joints are not all of one degree of freedom on a fixed base, for
// unknown names, for options out of range, and for a pose set point without a closed form.
ControllerCore controller_core(const Robot&, const CoreOptions& = {});

struct CoreResult {
  std::vector<Raw> torque;
  unsigned status = 0;  // bits by CoreFlag; `late` depends on clocks and is never set here
};

// The bit-true model. Keeps the histories of one core.
class CoreModel {
 public:
  explicit CoreModel(const ControllerCore&);
  CoreResult step(std::span<const Raw> setpoint, std::span<const Raw> measured);
  void reset();  // histories, and registers to their initial values
  unsigned branch;
  std::vector<Raw> bank;  // registers
  // After step(): the joint set points r, limited.
  std::vector<double> joint_setpoints() const;
  std::vector<Raw> joint_words() const;

 private:
  Raw read(const CoreOperand&) const;
  const ControllerCore& core_;
  std::vector<Raw> signal_;
  std::vector<std::deque<Raw>> history_;  // of each operation
};

// The same filters and law on numbers of type T, from joint set points and measured positions, with
// the same limits. T: double, or Quad as a reference for long words.
template <class T>
class CoreLaw {
 public:
  explicit CoreLaw(const ControllerCore& core) : core_(core) {}
  void reset() {
    setpoints_.clear();
    measured_.clear();
  }
  void step(std::span<const T> setpoint, std::span<const T> measured, std::span<T> torque);

 private:
  const ControllerCore& core_;
  std::deque<std::vector<T>> setpoints_, measured_;
};
extern template class CoreLaw<double>;
extern template class CoreLaw<Quad>;

// The largest torque error of the model on a smooth random motion, against CoreLaw with the same
// joint set points and measured words; N m or N, and as a share of each joint's largest torque.
struct CoreError {
  double torque = 0, share = 0;
  double bound_share = 0;  // the proven bound as a share of the same torques
  double over_bound = 0;   // the largest share of a joint's error in its proven bound
  int samples = 0;         // compared: those where nothing was limited
};
CoreError core_error(const ControllerCore&, int samples = 2000, unsigned seed = 1);

// ---- Verilog-2005

std::string verilog_core(const ControllerCore&);
// A bench that sends recorded words with pauses, refuses some results, compares torques and status
// with the model and prints PASS or FAIL; and the files that it reads.
std::vector<EmittedFile> core_bench(const ControllerCore&, int samples, unsigned seed = 1);
// A module that reads a sample per line from standard input and writes its torques: for simulators
// in a loop with a robot.
std::string verilog_core_loop(const ControllerCore&);
// All files: module, bench, recorded words, register map as text and as a C header.
std::vector<EmittedFile> core_files(const ControllerCore&, int samples);

// Lanes of a stream: bytes per word, and bits in total.
int core_lane(const ControllerCore&);

}  // namespace parid::hardware

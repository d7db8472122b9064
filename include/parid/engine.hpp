// The library's door for many samples: rows in, rows out, over SIMD lanes and threads.
//
//   Engine engine(robot);                       // prepares the robot's own kernel; cached from then on
//   engine.inverse_dynamics(N, q, v, a, tau);   // (N, nq), (N, nv), (N, nv) -> (N, nv), row-major
//
//   Engine planner(robot, {.questions = {"forward", "inverse_gradient"}});
//   planner.forward_dynamics(N, q, v, tau, a);
//
// A public header: no template, no type of another library. For one instruction set and one kind
// of kernel a row's result has the same bits whatever the number of threads and wherever in the batch it
// stands.

#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "parid/model/robot.hpp"
#include "parid/run/dynamics.hpp"
#include "parid/run/strided.hpp"

namespace parid {

struct Surroundings;  // parid/run/surroundings.hpp

// What works a question out: code that fits any robot; this robot's program run by an interpreter; or
// compiled by the system's compiler.
enum class KernelKind { generic, interpreted, compiled };

struct EngineOptions {
  int threads = 0;  // 0: as many as there are cores
  // What the questions are prepared with. Where there is no compiler, interpreted; where a program would be
  // too long, generic; Engine::note() says so.
  KernelKind kernel = KernelKind::compiled;
  std::vector<std::string> questions = {"inverse"};
  bool single_precision =
      false;  // prepare for arrays of float too; else generic kernels take those
};

// For batches that take long. `progress` is called by the caller's thread, now and then, with the number of
// rows done.
struct Watch {
  std::function<void(std::size_t)> progress;
  std::stop_token stop;
};

// Owns its workspaces and threads. An evaluation of a question that was prepared allocates nothing, from the
// first one on; others prepare the generic kernel when they are first asked. One call at a time.
class Engine {
 public:
  explicit Engine(const Robot&, const EngineOptions& = {});
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;
  ~Engine();

  const Robot& robot() const;
  int threads() const;

  // Traces this robot's program for the question, has it compiled and loaded, or takes it from the user's
  // cache (parid/emit/compile.hpp): about a second for an arm where it is not cached. Batches take it where
  // the base is still and nothing pushes, the generic kernel otherwise. False where another kind had to do:
  // the note says why. `link` is for questions that speak of one, "kinematics" and "jacobian".
  bool prepare(const std::string& what, KernelKind, const std::string& link = "");
  bool compile() { return prepare("inverse", KernelKind::compiled); }
  KernelKind kernel(const std::string& what = "inverse") const;
  // By what a compiled kernel was made, as 32 hexadecimal digits: program, compiler and its version, flags, and
  // the features of the CPU. Where it differs, the last bits of rows may. Empty for the other kinds, and
  // for arrays of float where those were not prepared.
  std::string made_by(const std::string& what = "inverse", bool single_precision = false) const;
  const std::string& note() const;  // why a kernel is not what was asked for; else empty

  // As for Workspace; the same for all rows.
  void set_base_motion(const std::array<double, 3>& angular_velocity,
                       const std::array<double, 3>& angular_acceleration,
                       const std::array<double, 3>& linear_acceleration);
  void set_surroundings(const Surroundings&);  // both at once
  void set_wrench(const std::string& link, const std::array<double, 3>& force,
                  const std::array<double, 3>& moment);

  // Any question, arrays laid out in any way. False where it was stopped: the rows that were done by then
  // are written. `link` is for questions that speak of one; empty: the first that was prepared, or the tip.
  bool evaluate(std::string_view what, std::size_t rows, std::span<const Strided<const double>> in,
                std::span<const Strided<double>> out, const Watch& = {},
                std::string_view link = {});
  bool evaluate(std::string_view what, std::size_t rows, std::span<const Strided<const float>> in,
                std::span<const Strided<float>> out, const Watch& = {}, std::string_view link = {});
  // What it takes and gives, in numbers per row of each array.
  std::vector<std::size_t> takes(const std::string& what) const;
  std::vector<std::size_t> gives(const std::string& what) const;

  void inverse_dynamics(std::size_t rows, std::span<const double> q, std::span<const double> v,
                        std::span<const double> a, std::span<double> tau);
  void inverse_dynamics(std::size_t rows, std::span<const float> q, std::span<const float> v,
                        std::span<const float> a, std::span<float> tau);
  void forward_dynamics(std::size_t rows, std::span<const double> q, std::span<const double> v,
                        std::span<const double> tau, std::span<double> a);
  void mass_matrix(std::size_t rows, std::span<const double> q, std::span<double> M);
  void bias(std::size_t rows, std::span<const double> q, std::span<const double> v,
            std::span<double> tau);
  void gravity(std::size_t rows, std::span<const double> q, std::span<double> tau);
  void inverse_gradient(std::size_t rows, std::span<const double> q, std::span<const double> v,
                        std::span<const double> a, std::span<double> dq, std::span<double> dv,
                        std::span<double> da);
  void forward_gradient(std::size_t rows, std::span<const double> q, std::span<const double> v,
                        std::span<const double> tau, std::span<double> dq, std::span<double> dv,
                        std::span<double> dtau);
  // Of a link by name: rotation (9 per row) and position (3) in the root's frame; 6 × nv, linear rows first.
  void kinematics(std::size_t rows, std::span<const double> q, std::string_view link,
                  std::span<double> rotation, std::span<double> position);
  void jacobian(std::size_t rows, std::span<const double> q, std::string_view link,
                std::span<double> J);

  // Torques with friction; each part of the torque rows × nv, or the total alone. By the generic kernel.
  void inverse_dynamics_with_friction(std::size_t rows, std::span<const double> q,
                                      std::span<const double> v, std::span<const double> a,
                                      const FrictionTorques&);
  void inverse_dynamics_with_friction(std::size_t rows, std::span<const double> q,
                                      std::span<const double> v, std::span<const double> a,
                                      std::span<double> total);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

const char* name(KernelKind);  // "generic", "interpreted", "compiled"

}  // namespace parid

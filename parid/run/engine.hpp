// The library's door for many samples: rows in, rows out, over SIMD lanes and threads.
//
//   Engine engine(robot);
//   engine.inverse_dynamics(N, q, v, a, tau);   // (N, nq), (N, nv), (N, nv) -> (N, nv), row-major
//
// A public header: no template, no type of another library. For one instruction set a row's result
// has the same bits whatever the number of threads and wherever in the batch it stands.

#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "parid/model/robot.hpp"
#include "parid/run/dynamics.hpp"

namespace parid {

struct Surroundings;  // parid/run/surroundings.hpp

struct EngineOptions {
  int threads = 0;       // 0: as many as there are cores
  bool compile = false;  // call compile() at once
};

// Owns its workspaces and threads; nothing is allocated after construction. One call at a time.
class Engine {
 public:
  explicit Engine(const Robot&, const EngineOptions& = {});
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;
  ~Engine();

  int threads() const;

  // Generates this robot's own kernel, compiles it for this machine and loads it, or takes it from the user's
  // cache (parid/emit/compile.hpp). From then on batches of torques take it where the base is still and
  // nothing pushes; everything else goes on as before. False where that cannot be: the note says why, and
  // nothing has changed. Takes about a second where it is not cached.
  bool compile();
  const char* kernel() const;       // "generic" or "compiled"
  const std::string& note() const;  // why it is not compiled, if it was asked for

  // As for Workspace; the same for all rows.
  void set_base_motion(const std::array<double, 3>& angular_velocity,
                       const std::array<double, 3>& angular_acceleration,
                       const std::array<double, 3>& linear_acceleration);
  void set_surroundings(const Surroundings&);  // both at once
  void set_wrench(const std::string& link, const std::array<double, 3>& force,
                  const std::array<double, 3>& moment);

  void inverse_dynamics(std::size_t rows, std::span<const double> q, std::span<const double> v,
                        std::span<const double> a, std::span<double> tau);
  void inverse_dynamics(std::size_t rows, std::span<const float> q, std::span<const float> v,
                        std::span<const float> a, std::span<float> tau);

  // The same with friction; each part of the torque rows × nv, or the total alone.
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

}  // namespace parid

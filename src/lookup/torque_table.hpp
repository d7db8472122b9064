// Torques from tables, in three ways that trade memory for arithmetic:
//
//   configuration   Horn and Raibert   G(q), J(q), C(q) tabulated; τ = G + J q̈ + Σ C q̇ q̇
//   state           Raibert            J(q) and K(q, q̇) tabulated; τ = J q̈ + K
//   cmac            Albus              τ(q, q̇, q̈) in a hashed, trained table
//
// A table is valid for one robot, its payload and its gravity; it is filled with our exact torques.
// A public header: no type of another library.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "formulation/configuration_space.hpp"
#include "lookup/cmac.hpp"
#include "lookup/grid.hpp"
#include "lookup/layer.hpp"
#include "parid/robot.hpp"

namespace parid::lookup {

enum class TableKind : std::uint8_t { configuration, state, cmac };
inline constexpr const char* table_kinds[] = {"configuration", "state", "cmac"};
constexpr const char* name_of(TableKind k) { return table_kinds[static_cast<int>(k)]; }

struct TableOptions {
  TableKind kind = TableKind::configuration;
  // Along each axis that matters: one number for all, or one per coordinate; for `state` also one
  // per coordinate and then one per velocity. For `cmac` these are tiles. Default: 9 points, 1
  // tile; one tile as wide as the range, with many shifts, is best for smooth functions of many
  // inputs.
  std::vector<int> points;
  double memory_limit = 2e9;      // bytes
  int tilings = 128;              // cmac: number of tiles that are summed
  std::size_t cells = 1 << 16;    // cmac: number of memory cells
  std::size_t lessons = 400'000;  // cmac: states it is taught
  int threads = 0;                // 0: number of cores
  // called with the finished fraction, 0 to 1
  std::function<void(double)> progress = [](double) {};
};

// The properties of a table before it is built.
struct TablePlan {
  TableKind kind = TableKind::configuration;
  std::vector<Axis> q, v, a;  // by coordinate; one point if nothing depends on it
  double bytes = 0;
};
TablePlan plan_table(const Robot&, const TableOptions&);

// Immutable; threads may share it.
class TorqueTable {
 public:
  // Throws Error if it would exceed the memory limit, or if the robot has joints of several
  // freedoms.
  static TorqueTable build(const Robot&, const TableOptions& = {});

  // A file holds the table, the robot's fingerprint, and a checksum. load() throws Error if the
  // file is of another kind, truncated, damaged, or of another robot.
  void save(const std::string& path) const;
  static TorqueTable load(const Robot&, const std::string& path);

  TableKind kind() const { return kind_; }
  int n() const { return n_; }
  std::size_t bytes() const;
  // Of one torque: interpolation and sums; finding the cell and hashing are not counted.
  struct Cost {
    double multiplications, additions;
  };
  Cost cost() const;
  const Grid& positions() const { return positions_; }  // configuration, state
  const Grid& states() const { return states_; }        // state
  const Cmac& cmac() const { return cmac_; }            // cmac

 private:
  friend class TableReader;
  TorqueTable() = default;
  void fill(const Robot&, const TablePlan&, const TableOptions&);
  void fill_positions(const Robot&, const TableOptions&, double share);
  void fill_states(const Robot&, const TableOptions&, double from);
  void teach(const Robot&, const TablePlan&, const TableOptions&);

  TableKind kind_ = TableKind::configuration;
  int n_ = 0;
  std::uint64_t fingerprint_ = 0;
  Grid positions_, states_;
  std::vector<double> at_positions_, at_states_;
  Cmac cmac_;
};

// Looks torques up. Not thread-safe; allocates nothing after construction; must not outlive the
// table. Outside the table's box values are clamped to its border, except that positions of joints
// without limits are wrapped by whole turns.
class TableReader {
 public:
  explicit TableReader(const TorqueTable&);
  void torque(std::span<const double> q, std::span<const double> v, std::span<const double> a,
              std::span<double> tau);
  // configuration: G, J and C at q, in the layout of Coefficients; state: J only.
  std::span<const double> coefficients(std::span<const double> q);

 private:
  const TorqueTable& table_;
  std::vector<double> c_, products_, x_;
};

// Equal for the same mechanism from any machine and file: depends on its constants to 1e-9.
std::uint64_t fingerprint(const Robot&);

}  // namespace parid::lookup

// One evaluation of the inverse dynamics on p processors by the p-fold algorithm of Lee and Chang
// (formulation lee_chang_pfold): the operations of each processor, the words that move between
// them, and the distance from the lower bound of their Theorem 1.
//
// Everything is measured: the formulation runs on numbers that count their operations, and its
// values move over the wires of a simulated network.
//
// And LongChain: quantities of a chain in logarithmic depth.
//
// A public header: no template, no type of another library.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "parid/export.h"
#include "parid/robot.hpp"

namespace parid {

// As written in the equations: nothing is folded, 0·x is one multiplication.
struct ProcessorOperations {
  long multiplications = 0, additions = 0;
};

// The operations of a step in sequence: those of the processor that has most.
struct ParallelStep {
  std::string equations;  // of Lee and Chang: "(15)", "(16), (17)", …
  ProcessorOperations time;
};

// What a recurrence moves.
struct ParallelTransfer {
  std::string equation;
  int width = 0;                 // words of a value: 9 for a rotation, 3 for a vector
  int passes = 0, shuffles = 0;  // in sequence; in each, a wire carries at most one value
  long words = 0;                // over all wires
};

struct ParallelNetwork {
  std::string network;  // cascade, shuffle, inverse-shuffle
  int nodes = 0;        // processors; with shuffles, padded to a power of two
  int links = 0;        // wires with a direction that carry something
  std::vector<ParallelTransfer> recurrences;
  int moves = 0;          // passes and shuffles of all recurrences
  long words = 0;         // over all wires
  long word_times = 0;    // moves times their width: if a wire carries a word at a time
  long busiest_link = 0;  // words over the wire that carries most
};

struct ParallelEvaluation {
  int links = 0, processors = 0;
  int used = 0;                                // processors that have links
  int links_per_processor = 0;                 // ⌈n/p⌉
  std::vector<ProcessorOperations> processor;  // what each of those used does in all
  std::vector<ParallelStep> steps;
  // The sum over the steps, and its parts: for the links; in the recurrences within blocks (P3), by
  // recursive doubling (P4), and from the blocks' totals onto their elements (P5).
  ProcessorOperations time, local, within, doubling, completing;
  ProcessorOperations serial;  // time on one processor
  double speedup = 1;          // serial over time, in operations
  // Theorem 1, k1 ⌈n/p⌉ + k2 ⌈log2 p⌉, in operations as measured: local, within and completing over
  // ⌈n/p⌉; doubling over ⌈log2 p⌉, 0 on one processor.
  double k1 = 0, k2 = 0;
  int levels = 0;  // ⌈log2 p⌉ of the processors used
  // What no order of combining undercuts: for the links, the larger of all their work over p and of
  // the ⌈n/p⌉ cheapest; for each recurrence, the fewest steps in which p processors can combine its
  // elements into one (Munro and Paterson).
  ProcessorOperations bound;
  double over_bound = 1;                  // time over bound, in operations
  std::vector<ParallelNetwork> networks;  // cascade, shuffle, inverse-shuffle
};

// matrix_cells: each processor has a matrix-multiplier chip of so many multiply-accumulate cells,
// which computes the products of rotations: ⌈27/cells⌉ multiplications and ⌈18/cells⌉ additions in
// sequence, the latter at least 2, because three products are summed. 0: no chip.
//
// The base does not turn, as in the paper: what ω0 and ω̇0 add is not counted. Allocates. Throws
// Error unless the robot is one chain of revolute and prismatic joints, 1 ≤ processors ≤ its number
// of moving links, and 0 ≤ matrix_cells.
PARID_EXPORT ParallelEvaluation parallel_evaluation(const Robot&, int processors,
                                                    int matrix_cells = 0);

// ---- Quantities of a long chain in logarithmic depth: frames by a scan, composite inertias by a
// scan, forward dynamics by divide and conquer. For machines with a processor for every link, for
// generated hardware, and to compare. On one core the mass matrix is faster than that of
// dynamics.hpp from 64 links on, forward dynamics is many times slower (docs/long-chains.md).

/// Sizes as in parid/dynamics.hpp and parid/kinematics.hpp; they are not checked. Nothing allocates
/// after construction.
class PARID_EXPORT LongChain {
 public:
  /// Whether the robot is a single path of joints with one coordinate each, without mimic joints,
  /// whose links have a mass and a moment of inertia about every axis.
  static bool covers(const Robot&);

  /// Throws parid::Error unless covers().
  explicit LongChain(const Robot&);
  LongChain(LongChain&&) noexcept;
  LongChain& operator=(LongChain&&) noexcept;
  ~LongChain();

  /// The pose of a link (Robot::find_link) in the root link's frame: rotation, 9 numbers by rows,
  /// and position, 3.
  void pose(std::span<const double> q, int link, std::span<double> rotation,
            std::span<double> position);
  /// The Jacobian (6, nv) of a link's origin, linear rows first, in the root link's axes.
  void jacobian(std::span<const double> q, int link, std::span<double> J);
  void mass_matrix(std::span<const double> q, std::span<double> M);
  void forward_dynamics(std::span<const double> q, std::span<const double> v,
                        std::span<const double> tau, std::span<double> a);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parid

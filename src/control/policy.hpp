// A policy of stale data: for each variable of the Newton-Euler recursion, the age of the value
// that is read and how the present value is extrapolated from past ones. The list of policies is
// here; --policy, its help, the stability map, the tests and the documentation read it.
//
// control/ contains controllers that use results of earlier periods, and the analysis of their
// stability. layer.hpp lists the layers that it may include.
//
// Sources  Binder, Herzog: IEEE Trans. SMC 16 (1986) 543-549. Vuskovic, Liang, Anantha: ICRA 1990,
//          832-838. Yamakita, Hoshino, Morimoto, Furuta: ICRA 1991, 1842-1849. Hamilton, Walker,
//          Bennett: Parallel robot control using speculative computation (1996), who describe the
//          others; Table 1 is theirs. Where their text is ambiguous, each interpretation has a name
//          of its own.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "control/layer.hpp"
#include "parid/robot.hpp"

namespace parid::control {

// The variables of the paper's Table 1.
enum class Stale : std::uint8_t {
  w,      // ω   angular velocity
  wd,     // ω̇   angular acceleration, in accelerations of points
  alpha,  // α   angular acceleration, in moments
  e,      // a_e acceleration of a link's far end, at the next joint
  ac,     // a_c acceleration of the centre of mass
  f,      // f   force at the joint
  n,      // n   moment at the joint
};
inline constexpr int stale_variables = 7;
const char* name_of(Stale);

// Whose value an equation reads.
enum class Reader : std::uint8_t {
  own,        // its link's, of the same sweep
  neighbour,  // its parent's in the forward sweep, its children's in the backward sweep
  across,     // its link's, of the other sweep: forces that read accelerations
};
const char* name_of(Reader);

// The terms of the recursion that read a variable, equation by equation: wd_w is the ω of the
// equation of ω̇. The appendix of Hamilton et al. has them in this order.
enum class Term : std::uint8_t {
  w_w,
  wd_wd,
  wd_w,
  alpha_alpha,
  alpha_w,
  e_e,
  e_wd,
  e_w,
  ac_e,
  ac_wd,
  ac_w,
  f_f,
  f_ac,
  n_n,
  n_f,
  n_own_f,
  n_alpha,
  n_w,
};
inline constexpr int stale_terms = 18;
struct TermInfo {
  Term term;
  Stale equation, variable;
  Reader reader;
};
std::span<const TermInfo> terms();
const TermInfo& info(Term);
std::string name_of(Term);  // "alpha: w.own"

enum class Prediction : std::uint8_t {
  hold,    // as it was
  linear,  // linear extrapolation from it and the value before it
};

// The age of one term, in control periods: 0 is this period's.
struct Age {
  int periods = 0;
  Prediction prediction = Prediction::hold;
  bool operator==(const Age&) const = default;
};
using AgeRow = std::array<Age, stale_terms>;  // of one link's equations

// An age that differs from the variable's: in one equation, or in one link's equations.
struct TermAge {
  Term term{};
  Age age = {};
  int link = 0;       // 1..n as the mechanism counts them; 0: every link's, or the joint's
  std::string joint;  // by name, where the link is given so; bound() finds its link
  std::string place;  // "ages.toml:12", for messages
  bool operator==(const TermAge&) const = default;
};

// Ages in control periods: 0 is this period's.
struct Read {
  int own = 0;        // by the same link's equations in the same sweep
  int neighbour = 0;  // by the next link
  // by the same link's equations in the other sweep: forces that read accelerations
  int across = 0;
  Prediction prediction = Prediction::hold;
  bool operator==(const Read&) const = default;
};

struct Policy {
  std::string id;
  std::array<Read, stale_variables> reads{};
  // A neighbour's value is randomly of the age above or of this period: no thread waits. The random
  // sequence has a seed and repeats after `round` periods.
  bool by_chance = false;
  static constexpr int round = 32;
  std::uint64_t seed = 1;
  // The recursion is evaluated at the state that the robot would have a period later if its error
  // stayed constant.
  bool ahead = false;
  int delay = 0;                // periods that torques wait before they are applied
  bool predict_torque = false;  // the straight line through the last two torques, a period on
  // α has a recursion of its own even where its ages are those of ω̇, as in the papers' Table 1.
  bool separate_alpha = false;
  std::vector<TermAge> exceptions = {};  // later ones prevail

  Read& operator[](Stale s) { return reads[static_cast<std::size_t>(s)]; }
  const Read& operator[](Stale s) const { return reads[static_cast<std::size_t>(s)]; }

  // Of a term in link `link`'s equations (0: where no exception names a link), chance aside.
  Age age(Term, int link = 0) const;
  // The rows of links 0..n; one row for all of them where no exception names a link.
  std::vector<AgeRow> table(int n) const;
  // Whether chance, where there is any, has an old value cross that joint.
  bool old_by_chance(Stale, int joint, long period) const;
  // Of a neighbour's value that is read across link `link`'s joint in period `period`. At random,
  // each such reading has chances of its own.
  int neighbour_age(Stale, int link, long period) const;
  int depth() const;  // age of the oldest value that is read; 0: only this period's
  // Whether α may differ from ω̇. If not, one recursion gives both, as in usual controllers: this
  // period's ω × z q̇ is the neighbour's ω × z q̇.
  bool alpha_apart() const;
};

// Ages range from 0 to this number.
inline constexpr int oldest_age = 1000;

struct PolicyEntry {
  const char* id;
  const char* what;
  Policy (*make)();
};
std::span<const PolicyEntry> policies();

// With the joints that exceptions name found in a robot. Throws Error, with the place, for a joint
// that the robot does not have and for a link beyond its last.
Policy bound(Policy, const Robot&);

// By id; or a table of ages: a path that ends in .toml, or the text of such a file, which has a
// line break (policy_file.hpp). Some ids take an argument after a colon:
//   delayed:3                              periods
//   binder_herzog_mixed:wd,alpha,e         variables that are exact; so
//                                          binder_herzog_first:wd,alpha,e
//   yamakita:ac.across,alpha.across        readings (variable.own, .neighbour, .across, or all of a
//                                          variable) that are two periods old, or n periods old
//                                          with "=n"; so yamakita_ahead
// Throws Error with all names and the nearest one if the id is unknown.
Policy policy(const std::string& id);

}  // namespace parid::control

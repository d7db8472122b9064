// A table in a file: 8-byte words, little-endian.
//
//   "PARIDTAB", version (1), fingerprint of the robot, kind, coordinates n
//   configuration, state: a grid of positions;  state: then a grid of states
//     width, number of axes, for each: low, high, points, wraps;  then all values
//   cmac: tilings, cells, number of inputs, for each: low, high, tiles, wraps;  then all values
//   FNV-1a of everything before
//
// docs/formulations/configuration_space.md documents this for users.

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "base/file/atomic_file.hpp"
#include "base/file/fnv.hpp"
#include "base/file/input_file.hpp"
#include "lookup/torque_table.hpp"
#include "model/canonical_model.hpp"
#include "parid/error.hpp"

namespace parid::lookup {
namespace {

static_assert(std::endian::native == std::endian::little,
              "table files have the memory layout of this machine");

constexpr std::uint64_t version = 1;
constexpr std::uint64_t magic =
    std::bit_cast<std::uint64_t>(std::array{'P', 'A', 'R', 'I', 'D', 'T', 'A', 'B'});

class Writer {
 public:
  explicit Writer(const std::string& path) : file_(path) {}

  void word(std::uint64_t x) { bytes(&x, sizeof x); }
  void number(double x) { bytes(&x, sizeof x); }
  void axes(const std::vector<Axis>& axes) {
    word(axes.size());
    for (const Axis& a : axes) {
      number(a.low);
      number(a.high);
      word(a.points);
      word(a.wraps);
    }
  }
  void values(const std::vector<double>& x) { bytes(x.data(), x.size() * sizeof(double)); }
  void finish() {
    word(sum_.value());
    file_.commit();
  }

 private:
  void bytes(const void* at, std::size_t count) {
    sum_.add(at, count);
    file_.write({static_cast<const char*>(at), count});
  }
  AtomicFile file_;
  Fnv sum_;
};

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path), left_(file_.size().value_or(0)) {
    if (!file_.size()) fail("cannot read a table from a pipe", "give a file");
  }

  std::uint64_t left() const { return left_; }
  std::uint64_t word() {
    std::uint64_t x = 0;
    bytes(&x, sizeof x);
    return x;
  }
  double number() { return std::bit_cast<double>(word()); }
  std::vector<Axis> axes(int fewest) {
    std::vector<Axis> axes;
    const std::uint64_t count = bounded(word(), 1000);
    for (std::uint64_t k = 0; k < count; ++k) {
      const double low = number(), high = number();
      const auto points = static_cast<int>(bounded(word(), 1'000'000));
      const bool wraps = word() != 0;
      if (points < fewest || !std::isfinite(low) || !std::isfinite(high) ||
          !(high > low || points == fewest))
        damaged();
      axes.push_back({low, high, points, wraps});
    }
    return axes;
  }
  // Allocates only as much as the file can hold.
  std::vector<double> values(double count) {
    if (count * sizeof(double) > static_cast<double>(left_)) cut_short();
    std::vector<double> x(static_cast<std::size_t>(count));
    bytes(x.data(), x.size() * sizeof(double));
    return x;
  }
  void finish() {
    const std::uint64_t sum = sum_.value();
    if (word() != sum) damaged();
    if (left_ != 0) fail("has data after the table", "build it again");
  }

  std::uint64_t bounded(std::uint64_t x, std::uint64_t most) {
    if (x > most) damaged();
    return x;
  }
  [[noreturn]] void fail(const std::string& wrong, const std::string& right) {
    throw Error(Place{file_.name()}, wrong, right);
  }
  [[noreturn]] void damaged() { fail("is damaged: its checksum does not match", "build it again"); }
  [[noreturn]] void cut_short() { fail("is truncated", "build it again"); }

 private:
  void bytes(void* to, std::size_t count) {
    if (count > left_) cut_short();
    left_ -= count;
    auto* at = static_cast<char*>(to);
    for (std::size_t done = 0; done < count;) {
      const std::size_t got = file_.read(at + done, count - done);
      if (got == 0) cut_short();
      done += got;
    }
    sum_.add(to, count);
  }
  InputFile file_;
  std::uint64_t left_;
  Fnv sum_;
};

double values_of(const std::vector<Axis>& axes, int width) {
  double count = width;
  for (const Axis& a : axes) count *= a.points;
  return count;
}

struct GridValues {
  Grid grid;
  std::vector<double> values;
};
GridValues read_grid(Reader& in, std::size_t axes_wanted, int width_wanted) {
  const auto width = static_cast<int>(in.bounded(in.word(), 1 << 30));
  const std::vector<Axis> axes = in.axes(1);
  if (axes.size() != axes_wanted || width != width_wanted) in.damaged();
  std::vector<double> values = in.values(values_of(axes, width));
  return {Grid(axes, width), std::move(values)};
}

}  // namespace

void TorqueTable::save(const std::string& path) const {
  Writer out(path);
  for (const std::uint64_t x : {magic, version, fingerprint_, static_cast<std::uint64_t>(kind_),
                                static_cast<std::uint64_t>(n_)})
    out.word(x);
  auto grid = [&](const Grid& g, const std::vector<double>& values) {
    out.word(g.width());
    out.axes(g.axes());
    out.values(values);
  };
  if (kind_ != TableKind::cmac) grid(positions_, at_positions_);
  if (kind_ == TableKind::state) grid(states_, at_states_);
  if (kind_ == TableKind::cmac) {
    out.word(cmac_.tilings());
    out.word(cmac_.cells());
    out.axes(cmac_.inputs());
    out.values(cmac_.values());
  }
  out.finish();
}

TorqueTable TorqueTable::load(const Robot& robot, const std::string& path) {
  Reader in(path);
  auto not_a_table = [&] { in.fail("is not a table written by Parid", "make one with `table()`"); };
  if (in.left() < sizeof magic || in.word() != magic) not_a_table();
  if (const std::uint64_t v = in.word(); v != version)
    in.fail(fmt::format("is a table of version {}; this program reads version {}", v, version),
            "build it again");
  TorqueTable t;
  t.fingerprint_ = in.word();
  t.kind_ = static_cast<TableKind>(in.bounded(in.word(), 2));
  t.n_ = static_cast<int>(in.bounded(in.word(), 1000));
  if (t.n_ < 1) in.damaged();
  const Coefficients at{t.n_};
  if (t.kind_ == TableKind::cmac) {
    const auto tilings = static_cast<int>(in.bounded(in.word(), Cmac::most_tilings));
    const std::uint64_t cells = in.word();
    const std::vector<Axis> inputs = in.axes(0);
    if (tilings < 1 || cells < 1 || inputs.size() != 3u * t.n_) in.damaged();
    std::vector<double> values = in.values(static_cast<double>(cells) * t.n_);
    t.cmac_ = Cmac(inputs, t.n_, tilings, std::move(values));
  } else {
    const bool state = t.kind_ == TableKind::state;
    GridValues g = read_grid(in, t.n_, state ? at.pairs() : at.size());
    t.positions_ = std::move(g.grid);
    t.at_positions_ = std::move(g.values);
    if (state) {
      g = read_grid(in, 2 * t.n_, t.n_);
      t.states_ = std::move(g.grid);
      t.at_states_ = std::move(g.values);
    }
  }
  in.finish();
  if (t.n_ != robot.nv() || t.fingerprint_ != fingerprint(robot))
    in.fail(fmt::format("is a table for another robot than '{}', or for another payload or gravity",
                        robot.name()),
            "build one for this robot");
  return t;
}

std::uint64_t fingerprint(const Robot& robot) {
  const CanonicalModel& c = robot.canonical();
  Fnv hash;
  // Compilers may differ in a constant's last bits; the robot is still the same.
  auto number = [&](double x) {
    hash.add(static_cast<std::uint64_t>(std::llround(std::clamp(x * 1e9, -9e18, 9e18))));
  };
  hash.add(c.topology.n);
  hash.add(c.nv);
  for (const double g : robot.gravity()) number(g);
  for (int i = 1; i <= c.topology.n; ++i) {
    const JointPlace& j = c.joint[i];
    hash.add(c.topology.parent[i]);
    hash.add(static_cast<std::uint64_t>(c.topology.kind[i]));
    hash.add(j.position);
    hash.add(j.velocity);
    for (const double x : {j.scale, j.offset, j.rotor_inertia}) number(x);
    for (int k = 0; k < 12; ++k) number(c.mechanism.placing[i][k]);
    for (int k = 0; k < 10; ++k) number(c.mechanism.body[i][k]);
  }
  return hash.value();
}

}  // namespace parid::lookup

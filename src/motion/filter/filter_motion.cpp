#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/joint/quaternions.hpp"
#include "motion/derive.hpp"
#include "motion/filter/even_times.hpp"
#include "motion/filter/spectrum.hpp"
#include "motion/filter/zero_phase.hpp"
#include "parid/trajectory.hpp"

namespace parid::motion {

double even_rate(const SampledTrajectory& m) {
  const auto place = [&](std::size_t r) { return m.place ? m.place(r) : Place{}; };
  if (m.t.empty() || m.rows < 2)
    throw Error(m.rows > 0 ? place(0) : Place{}, "a filter needs the times of at least two samples",
                "add a column (or array) t, in seconds");
  std::vector<double> steps;
  for (std::size_t r = 1; r < m.rows; ++r) steps.push_back(m.t[r] - m.t[r - 1]);
  std::vector<double> sorted = steps;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double usual = *middle;
  if (!(usual > 0)) throw Error(place(0), "the times do not rise", "give rising t, in seconds");
  for (std::size_t r = 0; r < steps.size(); ++r) {
    if (std::abs(steps[r] - usual) <= 0.01 * usual) continue;
    const double missing = std::round(steps[r] / usual) - 1;
    const std::string what = fmt::format(
        "the step from t = {:.9g} to {:.9g} is {:.6g} s, and the "
        "usual step is {:.6g} s",
        m.t[r], m.t[r + 1], steps[r], usual);
    if (missing >= 1)
      throw Error(place(r + 1),
                  fmt::format("{}: {} missing", what,
                              missing == 1 ? "a sample is"
                                           : fmt::format("about {:.0f} samples are", missing)),
                  "split the log there and give both parts, or interpolate the samples");
    throw Error(place(r + 1), what + "; filters need even steps, within 1 %",
                "resample the log evenly, or write t with more digits");
  }
  return static_cast<double>(m.rows - 1) / (m.t.back() - m.t.front());
}

}  // namespace parid::motion

namespace parid {
namespace {

constexpr const char* filter_names[] = {"none", "butterworth", "savitzky-golay"};

void check_cutoff(double cutoff, double rate) {
  if (cutoff > 0 && cutoff < rate / 2) return;
  throw Error(
      fmt::format("`cutoff`: {:g} Hz is out of range; give a frequency between 0 and {:g} "
                  "Hz, half of the sampling rate",
                  cutoff, rate / 2));
}

}  // namespace

const char* name(FilterKind kind) { return filter_names[static_cast<int>(kind)]; }

FilterKind filter_kind(const std::string& given) {
  std::string all;
  for (int k = 0; k < 3; ++k) {
    if (given == filter_names[k]) return static_cast<FilterKind>(k);
    all += fmt::format("{}{}", k ? ", " : "", filter_names[k]);
  }
  throw Error(fmt::format("there is no filter '{}'; choose one of {}", given, all));
}

FilterReport filter_motion(const Robot& robot, SampledTrajectory& m, const FilterOptions& options) {
  using namespace motion;
  if (m.q.size() != m.rows * static_cast<std::size_t>(robot.nq()) ||
      (!m.t.empty() && m.t.size() != m.rows))
    throw std::invalid_argument(fmt::format(
        "filter_motion: q and t have {} and {} numbers; {} samples of '{}' need {} and {}",
        m.q.size(), m.t.size(), m.rows, robot.name(), m.rows * static_cast<std::size_t>(robot.nq()),
        m.rows));
  FilterReport used;
  used.kind = options.kind;
  if (options.kind == FilterKind::none) return used;
  used.rate = even_rate(m);
  if (options.cutoff != 0) check_cutoff(options.cutoff, used.rate);
  const auto whole = [&] { return m.place ? Place{m.place(0).file} : Place{}; };
  constexpr std::size_t fewest = 32;
  if (m.rows < fewest)
    throw Error(whole(),
                fmt::format("{} samples are too few for a filter, which needs {}", m.rows, fewest),
                "give a longer log, or use `filter=none`");
  std::vector<std::vector<double>> x;
  continuous_positions(robot, m,
                       [&](const std::vector<double>& column, int) { x.push_back(column); });
  const CutoffChoice choice = chosen_cutoff(options.kind, used.rate, x);
  used.position_noise = choice.noise;
  used.chosen = options.cutoff == 0;
  if (used.chosen && !choice.moves)
    throw Error(whole(),
                "no position changes by more than its noise, so there is no band of motion to "
                "choose a cut-off from",
                "give a log of a motion, or a `cutoff` in Hz");
  used.cutoff = used.chosen ? choice.cutoff : options.cutoff;
  const ZeroPhaseFilter filter(options.kind, used.cutoff, used.rate);
  if (m.rows < filter.least_samples())
    throw Error(whole(),
                fmt::format("{} samples are too few for a cut-off of {:.4g} Hz, which needs {}",
                            m.rows, used.cutoff, filter.least_samples()),
                "give a longer log, or a higher `cutoff`");
  used.window = filter.window();
  used.edge = filter.edge();
  const std::size_t nq = robot.nq();
  std::vector<double> smooth(m.q.size());
  derive_motion(robot, m, [&](std::vector<double>& values, int k) {
    ZeroPhaseFilter::Smoothed s = filter.derivatives(values);
    for (std::size_t r = 0; r < m.rows; ++r) smooth[r * nq + k] = s.value[r];
    values = std::move(s.value);
    return Derivatives{std::move(s.first), std::move(s.second)};
  });
  m.q = std::move(smooth);
  for_each_quaternion(robot.description(), [&](const JointDescription&, int p) {
    for (std::size_t r = 0; r < m.rows; ++r) normalise_quaternion(&m.q[r * nq + p]);
  });
  return used;
}

}  // namespace parid

#include "lookup/cmac.hpp"

#include <algorithm>
#include <cassert>

namespace parid::lookup {

Cmac::Cmac(std::vector<Axis> inputs, int outputs, int tilings, std::vector<double> values)
    : inputs_(std::move(inputs)),
      outputs_(outputs),
      tilings_(tilings),
      cells_(values.size() / outputs),
      values_(std::move(values)) {
  assert(tilings_ >= 1 && tilings_ <= most_tilings);
}

void Cmac::find(const double* x, Cells& cell) const {
  const std::uint64_t T = tilings_;
  for (std::uint64_t t = 0; t < T; ++t) cell[t] = 0x9e3779b97f4a7c15u * (t + 1);
  for (std::size_t d = 0; d < inputs_.size(); ++d) {
    const Axis& axis = inputs_[d];
    if (axis.points == 0) continue;
    // In units of a tile's width / tilings, of which all shifts are multiples.
    const double s = (axis.inside(x[d]) - axis.low) / (axis.high - axis.low) * axis.points *
                     static_cast<double>(T);
    const auto step =
        static_cast<std::uint64_t>(s > 0 ? std::min(s, axis.points * static_cast<double>(T)) : 0.0);
    const std::uint64_t tile = step / T, rest = step % T, pace = (2 * d + 1) % T;
    for (std::uint64_t t = 0, shift = 0; t < T; ++t) {
      cell[t] = (cell[t] ^ (tile + 1 + (rest + shift >= T))) * 0xff51afd7ed558ccdu;
      cell[t] ^= cell[t] >> 32;
      shift += pace;
      shift -= shift >= T ? T : 0;
    }
  }
  for (std::uint64_t t = 0; t < T; ++t) cell[t] = cell[t] % cells_ * outputs_;
}

void Cmac::sum(const Cells& cell, double* out) const {
  std::fill_n(out, outputs_, 0.0);
  for (int t = 0; t < tilings_; ++t)
    for (int k = 0; k < outputs_; ++k) out[k] += values_[cell[t] + k];
}

void Cmac::read(const double* x, double* out) const {
  Cells cell;
  find(x, cell);
  sum(cell, out);
}

void Cmac::learn(const double* x, const double* wanted, double rate, double* room) {
  Cells cell;
  find(x, cell);
  sum(cell, room);
  for (int k = 0; k < outputs_; ++k) room[k] = rate * (wanted[k] - room[k]) / tilings_;
  for (int t = 0; t < tilings_; ++t)
    for (int k = 0; k < outputs_; ++k) values_[cell[t] + k] += room[k];
}

}  // namespace parid::lookup

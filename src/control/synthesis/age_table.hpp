// Ages by link and reading: the points of a search for policies.
//
// The 18 terms of the recursion have 12 readings, a variable and who reads it; all terms with the
// same reading have the same age here. A policy's time steps follow from the ages alone: a link's
// forward equations wait for the parent's if any value that crosses the joint outwards is of this
// period, backward equations for the children's and for the link's own forward ones likewise.
//
// Private: included by .cpp files alone.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "control/layer.hpp"
#include "control/policy.hpp"
#include "model/mechanism.hpp"

namespace parid::control {

struct StaleReading {
  Stale variable;
  Reader reader;
};
inline constexpr StaleReading stale_readings[] = {
    {Stale::w, Reader::neighbour},     {Stale::wd, Reader::neighbour},
    {Stale::alpha, Reader::neighbour}, {Stale::e, Reader::neighbour},
    {Stale::f, Reader::neighbour},     {Stale::n, Reader::neighbour},
    {Stale::w, Reader::across},        {Stale::alpha, Reader::across},
    {Stale::ac, Reader::across},       {Stale::w, Reader::own},
    {Stale::wd, Reader::own},          {Stale::f, Reader::own}};
inline constexpr int stale_reading_count = 12;

struct AgeTable {
  std::vector<std::array<std::uint8_t, stale_reading_count>> link;  // [0] is not used

  explicit AgeTable(int links) : link(static_cast<std::size_t>(links) + 1) {}
  // Nothing if the policy has what a table has not: predictions, delays, chance, or terms with the
  // same reading and different ages.
  static std::optional<AgeTable> of(const Policy&, int links);

  void set_all(int reading, int age);
  Policy policy() const;
  // Blocks in the longest chain.
  int steps(const Topology&) const;
  bool operator==(const AgeTable&) const = default;
};

// Whether a reading of that link reads anything: a link on the base reads no neighbour outwards, a
// last link none inwards.
bool is_read(const Topology&, int link, int reading);

}  // namespace parid::control

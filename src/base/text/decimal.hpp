// Decimal numbers in text: exact, independent of the locale, and faster than <charconv>.
//
// Read     Clinger (1990) where one multiplication or division is exact, else Lemire, Number
//          Parsing at a Gigabyte per Second (2021). Correctly rounded.
// Written  Giulietti, The Schubfach way to render doubles (2020): the fewest digits that read back
//          to the same double, of these the nearest to it.
// Digits are read and written eight at a time in a 64-bit register.

#pragma once

#include <cstddef>

#include "base/layer.hpp"

namespace parid::base {

// Reads the number at `from`, in the forms of std::from_chars, and returns its end. A null pointer
// is returned for everything rare: no number, inf, nan, more than 19 digits, subnormal numbers and
// those beyond the range; std::from_chars decides those. Reads up to `decimal_margin` bytes past
// the number's end; a character that belongs to no number must follow it.
const char* read_decimal(const char* from, double& value);
inline constexpr std::size_t decimal_margin = 32;

// Reads a number of the commonest form that fills [from, end): perhaps a minus, one to seven
// digits, a point, digits. False for every other text, and for those that read_decimal leaves to
// others. Without a search for the number's end, numbers do not wait for each other. Reads up to
// `decimal_margin` bytes past the end.
bool read_plain_decimal(const char* from, const char* end, double& value);

// Writes exactly what std::to_chars(to, end, value) writes, and returns its end. Overwrites at most
// `decimal_room` bytes.
char* write_decimal(char* to, double value);
inline constexpr std::size_t decimal_room = 40;

}  // namespace parid::base

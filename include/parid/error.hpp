// What a user did wrong, where, and what would be right. Numbers never throw; files do.

#pragma once

#include <stdexcept>
#include <string>

#include "parid/export.h"

namespace parid {

/// A place in a file.
struct Place {
  std::string file;
  int line = 0;  ///< from 1; 0: the file as a whole

  /// "file:line", or the file alone. Allocates the result.
  std::string text() const { return line > 0 ? file + ":" + std::to_string(line) : file; }
};

/// The exception of files, names and values that a user gave. what() is "file:line: what is wrong;
/// what would be right". Arrays of wrong sizes throw std::invalid_argument instead: those are
/// errors of the calling program.
class PARID_EXPORT Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  Error(const Place& at, const std::string& wrong, const std::string& right)
      : std::runtime_error(at.text() + ": " + wrong + (right.empty() ? "" : "; " + right)) {}
};

}  // namespace parid

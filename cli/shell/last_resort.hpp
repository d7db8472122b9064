// Ends the program if an error cannot be handled in the ordinary way: memory is exhausted, or an
// exception was thrown where none is allowed (a static initialiser, a destructor, a thread).
// Nothing here allocates.

#pragma once

#include <string_view>

#include "cli/layer.hpp"

namespace parid::cli {

// A line on standard error by write(2), shown as by harmless(). Failures to write are ignored.
void write_error(std::string_view message) noexcept;

inline constexpr std::string_view no_memory = "parid: out of memory";

// Opens the standard descriptors that are closed, so that no file that is opened later becomes
// standard output or standard error. Reading and writing them fails as before, except that standard
// error is dropped.
void open_standard_descriptors() noexcept;

// std::terminate writes the error, removes unfinished files and exits with code 2; it aborts if
// there is no exception and no lack of memory, that is, for a defect of the program.
void install_last_resort() noexcept;

}  // namespace parid::cli

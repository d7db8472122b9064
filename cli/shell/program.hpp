// The program: reads the command line, runs the command, reports what failed.

#pragma once

#include "cli/layer.hpp"

namespace parid::cli {

int run_program(int argc, char** argv);  // gives the exit code

}  // namespace parid::cli

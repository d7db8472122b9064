#include "cli/shell/last_resort.hpp"
#include "cli/shell/program.hpp"

namespace {

// Static initialisers run before main(), and may fail as well.
[[gnu::constructor(101)]] void guard() { parid::cli::install_last_resort(); }

}  // namespace

int main(int argc, char** argv) { return parid::cli::run_program(argc, argv); }

#include "cli/shell/shell.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/file/hdf5.hpp"
#include "build_facts.hpp"
#include "parid/error.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/parid.h"
#include "report/page.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/kernel/kernel.hpp"

namespace parid::cli {
namespace {

// The path of a program that the shell would find; "" if there is none.
std::string found(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::string whole = folder + "/" + program; access(whole.c_str(), X_OK) == 0)
      return whole;
  return "";
}

std::string compiler_here() {
  const char* asked = std::getenv("CC");
  const std::string name = asked && *asked ? asked : "cc";
  const std::string path = name.find('/') == std::string::npos ? found(name) : name;
  return path.empty() ? fmt::format("none ('{}' not found): kernels cannot be compiled", name)
                      : path;
}

std::string chosen_set() {
  try {
    return instruction_set();
  } catch (const Error& e) {  // PARID_ISA names a set that is not available
    return fmt::format("none: {}", e.what());
  }
}

// The sets that were compiled in; the CPU may have fewer.
constexpr const char* compiled_sets =
#if defined(__x86_64__)
    "baseline, avx2, avx512";
#else
    "baseline";
#endif

std::string bench_here() {
  std::error_code none;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", none);
  return access((self.parent_path() / "parid-bench").c_str(), X_OK) == 0 ? "yes" : "no";
}

}  // namespace

std::string version_text() {
  std::string runs;
  for (const KernelSet& s : kernel_sets<KernelSet>())
    runs += (runs.empty() ? "" : ", ") + std::string(s.name);
  const std::string commit = build_commit;
  std::string text = fmt::format("parid {}\n", parid_version());
  const auto line = [&](const char* what, const std::string& value) {
    text += fmt::format("{:<18}{}\n", what, value);
  };
  line("commit", commit.empty() ? "unknown" : commit);
  line("built by", fmt::format("{}, {}", build_compiler, build_type));
  line("instruction sets", fmt::format("{} compiled; {} supported here; {} selected", compiled_sets,
                                       runs, chosen_set()));
  line("C compiler", compiler_here());
  const std::string gnuplot = found("gnuplot");
  line("gnuplot", gnuplot.empty() ? "none: no --plot" : gnuplot);
  const std::string module = hdf5_module_path();
  line("HDF5", module.empty() ? "none: no .h5, no parid batch" : module);
  line("report page",
       report_page_is_full() ? "full" : "plain: npm was not available at build time");
  line("parid bench", bench_here());
  text.pop_back();
  return text;
}

}  // namespace parid::cli

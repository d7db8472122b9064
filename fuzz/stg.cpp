// Task graphs.

#include <cstdlib>

#include "fuzz/fuzz.hpp"
#include "parid/error.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/stg.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parid::fuzz;
  using namespace parid;
  try {
    const TaskGraph graph = parse_stg(fuzz::text_of(data, size), "fuzz.stg");
    if (graph.size() <= 200) {
      const Outcome found = run(scheduler("cp_misf"), graph, Machine{.processors = 3});
      if (!check(graph, Machine{.processors = 3}, found.schedule).empty()) std::abort();
    }
    parse_stg(stg_text(graph), "written.stg");
  } catch (const Error&) {
  }
  return 0;
}

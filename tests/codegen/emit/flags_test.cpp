// Generated C and C++ under compiler flags that change arithmetic, in every rounding mode:
// -ffast-math, -Ofast, x87, 32 bits, other compilers, another processor. docs/generated-programs.md
// states what holds.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <future>
#include <numbers>
#include <sstream>

#include "codegen/emit/languages.hpp"
#include "codegen/trace/generate.hpp"
#include "graph/evaluate.hpp"
#include "graph/expr.hpp"
#include "parid/inverse_dynamics.hpp"
#include "tests/base/scratch.hpp"
#include "tests/full.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

using Numbers = std::vector<double>;

// ---- compiled programs
// ----------------------------------------------------------------------------

struct Case {
  Program program;
  bool single = false;
  std::vector<Numbers> in;
  std::vector<std::vector<long double>> wanted;
  double within = 0;                                    // where rounding is to nearest
  enum { relative, absolute, ulp } measure = relative;  // to an output array's largest entry
};

std::vector<long double> wide(const Numbers& x) { return {x.begin(), x.end()}; }

void name_arguments(Program& p) {
  p.inputs = arguments(p.graph.inputs());
  p.outputs = arguments(p.graph.outputs());
}

Numbers in_single(Numbers x) {
  for (double& y : x) y = static_cast<float>(y);
  return x;
}

// Only sine and cosine: small angles, large ones, and those next to multiples of π/4.
Case sines(bool single) {
  Case c;
  const SinCos<Expr> pair = sin_cos(input(c.program.graph, "x1"));
  output(c.program.graph, "y1", pair.sin);
  output(c.program.graph, "y2", pair.cos);
  name_arguments(c.program);
  c.program.name = single ? "pair_float" : "pair";
  c.single = single;
  c.within = single ? 1e-7 : 2;
  c.measure = single ? Case::absolute : Case::ulp;
  Rng rng(21);
  for (const double reach : {1e-9, 1.0, 10.0, 100.0, 1e4})
    for (int k = 0; k < 400; ++k) c.in.push_back({uniform(rng, -reach, reach)});
  for (int n = -6366; n <= 6366; ++n)
    if (std::abs(n) < 40 || n % 97 == 0)
      for (const double parts : {1.0, 2.0}) {
        const double at = n * (std::numbers::pi / 2) / parts;
        c.in.push_back({at});
        c.in.push_back({std::nextafter(at, 1e9)});
      }
  for (Numbers& x : c.in) {
    if (single) x = in_single(x);
    const auto exact = static_cast<long double>(x[0]);
    c.wanted.push_back({std::sin(exact), std::cos(exact)});
  }
  return c;
}

Case torques_of(const Robot& robot, const std::string& name, const GenerateOptions& options,
                bool single) {
  Case c;
  c.program = generate(robot, Quantity::inverse_dynamics, options).program;
  c.program.name = name + (single ? "_float" : "");
  c.single = single;
  c.within = single ? 3e-6 : 1e-12;
  Rng rng(22);
  Workspace workspace(robot);
  for (int k = 0; k < 25; ++k) {
    RandomState s = random_state(rng, robot.description());
    if (k % 5 == 4)  // a few turns on; the base of a floating robot is no angle
      for (double& x : s.q) x += std::ldexp(1.0, k % 4) * (single ? 1 : 3.7);
    for (auto* x : {&s.q, &s.v, &s.a})
      if (single) *x = in_single(*x);
    Numbers in = s.q, tau(robot.nv());
    in.insert(in.end(), s.v.begin(), s.v.end());
    in.insert(in.end(), s.a.begin(), s.a.end());
    if (options.friction)
      tau = evaluate<double>(c.program.graph, in);
    else
      inverse_dynamics(robot, workspace, s.q, s.v, s.a, tau);
    c.in.push_back(in);
    c.wanted.push_back(wide(tau));
  }
  return c;
}

// Square roots, arc tangents, choices and divisions: the closed form of a PUMA, at poses that it
// takes itself, its wrist bent.
Case inverse_kinematics(bool single) {
  Case c;
  const Robot robot = Robot::load("puma560");
  c.program = generate(robot, Quantity::inverse_kinematics).program;
  c.program.name = single ? "puma560_ik_float" : "puma560_ik";
  c.single = single;
  c.within = single ? 2e-5 : 1e-12;
  const Graph frames = generate(robot, Quantity::kinematics).program.graph;
  Rng rng(23);
  for (int k = 0; k < 25; ++k) {
    Numbers q;
    for (const double middle : {0.3, -0.6, 2.2, 0.4, 0.9, -0.7})
      q.push_back(middle + uniform(rng, -0.3, 0.3));
    Numbers in = evaluate<double>(frames, q);
    for (const int bit : {1, 2, 4}) in.push_back(k & bit ? 1 : -1);
    if (single) in = in_single(in);
    c.in.push_back(in);
    c.wanted.push_back(wide(evaluate<double>(c.program.graph, in)));
  }
  return c;
}

// Trees with revolute and prismatic joints, tips, rotors, tilted bases and arbitrary zeros.
Robot odd_robot(std::uint64_t seed) {
  Rng rng(seed);
  RandomRobot options;
  options.revolute = 3;
  options.prismatic = 1;
  options.fixed = 1;
  options.planar = options.spherical = 0;
  options.tips = true;
  return Robot(random_tree(rng, 7, options));
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const bool single : {false, true}) {
    all.push_back(sines(single));
    all.push_back(torques_of(Robot::load("puma560"), "puma", {}, single));
    all.push_back(torques_of(odd_robot(5), "odd", {}, single));
    all.push_back(inverse_kinematics(single));
    if (!full_tests()) continue;
    all.push_back(torques_of(Robot::load("panda"), "panda", {}, single));
    all.push_back(
        torques_of(Robot::load("puma560-positioning"), "rubbing", {.friction = true}, single));
    for (std::uint64_t seed : {6, 7, 8})
      all.push_back(torques_of(odd_robot(seed), "odd" + std::to_string(seed), {}, single));
  }
  return all;
}

// ---- how it is compiled
// ----------------------------------------------------------------------------

struct FlagSet {
  std::string compiler, flags;  // c: "gcc" or "clang-14"; c++ by its other name
  std::string abi = {};         // those of the flags that all parts of a program must share
  std::string emulator = {};
  bool reassociates = false;  // as by compilers that have no barrier against it
};

std::string cpp_compiler(std::string c) {
  if (const auto at = c.find("gcc"); at != std::string::npos) return c.replace(at, 3, "g++");
  if (const auto at = c.find("clang"); at != std::string::npos) return c.replace(at, 5, "clang++");
  return c;
}

std::vector<FlagSet> flag_sets() {
  std::vector<FlagSet> all = {
      {.compiler = "gcc", .flags = "-O0"},
      {.compiler = "gcc", .flags = "-Ofast"},
      {.compiler = "gcc", .flags = "-O2 -mfpmath=387"},
  };
  const bool host_is_x86 =
#if defined(__x86_64__)
      true;
#else
      false;
#endif
  if (!host_is_x86) all.pop_back();
  all.push_back({.compiler = "clang-14", .flags = "-Ofast -march=native"});
  if (host_is_x86) all.push_back({.compiler = "gcc", .flags = "-O2", .abi = "-m32"});
  all.push_back({.compiler = "aarch64-linux-gnu-gcc",
                 .flags = "-Ofast",
                 .emulator = "qemu-aarch64 -L /usr/aarch64-linux-gnu "});
  if (!full_tests()) return all;
  for (const char* compiler : {"gcc", "clang-14"})
    for (const char* flags :
         {"-O2", "-O3 -march=native", "-O3 -ffast-math", "-O3 -ffast-math -march=native",
          "-O2 -ffp-contract=fast -mfma", "-O2 -funsafe-math-optimizations"})
      if (host_is_x86 || !std::string(flags).ends_with("-mfma"))
        all.push_back({.compiler = compiler, .flags = flags});
  all.push_back({.compiler = "clang-14", .flags = "-O0"});
  all.push_back({.compiler = "gcc", .flags = "-Ofast", .reassociates = true});
  all.push_back({.compiler = "aarch64-linux-gnu-gcc",
                 .flags = "-O2",
                 .emulator = "qemu-aarch64 -L /usr/aarch64-linux-gnu "});
  if (!host_is_x86) return all;
  all.push_back({.compiler = "gcc", .flags = "-Ofast -mfpmath=387"});
  for (const char* compiler : {"gcc", "clang-14"})
    for (const char* flags : {"-Ofast", "-O2 -msse2 -mfpmath=sse", "-Ofast -msse2 -mfpmath=sse"})
      all.push_back({.compiler = compiler, .flags = flags, .abi = "-m32"});
  all.push_back({.compiler = "gcc", .flags = "-O0", .abi = "-m32"});
  return all;
}

// A main that reads rows and writes results, and the declarations of the called functions. The
// rounding mode applies only to the calls.
std::string main_program(const std::vector<Case>& cases, bool cpp) {
  std::ostringstream o;
  o << "#include <fenv.h>\n#include <stdio.h>\n#include <stdlib.h>\n";
  std::string table;
  int k = 0;
  for (const Case& c : cases) {
    const Program& p = c.program;
    const char* real = c.single ? "float" : "double";
    std::string parameters, call, first = cpp ? "rows" : "";
    int at = 0;
    auto argument = [&](const Argument& a, const char* qualifier, const char* array) {
      if (!parameters.empty()) parameters += ", ";
      parameters += std::string(qualifier) + real + " *" + a.name;
      if (!first.empty() || !call.empty()) call += ", ";
      call += std::string(array) + " + " + std::to_string(at) + (cpp ? " * rows" : "");
      at += a.count;
    };
    for (const Argument& a : p.inputs) argument(a, "const ", "in");
    const int in = std::exchange(at, 0);
    for (const Argument& a : p.outputs) argument(a, "", "out");
    const int out = at;
    o << "void " << p.name << "(" << (cpp ? "long rows, " : "") << parameters << ");\n";
    o << "static void call" << k << "(long rows, const double *x, double *y) {\n  static " << real
      << " in[" << in << " * 9999], out[" << out << " * 9999];\n  long r, c, base = 0;\n";
    // C: row by row. C++: an array (rows, n) for each argument.
    auto each = [&](const std::vector<Argument>& arguments, int total, const std::string& to) {
      std::string text = "base = 0;\n";
      int column = 0;
      for (const Argument& a : arguments) {
        const std::string n = std::to_string(a.count);
        text += "for (r = 0; r < rows; ++r) for (c = 0; c < " + n + "; ++c) " + to + "\n";
        auto replace = [&](const std::string& what, const std::string& by) {
          for (std::size_t f; (f = text.find(what)) != std::string::npos;)
            text.replace(f, what.size(), by);
        };
        replace("USER", "r * " + std::to_string(total) + " + " + std::to_string(column) + " + c");
        replace("PLACE", "base + r * " + n + " + c");
        text += "base += rows * " + n + ";\n";
        column += a.count;
      }
      return text;
    };
    const std::string mode = "  fesetround(mode);\n", back = "  fesetround(FE_TONEAREST);\n";
    if (cpp) {
      o << each(p.inputs, in, "in[PLACE] = x[USER];") << mode << "  " << p.name << "(rows" << call
        << ");\n"
        << back << each(p.outputs, out, "y[USER] = out[PLACE];");
    } else {
      o << "  (void)base;\n  for (r = 0; r < rows; ++r) {\n  for (c = 0; c < " << in
        << "; ++c) in[c] = x[r * " << in << " + c];\n"
        << mode << "  " << p.name << "(" << call << ");\n"
        << back << "  for (c = 0; c < " << out << "; ++c) y[r * " << out
        << " + c] = out[c];\n  }\n";
    }
    o << "}\n";
    table += "  {call" + std::to_string(k++) + ", " + std::to_string(in) + ", " +
             std::to_string(out) + ", " + std::to_string(c.in.size()) + "},\n";
  }
  std::string text = o.str();
  text.insert(text.find("void "), "static int mode;\n");
  return text +
         "static const struct { void (*call)(long, const double *, double *); int in, out, rows; } "
         "all[] = {\n" +
         table + R"(};
int main(int count, char **words) {
  const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  FILE *given = fopen(words[1], "r");
  static double x[400000], y[400000];
  for (unsigned k = 0; k < sizeof all / sizeof *all; ++k) {
    char word[64];
    (void)count;
    for (long n = 0; n < (long)all[k].in * all[k].rows; ++n)
      if (fscanf(given, "%63s", word) == 1) x[n] = strtod(word, 0);
    for (int m = 0; m < 4; ++m) {
      mode = modes[m];
      all[k].call(all[k].rows, x, y);
      for (long n = 0; n < (long)all[k].out * all[k].rows; ++n) printf("%a\n", y[n]);
    }
  }
  return 0;
}
)";
}

// How far a row is off, as its case measures it.
double off_by(const Case& c, std::size_t row, const Numbers& found, bool reassociates) {
  double worst = 0;
  std::size_t k = 0;
  for (const Argument& a : c.program.outputs) {
    long double largest = 0;
    for (int i = 0; i < a.count; ++i) largest = std::max(largest, std::abs(c.wanted[row][k + i]));
    for (const std::size_t end = k + a.count; k < end; ++k) {
      const long double wanted = c.wanted[row][k];
      long double unit = largest;
      if (c.measure == Case::absolute) unit = 1;
      if (c.measure == Case::ulp)
        unit = std::ldexp(1.0L, std::max(wanted == 0 ? -1022 : std::ilogb(wanted), -1022) - 52);
      // Then a sine is as good as one of an angle that is off by its last digit.
      if (reassociates && c.measure == Case::ulp) unit = 0x1p-53L * (1 + std::abs(c.in[row][0]));
      if (reassociates && c.measure == Case::absolute) unit = 1 + std::abs(c.in[row][0]);
      const long double off = std::abs(found[k] - wanted);
      if (!std::isfinite(found[k])) return INFINITY;
      if (off > 0) worst = std::max(worst, static_cast<double>(off / unit));
    }
  }
  return worst;
}

// Compiles and runs everything with one set of flags; returns a line for each error.
std::string trouble(const FlagSet& set, const std::vector<Case>& cases, bool cpp) {
  const Scratch folder;
  const std::string compiler = cpp ? cpp_compiler(set.compiler) : set.compiler,
                    flags = " -w " + set.abi + " " + set.flags + " ";
  std::string sources;
  for (const Case& c : cases) {
    std::string text;
    if (cpp) {
      text = emit_cpp(c.program, {.single_precision = c.single});
    } else {
      const CFiles files = emit_c(c.program, {.single_precision = c.single});
      folder.file(c.program.name + ".h", files.header);
      text = files.source;
    }
    if (set.reassociates) {
      auto replace = [&](const std::string& what, const std::string& by) {
        const std::size_t at = text.find(what);
        if (at == std::string::npos) return;
        text.replace(at, what.size(), by);
      };
      replace("__has_builtin(__builtin_assoc_barrier)", "0");
    }
    sources += " " + folder.file(c.program.name + (cpp ? ".cpp" : ".c"), text);
  }
  folder.file("main.c", main_program(cases, cpp));
  std::ofstream given(folder.path("given"));
  char exact[40];
  for (const Case& c : cases)
    for (const Numbers& row : c.in)
      for (const double x : row) {
        std::snprintf(exact, sizeof exact, "%a\n", x);
        given << exact;
      }
  given.close();
  said("cd " + folder.path("") + " && " + set.compiler + " -O1 -w " + set.abi + " -c main.c && " +
       compiler + flags + (cpp ? "-std=c++11" : "-std=c99") + sources + " main.o -lm -o all");
  std::istringstream out(said(set.emulator + folder.path("all") + " " + folder.path("given")));
  std::string wrong;
  for (const Case& c : cases)
    for (const char* mode : {"to nearest", "upward", "downward", "towards zero"}) {
      double worst = 0;
      std::size_t at = 0;
      for (std::size_t row = 0; row < c.in.size(); ++row) {
        Numbers found(c.wanted[row].size());
        std::string word;
        for (double& x : found) out >> word, x = std::strtod(word.c_str(), nullptr);
        const double off = off_by(c, row, found, set.reassociates);
        if (!(off <= worst)) {
          worst = off;
          at = row;
        }
      }
      const double allowed =
          c.within * (mode[0] == 't' && mode[1] == 'o' && mode[2] == ' ' ? 1 : 2);
      std::ostringstream line;
      line << compiler << flags << c.program.name << ", rounding " << mode << ": off by " << worst
           << " in row " << at << ", allowed " << allowed << "\n";
      if (std::getenv("PARID_SHOW")) std::cout << line.str();
      if (!(worst <= allowed)) wrong += line.str();
    }
  if (std::string more; out >> more) wrong += "more results than were asked for\n";
  return wrong;
}

// Whether a set can be compiled and run here at all.
bool possible(const FlagSet& set) {
  if (!there(set.compiler) || !there(cpp_compiler(set.compiler))) return false;
  if (!set.emulator.empty() && !there(set.emulator.substr(0, set.emulator.find(' ')))) return false;
  const Scratch folder;
  folder.file("a.cpp", "#include <cmath>\nint main(int n, char **) { return std::sin(n) > 2; }\n");
  return std::system((cpp_compiler(set.compiler) + " " + set.abi + " " + folder.path("a.cpp") +
                      " -o " + folder.path("a") + " >/dev/null 2>&1")
                         .c_str()) == 0;
}

TEST(Flags, EveryProgramUnderEverySetInEveryRoundingMode) {
  const std::vector<Case> cases = all_cases();
  int tried = 0;
  for (const FlagSet& set : flag_sets()) {
    if (!possible(set)) {
      std::cout << "SKIPPED: " << set.compiler << " " << set.abi << " is not installed\n";
      continue;
    }
    auto c = std::async(std::launch::async, trouble, set, cases, false);
    EXPECT_EQ(trouble(set, cases, true), "");
    EXPECT_EQ(c.get(), "");
    ++tried;
  }
  EXPECT_GE(tried, 2);  // the host's own compiler at the least
}

// A flag that makes every constant wrong is refused when the program is compiled.
TEST(Flags, ConstantsInSinglePrecisionAreRefused) {
  const Scratch folder;
  const Case c = torques_of(odd_robot(5), "odd", {}, false);
  const CFiles files = emit_c(c.program, {});
  folder.file("odd.h", files.header);
  folder.file("odd.c", files.source);
  folder.file("odd.cpp", emit_cpp(c.program, {}));
  for (const std::string command : {"gcc -std=c99 -c odd.c", "g++ -c odd.cpp"}) {
    const std::string at = "cd " + folder.path("") + " && " + command;
    EXPECT_NO_THROW(said(at));
    try {
      said(at + " -fsingle-precision-constant");
      ADD_FAILURE() << command << " is not refused";
    } catch (const std::runtime_error& e) {
      EXPECT_NE(std::string(e.what()).find("constants"), std::string::npos) << e.what();
    }
  }
}

// clang that cannot be kept from reassociating is refused under -ffast-math, and not otherwise.
TEST(Flags, OldClangIsRefusedUnderFastMath) {
  if (!there("clang-14")) GTEST_SKIP() << "clang-14 is not installed";
  const Scratch folder;
  CFiles files = emit_c(sines(false).program, {});
  const std::size_t at = files.source.find("__clang_major__ < 13");
  ASSERT_NE(at, std::string::npos);
  files.source.replace(at, 20, "1");
  folder.file("pair.h", files.header);
  folder.file("pair.c", files.source);
  const std::string command = "cd " + folder.path("") + " && clang-14 -std=c99 -c pair.c";
  EXPECT_NO_THROW(said(command));
  EXPECT_THROW(said(command + " -Ofast"), std::runtime_error);
}

}  // namespace
}  // namespace parid::test

// Generated C as firmware: cross-compiled for a Cortex-M4F, run under QEMU instruction by
// instruction, and compared with the same C on this machine, bit for bit, and with the library.
// Prints the cost.

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <iostream>
#include <regex>
#include <set>

#include "parid/dynamics.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

using Numbers = std::vector<double>;
using Floats = std::vector<float>;

const std::string gcc = "arm-none-eabi-gcc", qemu = "qemu-system-arm";
const std::string cpu = " -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard";

struct Figures {
  long code = 0, data = 0;                    // bytes
  std::set<long> instructions, stack;         // of all evaluations, stack in bytes
  long stack_usage = 0;                       // what the compiler says, in bytes
  long stated_stack = 0, stated_static = -1;  // by the head of the file
  std::vector<Floats> board, host;            // results
};

struct Array {
  std::string name;
  std::size_t count;
};

// One generated program with samples, in its own folder. `asked` are the arguments of `parid
// generate`.
class Firmware {
 public:
  Firmware(const std::string& asked, int samples) {
    using Json = nlohmann::ordered_json;
    const Ran ran =
        parid_line("generate " + asked + " --lang c --float --json -o " + folder_.path(""));
    if (ran.code != 0) throw std::runtime_error(ran.err);
    const Json made = Json::parse(ran.out);
    name_ = std::filesystem::path(made["files"][0].get<std::string>()).stem();
    for (const auto& [name, count] : made["takes"].items()) inputs_.push_back({name, count});
    for (const auto& [name, count] : made["gives"].items()) outputs_.push_back({name, count});
    Rng rng(31);
    for (int k = 0; k < samples; ++k)
      samples_.push_back(sample(Robot::load(made["robot"]), made["parameter_values"], rng));
    folder_.file("samples.c", samples_text());
  }

  const std::vector<Numbers>& samples() const { return samples_; }

  Figures run(const std::string& optimisation) const {
    Figures f;
    const std::string at = "cd " + folder_.path("") + " && ", c = name_ + ".c",
                      flags = " -std=c99 -Wall -Wextra -Werror " + optimisation,
                      sources = std::filesystem::current_path() / "python/parid/firmware";
    said(at + gcc + cpu + flags + " -fstack-usage -c " + c + " -o program.o");
    said(at + gcc + cpu + flags + " -ffreestanding -c samples.c " + sources + "/main.c");
    said(at + gcc + cpu + " -nostdlib -T " + sources +
         "/cortex_m4.ld program.o samples.o main.o -o firmware.elf");
    const auto symbols = symbols_of(said(at + "arm-none-eabi-nm firmware.elf"));
    const long begin = symbols.at("program_begin"), end = symbols.at("program_end");
    f.code = end - begin;
    f.data = symbols.at("program_data_end") - symbols.at("program_data_begin");
    f.stack_usage = stack_usage();
    read_head(f, content(folder_.path(c)));

    const bool newer = contains(said(qemu + " --help"), "one-insn-per-tb");
    const std::string each_by_itself = newer ? " -accel tcg,one-insn-per-tb=on" : " -singlestep";
    read_lines(f, said(at + "timeout 60 " + qemu + each_by_itself +
                       " -M mps2-an386 -display none -monitor none -serial none "
                       "-semihosting-config enable=on,target=native -d exec,nochain -D trace "
                       "-dfilter " +
                       std::to_string(begin) + "+" + std::to_string(end - begin) +
                       " -kernel firmware.elf"));
    count(f, begin, end, symbols.at(name_));
    on_host(f, at + "cc" + flags + " -ffp-contract=off -o host samples.c " + c + " host.c");
    return f;
  }

 private:
  // A random state, and the program's other inputs, in single precision.
  Numbers sample(const Robot& robot, const Numbers& pi, Rng& rng) const {
    const RandomState s = random_state(rng, robot.description()),
                      wanted = random_state(rng, robot.description());
    const std::map<std::string, Numbers> known = {{"q", s.q},
                                                  {"v", s.v},
                                                  {"a", s.a},
                                                  {"tau", s.a},
                                                  {"q_wanted", wanted.q},
                                                  {"v_wanted", wanted.v},
                                                  {"a_wanted", wanted.a},
                                                  {"pi", pi}};
    Numbers all;
    for (const Array& a : inputs_) {
      Numbers x(a.count);
      for (double& u : x) u = uniform(rng, 0, 10);
      if (const auto it = known.find(a.name); it != known.end())
        for (std::size_t k = 0; k < x.size(); ++k) x[k] = it->second[k % it->second.size()];
      for (const double u : x) all.push_back(static_cast<float>(u));
    }
    return all;
  }

  std::string samples_text() const {
    std::string arguments, text = "#include \"" + name_ + ".h\"\n#include <stdint.h>\n";
    std::size_t n = 0, m = 0;
    for (const Array& a : inputs_) {
      arguments += "in + " + std::to_string(n) + ", ";
      n += a.count;
    }
    for (const Array& a : outputs_) {
      arguments += (m ? ", out + " : "out + ") + std::to_string(m);
      m += a.count;
    }
    auto number = [&](const char* name, std::size_t x) {
      text += "const uint32_t " + std::string(name) + " = " + std::to_string(x) + ";\n";
    };
    number("sample_count", samples_.size());
    number("input_count", n);
    number("output_count", m);
    text += "void evaluate(const float *in, float *out);\n";
    text += "void evaluate(const float *in, float *out) { " + name_ + "(" + arguments +
            "); }\nconst float samples[] = {\n";
    char exact[40];
    for (const Numbers& s : samples_)
      for (const double x : s) {
        std::snprintf(exact, sizeof exact, "%af,\n", static_cast<float>(x));
        text += exact;
      }
    folder_.file(
        "host.c",
        "#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n"
        "extern const uint32_t sample_count, input_count, output_count;\n"
        "extern const float samples[];\nvoid evaluate(const float *in, float *out);\n"
        "int main(void) {\n  static float out[1024];\n"
        "  for (uint32_t s = 0; s < sample_count; ++s) {\n"
        "    evaluate(samples + s * input_count, out);\n    printf(\"0 \");\n"
        "    for (uint32_t k = 0; k < output_count; ++k) {\n      uint32_t bits;\n"
        "      memcpy(&bits, out + k, 4);\n      printf(\"%08lx \", (unsigned long)bits);\n"
        "    }\n    printf(\"\\n\");\n  }\n  return 0;\n}\n");
    return text + "};\n";
  }

  static std::map<std::string, long> symbols_of(const std::string& text) {
    std::map<std::string, long> all;
    std::istringstream lines(text);
    for (std::string address, kind, name; lines >> address >> kind >> name;)
      all[name] = std::stol(address, nullptr, 16);
    return all;
  }

  // Of the function and the functions it calls: name, tab, bytes, tab, kind.
  long stack_usage() const {
    std::istringstream lines(content(folder_.path("program.su")));
    long most = 0, bytes = 0;
    for (std::string place, kind; lines >> place >> bytes >> kind;) {
      EXPECT_EQ(kind, "static");
      most += bytes;
    }
    return most;
  }

  static void read_head(Figures& f, const std::string& text) {
    std::smatch found;
    const std::regex line("(\\d+) bytes of static memory, at most (\\d+) bytes of stack");
    if (!std::regex_search(text, found, line)) return;
    f.stated_static = std::stol(found[1]);
    f.stated_stack = std::stol(found[2]);
  }

  static std::vector<Floats> numbers_of(const std::string& text, std::set<long>* first) {
    std::vector<Floats> all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      words >> std::hex;
      unsigned long word = 0;
      words >> word;
      if (first) first->insert(static_cast<long>(word));
      all.emplace_back();
      while (words >> word)
        all.back().push_back(std::bit_cast<float>(static_cast<std::uint32_t>(word)));
    }
    return all;
  }
  static void read_lines(Figures& f, const std::string& text) {
    f.board = numbers_of(text, &f.stack);
  }
  void on_host(Figures& f, const std::string& command) const {
    said(command);
    f.host = numbers_of(said(folder_.path("host")), nullptr);
  }

  // QEMU's trace has one line for each instruction that ran within the program:
  //   Trace 0: 0x7f… [00000000/000000f4/00000110/ff000001] puma560_inverse
  // An evaluation begins at the function's first one.
  void count(Figures& f, long begin, long end, long entry) const {
    std::istringstream lines(content(folder_.path("trace")));
    long steps = 0;
    std::size_t evaluations = 0;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t bracket = line.find('[');
      if (!line.starts_with("Trace") || bracket == std::string::npos) continue;
      const long pc = std::stol(line.substr(line.find('/', bracket) + 1, 8), nullptr, 16);
      if (pc < begin || pc >= end) continue;
      if (pc == entry) {
        if (evaluations++ > 0) f.instructions.insert(steps);
        steps = 0;
      }
      ++steps;
    }
    f.instructions.insert(steps);
    EXPECT_EQ(evaluations, samples_.size());
  }

  Scratch folder_;
  std::string name_;
  std::vector<Array> inputs_, outputs_;
  std::vector<Numbers> samples_;
};

void expect_sound(const Figures& f, const std::string& name) {
  EXPECT_EQ(f.board, f.host) << name << ": to the last bit";
  EXPECT_EQ(f.instructions.size(), 1u) << name << ": the same for every input";
  EXPECT_EQ(f.stack.size(), 1u) << name;
  EXPECT_LE(*f.stack.rbegin(), f.stack_usage + 48) << name;  // arguments beyond four, and the call
  EXPECT_GE(f.stated_stack, *f.stack.rbegin()) << name << ": as the head of the file says";
  EXPECT_EQ(f.stated_static, f.data) << name;
}

void report(const std::string& name, const std::string& flags, const Figures& f) {
  std::cout << "| " << name << " | " << flags << " | " << f.code << " | " << *f.stack.rbegin()
            << " | " << *f.instructions.rbegin() << " |\n";
}

class OnACortexM4 : public testing::Test {
 protected:
  void SetUp() override {
    if (!there(gcc) || !there(qemu)) GTEST_SKIP() << gcc << " and " << qemu << " are needed";
  }
};

TEST_F(OnACortexM4, TorquesOfThePumaWithinItsBudget) {
  const Firmware firmware("puma560 inverse", 40);
  const std::vector<Numbers>& samples = firmware.samples();
  const Robot robot = Robot::load("puma560");
  Workspace workspace(robot);
  for (const char* flags : {"-O2", "-Os", "-O1"}) {
    const Figures f = firmware.run(flags);
    report("puma560 inverse", flags, f);
    expect_sound(f, flags);
    EXPECT_LE(*f.instructions.rbegin(), 2000);
    EXPECT_LE(f.code, 12000);
    EXPECT_LE(*f.stack.rbegin(), 1000);
    EXPECT_EQ(f.data, 0);
    ASSERT_EQ(f.board.size(), samples.size());
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const Numbers& x = samples[s];
      Numbers tau(6);
      inverse_dynamics(robot, workspace, {x.data(), 6}, {x.data() + 6, 6}, {x.data() + 12, 6}, tau);
      double scale = 0;
      for (const double t : tau) scale = std::max(scale, std::abs(t));
      for (int k = 0; k < 6; ++k) EXPECT_NEAR(f.board[s][k], tau[k], 3e-6 * scale);
    }
  }
}

TEST_F(OnACortexM4, OtherRobotsAndWords) {
  for (const char* asked :
       {"puma560 computed_torque", "puma560 computed_torque --friction",
        "puma560 inverse --parameters --input gravity,payload,wrench", "puma560 gravity",
        "puma560 mass", "puma560 forward", "puma560 jacobian", "ur5 inverse", "panda inverse",
        "scara inverse", "scara rollout --steps 2"}) {
    const Figures f = Firmware(asked, 5).run("-O2");
    report(asked, "-O2", f);
    expect_sound(f, asked);
  }
}

}  // namespace
}  // namespace parid::test

// The programs of two processors on two emulated Cortex-M4F, which exchange their messages over a
// serial line, against the same programs on this machine, bit for bit.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "control/policy.hpp"
#include "design/step_program.hpp"
#include "design/step_text.hpp"
#include "design/step_timing.hpp"
#include "design/target.hpp"
#include "tests/base/scratch.hpp"
#include "tests/design/arms.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

// A board: start-up, a UART as the network, and a line of torques for each period.
constexpr const char* board_c = R"(
#include <stdint.h>
#include "arm.h"
#include "samples.h"

extern uint32_t stack_top;
void start(void);
static uint32_t semihosting(uint32_t operation, const void *argument) {
  register uint32_t r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}
static void fault(void) {
  semihosting(0x04, "fault\n");
  semihosting(0x18, (const void *)0x20023u);
  for (;;) {
  }
}
typedef void (*Handler)(void);
__attribute__((section(".vectors"), used)) static const struct {
  uint32_t *stack;
  Handler handler[15];
} vectors = {&stack_top, {start, fault, fault, fault, fault, fault}};

static volatile uint32_t *const uart = (volatile uint32_t *)0x40004000;
static void put(uint32_t byte) {
  while (uart[1] & 1) {
  }
  uart[0] = byte;
}
static uint32_t get(void) {
  while (!(uart[1] & 2)) {
  }
  return uart[0] & 255;
}
union word {
  float real;
  uint32_t bits;
};
static struct {
  float words[8][64];
  unsigned sent, taken;
} queue[message_count + 1];

void arm_send(void *network, int message, const float *words, int count) {
  (void)network;
  put((uint32_t)message);
  for (int k = 0; k < count; ++k) {
    union word w = {words[k]};
    for (int b = 0; b < 4; ++b) put(w.bits >> (8 * b) & 255);
  }
}
/* Whatever arrives is kept until it is asked for. */
void arm_receive(void *network, int message, float *words, int count) {
  (void)network;
  while (queue[message].sent == queue[message].taken) {
    const uint32_t m = get();
    for (int k = 0; k < message_words[m]; ++k) {
      union word w = {0};
      for (int b = 0; b < 4; ++b) w.bits |= get() << (8 * b);
      queue[m].words[queue[m].sent & 7][k] = w.real;
    }
    ++queue[m].sent;
  }
  for (int k = 0; k < count; ++k) words[k] = queue[message].words[queue[message].taken & 7][k];
  ++queue[message].taken;
}

static struct arm_pK state;
void start(void) {
  *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20;
  __asm__ volatile("dsb\n isb");
  uart[4] = 16;
  uart[2] = 3;
  for (int p = -arm_settle; p < period_count; ++p) {
    const float *x = p < 0 ? at_rest : samples + 5 * coordinates * p;
    const struct arm_in in = {x, x + coordinates, x + 2 * coordinates, x + 3 * coordinates,
                              x + 4 * coordinates};
    float tau[coordinates];
    for (int k = 0; k < coordinates; ++k) tau[k] = 0;
    arm_pK(&state, &in, tau, 0);
    for (int k = 0; p >= 0 && k < coordinates; ++k) {
      union word w = {tau[k]};
      char text[10];
      for (int d = 0; d < 8; ++d) text[d] = "0123456789abcdef"[w.bits >> (28 - 4 * d) & 15];
      text[8] = k + 1 == coordinates ? '\n' : ' ';
      text[9] = 0;
      semihosting(0x04, text);
    }
  }
  semihosting(0x18, (const void *)0x20026u);
  for (;;) {
  }
}
)";

constexpr const char* host_c = R"(
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "arm.h"
#include "samples.h"
#include "arm_static.c"
static struct arm_all all;
int main(void) {
  float tau[coordinates];
  const float *r = at_rest;
  const struct arm_in rest = {r, r + coordinates, r + 2 * coordinates, r + 3 * coordinates,
                              r + 4 * coordinates};
  arm_begin(&all, &rest, tau);
  for (int p = 0; p < period_count; ++p) {
    const float *x = samples + 5 * coordinates * p;
    const struct arm_in in = {x, x + coordinates, x + 2 * coordinates, x + 3 * coordinates,
                              x + 4 * coordinates};
    arm_step(&all, &in, tau);
    for (int k = 0; k < coordinates; ++k) {
      uint32_t bits;
      memcpy(&bits, tau + k, 4);
      printf("%08lx%c", (unsigned long)bits, k + 1 == coordinates ? '\n' : ' ');
    }
  }
  return 0;
}
)";

std::vector<std::vector<std::string>> table_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream words(line);
    for (std::string word; words >> word;) rows.back().push_back(word);
  }
  return rows;
}

TEST(TwoBoards, RunTheProgramsOfTwoProcessors) {
  const std::string gcc = "arm-none-eabi-gcc", qemu = "qemu-system-arm";
  if (!there(gcc) || !there(qemu)) GTEST_SKIP() << gcc << " and " << qemu << " are needed";
  const Robot robot = Robot::from_text(odd_arm_urdf);
  const int n = robot.nv(), periods = 40;
  const Gains gains{std::vector<double>(4, 100.0), std::vector<double>(4, 20.0)};
  for (const char* id : {"exact", "hamilton"}) {
    const auto program = design::policy_step(robot, gains, policy(id),
                                             design::block_assignments(robot, policy(id), 2)[0]);
    ASSERT_EQ(program.processors.size(), 2u);
    const Scratch folder;
    for (const auto& f :
         design::step_files(program, design::step_timing(program, design::target("cortex-m4f")),
                            design::WordType::float32, "arm", {}))
      folder.file(f.name, f.text);
    std::string samples = fmt::format(
        "enum {{ coordinates = {}, period_count = {}, message_count = {} }};\n"
        "static const int message_words[] = {{",
        n, periods, program.messages.size());
    for (const auto& m : program.messages) samples += fmt::format("{}, ", m.values.size());
    samples += "0};\nstatic const float at_rest[] = {";
    const auto state = [&](int p) {
      for (int array = 0; array < 5; ++array)
        for (int k = 0; k < n; ++k) {
          const double t = 0.02 * p * (k + 1), moving = p < 0 ? 0 : 1;
          const double q = 0.1 * k + 0.1 + 0.2 * moving * std::sin(t);
          const double x = array == 0 || array == 2 ? q : moving * 0.2 * (k + 1) * std::cos(t);
          samples += fmt::format("{:a}f, ", static_cast<double>(static_cast<float>(x)));
        }
    };
    state(-1);
    samples += "};\nstatic const float samples[] = {";
    for (int p = 0; p < periods; ++p) state(p);
    folder.file("samples.h", samples + "};\n");
    folder.file("board.c", board_c);
    folder.file("host.c", host_c);
    const std::string at = "cd " + folder.path("") + " && ",
                      strict = " -std=c99 -O2 -Wall -Wextra -Werror -ffp-contract=off ",
                      cpu = " -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard",
                      script =
                          std::filesystem::current_path() / "python/parid/firmware/cortex_m4.ld";
    for (const char* k : {"1", "2"})
      said(at + gcc + cpu + strict +
           "-ffreestanding -fno-tree-loop-distribute-patterns -Darm_pK=arm_p" + k +
           " -nostdlib -T " + script + " board.c arm_p" + k + ".c -lgcc -o board" + k + ".elf");
    said(at + "cc" + strict + "host.c arm_p1.c arm_p2.c -o host");
    const std::string board = qemu +
                              " -M mps2-an386 -display none -monitor none -semihosting-config "
                              "enable=on,target=native -serial chardev:line -kernel board";
    said(at + "(timeout 100 " + board +
         "1.elf -chardev socket,id=line,path=line,server=on,wait=on > one 2>&1 & first=$!; "
         "while [ ! -S line ]; do sleep 0.05; kill -0 $first || exit 1; done; "
         "timeout 100 " +
         board + "2.elf -chardev socket,id=line,path=line > two 2>&1; wait $first)");
    const auto host = table_of(said(folder.path("host"))),
               one = table_of(content(folder.path("one"))),
               two = table_of(content(folder.path("two")));
    ASSERT_EQ(host.size(), static_cast<std::size_t>(periods));
    const auto lines_of = [](const auto& table) {
      std::vector<std::vector<std::string>> rows;
      for (const auto& row : table)
        if (row.size() == 4) rows.push_back(row);
      return rows;
    };
    const auto first = lines_of(one), second = lines_of(two);
    ASSERT_EQ(first.size(), host.size()) << content(folder.path("one"));
    ASSERT_EQ(second.size(), host.size()) << content(folder.path("two"));
    for (std::size_t p = 0; p < host.size(); ++p)
      for (std::size_t k = 0; k < 4; ++k) {
        const bool by_first = second[p][k] == "00000000";
        EXPECT_EQ((by_first ? first : second)[p][k], host[p][k]) << id << " " << p << " " << k;
      }
    EXPECT_NE(first[3][0], "00000000");
    EXPECT_NE(second[3][3], "00000000");
  }
}

}  // namespace
}  // namespace parid::test

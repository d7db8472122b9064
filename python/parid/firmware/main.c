/* Evaluates a generated program on a bare Cortex-M4 for every sample and says, by semihosting, one
 * line each: the bytes of stack it took and its results as bits. No C library, no interrupts.
 *
 * The samples and `evaluate`, which calls the program, are in a file that the test writes. */

#include <stdint.h>

extern const uint32_t sample_count, input_count, output_count;
extern const float samples[];
void evaluate(const float* in, float* out);

enum { most_outputs = 1024, painted_words = 16384 };
static const uint32_t paint = 0xA5C3F00Du;

/* ---- what the board is
 * ----------------------------------------------------------------------------- */

extern uint32_t stack_top;
void start(void);

static uint32_t semihosting(uint32_t operation, const void* argument) {
  register uint32_t r0 __asm__("r0") = operation;
  register const void* r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

static void say(const char* text) { semihosting(0x04, text); }

static void leave(int well) {
  semihosting(0x18, (const void*)(well ? 0x20026u : 0x20023u));
  for (;;) {
  }
}

static void fault(void) {
  say("fault\n");
  leave(0);
}

typedef void (*Handler)(void);
__attribute__((section(".vectors"), used)) static const struct {
  uint32_t* stack;
  Handler handler[15];
} vectors = {&stack_top, {start, fault, fault, fault, fault, fault}};

/* ---- one line per sample
 * --------------------------------------------------------------------------- */

static void say_hexadecimal(uint32_t x) {
  char text[10];
  for (int k = 0; k < 8; ++k) text[k] = "0123456789abcdef"[(x >> (28 - 4 * k)) & 15u];
  text[8] = ' ';
  text[9] = '\0';
  say(text);
}

static float out[most_outputs];

/* How far down the stack was written. Everything below this frame is painted first. */
__attribute__((noinline)) static uint32_t stack_of_evaluation(const float* in) {
  volatile uint32_t* here;
  __asm__ volatile("mov %0, sp" : "=r"(here));
  for (int k = 1; k <= painted_words; ++k) here[-k] = paint;
  evaluate(in, out);
  int deepest = painted_words;
  while (deepest > 0 && here[-deepest] == paint) --deepest;
  return 4u * (uint32_t)deepest;
}

void start(void) {
  *(volatile uint32_t*)0xE000ED88u |= 0xFu << 20; /* CPACR: the floating-point unit is on */
  __asm__ volatile("dsb\n isb");
  *(volatile uint32_t*)0xE000EF34u &= ~(3u << 30); /* FPCCR: nothing saved lazily */
  for (uint32_t s = 0; s < sample_count; ++s) {
    say_hexadecimal(stack_of_evaluation(samples + s * input_count));
    for (uint32_t k = 0; k < output_count; ++k) {
      union {
        float number;
        uint32_t bits;
      } x = {out[k]};
      say_hexadecimal(x.bits);
    }
    say("\n");
  }
  leave(1);
}

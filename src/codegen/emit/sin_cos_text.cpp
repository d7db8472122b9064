#include "codegen/emit/sin_cos_text.hpp"

namespace parid::codegen {

std::string sin_cos_accuracy(bool single_precision) {
  return single_precision ? "Within 1e-7 for |x| <= 1e4 rad" : "Within 2 ulp for |x| <= 1e4 rad";
}

// clang before 13 has no barrier, and distributes over (n + 3·2^k) if n has one use left.
void emit_keep(Lines& o, const std::string& keep) {
  o.line("#if defined(__clang__) && __clang_major__ < 13 && defined(__FAST_MATH__)");
  o.line("#error \"-ffast-math makes this compiler's sines wrong; use clang 13 or later, or gcc\"");
  o.line("#endif");
  o.add("/* {}(x) is x; -ffast-math does not reassociate across it. */", keep);
  o.line("#if defined(__has_builtin)");
  o.line("#if __has_builtin(__builtin_assoc_barrier)");
  o.add("#define {}(x) __builtin_assoc_barrier(x)", keep);
  o.line("#endif");
  o.line("#endif");
  o.add("#ifndef {}", keep);
  o.add("#define {}(x) (x)", keep);
  o.line("#endif");
  o.blank();
}

// x = n·π/2 + r, with π/2 in three parts so that n times the first two is exact;
// polynomials on [−π/4, π/4]; and the quadrant n mod 4 by bit operations, since a
// comparison may become a branch.
//
// n is in the bits of x·2/π + 3·2^k + 1/2. Those below the unit are cleared, which rounds
// down in every rounding mode. The sum has more bits below the unit than needed, so that
// its own rounding moves the boundaries between quadrants only slightly. Bit operations are
// not arithmetic for a compiler: no flag lets it cancel 3·2^k or keep it in a wider
// register. Casts round the parts of π/2 if C gives constants excess precision (x87,
// -std=c99).
void emit_sin_cos(Lines& o, const SinCosText& t) {
  auto define = [&](const std::string& name, const std::string& value) {
    o.add("const {} {} = {};", t.real, name, value);
  };
  auto bits = [&](const std::string& name, const std::string& value) {
    o.add("const {} {} = {};", t.bits, name, value);
  };
  auto kept = [&](const std::string& x) { return fmt::format("{}({})", t.keep, x); };
  auto as_bits = [&](const std::string& x) { return fmt::format("{}({})", t.to_bits, x); };
  auto as_real = [&](const std::string& x) { return fmt::format("{}({})", t.to_real, x); };
  o.add("/* Sine and cosine of x. {};", sin_cos_accuracy(t.single_precision));
  o.line(" * twice that where the rounding mode is not to nearest. */");
  o.open("{2} void {0}(const {1} x, {1} *sine, {1} *cosine) {{", t.name, t.real, t.before);
  o.raw("#if defined(__clang__) && __clang_major__ >= 13\n");
  o.raw("#pragma clang fp reassociate(off)\n");
  o.raw("#endif\n");
  const int unit = t.single_precision ? 5 : 20;  // the bit of b that is the unit of n
  const std::string sign_bit = t.single_precision ? "0x80000000u" : "0x8000000000000000" + t.wide,
                    half_of_it = t.single_precision ? "0x40000000u" : "0x4000000000000000" + t.wide;
  if (t.single_precision) {
    bits("b", as_bits("x * 0.63661977f + 393216.5f") + " & 0xffffffe0u");
    define("n", as_real("b") + " - 393216.0f");
    define("u", kept("x - n * 1.5703125f"));
    define("v", kept("u - n * (float)4.837513e-4f"));
    define("r", "v - n * 7.549790e-8f");
    define("z", "r * r");
    define("s", "r + r * z * (-1.6666665e-1f + z * (8.33275e-3f + z * -1.9587e-4f))");
    define("c",
           "(1.0f - 0.5f * z) + z * z * (4.1666646e-2f + z * (-1.388830e-3f + z * 2.4547e-5f))");
  } else {
    bits("b", as_bits("x * 0.6366197723675814 + 6442450944.5") + " & 0xfffffffffff00000" + t.wide);
    define("n", as_real("b") + " - 6442450944.0");
    define("u", kept("x - n * (double)1.5707963267341256"));
    define("w", "n * (double)6.077100506303966e-11");
    define("r", kept("u - w"));
    define("t", kept(kept("u - r") + " - w") + " - n * 2.0222662487959506e-21");
    define("z", "r * r");
    define("ps",
           "-0.16666666666666666 + z * (0.008333333333330943 + z * (-0.0001984126983674956 + z * "
           "(2.755731609787775e-06 + z * (-2.5051130870968297e-08 + z * 1.591805913698281e-10))))");
    define("pc",
           "0.041666666666666664 + z * (-0.0013888888888887393 + z * (2.4801587298760048e-05 + z * "
           "(-2.755731726880539e-07 + z * (2.0876145659059344e-09 + z * "
           "-1.1382588535352522e-11))))");
    define("h", "0.5 * z");
    define("c0", kept("1.0 - h"));
    define("s", "r + ((r * z) * ps + t * c0)");
    define("c", "c0 + (" + kept(kept("1.0 - c0") + " - h") + " + (z * z * pc - r * t))");
  }
  // n odd: swap sine and cosine. Their signs: bit 1 of n, and of n + 1.
  bits("sb", as_bits("s"));
  bits("cb", as_bits("c"));
  bits("swap", fmt::format("(sb ^ cb) & (0 - (b >> {} & 1))", unit));
  bits("top", fmt::format("b << {}", (t.single_precision ? 30 : 62) - unit));
  o.add("*sine = {};", as_real("sb ^ swap ^ (top & " + sign_bit + ")"));
  o.add("*cosine = {};", as_real("cb ^ swap ^ ((top + " + half_of_it + ") & " + sign_bit + ")"));
  o.close();
}

}  // namespace parid::codegen

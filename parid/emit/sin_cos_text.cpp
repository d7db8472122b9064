#include "parid/emit/sin_cos_text.hpp"

namespace parid {

// x = n·π/2 + r, with π/2 in three parts so that n times the first two is exact; polynomials on
// [−π/4, π/4]; and the quadrant m = n mod 4 in −2 … 2 by arithmetic, since a comparison may become a
// branch:  sin x = A s + B c,  cos x = A c − B s  with  A = 1, 0, −1 for |m| = 0, 1, 2 and B = m for |m| = 1,
// else 0.
void emit_sin_cos(Lines& o, const std::string& name, const std::string& type,
                  bool single_precision) {
  o.add("/* Sine and cosine of x. {} */",
        single_precision ? "Within 1.6 ulp for |x| <= 100 rad, within 1e-7 for |x| <= 1e4 rad."
                         : "Within 2 ulp for |x| <= 1e4 rad.");
  o.open("static inline void {}(const {} x, {} *sine, {} *cosine) {{", name, type, type, type);
  if (single_precision) {
    o.add("const {} n = (x * 0.63661977f + 12582912.0f) - 12582912.0f;", type);
    o.add("const {} r = ((x - n * 1.5703125f) - n * 4.837513e-4f) - n * 7.549790e-8f;", type);
    o.add("const {} z = r * r;", type);
    o.add("const {} s = r + r * z * (-1.6666665e-1f + z * (8.33275e-3f + z * -1.9587e-4f));", type);
    o.add(
        "const {} c = (1.0f - 0.5f * z) + z * z * (4.1666646e-2f + z * (-1.388830e-3f + z * "
        "2.4547e-5f));",
        type);
    o.add("const {} m = n - 4.0f * ((n * 0.25f + 12582912.0f) - 12582912.0f), mm = m * m;", type);
    o.add(
        "const {} A = (6.0f - 7.0f * mm + mm * mm) * 0.16666667f, B = m * (4.0f - mm) * "
        "0.33333333f;",
        type);
  } else {
    const char* magic = "6755399441055744.0";
    o.add("const {} n = (x * 0.6366197723675814 + {}) - {};", type, magic, magic);
    o.add("const {} u = x - n * 1.5707963267341256, w = n * 6.077100506303966e-11;", type);
    o.add("const {} r = u - w;", type);
    o.add("const {} t = ((u - r) - w) - n * 2.0222662487959506e-21;", type);
    o.add("const {} z = r * r;", type);
    o.add(
        "const {} ps = -0.16666666666666666 + z * (0.008333333333330943 + z * "
        "(-0.0001984126983674956 + z * (2.755731609787775e-06 + z * (-2.5051130870968297e-08 + z * "
        "1.591805913698281e-10))));",
        type);
    o.add(
        "const {} pc = 0.041666666666666664 + z * (-0.0013888888888887393 + z * "
        "(2.4801587298760048e-05 + z * (-2.755731726880539e-07 + z * (2.0876145659059344e-09 + z * "
        "-1.1382588535352522e-11))));",
        type);
    o.add("const {} h = 0.5 * z, c0 = 1.0 - h;", type);
    o.add("const {} s = r + ((r * z) * ps + t * c0);", type);
    o.add("const {} c = c0 + (((1.0 - c0) - h) + (z * z * pc - r * t));", type);
    o.add("const {} m = n - 4.0 * ((n * 0.25 + {}) - {}), mm = m * m;", type, magic, magic);
    o.add(
        "const {} A = (6.0 - 7.0 * mm + mm * mm) * 0.16666666666666666, B = m * (4.0 - mm) * "
        "0.3333333333333333;",
        type);
  }
  o.line("*sine = A * s + B * c;");
  o.line("*cosine = A * c - B * s;");
  o.close();
}

}  // namespace parid

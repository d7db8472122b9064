// Formats numbers: a true minus sign, only significant digits.

const minus = (text: string): string => text.replace("-", "\u2212");

// With that many decimals; never "−0.000".
export function fixed(x: number, decimals: number): string {
  const text = x.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : minus(text);
}

// With that many digits, without trailing zeros.
export function short(x: number, digits = 4): string {
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-4) return power(x, digits - 1);
  return minus(String(Number(x.toPrecision(digits))));
}

const raised = ["\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074", "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"];

// 1.3 · 10⁻¹⁵
export function power(x: number, decimals = 1): string {
  if (x === 0) return "0";
  const [mantissa, exponent] = x.toExponential(decimals).split("e");
  const up = exponent.replace("+", "").replace("-", "\u207b").replace(/\d/g, (d) => raised[Number(d)]);
  return `${minus(mantissa)}\u202f\u00b7\u202f10${up}`;
}

const spaced = new Intl.NumberFormat("en", { useGrouping: true });
// 75 270
export const whole = (x: number): string => spaced.format(x).replace(/,/g, "\u202f");

// Seconds with a suitable unit: 49.9 ms.
export function seconds(s: number): string {
  if (s === 0) return "0";
  const a = Math.abs(s);
  if (a < 1e-6) return `${short(s * 1e9, 3)} ns`;
  if (a < 1e-3) return `${short(s * 1e6, 3)} µs`;
  if (a < 1) return `${short(s * 1e3, 3)} ms`;
  return `${short(s, 4)} s`;
}

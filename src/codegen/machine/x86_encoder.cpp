#include "codegen/machine/x86_encoder.hpp"

#include <cassert>

namespace parid::codegen {

void X86Encoder::dword(std::int32_t x) {
  for (int k = 0; k < 4; ++k)
    byte(static_cast<int>((static_cast<std::uint32_t>(x) >> (8 * k)) & 255));
}

// The bytes ModRM and SIB, and the offset: in one byte if it is a multiple of `unit` and small.
void X86Encoder::last_operand(int field, const Operand& x, int unit) {
  const int low = (field & 7) << 3;
  if (x.kind == Operand::reg) return byte(0xC0 | low | (x.number & 7));
  if (x.kind == Operand::pool) {
    byte(low | 5);
    references_.push_back({bytes_.size(), 0, x.offset});
    return dword(0);
  }
  const int base = x.number & 7;
  const bool small = x.offset % unit == 0 && x.offset / unit >= -128 && x.offset / unit <= 127;
  const int mode = x.offset == 0 && base != 5 ? 0x00 : small ? 0x40 : 0x80;
  byte(mode | low | base);
  if (base == rsp) byte(0x24);
  if (mode == 0x40) byte((x.offset / unit) & 255);
  if (mode == 0x80) dword(x.offset);
}

void X86Encoder::vex(const VectorCode& c, int bits, int to, int first, const Operand& last) {
  const bool extended = last.kind != Operand::pool && (last.number & 8) != 0;
  const int v = first < 0 ? 15 : (~first & 15), length = bits == 256 ? 4 : 0;
  if (!extended && !c.wide && c.map == VectorCode::m0F) {
    bytes({0xC5, ((to & 8) ? 0 : 0x80) | v << 3 | length | c.prefix});
  } else {
    bytes({0xC4, ((to & 8) ? 0 : 0x80) | 0x40 | (extended ? 0 : 0x20) | c.map,
           (c.wide ? 0x80 : 0) | v << 3 | length | c.prefix});
  }
  byte(c.code);
  last_operand(to, last, 1);
}

void X86Encoder::evex(const VectorCode& c, int bits, int to, int first, const Operand& last) {
  const bool reg = last.kind == Operand::reg;
  const int x = reg && (last.number & 16) ? 0 : 0x40;
  const int b = last.kind != Operand::pool && (last.number & 8) ? 0 : 0x20;
  const int v = first < 0 ? 0 : first;
  const int length = bits == 512 ? 2 : bits == 256 ? 1 : 0;
  bytes({0x62, ((to & 8) ? 0 : 0x80) | x | b | ((to & 16) ? 0 : 0x10) | c.map,
         (c.wide_evex ? 0x80 : 0) | (~v & 15) << 3 | 4 | c.prefix,
         length << 5 | (last.broadcast ? 0x10 : 0) | ((v & 16) ? 0 : 8)});
  byte(c.code);
  last_operand(to, last, last.bytes > 0 ? last.bytes : 1);
}

void X86Encoder::legacy(const VectorCode& c, int to, const Operand& last) {
  constexpr int prefixes[] = {0, 0x66, 0xF3, 0xF2};
  if (c.prefix != VectorCode::none) byte(prefixes[c.prefix]);
  const bool extended = last.kind != Operand::pool && (last.number & 8) != 0;
  const int rex = ((to & 8) ? 4 : 0) | (extended ? 1 : 0);
  if (rex != 0) byte(0x40 | rex);
  byte(0x0F);
  if (c.map == VectorCode::m0F38) byte(0x38);
  if (c.map == VectorCode::m0F3A) byte(0x3A);
  byte(c.code);
  last_operand(to, last, 1);
}

void X86Encoder::vector(const VectorCode& c, int bits, int to, int first, const Operand& last,
                        int immediate) {
  const std::size_t before = references_.size();
  if (set_ == VectorSet::sse2) {
    assert(first < 0 || first == to || c.code == 0x72 || c.code == 0x73);
    legacy(c, to, last);
  } else if (bits == 512 || c.evex_only || last.broadcast || to >= 16 || first >= 16 ||
             (last.kind == Operand::reg && last.number >= 16)) {
    assert(set_ == VectorSet::avx512);
    evex(c, bits, to, first, last);
  } else {
    vex(c, bits, to, first, last);
  }
  if (immediate != no_immediate) byte(immediate & 255);
  if (references_.size() > before) references_.back().next = bytes_.size();
}

void X86Encoder::load_pointer(int to, int base, std::int32_t offset) {
  bytes({0x48 | ((to & 8) ? 4 : 0) | ((base & 8) ? 1 : 0), 0x8B});
  last_operand(to, {Operand::memory, base, offset, false, 0}, 1);
}

}  // namespace parid::codegen

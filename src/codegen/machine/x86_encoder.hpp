// Instructions of x86-64 as bytes: SSE2, AVX with FMA, AVX-512.

#pragma once

#include <cstdint>
#include <vector>

#include "codegen/layer.hpp"

namespace parid::codegen {

// General registers by their numbers in encodings.
enum Gpr : int { rax = 0, rcx = 1, rdx = 2, rbx = 3, rsp = 4, rbp = 5, rsi = 6, rdi = 7 };

// A vector instruction. `wide` and `wide_evex` are the bit W of the VEX and of the EVEX prefix.
struct VectorCode {
  enum Prefix : std::uint8_t { none = 0, p66 = 1, pF3 = 2, pF2 = 3 };
  enum Map : std::uint8_t { m0F = 1, m0F38 = 2, m0F3A = 3 };
  Prefix prefix;
  Map map;
  std::uint8_t code;
  bool wide = false, wide_evex = false;
  bool evex_only = false;
};

// The last operand of an instruction: a vector register, or memory at a general register, or in the
// pool of constants that follows the code.
struct Operand {
  enum Kind : std::uint8_t { reg, memory, pool } kind = reg;
  int number = 0;  // of the register, or of the base register
  std::int32_t offset = 0;
  bool broadcast = false;  // one element for all lanes: AVX-512
  int bytes = 0;           // that are read or written, for the short form of offsets

  static Operand vector(int number) { return {reg, number, 0, false, 0}; }
};

enum class VectorSet : std::uint8_t { sse2, avx2, avx512 };

class X86Encoder {
 public:
  explicit X86Encoder(VectorSet set) : set_(set) {}

  static constexpr int no_register = -1, no_immediate = -1;

  // CODE to, first, last, immediate. `bits` is 128, 256 or 512; 128 for scalars. With SSE2 `first`
  // is `to` or no_register.
  void vector(const VectorCode&, int bits, int to, int first, const Operand& last,
              int immediate = no_immediate);

  void byte(int b) { bytes_.push_back(static_cast<std::uint8_t>(b)); }
  void bytes(std::initializer_list<int> all) {
    for (const int b : all) byte(b);
  }
  void dword(std::int32_t);
  // mov to, [base + offset], of eight bytes
  void load_pointer(int to, int base, std::int32_t offset);

  // The code, then the pool; all references to the pool resolved. Both begin at multiples of 64.
  struct Reference {
    std::size_t at, next;  // of the four bytes, and of the instruction that follows
    std::int32_t offset;   // in the pool
  };
  const std::vector<std::uint8_t>& code() const { return bytes_; }
  const std::vector<Reference>& references() const { return references_; }

 private:
  void vex(const VectorCode&, int bits, int to, int first, const Operand&);
  void evex(const VectorCode&, int bits, int to, int first, const Operand&);
  void legacy(const VectorCode&, int to, const Operand&);
  void last_operand(int field, const Operand&, int unit);

  VectorSet set_;
  std::vector<std::uint8_t> bytes_;
  std::vector<Reference> references_;
};

}  // namespace parid::codegen

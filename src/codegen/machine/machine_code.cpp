#include "codegen/machine/machine_code.hpp"

#include <fmt/format.h>

#include <cstring>

#include "codegen/machine/register_assignment.hpp"

namespace parid::codegen {
namespace {

// Functions and their constants, each at a multiple of 64, so that aligned instructions may read
// constants.
class Image {
 public:
  // Returns the function's offset.
  std::size_t add(const std::vector<std::uint8_t>& before, const MachineFunction& f,
                  const std::vector<std::uint8_t>& after) {
    align(0xCC);
    const std::size_t start = bytes.size(), code = start + before.size();
    append(before);
    append(f.code);
    append(after);
    align(0);
    const std::size_t pool = bytes.size();
    append(f.pool);
    for (const X86Encoder::Reference& r : f.references) {
      const auto distance = static_cast<std::int32_t>(static_cast<std::int64_t>(pool) + r.offset -
                                                      static_cast<std::int64_t>(code + r.next));
      std::memcpy(bytes.data() + code + r.at, &distance, sizeof distance);
    }
    return start;
  }

  // Where add() places the constants.
  std::size_t pool_of(std::size_t before, const MachineFunction& f,
                      const std::vector<std::uint8_t>& after) const {
    auto aligned = [](std::size_t n) { return (n + 63) / 64 * 64; };
    return aligned(aligned(bytes.size()) + before + f.code.size() + after.size());
  }

  std::vector<std::uint8_t> bytes;

 private:
  void append(const std::vector<std::uint8_t>& more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  void align(std::uint8_t with) {
    while (bytes.size() % 64 != 0) bytes.push_back(with);
  }
};

ArgumentPlaces places_of(const Program& p, bool one_sample) {
  ArgumentPlaces places;
  auto fill = [&](const std::vector<Argument>& arguments,
                  std::vector<ArgumentPlaces::Element>& to) {
    std::int32_t array = 0;
    for (const Argument& a : arguments) {
      for (int k = 0; k < a.count; ++k) {
        const auto all = static_cast<std::int32_t>(to.size());
        to.push_back(one_sample ? ArgumentPlaces::Element{array, k}
                                : ArgumentPlaces::Element{0, all});
      }
      ++array;
    }
  };
  fill(p.inputs, places.in);
  fill(p.outputs, places.out);
  return places;
}

void zero_upper_parts(X86Encoder& e, const MachineTarget& target) {
  if (target.set != VectorSet::sse2) e.bytes({0xC5, 0xF8, 0x77});  // vzeroupper
}

// Values are written to memory about in the order in which constants are read. If both had the same
// offsets in their pages, the CPU would take reads for reads of what was just written, and wait:
// twice the time. So the memory begins half a page away from the pool.
constexpr std::int32_t page = 4096;
std::int32_t away_from(std::size_t pool) {
  return static_cast<std::int32_t>((pool + page / 2) % page);
}

// rdi, rsi, rdx: in, out, scratch
std::size_t add_block(Image& image, const MachineTarget& target, const MachineFunction& f,
                      std::int32_t& scratch_offset) {
  X86Encoder before(target.set), after(target.set);
  before.bytes({0xF3, 0x0F, 0x1E, 0xFA});  // endbr64
  before.bytes({0x48, 0x83, 0xEA, 0x80});  // sub rdx, -128
  zero_upper_parts(after, target);
  after.byte(0xC3);  // ret
  scratch_offset = away_from(image.pool_of(before.code().size(), f, after.code()));
  return image.add(before.code(), f, after.code());
}

// Values that do not fit are on the stack, at rdx. The guard page below a stack must not be jumped
// over: every page is touched.
std::vector<std::uint8_t> prologue_of_one(const MachineTarget& target, std::int32_t memory,
                                          std::int32_t offset) {
  X86Encoder e(target.set);
  e.bytes({0xF3, 0x0F, 0x1E, 0xFA});  // endbr64
  e.byte(0x55);                       // push rbp
  e.bytes({0x48, 0x89, 0xE5});        // mov rbp, rsp
  const std::int32_t pages = (memory + page - 1) / page;
  for (std::int32_t k = 0; k < pages; ++k) {
    e.bytes({0x48, 0x81, 0xEC});  // sub rsp, 4096
    e.dword(page);
    e.bytes({0x48, 0x83, 0x0C, 0x24, 0x00});  // or qword [rsp], 0
  }
  e.bytes({0x48, 0x81, 0xE4});  // and rsp, -4096
  e.dword(-page);
  e.bytes({0x48, 0x8D, 0x94, 0x24});  // lea rdx, [rsp + offset + 128]
  e.dword(offset + 128);
  return e.code();
}

// rdi, rsi: in, out
std::size_t add_one(Image& image, const MachineTarget& target, const MachineFunction& f) {
  X86Encoder after(target.set);
  if (f.far >= 0) {
    const int bytes = target.set == VectorSet::sse2 ? 16 : 32;
    after.load_pointer(rax, rdx, f.far - 128);
    for (int k = 8; k < bytes; k += 8) {
      after.bytes({0x48, 0x0B, 0x82});  // or rax, [rdx + offset]
      after.dword(f.far - 128 + k);
    }
    after.bytes({0x48, 0xC1, 0xE8, 0x3F});  // shr rax, 63
  } else {
    after.bytes({0x31, 0xC0});  // xor eax, eax
  }
  zero_upper_parts(after, target);
  after.bytes({0xC9, 0xC3});  // leave, ret
  // The memory may begin anywhere in its first page.
  const std::int32_t memory = f.memory + page;
  const std::size_t length = prologue_of_one(target, memory, 0).size();
  const std::size_t pool = image.pool_of(length, f, after.code());
  return image.add(prologue_of_one(target, memory, away_from(pool)), f, after.code());
}

}  // namespace

std::unique_ptr<MachineCode> MachineCode::make(const Program& program, const MachineTarget& target,
                                               std::string& note) {
#if !defined(__x86_64__) || !defined(__unix__)
  note = "machine code is generated for x86-64 only";
  return nullptr;
#endif
  const std::size_t operations = program.graph.size();
  if (operations > machine_operations_limit) {
    note = fmt::format("the program has {} operations, too many for machine code (limit {})",
                       operations, machine_operations_limit);
    return nullptr;
  }
  std::unique_ptr<MachineCode> made(new MachineCode);
  Image image;
  std::size_t block = 0, one = 0;
  const bool with_one = !target.single_precision;
  for (const bool one_sample : {false, true}) {
    if (one_sample && !with_one) break;
    const StraightCode code = straight_code(program.graph, target, one_sample, note);
    if (code.steps.empty() && !program.graph.outputs().empty()) return nullptr;
    const MachineFunction f =
        with_registers(code, target, places_of(program, one_sample), one_sample);
    if (one_sample) {
      one = add_one(image, target, f);
    } else {
      std::int32_t offset = 0;
      block = add_block(image, target, f, offset);
      made->scratch_ = static_cast<std::size_t>(f.memory);
      made->scratch_offset_ = static_cast<std::size_t>(offset);
    }
  }
  made->memory_ = ExecutableMemory::make(image.bytes, note);
  if (!made->memory_) return nullptr;
  const std::uint8_t* const start = made->memory_->data();
  made->block_ = reinterpret_cast<Block>(reinterpret_cast<std::uintptr_t>(start + block));
  if (with_one) made->one_ = reinterpret_cast<One>(reinterpret_cast<std::uintptr_t>(start + one));
  return made;
}

}  // namespace parid::codegen

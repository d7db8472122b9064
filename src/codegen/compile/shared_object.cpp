#include "codegen/compile/shared_object.hpp"

#include <elf.h>
#include <link.h>

#include <bit>
#include <cstring>
#include <vector>

namespace parid::codegen {
namespace {

using Head = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Section = ElfW(Shdr);

// `count` records of a type from `offset` on; none if the file does not contain all of them.
template <class Record>
std::vector<Record> records(std::string_view bytes, std::uint64_t offset, std::size_t count) {
  if (offset > bytes.size() || (bytes.size() - offset) / sizeof(Record) < count) return {};
  std::vector<Record> all(count);
  std::memcpy(all.data(), bytes.data() + offset, count * sizeof(Record));
  return all;
}

bool within(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

}  // namespace

std::string flaw_of_object(std::string_view bytes) {
  if (bytes.empty()) return "the file is empty";
  if (bytes.size() < sizeof(Head)) return "the file is truncated";
  Head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  const int own_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  const int own_order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_type != ET_DYN)
    return "the file is not a shared object";
  if (head.e_ident[EI_CLASS] != own_class || head.e_ident[EI_DATA] != own_order)
    return "the file is for another machine type";
  if (head.e_phentsize != sizeof(Segment) || head.e_phnum == 0)
    return "the file's header is damaged";
  const auto segments = records<Segment>(bytes, head.e_phoff, head.e_phnum);
  if (segments.empty()) return "the file is truncated";
  for (const Segment& s : segments)
    if (!within(bytes, s.p_offset, s.p_filesz)) return "the file is truncated";
  if (head.e_shnum == 0) return "";
  // The loader does not read sections. Linkers write their table last, where truncation shows
  // first.
  if (head.e_shentsize != sizeof(Section)) return "the file's header is damaged";
  const auto sections = records<Section>(bytes, head.e_shoff, head.e_shnum);
  if (sections.empty()) return "the file is truncated";
  for (const Section& s : sections)
    if (s.sh_type != SHT_NOBITS && s.sh_type != SHT_NULL && !within(bytes, s.sh_offset, s.sh_size))
      return "the file is truncated";
  return "";
}

}  // namespace parid::codegen

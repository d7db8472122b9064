// Runs a target over files instead of generated inputs: for ctest with the corpora, and to examine
// a finding. Any error ends the program.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz/fuzz.hpp"

int main(int count, char** words) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (int k = 1; k < count; ++k) {
    if (fs::is_directory(words[k]))
      for (const auto& entry : fs::directory_iterator(words[k])) files.push_back(entry.path());
    else
      files.emplace_back(words[k]);
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::fprintf(stderr, "%s\n", file.c_str());
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    if (in.bad() || LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                           bytes.size()) != 0)
      return 1;
  }
  std::fprintf(stderr, "%zu files\n", files.size());
  return files.empty() ? 1 : 0;
}

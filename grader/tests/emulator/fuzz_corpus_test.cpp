// What the fuzzers found: every input of the kept corpus (tests/fuzz/corpus.tar.zst) has an answer.
// The corpus is the smallest that reaches all code that the fuzzers reached.
#include <gtest/gtest.h>
#include <zstd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "tests/fuzz/targets.h"

namespace tmaemu::fuzz {
namespace {

// The corpus lies beside the sources; the compiler was called in grader/, the tests from anywhere.
constexpr const char* archive_path = GRADER_FOLDER "/tests/fuzz/corpus.tar.zst";

std::string unpacked(const std::string& packed) {
  const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  std::string text(size, '\0');
  ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  return text;
}

// POSIX pax(1) "ustar Interchange Format": blocks of 512 bytes, a header and then the file.
std::map<std::string, std::vector<std::string>> read_corpus() {
  std::ifstream file(archive_path, std::ios::binary);
  const std::string tar = unpacked({std::istreambuf_iterator<char>(file), {}});
  constexpr std::size_t block = 512;
  constexpr std::size_t size_offset = 124;
  std::map<std::string, std::vector<std::string>> inputs;  // by target
  for (std::size_t at = 0; at + block <= tar.size() && tar[at] != '\0';) {
    const std::string name = tar.c_str() + at;
    const std::size_t size = std::strtoull(tar.c_str() + at + size_offset, nullptr, 8);
    at += block;
    if (name.back() != '/') inputs[name.substr(0, name.find('/'))].push_back(tar.substr(at, size));
    at += (size + block - 1) / block * block;
  }
  return inputs;
}

void expect_answers(const std::string& target, void (*run)(Input)) {
  const std::vector<std::string> inputs = read_corpus()[target];
  EXPECT_FALSE(inputs.empty());
  for (const std::string& input : inputs) run(std::as_bytes(std::span(input)));
}

TEST(FuzzCorpus, FatBinaryReaderAnswersAll) {
  expect_answers("read_fatbin", read_fatbin);
}
TEST(FuzzCorpus, PtxParserAnswersAll) {
  expect_answers("parse_ptx", parse_ptx);
}
TEST(FuzzCorpus, DecoderAnswersAll) {
  expect_answers("decode_ptx", decode_ptx);
}
TEST(FuzzCorpus, ElfReaderAnswersAll) {
  expect_answers("read_elf", read_elf);
}

}  // namespace
}  // namespace tmaemu::fuzz

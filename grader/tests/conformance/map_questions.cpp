// Writes the tensor maps of the conformance suite as questions to the module of the tensor-map
// explorer, each with what an H200 answered: map_questions ANSWERS FILE
// grader/tests/site/explorer_conformance_test.ts asks them.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include "emulator/browser/tensor_map_module.h"
#include "tests/conformance/answers.h"
#include "tests/conformance/tma_cases.h"

namespace {

using tmaemu::browser::Question;

struct Record {
  Question question;
  std::uint64_t accepted;
};
static_assert(sizeof(Record) == 216);

// With a store before the tensor, which the engine refuses: what counts is the driver's answer, and
// no tile has to be walked for it.
Question question_of(const conformance::MapArguments& map) {
  Question question{};
  question.address = map.address;
  std::ranges::copy(map.size, question.size);
  std::ranges::copy(map.stride, question.stride);
  question.mode = map.is_im2col ? 1 : 0;
  question.type = map.type;
  question.rank = map.rank;
  question.interleave = map.interleave;
  question.swizzle = map.swizzle;
  question.l2_promotion = map.l2_promotion;
  question.fill = map.fill;
  std::ranges::copy(map.box, question.box);
  std::ranges::copy(map.element_stride, question.element_stride);
  std::ranges::copy(map.lower, question.lower_corner);
  std::ranges::copy(map.upper, question.upper_corner);
  question.channels = map.channels;
  question.pixels = map.pixels;
  std::ranges::fill(question.coordinates, -1);
  question.direction = 1;
  return question;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: map_questions ANSWERS FILE\n");
    return 2;
  }
  std::vector<conformance::MapArguments> maps = conformance::map_cases();
  std::ranges::copy(conformance::im2col_map_cases(), std::back_inserter(maps));
  conformance::Answers answers;
  if (!conformance::read(arguments[1], answers) || answers.maps != maps.size()) {
    std::fprintf(stderr, "map_questions: %s does not hold answers to these maps\n", arguments[1]);
    return 3;
  }
  std::ofstream file(arguments[2], std::ios::binary);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const Record record{question_of(maps[i]), answers.accepts(i) ? 1u : 0u};
    file.write(reinterpret_cast<const char*>(&record), sizeof record);
  }
  file.close();
  return file ? 0 : 1;
}

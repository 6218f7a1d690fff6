#include "emulator/browser/tensor_map_module.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "emulator/profile/banks.h"
#include "emulator/tma/operation_rules.h"
#include "emulator/tma/tensor_map.h"
#include "emulator/tma/tile.h"

namespace tmaemu::browser {
namespace {

// What the page reads and writes; one question at a time.
Question question;
Answer answer;
std::string message;
std::vector<Piece> pieces;

std::uint32_t address_of(const void* memory) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(memory));
}

// An enumerator as a byte; a value that no byte holds stays one that no rule accepts.
template <class Enum>
Enum narrow(std::uint32_t number) {
  return static_cast<Enum>(static_cast<std::uint8_t>(std::min<std::uint32_t>(number, 255)));
}

tma::TensorMap map_of(const Question& asked) {
  tma::TensorMap map;
  map.mode = asked.mode == 0 ? tma::Mode::tiled : tma::Mode::im2col;
  map.type = narrow<tma::DataType>(asked.type);
  map.rank = static_cast<int>(asked.rank);
  map.global_address = asked.address;
  std::ranges::copy(asked.size, map.global_size.begin());
  std::ranges::copy(asked.stride, map.global_stride.begin());
  std::ranges::copy(asked.box, map.box_size.begin());
  std::ranges::copy(asked.element_stride, map.element_stride.begin());
  std::ranges::copy(asked.lower_corner, map.lower_corner.begin());
  std::ranges::copy(asked.upper_corner, map.upper_corner.begin());
  map.channels_per_pixel = asked.channels;
  map.pixels_per_column = asked.pixels;
  map.interleave = narrow<tma::Interleave>(asked.interleave);
  map.swizzle = narrow<Swizzle>(asked.swizzle);
  map.l2_promotion = narrow<std::uint8_t>(asked.l2_promotion);
  map.fill = narrow<tma::OutOfBoundsFill>(asked.fill);
  return map;
}

void refuse(Verdict verdict, const std::string& why) {
  message = why;
  answer.verdict = verdict;
  answer.message = address_of(message.data());
  answer.message_bytes = static_cast<std::uint32_t>(message.size());
}

void measure(const tma::TensorMap& map) {
  answer.position_bytes = static_cast<std::uint32_t>(map.position_bytes());
  answer.row_bytes = static_cast<std::uint32_t>(map.row_bytes());
  answer.rows = static_cast<std::uint32_t>(map.rows());
  answer.row_padding = static_cast<std::uint32_t>(map.row_padding());
  answer.box_bytes = static_cast<std::uint32_t>(map.box_bytes());
  answer.transfer_bytes = static_cast<std::uint32_t>(map.transfer_bytes());
  for (int dimension = 0; dimension < map.rank; ++dimension) {
    answer.extent[dimension] = map.box_extent(dimension);
  }
  tma::fill_out_of_bounds(map, std::as_writable_bytes(std::span(answer.fill)));
}

// The coordinates of the position that lies `index` positions from the box's first, in box order.
void place(const tma::TensorMap& map, std::uint32_t index, Piece& piece) {
  for (int dimension = 0; dimension < map.rank; ++dimension) {
    const std::uint32_t extent = map.box_extent(dimension);
    const std::uint32_t steps = index % extent;
    index /= extent;
    piece.place[dimension] =
        question.coordinates[dimension] + static_cast<std::int32_t>(steps * map.step(dimension));
  }
}

// Runs of bytes, cut at positions.
void walk(const tma::TensorMap& map, tma::Coordinates coordinates) {
  const auto position_bytes = static_cast<std::uint32_t>(map.position_bytes());
  std::uint32_t done = 0;  // bytes of the box before the next piece, without padding
  tma::for_each_run(map, coordinates, question.shared_address, [&](const tma::Run& run) {
    for (std::uint32_t at = 0; at < run.bytes;) {
      const std::uint32_t bytes = std::min(run.bytes - at, position_bytes - done % position_bytes);
      Piece piece{run.global_address + at, run.shared_offset + at, bytes, {}, run.in_bounds};
      place(map, done / position_bytes, piece);
      pieces.push_back(piece);
      at += bytes;
      done += bytes;
    }
  });
  answer.pieces = address_of(pieces.data());
  answer.piece_count = static_cast<std::uint32_t>(pieces.size());
}

// One read by a warp: lane i takes the position i steps from the first along `dimension`.
profile::Wavefronts read_along(const tma::TensorMap& map, int dimension) {
  constexpr std::uint32_t warp_lanes = 32;
  constexpr std::uint32_t largest_access = 16;
  if (dimension >= map.rank || answer.position_bytes > largest_access) return {};
  const std::uint32_t distance = dimension == 0 ? 1 : map.box_extent(0);
  const std::uint32_t lanes = std::min(warp_lanes, map.box_extent(dimension));
  std::vector<profile::LaneOffset> offsets;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const Piece& piece = pieces[lane * distance];
    offsets.push_back({lane, question.shared_address + piece.shared_offset});
  }
  return profile::count_wavefronts(offsets, answer.position_bytes, profile::SharedAccess::load);
}

void answer_question() {
  answer = {};
  pieces.clear();
  const tma::TensorMap map = map_of(question);
  if (const common::Status valid = tma::validate(map); !valid) {
    return refuse(Verdict::refused_by_driver, valid.error().message);
  }
  if (map.mode != tma::Mode::tiled) return;
  measure(map);
  const auto rank = static_cast<std::size_t>(map.rank);
  const tma::Coordinates coordinates = std::span(question.coordinates).first(rank);
  const auto direction = static_cast<tma::Direction>(question.direction);
  if (const auto refused = tma::check_operation(map, map.mode, coordinates, {}, direction)) {
    return refuse(Verdict::refused_by_engine, refused->rule);
  }
  walk(direction == tma::Direction::to_global ? map.as_written() : map, coordinates);
  for (int dimension = 0; dimension < 2; ++dimension) {
    const profile::Wavefronts read = read_along(map, dimension);
    answer.wavefronts[dimension] = read.actual;
    answer.ideal_wavefronts[dimension] = read.ideal;
  }
}

}  // namespace

extern "C" {

[[clang::export_name("question")]] Question* question_memory() {
  return &question;
}

// The answer's address, anew after each question.
[[clang::export_name("ask")]] const Answer* ask() {
  answer_question();
  return &answer;
}

// Bytes of one element; 0: no such type.
[[clang::export_name("element_bytes")]] std::uint32_t element_bytes(std::uint32_t type) {
  if (type > static_cast<std::uint32_t>(tma::DataType::tf32_ftz)) return 0;
  return static_cast<std::uint32_t>(tma::size_of(static_cast<tma::DataType>(type)));
}

}  // extern "C"

}  // namespace tmaemu::browser

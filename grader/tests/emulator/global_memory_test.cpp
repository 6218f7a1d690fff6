#include "emulator/memory/global_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <set>
#include <vector>

#include "emulator/device/device.h"

namespace tmaemu {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// In a process of its own, whose memory is limited: ends with 0 where the emulator still has some
// when a program has allocated all that it gets.
[[noreturn]] void allocate_all() {
  const rlimit limit{1024 * mebibyte, 1024 * mebibyte};
  if (setrlimit(RLIMIT_DATA, &limit) != 0) std::_Exit(2);
  GlobalMemory memory(std::uint64_t{141} << 30);
  std::uint64_t allocated = 0;
  for (std::size_t size = 4096 * mebibyte; size >= mebibyte; size /= 2) {
    while (memory.allocate(size)) allocated += size;
  }
  if (allocated < 512 * mebibyte) std::_Exit(3);
  const auto* own = new (std::nothrow) std::byte[64 * mebibyte];
  std::_Exit(own == nullptr ? 4 : 0);
}

TEST(GlobalMemory, LeavesTheEmulatorSomeOfALimitedProcesssMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // this process may have a device already
  EXPECT_EXIT(allocate_all(), testing::ExitedWithCode(0), "");
}

TEST(GlobalMemory, AFileWithAPeriodIsThereAgainAndAgain) {
  constexpr std::size_t page = 2 * mebibyte;  // a few: each is a mapping of the host's
  constexpr std::size_t gibibyte = 1024 * mebibyte;
  const int file = memfd_create("global-memory-test", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(file, 4 * page), 0);
  GlobalMemory& memory = Device::instance().memory();
  EXPECT_FALSE(memory.has_repeated());
  const auto address = memory.open_file({file, page, 2 * page}, 3 * gibibyte + 5);
  ASSERT_TRUE(address);
  EXPECT_TRUE(memory.has_repeated());
  *memory.translate(*address + 2 * page + 7, 1) = std::byte{42};
  EXPECT_EQ(*memory.translate(*address + 7, 1), std::byte{42});
  EXPECT_EQ(*memory.translate(*address + 3 * gibibyte + 4, 1), *memory.translate(*address + 4, 1));
  EXPECT_EQ(memory.translate(*address + 3 * gibibyte + 5, 1), nullptr);
  EXPECT_TRUE(memory.close_shared(*address));
  EXPECT_FALSE(memory.has_repeated());
  EXPECT_FALSE(memory.open_file({file, page, 4 * page}, gibibyte)) << "beyond the file's end";
  close(file);
}

// Where the arrays of each call are that takes arrays of so many bytes. In a process of its own.
std::vector<std::vector<std::uint64_t>> open_in_turns(
    const std::vector<std::vector<std::size_t>>& calls) {
  GlobalMemory memory(std::uint64_t{141} << 30);
  const int file = memfd_create("global-memory-test", MFD_CLOEXEC);
  if (ftruncate(file, 4 * mebibyte) != 0) std::_Exit(2);
  std::vector<std::vector<std::uint64_t>> places;
  for (const auto& sizes : calls) {
    std::vector<std::uint64_t>& of_call = places.emplace_back();
    for (const std::size_t size : sizes) of_call.push_back(memory.open_file({file}, size).value());
    for (const std::uint64_t place : of_call) memory.close_shared(place);
  }
  return places;
}

void expect_in_a_new_process(bool (*holds)()) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::_Exit(holds() ? 0 : 1), testing::ExitedWithCode(0), "");
}

TEST(GlobalMemory, ImportedArraysAreNotWhereThoseOfTheCallBeforeWere) {
  expect_in_a_new_process([] {
    const auto places = open_in_turns({{100, 5000}, {100, 5000}, {100}, {9000}, {9000}});
    return std::ranges::adjacent_find(places, [](const auto& before, const auto& after) {
             return std::ranges::find_first_of(before, after) != before.end();
           }) == places.end();
  });
}

TEST(GlobalMemory, ImportedArraysOfAnotherSizeComeToTheSameAddressOneCallLater) {
  expect_in_a_new_process([] {
    const auto places = open_in_turns({{100, 5000}, {100, 5000}, {9000, 4}, {70000, 2}});
    return places[2] == places[0] && places[3] == places[1];
  });
}

TEST(GlobalMemory, ImportedArraysOfOneCallAreApart) {
  expect_in_a_new_process([] {
    const auto places = open_in_turns({{100}, {100}, {100, 100, 100}, {100, 100, 100}});
    return std::ranges::all_of(places, [](const auto& of_call) {
      return std::set(of_call.begin(), of_call.end()).size() == of_call.size();
    });
  });
}

// Of more than a page of the device's.
TEST(GlobalMemory, LargeImportedArraysComeToNewAddresses) {
  expect_in_a_new_process([] {
    const auto places = open_in_turns({{3 * mebibyte}, {3 * mebibyte}, {3 * mebibyte}});
    return std::set({places[0][0], places[1][0], places[2][0]}).size() == 3;
  });
}

}  // namespace
}  // namespace tmaemu

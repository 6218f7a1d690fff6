// HostPages where nothing can be reserved: each allocation is memory of the module's own.
#include "emulator/memory/host_pages.h"

#include <map>
#include <memory>

namespace tmaemu {
namespace {

// By the offset of the allocation's first byte: the device gives each of them pages of its own.
std::map<std::uint64_t, std::unique_ptr<std::byte[]>>& provided() {
  static std::map<std::uint64_t, std::unique_ptr<std::byte[]>> all;
  return all;
}

}  // namespace

HostPages::HostPages() = default;
HostPages::~HostPages() = default;

std::byte* HostPages::at(std::uint64_t offset) const {
  const auto found = provided().find(offset);
  return found == provided().end() ? nullptr : found->second.get();
}

common::Result<std::byte*> HostPages::provide(std::uint64_t offset, std::size_t size) {
  return (provided()[offset] = std::make_unique<std::byte[]>(size)).get();
}

void HostPages::take_away(std::uint64_t offset, std::size_t) {
  provided().erase(offset);
}

common::Result<std::byte*> HostPages::map(std::uint64_t, std::size_t, int, std::size_t) {
  return common::Error{"a page of the book has no files"};
}

// No program is there that could look on: one view is all.
common::Result<HostPages::TwoViews> HostPages::provide_twice(std::size_t size) {
  auto* const bytes = new std::byte[size]();
  return TwoViews{bytes, bytes};
}

void HostPages::give_back(const TwoViews& views, std::size_t) {
  delete[] views.program;
}

std::uint64_t HostPages::most_bytes() {
  return std::uint64_t{64} << 20;
}

}  // namespace tmaemu

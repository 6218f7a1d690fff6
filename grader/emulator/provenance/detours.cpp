#include "emulator/provenance/detours.h"

#include <algorithm>

namespace tmaemu::provenance {

Detours::Page* Detours::page(std::uint64_t number, bool makes) {
  const std::lock_guard lock(mutex_);
  const auto found = pages_.find(number);
  if (found != pages_.end()) return found->second.get();
  if (!makes) return nullptr;
  return pages_.emplace(number, std::make_unique<Page>()).first->second.get();
}

template <class Visit>
void Detours::for_pages(std::uint64_t address, std::uint64_t bytes, bool makes, Visit visit) {
  const std::uint64_t end = address + bytes;
  while (address < end) {
    const std::uint64_t offset = address % page_bytes;
    const std::uint64_t size = std::min(end - address, page_bytes - offset);
    if (Page* const found = page(address / page_bytes, makes)) visit(*found, offset, size);
    address += size;
  }
}

void Detours::writes(std::uint64_t address, std::uint64_t bytes, bool knows) {
  // What of an input is beside a table in the same 16 bytes stays there.
  for_pages(address, bytes, knows, [knows](Page& page, std::size_t offset, std::size_t size) {
    if (knows) page.unread.add(offset, size);
    if (knows) page.tells.add(offset, size);
    page.products.remove(offset, size);
  });
}

void Detours::keeps_products(std::uint64_t address, std::uint64_t bytes) {
  has_products_.store(true, std::memory_order_relaxed);
  for_pages(address, bytes, true, [](Page& page, std::size_t offset, std::size_t size) {
    page.unread.remove(offset, size);
    page.tells.add(offset, size);
    page.products.add(offset, size);
  });
}

bool Detours::are_products(std::uint64_t address) {
  Page* const found = has_products() ? page(address / page_bytes, false) : nullptr;
  return found != nullptr && found->products.bytes_outside(address % page_bytes, 1) == 0;
}

bool Detours::tell(std::uint64_t address, std::uint64_t bytes) {
  bool tells = false;
  for_pages(address, bytes, false, [&](Page& page, std::size_t offset, std::size_t size) {
    tells = tells || page.tells.has_any(offset, size);
  });
  return tells;
}

void Detours::reads(std::uint64_t address, std::uint64_t bytes) {
  std::uint64_t again = 0;
  for_pages(address, bytes, false, [&](Page& page, std::size_t offset, std::size_t size) {
    again += page.unread.take(offset, size);
  });
  if (again != 0) bytes_.fetch_add(again, std::memory_order_relaxed);
}

void Detours::updates(std::uint64_t address, std::uint64_t bytes, bool knows) {
  if (!knows) return;
  for_pages(address, bytes, true, [](Page& page, std::size_t offset, std::size_t size) {
    page.unread.add_outside(page.updated, offset, size);
    page.updated.add(offset, size);
    page.tells.add(offset, size);
  });
}

}  // namespace tmaemu::provenance

#include "emulator/isa/system_calls.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "emulator/isa/address.h"
#include "emulator/memory/device_heap.h"
#include "emulator/sched/cta.h"

namespace tmaemu {
namespace {

template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

std::string read_string(Warp& warp, const Operation& op, unsigned lane, std::uint64_t address) {
  std::string text;
  for (;; ++address) {
    const Place place = resolve(warp, op, lane, AddressSpace::generic, address, 1, "load");
    const auto character = static_cast<char>(*place.bytes);
    if (character == '\0') return text;
    text += character;
  }
}

// The arguments of a printf as nvcc lays them out: each aligned to its own size.
class Arguments {
 public:
  Arguments(Warp& warp, const Operation& op, unsigned lane, std::uint64_t address)
      : warp_(warp), op_(op), lane_(lane), address_(address) {}

  template <class T>
  T next() {
    address_ = (address_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const Place place =
        resolve(warp_, op_, lane_, AddressSpace::generic, address_, sizeof(T), "load");
    address_ += sizeof(T);
    return read<T>(place.bytes);
  }

 private:
  Warp& warp_;
  const Operation& op_;
  unsigned lane_;
  std::uint64_t address_;
};

template <class T>
void append(std::string& output, const std::string& specification, T value) {
  char text[512];
  const int length = std::snprintf(text, sizeof text, specification.c_str(), value);
  if (length < static_cast<int>(sizeof text)) {
    output.append(text, static_cast<std::size_t>(length));
    return;
  }
  std::string large(static_cast<std::size_t>(length) + 1, '\0');
  std::snprintf(large.data(), large.size(), specification.c_str(), value);
  output.append(large.data(), static_cast<std::size_t>(length));
}

// Formats one conversion, "%-8.3f"; `specification` starts at the percent sign. Star widths become
// numbers on the way.
void append_conversion(std::string& output, std::string specification, Warp& warp,
                       const Operation& op, unsigned lane, Arguments& arguments) {
  const char conversion = specification.back();
  const bool is_long = specification.find('l') != std::string::npos ||
                       specification.find_first_of("jzt") != std::string::npos;
  switch (conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      if (is_long) {
        append(output, specification, arguments.next<std::uint64_t>());
      } else {
        append(output, specification, arguments.next<std::uint32_t>());
      }
      break;
    case 'c':
      append(output, specification, arguments.next<std::int32_t>());
      break;
    case 'p':
      append(output, specification, reinterpret_cast<void*>(arguments.next<std::uint64_t>()));
      break;
    case 's': {
      const auto address = arguments.next<std::uint64_t>();
      append(output, specification, read_string(warp, op, lane, address).c_str());
      break;
    }
    case 'n':
      break;  // accepted and ignored, as CUDA does
    default:
      append(output, specification, arguments.next<double>());
      break;
  }
}

int format(std::string& output, const std::string& text, Warp& warp, const Operation& op,
           unsigned lane, Arguments& arguments) {
  int conversions = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      output += text[i];
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '%') {
      output += '%';
      ++i;
      continue;
    }
    std::string specification = "%";
    for (++i; i < text.size(); ++i) {
      if (text[i] == '*') {
        specification += std::to_string(arguments.next<std::int32_t>());
        continue;
      }
      specification += text[i];
      if (std::strchr("diouxXcpsnfFeEgGaA", text[i]) != nullptr) break;
    }
    if (i >= text.size()) {  // an unfinished conversion is printed as it stands
      output += specification;
      break;
    }
    append_conversion(output, std::move(specification), warp, op, lane, arguments);
    ++conversions;
  }
  return conversions;
}

// int vprintf(const char* format, const void* arguments)
void device_printf(Warp& warp, const Operation& op, unsigned lane,
                   std::span<std::byte* const> parameters, std::byte* result) {
  const std::string text = read_string(warp, op, lane, read<std::uint64_t>(parameters[0]));
  Arguments arguments(warp, op, lane, read<std::uint64_t>(parameters[1]));
  const std::int32_t count =
      format(*warp.cta().cluster.launch.output, text, warp, op, lane, arguments);
  if (result != nullptr) std::memcpy(result, &count, sizeof count);
}

// void __assertfail(const char* assertion, const char* file, unsigned line, const char* function,
//                   size_t character_size)
void assertion_failed(Warp& warp, const Operation& op, unsigned lane,
                      std::span<std::byte* const> parameters, std::byte*) {
  const auto text = [&](std::size_t i) {
    return read_string(warp, op, lane, read<std::uint64_t>(parameters[i]));
  };
  const Dimensions& cta = warp.cta().id;
  const Dimensions& block = warp.cta().cluster.launch.request->block;
  const std::uint32_t linear = warp.thread(lane).index;
  char place[128];
  std::snprintf(place, sizeof place, "block: [%u,%u,%u], thread: [%u,%u,%u]", cta.x, cta.y, cta.z,
                linear % block.x, linear / block.x % block.y, linear / block.x / block.y);
  warp.fault(op, lane, LaunchOutcome::assertion,
             text(1) + ":" + std::to_string(read<std::uint32_t>(parameters[2])) + ": " + text(3) +
                 ": " + place + " Assertion `" + text(0) + "` failed.");
}

// void* malloc(size_t size)
void device_malloc(Warp& warp, const Operation&, unsigned, std::span<std::byte* const> parameters,
                   std::byte* result) {
  const auto size = std::max<std::uint64_t>(read<std::uint64_t>(parameters[0]), 1);
  const std::uint64_t pointer =
      DeviceHeap::instance().allocate(*warp.cta().cluster.launch.memory, size);
  if (result != nullptr) std::memcpy(result, &pointer, sizeof pointer);
}

// void free(void* pointer)
void device_free(Warp& warp, const Operation& op, unsigned lane,
                 std::span<std::byte* const> parameters, std::byte*) {
  const auto pointer = read<std::uint64_t>(parameters[0]);
  GlobalMemory& memory = *warp.cta().cluster.launch.memory;
  if (pointer == 0 || DeviceHeap::instance().free(memory, pointer)) return;
  warp.fault(op, lane, LaunchOutcome::illegal_address,
             "free() is given what malloc() did not return");
}

}  // namespace

SystemCall find_system_call(std::string_view name) {
  if (name == "vprintf") return device_printf;
  if (name == "__assertfail") return assertion_failed;
  if (name == "malloc") return device_malloc;
  if (name == "free") return device_free;
  return nullptr;
}

}  // namespace tmaemu

#include "emulator/isa/control/system_calls.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include "contract/findings/sentences.h"
#include "emulator/isa/address.h"
#include "emulator/memory/device_heap.h"
#include "emulator/sched/cluster.h"

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
    const Place place =
        resolve(warp, op, lane, AddressSpace::generic, address, 1, AccessKind::load);
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
        resolve(warp_, op_, lane_, AddressSpace::generic, address_, sizeof(T), AccessKind::load);
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
  if (length < 0) return;
  if (length < static_cast<int>(sizeof text)) {
    output.append(text, static_cast<std::size_t>(length));
    return;
  }
  std::string large(static_cast<std::size_t>(length) + 1, '\0');
  std::snprintf(large.data(), large.size(), specification.c_str(), value);
  output.append(large.data(), static_cast<std::size_t>(length));
}

// One conversion of a format, "%-8.3lf", in its parts. CUDA C++ Programming Guide, "Format
// Specifiers": only what stands there goes on to the host's printf, which knows more, and believes
// that it is given what it asks for.
struct Conversion {
  std::string_view flags, width, precision, size;
  bool has_precision = false;
  char type = 0;
  std::size_t length = 0;  // of the whole in the format
};

// The conversion that begins at the percent sign; nothing where CUDA has no such.
std::optional<Conversion> parse_conversion(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  std::size_t at = 1;
  const auto take = [&](std::string_view characters) {
    const std::size_t begin = at;
    at = std::min(text.find_first_not_of(characters, begin), text.size());
    return text.substr(begin, at - begin);
  };
  const auto take_number = [&] {
    return text.substr(at, 1) == "*" ? text.substr(at++, 1) : take(digits);
  };
  Conversion conversion;
  conversion.flags = take("-+ #0");
  conversion.width = take_number();
  conversion.has_precision = text.substr(at, 1) == ".";
  if (conversion.has_precision) {
    ++at;
    conversion.precision = take_number();
  }
  conversion.size = take("hljzt");
  constexpr std::string_view types = "diouxXcpsnfFeEgGaA";
  if (at >= text.size() || types.find(text[at]) == types.npos) return std::nullopt;
  conversion.type = text[at];
  conversion.length = at + 1;
  return conversion;
}

// More than fits into the buffer that CUDA prints to.
constexpr int widest_conversion = 1 << 20;

// A width or a precision, given in the format or as an argument. A negative width is a flag of its
// own, a negative precision is none: both as in C.
int number_of(std::string_view digits, Warp& warp, const Operation& op, unsigned lane,
              Arguments& arguments) {
  int number = 0;
  if (digits == "*") {
    number = arguments.next<std::int32_t>();
  } else if (!digits.empty()) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc()) number = widest_conversion + 1;
  }
  if (number <= widest_conversion && number >= -widest_conversion) return number;
  warp.fault(op, lane, Sentence::printf_width, {widest_conversion});
}

// Returns the conversion as the host's printf is to see it, without its size and type.
std::string host_specification(const Conversion& conversion, Warp& warp, const Operation& op,
                               unsigned lane, Arguments& arguments) {
  std::string specification(1, '%');
  specification += conversion.flags;
  if (!conversion.width.empty()) {
    specification += std::to_string(number_of(conversion.width, warp, op, lane, arguments));
  }
  if (conversion.has_precision) {
    const int precision = number_of(conversion.precision, warp, op, lane, arguments);
    if (precision >= 0) specification.append(1, '.').append(std::to_string(precision));
  }
  return specification;
}

void append_conversion(std::string& output, const Conversion& conversion, Warp& warp,
                       const Operation& op, unsigned lane, Arguments& arguments) {
  const std::string specification = host_specification(conversion, warp, op, lane, arguments);
  const char type = conversion.type;
  const bool is_long = conversion.size.find_first_of("ljzt") != std::string_view::npos;
  switch (type) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      if (is_long) {
        append(output, specification + "l" + type, arguments.next<std::uint64_t>());
      } else {
        const std::string_view half = conversion.size.substr(0, 2);  // h or hh
        append(output, specification + std::string(half) + type, arguments.next<std::uint32_t>());
      }
      break;
    case 'c':
      append(output, specification + type, arguments.next<std::int32_t>());
      break;
    case 'p':
      append(output, specification + type,
             reinterpret_cast<void*>(arguments.next<std::uint64_t>()));
      break;
    case 's': {
      const auto address = arguments.next<std::uint64_t>();
      const std::string text = address == 0 ? "(null)" : read_string(warp, op, lane, address);
      append(output, specification + type, text.c_str());
      break;
    }
    case 'n':
      break;  // accepted and ignored, as CUDA does
    default:
      append(output, specification + type, arguments.next<double>());
      break;
  }
}

int format(std::string& output, const std::string& text, Warp& warp, const Operation& op,
           unsigned lane, Arguments& arguments) {
  int conversions = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '%') {
      output += text[i++];
    } else if (i + 1 < text.size() && text[i + 1] == '%') {
      output += '%';
      i += 2;
    } else if (const auto conversion = parse_conversion(std::string_view(text).substr(i))) {
      append_conversion(output, *conversion, warp, op, lane, arguments);
      i += conversion->length;
      ++conversions;
    } else {
      output += text[i++];  // what is no conversion is printed as it stands
    }
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
  warp.fault(op, lane, Sentence::assertion_failed,
             {text(1), read<std::uint32_t>(parameters[2]), text(3), place, text(0)});
}

// void* malloc(size_t size)
void device_malloc(Warp& warp, const Operation&, unsigned, std::span<std::byte* const> parameters,
                   std::byte* result) {
  const auto size = std::max<std::uint64_t>(read<std::uint64_t>(parameters[0]), 1);
  const std::uint64_t pointer =
      DeviceHeap::instance().allocate(*warp.cta().cluster.launch.memory, size);
  if (Observer* const observer = warp.cta().cluster.observer(); observer != nullptr) {
    observer->allocates(pointer, size);
  }
  if (result != nullptr) std::memcpy(result, &pointer, sizeof pointer);
}

// void free(void* pointer)
void device_free(Warp& warp, const Operation& op, unsigned lane,
                 std::span<std::byte* const> parameters, std::byte*) {
  const auto pointer = read<std::uint64_t>(parameters[0]);
  GlobalMemory& memory = *warp.cta().cluster.launch.memory;
  if (pointer == 0) return;
  if (DeviceHeap::instance().free(memory, pointer)) return warp.forget_freed_regions();
  if (DeviceHeap::instance().was_freed(pointer)) warp.fault(op, lane, Sentence::freed_twice);
  warp.fault(op, lane, Sentence::free_of_no_allocation);
}

// void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value)
//
// The handle is the address of the value, behind which stands whether anybody has set it
// (runtime/state/graph_condition.h).
void set_conditional(Warp& warp, const Operation& op, unsigned lane,
                     std::span<std::byte* const> parameters, std::byte*) {
  const std::uint32_t cell[2] = {read<std::uint32_t>(parameters[1]), 1};
  const Place place = resolve(warp, op, lane, AddressSpace::global,
                              read<std::uint64_t>(parameters[0]), sizeof cell, AccessKind::store);
  std::memcpy(place.bytes, cell, sizeof cell);
}

}  // namespace

const SystemFunction* find_system_function(std::string_view name) {
  static const std::array functions{
      SystemFunction{"vprintf", device_printf, {8, 8}, 4},
      SystemFunction{"__assertfail", assertion_failed, {8, 8, 4, 8, 8}, 0},
      SystemFunction{"malloc", device_malloc, {8}, 8},
      SystemFunction{"free", device_free, {8}, 0},
      SystemFunction{"cudaGraphSetConditional", set_conditional, {8, 4}, 0},
  };
  const auto found = std::ranges::find(functions, name, &SystemFunction::name);
  return found == functions.end() ? nullptr : &*found;
}

}  // namespace tmaemu

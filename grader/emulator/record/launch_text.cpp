#include "emulator/record/launch_text.h"

#include <charconv>
#include <optional>
#include <utility>

#include "common/hexadecimal.h"

namespace tmaemu::record {
namespace {

using common::Error;

// Hands out the text's lines, and the words of the line at hand. What is wrong with a line is kept
// until somebody asks.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool next_line() {
    if (rest_.empty()) return false;
    line_ = take(rest_, '\n');
    ++number_;
    return true;
  }
  std::string_view line() const { return line_; }
  std::string_view rest() const { return rest_; }

  std::string_view word() { return take(line_, ' '); }

  std::uint64_t number() {
    const std::string_view text = word();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
      fail("\"" + std::string(text) + "\" is no number");
    }
    return value;
  }

  Dimensions extent() {
    const auto one = [&] { return static_cast<std::uint32_t>(number()); };
    const std::uint32_t x = one();
    const std::uint32_t y = one();
    return {x, y, one()};
  }

  std::vector<std::byte> bytes() {
    const std::string_view text = word();
    std::vector<std::byte> bytes;
    if (text == "-") return bytes;
    for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
      unsigned value = 0;
      const char* const end = text.data() + at + 2;
      if (std::from_chars(text.data() + at, end, value, 16).ptr != end) fail("has no bytes there");
      bytes.push_back(static_cast<std::byte>(value));
    }
    if (text.size() % 2 != 0) fail("has half a byte");
    return bytes;
  }

  void fail(const std::string& why) {
    if (!error_) error_ = Error{"line " + std::to_string(number_) + " of the launch: " + why};
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  // What comes before the separator, which goes too.
  static std::string_view take(std::string_view& from, char separator) {
    const std::size_t end = from.find(separator);
    const std::string_view taken = from.substr(0, end);
    from.remove_prefix(end == from.npos ? from.size() : end + 1);
    return taken;
  }

  std::string_view rest_;
  std::string_view line_;
  std::size_t number_ = 0;
  std::optional<Error> error_;
};

Source read_source(Reader& reader) {
  Source source{std::string(reader.word()), {}};
  for (std::uint64_t left = reader.number(); left > 0; --left) {
    if (!reader.next_line()) {
      reader.fail("the source has fewer lines than it says");
      break;
    }
    source.lines.emplace_back(reader.line());
  }
  return source;
}

LaunchText::Allocation read_allocation(Reader& reader) {
  LaunchText::Allocation one;
  one.address = reader.number();
  one.size = reader.number();
  one.bytes = reader.bytes();
  if (one.bytes.size() > one.size) reader.fail("holds more bytes than it has room for");
  return one;
}

}  // namespace

common::Result<LaunchText> LaunchText::parse(std::string_view text) {
  LaunchText launch;
  Reader reader(text);
  while (launch.ptx.empty() && reader.next_line()) {
    const std::string_view what = reader.word();
    if (what == "kernel") {
      launch.kernel = reader.word();
    } else if (what == "grid") {
      launch.grid = reader.extent();
    } else if (what == "block") {
      launch.block = reader.extent();
    } else if (what == "cluster") {
      launch.cluster = reader.extent();
      launch.has_cluster = true;
    } else if (what == "shared") {
      launch.dynamic_shared_bytes = static_cast<std::size_t>(reader.number());
    } else if (what == "parameters") {
      launch.parameters = reader.bytes();
    } else if (what == "memory") {
      launch.memory.push_back(read_allocation(reader));
    } else if (what == "source") {
      launch.source = read_source(reader);
    } else if (what == "ptx") {
      launch.ptx = reader.rest();
      break;
    } else {
      reader.fail("\"" + std::string(what) + "\" is nothing that a launch has");
    }
    if (reader.error()) return *reader.error();
  }
  if (launch.ptx.empty()) return Error{"the launch has no PTX"};
  return launch;
}

std::string LaunchText::text() const {
  std::string text;
  const auto add = [&](const char* what, std::initializer_list<std::string> words) {
    text += what;
    for (const std::string& word : words) text += " " + word;
    text += "\n";
  };
  const auto add_extent = [&](const char* what, const Dimensions& of) {
    add(what, {std::to_string(of.x), std::to_string(of.y), std::to_string(of.z)});
  };
  add("kernel", {kernel});
  add_extent("grid", grid);
  add_extent("block", block);
  if (has_cluster) add_extent("cluster", cluster);
  add("shared", {std::to_string(dynamic_shared_bytes)});
  add("parameters", {common::hexadecimal(parameters)});
  for (const Allocation& one : memory) {
    const std::string bytes = one.bytes.empty() ? "-" : common::hexadecimal(one.bytes);
    add("memory", {std::to_string(one.address), std::to_string(one.size), bytes});
  }
  if (!source.name.empty()) add("source", {source.name, std::to_string(source.lines.size())});
  for (const std::string& line : source.lines) text += line + "\n";
  return text + "ptx\n" + ptx;
}

}  // namespace tmaemu::record

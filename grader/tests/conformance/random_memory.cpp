// Loads and stores of all widths in all state spaces, through addresses of the space and generic
// ones, and atomics of all threads whose order does not matter. Each thread has bytes of its own in
// local, shared and global memory.
#include <array>
#include <string>

#include "tests/conformance/random_program.h"
#include "tests/conformance/random_text.h"

namespace conformance {
namespace {

constexpr unsigned ctas = 2, threads = 64;
constexpr unsigned own_bytes = 256;
constexpr unsigned statements = 60;
// What all threads change, in shared memory and behind their own bytes in global memory: cells of
// integers, then those of floating-point numbers, which begin with zero.
constexpr unsigned cells = 32;
constexpr unsigned cell_bytes = 16;
constexpr unsigned zero_cells = 4;

class Memory {
 public:
  explicit Memory(std::uint64_t seed) : text_(seed, ctas, threads, 4), seed_(seed) {
    text_.declare(".const .align 16 .b32 table[64] = {" + table() + "};");
    for (std::string& name : words_) name = text_.reg("b32");
    for (Place& place : places_) place.base = text_.reg(place.is_long ? "b64" : "b32");
    text_.line(".local .align 16 .b8 local_bytes[", own_bytes, "];");
    text_.line(".shared .align 16 .b8 shared_bytes[", own_bytes * threads, "];");
    text_.line(".shared .align 16 .b8 shared_cells[", cells * cell_bytes, "];");
    text_.line("mov.u64 ", local().base, ", local_bytes; mov.u32 ", shared().base,
               ", shared_bytes; mad.lo.u32 ", shared().base, ", %tid32, ", own_bytes, ", ",
               shared().base, "; mad.wide.u32 ", global().base, ", %thread, ", own_bytes,
               ", %memory;");
    for (unsigned i = 0; i < words_.size(); ++i) text_.load_input(words_[i], "b32", i);
    fill();
    choose_generic();
  }

  RandomProgram program() {
    for (unsigned i = 0; i < statements; ++i) statement();
    text_.line("bar.sync 0;");
    end();
    RandomProgram program =
        text_.finish(std::size_t{own_bytes} * ctas * threads + cells * cell_bytes);
    program.zero_bytes = zero_cells * cell_bytes;
    common::SplitMix64 random(seed_);
    for (unsigned i = 0; i < ctas * threads * program.input_words; ++i) {
      program.inputs.push_back(random.next());
    }
    return program;
  }

 private:
  struct Place {
    const char* space;  // as a modifier; "" for generic addresses
    bool is_long;
    std::string base = {};
  };
  Place& local() { return places_[0]; }
  Place& shared() { return places_[1]; }
  Place& global() { return places_[2]; }
  Place& generic() { return places_[3]; }
  const std::string& word() { return words_[text_.below(words_.size())]; }

  std::string table() {
    std::string numbers;
    for (unsigned i = 0; i < 64; ++i) {
      numbers += (i == 0 ? "" : ", ") + std::to_string(text_.random() >> 32);
    }
    return numbers;
  }

  void fill() {
    const std::string p = text_.reg("pred"), at = text_.reg("b32"), value = text_.reg("b32");
    for (unsigned i = 0; i < own_bytes; i += 4) {
      text_.line("mad.lo.u32 %word, ", words_[0], ", ", i + 1, ", ", i, "; st.local.b32 [",
                 local().base, "+", i, "], %word; xor.b32 %word, %word, ", words_[1],
                 "; st.shared.b32 [", shared().base, "+", i, "], %word;");
    }
    for (unsigned i = 0; i < cells * cell_bytes / 4; i += threads) {
      text_.line("mov.u32 ", at, ", shared_cells; add.u32 %word, %tid32, ", i, "; mad.lo.u32 ", at,
                 ", %word, 4, ", at, "; mul.lo.u32 ", value, ", %word, 0x11111111; setp.ge.u32 ", p,
                 ", %word, ", (cells - zero_cells) * cell_bytes / 4, "; selp.b32 ", value, ", 0, ",
                 value, ", ", p, "; st.shared.b32 [", at, "], ", value, ";");
    }
    text_.line("bar.sync 0;");
  }

  // The generic address is one of the three, as the thread's input says.
  void choose_generic() {
    const std::string p = text_.reg("pred"), at = text_.reg("b64");
    text_.line("cvta.global.u64 ", generic().base, ", ", global().base, ";");
    text_.line("cvt.u64.u32 ", at, ", ", shared().base, "; cvta.shared.u64 ", at, ", ", at,
               "; and.b32 %word, ", words_[2], ", 3; setp.eq.u32 ", p, ", %word, 1; selp.b64 ",
               generic().base, ", ", at, ", ", generic().base, ", ", p, ";");
    text_.line("cvta.local.u64 ", at, ", ", local().base, "; setp.eq.u32 ", p,
               ", %word, 2; selp.b64 ", generic().base, ", ", at, ", ", generic().base, ", ", p,
               ";");
    for (const char* space : {"shared", "local", "global"}) {
      text_.line("isspacep.", space, " ", p, ", ", generic().base, "; selp.b32 %word, 3, 5, ", p,
                 "; mad.lo.u32 ", words_[3], ", ", words_[3], ", 7, %word;");
    }
    text_.checkpoint(words_[3], 32);
  }

  // "[base+offset]": a multiple of the width in the thread's bytes, some of it from a register.
  std::string address(const Place& place, unsigned width) {
    const unsigned offset = width * text_.below(own_bytes / 2 / width);
    const unsigned mask = (own_bytes / 2 - 1) & ~(width - 1);
    std::string at = text_.reg(place.is_long ? "b64" : "b32");
    text_.line("and.b32 %word, ", word(), ", ", mask, ";");
    if (place.is_long) {
      text_.line("cvt.u64.u32 ", at, ", %word; add.u64 ", at, ", ", at, ", ", place.base, ";");
    } else {
      text_.line("add.u32 ", at, ", %word, ", place.base, ";");
    }
    return "[" + at + "+" + std::to_string(offset) + "]";
  }

  void statement() {
    const unsigned choice = text_.below(12);
    if (choice < 3) return store(text_.one_of(places_vector()));
    if (choice < 7) return load(text_.one_of(places_vector()));
    if (choice == 7) return load_constant();
    if (choice == 8) return copy_bytes();
    return change_cell();
  }
  std::vector<Place> places_vector() const { return {places_.begin(), places_.end()}; }

  static constexpr const char* weak_or_volatile[] = {"", "", "", ".volatile"};

  void store(const Place& place) {
    const unsigned shape = text_.below(7);
    const char* how = place.space == std::string(".local") ? "" : text_.one_of(weak_or_volatile);
    const std::string value = word();
    switch (shape) {
      case 0: {
        const std::string at = address(place, 1);
        return text_.line("st", how, place.space, ".b8 ", at, ", ", value, ";");
      }
      case 1: {
        const std::string at = address(place, 2), half = text_.reg("b16");
        return text_.line("cvt.u16.u32 ", half, ", ", value, "; st", how, place.space, ".b16 ", at,
                          ", ", half, ";");
      }
      case 2: {
        const std::string at = address(place, 4);
        return text_.line("st", how, place.space, ".b32 ", at, ", ", value, ";");
      }
      case 3: {
        const std::string at = address(place, 8);
        return text_.line("mov.b64 %wide, {", value, ", ", word(), "}; st", how, place.space,
                          ".b64 ", at, ", %wide;");
      }
      case 4: {
        const std::string at = address(place, 16);
        const std::string third = word(), second = word();
        return text_.line("st", how, place.space, ".v4.b32 ", at, ", {", value, ", ", second, ", ",
                          third, ", ", value, "};");
      }
      case 5: {
        const std::string at = address(place, 16);
        return text_.line("mov.b64 %wide, {", value, ", ", word(), "}; st", how, place.space,
                          ".v2.b64 ", at, ", {%wide, %wide};");
      }
      default: {
        const std::string at = address(place, 4), a = text_.reg("b16"), b = text_.reg("b16");
        return text_.line("mov.b32 {", a, ", ", b, "}, ", value, "; st", how, place.space,
                          ".v2.b16 ", at, ", {", b, ", ", a, "};");
      }
    }
  }

  // What is loaded is compared.
  void load(const Place& place) {
    static constexpr const char* bytes[] = {"u8", "s8", "b8"};
    static constexpr const char* halves[] = {"u16", "s16"};
    const std::string load =
        "ld" +
        std::string(place.space == std::string(".local") ? "" : text_.one_of(weak_or_volatile)) +
        place.space;
    const std::string to = word();
    const auto mix = [&](const std::string& value) {
      text_.line("mad.lo.u32 ", to, ", ", to, ", 3, ", value, ";");
    };
    switch (text_.below(7)) {
      case 0: {
        const std::string at = address(place, 1), d = text_.reg("b32");
        text_.line(load, ".", text_.one_of(bytes), " ", d, ", ", at, ";");
        mix(d);
        break;
      }
      case 1: {
        const std::string at = address(place, 2), d = text_.reg("b32");
        text_.line(load, ".", text_.one_of(halves), " ", d, ", ", at, ";");
        mix(d);
        break;
      }
      case 2: {
        const std::string at = address(place, 4), d = text_.reg("b64");
        text_.line(load, text_.chance(50) ? ".s32 " : ".u32 ", d, ", ", at, ";");
        return text_.checkpoint(d, 64);
      }
      case 3: {
        const std::string at = address(place, 8), d = text_.reg("b64"), low = text_.reg("b32");
        text_.line(load, ".b64 ", d, ", ", at, "; mov.b64 {", low, ", %word}, ", d, ";");
        mix(low);
        return text_.checkpoint(d, 64);
      }
      case 4: {
        std::array<std::string, 4> d;
        for (std::string& name : d) name = text_.reg("b32");
        const std::string at = address(place, 16);
        text_.line(load, ".v4.b32 {", d[0], ", ", d[1], ", ", d[2], ", ", d[3], "}, ", at, ";");
        for (const std::string& name : d) mix(name);
        break;
      }
      case 5: {
        const std::string at = address(place, 16), a = text_.reg("b64"), b = text_.reg("b64");
        text_.line(load, ".v2.u64 {", a, ", ", b, "}, ", at, "; mad.lo.u64 ", a, ", ", b, ", 31, ",
                   a, ";");
        return text_.checkpoint(a, 64);
      }
      default: {
        std::array<std::string, 4> d;
        for (std::string& name : d) name = text_.reg("b32");
        const std::string at = address(place, 4);
        text_.line(load, ".v4.", text_.chance(50) ? "u8" : "s8", " {", d[0], ", ", d[1], ", ", d[2],
                   ", ", d[3], "}, ", at, ";");
        for (const std::string& name : d) mix(name);
      }
    }
    text_.checkpoint(to, 32);
  }

  void load_constant() {
    const std::string at = text_.reg("b64"), d = text_.reg("b32"), to = word();
    static constexpr const char* types[] = {"u8", "s8", "u16", "s16", "u32"};
    const unsigned type = text_.below(5);
    text_.line("mov.u64 ", at, ", table; and.b32 %word, ", word(), ", ", 252,
               "; cvt.u64.u32 %wide, %word; add.u64 ", at, ", ", at, ", %wide; ld.const.",
               types[type], " ", d, ", [", at, "]; xor.b32 ", to, ", ", to, ", ", d, ";");
    text_.checkpoint(to, 32);
  }

  // cp.async, from the thread's bytes in global memory to those in shared memory.
  void copy_bytes() {
    static constexpr unsigned widths[] = {4, 8, 16};
    const unsigned width = text_.one_of(widths);
    const std::string from = address(global(), width), to = address(shared(), width);
    const std::string some = text_.chance(30) ? ", " + std::to_string(text_.below(width + 1)) : "";
    text_.line("membar.cta; cp.async.", width == 16 && text_.chance(50) ? "cg" : "ca",
               ".shared.global ", to, ", ", from, ", ", width, some, "; cp.async.wait_all;");
  }

  // A change that commutes with those of the same cell.
  void change_cell() {
    static constexpr const char* changes[] = {
        "add.u32", "min.s32", "max.s32", "min.u32",         "max.u32",          "and.b32",
        "or.b32",  "xor.b32", "add.u64", "max.u64",         "min.s64",          "and.b64",
        "xor.b64", "inc.u32", "add.f32", "add.noftz.f16x2", "add.noftz.bf16x2", "add.f64"};
    const auto change = text_.below(std::size(changes));
    const std::string name = changes[change];
    const bool is_shared = text_.chance(50);
    const std::string at = text_.reg(is_shared ? "b32" : "b64"), value = text_.reg("b32");
    // Those at the end of the list are of floating-point numbers.
    const unsigned offset = (cells - std::size(changes) + change) * cell_bytes;
    if (is_shared) {
      text_.line("mov.u32 ", at, ", shared_cells;");
    } else {
      text_.line("add.u64 ", at, ", %memory, ", own_bytes * ctas * threads, ";");
    }
    const std::string space = is_shared ? "shared" : "global";
    const std::string place = "[" + at + "+" + std::to_string(offset) + "]";
    std::string operand = word();
    if (name == "inc.u32") {
      operand = "1000003";
    } else if (name == "add.f32") {  // small integers, whose sums are exact
      text_.line("and.b32 ", value, ", ", operand, ", 15; cvt.rn.f32.u32 ", value, ", ", value,
                 ";");
      operand = value;
    } else if (name == "add.f64") {
      text_.line("and.b32 ", value, ", ", operand, ", 1023; cvt.rn.f64.u32 %wide, ", value, ";");
      operand = "%wide";
    } else if (name.ends_with("x2")) {
      operand = name.ends_with("bf16x2") ? "0x3f803f80" : "0x3c003c00";
      text_.line("mov.b32 ", value, ", ", operand, ";");
      operand = value;
    } else if (name.ends_with("64")) {
      text_.line("mov.b64 %wide, {", operand, ", ", word(), "};");
      operand = "%wide";
    }
    text_.line("red.", space, ".", name, " ", place, ", ", operand, ";");
  }

  void end() {
    const std::string sum = text_.reg("b64"), part = text_.reg("b64");
    for (const Place* place : {&local(), &shared(), &global()}) {
      text_.line("mov.b64 ", sum, ", 1;");
      for (unsigned i = 0; i < own_bytes; i += 8) {
        text_.line("ld", place->space, ".b64 ", part, ", [", place->base, "+", i, "]; mad.lo.u64 ",
                   sum, ", ", sum, ", 31, ", part, ";");
      }
      text_.checkpoint(sum, 64);
    }
    const std::string at = text_.reg("b32");
    for (unsigned i = 0; i < cells * cell_bytes; i += 8 * threads) {
      text_.line("mov.u32 ", at, ", shared_cells; mad.lo.u32 ", at, ", %tid32, 8, ", at,
                 "; ld.shared.b64 ", part, ", [", at, "+", i, "];");
      text_.checkpoint(part, 64);
    }
    for (const std::string& name : words_) text_.checkpoint(name, 32);
  }

  KernelText text_;
  std::uint64_t seed_;
  std::array<std::string, 4> words_;
  std::array<Place, 4> places_ = {
      {{".local", true}, {".shared", false}, {".global", true}, {"", true}}};
};

}  // namespace

RandomProgram random_memory(std::uint64_t seed) {
  return Memory(seed).program();
}

}  // namespace conformance

#include <algorithm>

#include "tests/conformance/matrix_forms.h"
#include "tests/conformance/random_text.h"

namespace conformance {
namespace {

constexpr unsigned warp_size = 32;
constexpr std::string_view ptx_version = "8.7";  // the first with all forms of fp8
constexpr unsigned ctas = 4;
constexpr unsigned warps_of_mma = 4;  // of a CTA
constexpr unsigned warps_of_wmma = 2;

// A vector of registers, and what they hold.
struct Fragment {
  std::vector<std::string> registers;
  unsigned bits = 32;  // of a register

  std::string text() const {
    std::string text;
    for (const std::string& name : registers) text += (text.empty() ? "{" : ", ") + name;
    return text + "}";
  }
};

Fragment new_fragment(KernelText& text, const std::string& type, unsigned count) {
  Fragment fragment;
  if (type == "f64") fragment.bits = 64;
  for (unsigned i = 0; i < count; ++i) {
    fragment.registers.push_back(text.reg(type == "f64" ? "f64" : "b32"));
  }
  return fragment;
}

void checkpoint(KernelText& text, const Fragment& fragment) {
  for (const std::string& name : fragment.registers) text.checkpoint(name, fragment.bits);
}

// Registers of a lane that hold `elements` elements of a warp.
unsigned registers_for(unsigned elements, const std::string& type) {
  return elements * matrix_element_bits(type) / (warp_size * (type == "f64" ? 64 : 32));
}

std::vector<std::uint64_t> random_words(const std::string& type, MatrixValues values,
                                        std::size_t count, common::SplitMix64& random) {
  std::vector<std::uint64_t> words(count);
  for (std::uint64_t& word : words) word = matrix_word(type, values, random);
  return words;
}

// Of 16 chunks: PTX ISA, "Sparse matrix storage".
std::uint64_t random_metadata(const std::string& type, common::SplitMix64& random) {
  static constexpr std::uint64_t codes[] = {0b0100, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110};
  std::uint64_t word = 0;
  for (unsigned at = 0; at < 64; at += 4) {
    const auto pick = random.next() >> 32;
    word |= (type == "tf32" ? codes[pick % 2 * 5] : codes[pick % 6]) << at;
  }
  return word;
}

// Words of the threads, each `count` words of one type behind the other.
class Inputs {
 public:
  Inputs(unsigned threads, std::uint64_t seed) : threads_(threads), random_(seed) {}

  common::SplitMix64& random() { return random_; }
  void add(std::vector<std::uint64_t> of_each_thread) {
    columns_.push_back(std::move(of_each_thread));
  }
  // Thread after thread.
  std::vector<std::uint64_t> words() const {
    std::vector<std::uint64_t> all;
    for (unsigned thread = 0; thread < threads_; ++thread) {
      for (const auto& column : columns_) all.push_back(column[thread]);
    }
    return all;
  }

 private:
  unsigned threads_;
  common::SplitMix64 random_;
  std::vector<std::vector<std::uint64_t>> columns_;
};

// --- mma: all operands in registers ---

RandomProgram mma_program(const MatrixForm& form, MatrixValues values, std::uint64_t seed) {
  const unsigned kept = form.is_sparse ? form.k / 2 : form.k;
  const struct {
    const std::string& type;
    unsigned registers;
  } operands[] = {{form.a, registers_for(form.m * kept, form.a)},
                  {form.b, registers_for(form.n * form.k, form.b)},
                  {form.c, registers_for(form.m * form.n, form.c)}};
  const unsigned words = operands[0].registers + operands[1].registers + operands[2].registers + 1;
  constexpr unsigned threads = warps_of_mma * warp_size;
  KernelText text(seed, ctas, threads, words);
  Inputs inputs(ctas * threads, seed);
  std::vector<Fragment> fragments;
  unsigned word = 0;
  for (const auto& [type, registers] : operands) {
    const Fragment& fragment = fragments.emplace_back(new_fragment(text, type, registers));
    for (const std::string& name : fragment.registers) {
      text.load_input(name, type == "f64" ? "f64" : "b32", word++);
      inputs.add(random_words(type, values, ctas * threads, inputs.random()));
    }
  }
  const std::string metadata = text.reg("b32");
  text.load_input(metadata, "b32", word);
  std::vector<std::uint64_t> column(ctas * threads);
  for (std::uint64_t& code : column) code = random_metadata(form.a, inputs.random());
  inputs.add(column);
  const std::string end =
      form.is_sparse ? ", " + metadata + ", " + std::to_string(form.selector) : "";
  Fragment c = fragments[2];
  for (int round = 0; round < 2; ++round) {
    const Fragment d = new_fragment(text, form.d, registers_for(form.m * form.n, form.d));
    text.line(form.mnemonic, " ", d.text(), ", ", fragments[0].text(), ", ", fragments[1].text(),
              ", ", c.text(), end, ";");
    checkpoint(text, d);
    c = d;
  }
  RandomProgram program = text.finish(8, "", ptx_version);
  program.inputs = inputs.words();
  return program;
}

// --- wmma: matrices in shared or global memory ---

constexpr unsigned area_bytes = 2048;                        // of a matrix
constexpr unsigned area_words = area_bytes / 8 / warp_size;  // of a thread
constexpr unsigned region_bytes = 4 * area_bytes;            // A, B, C and D, of a warp

// A matrix in memory: its lines have gaps behind them where the seed says so.
struct Stored {
  std::string layout;
  unsigned area;
  unsigned stride;  // elements

  Stored(std::string own_layout, unsigned own_area, unsigned rows, unsigned columns,
         const std::string& type, bool has_gaps)
      : layout(std::move(own_layout)), area(own_area) {
    const unsigned elements_of_16_bytes = 128 / matrix_element_bits(type);
    stride = layout == "row" ? columns : rows;
    stride = (stride + elements_of_16_bytes - 1) / elements_of_16_bytes * elements_of_16_bytes;
    if (has_gaps) stride += elements_of_16_bytes;
  }
};

class WmmaProgram {
 public:
  WmmaProgram(const MatrixForm& form, MatrixValues values, std::uint64_t seed)
      : form_(form),
        values_(values),
        text_(seed, ctas, threads, 3 * area_words),
        inputs_(ctas * threads, seed),
        base_(text_.reg("b64")),
        space_(static_cast<unsigned>(values) % 3),
        has_gaps_(text_.chance(50)) {}

  RandomProgram make() {
    text_.declare(".shared .align 128 .b8 region[" + std::to_string(warps_of_wmma * region_bytes) +
                  "];");
    find_base();
    fill();
    const Stored a(form_.layout_a, 0, form_.m, form_.k, form_.a, has_gaps_);
    const Stored b(form_.layout_b, 1, form_.k, form_.n, form_.b, has_gaps_);
    const char* const layouts[] = {"row", "col"};
    const Stored c(text_.one_of(layouts), 2, form_.m, form_.n, form_.c, has_gaps_);
    const Stored d(text_.one_of(layouts), 3, form_.m, form_.n, form_.d, has_gaps_);
    const Fragment fragment_of_a = load("a", a, form_.a, form_.m * form_.k);
    const Fragment fragment_of_b = load("b", b, form_.b, form_.k * form_.n);
    Fragment sums = load("c", c, form_.c, form_.m * form_.n);
    const int rounds = form_.c == form_.d ? 2 : 1;
    for (int round = 0; round < rounds; ++round) {
      const Fragment result =
          new_fragment(text_, form_.d, registers_for(form_.m * form_.n, form_.d));
      text_.line(form_.mnemonic, " ", result.text(), ", ", fragment_of_a.text(), ", ",
                 fragment_of_b.text(), ", ", sums.text(), ";");
      checkpoint(text_, result);
      sums = result;
    }
    text_.line("wmma.store.d.sync.aligned.", d.layout, ".", form_.shape(), space_name(), ".",
               form_.d, " [", base_, "+", d.area * area_bytes, "], ", sums.text(), ", ", d.stride,
               ";");
    text_.line("bar.warp.sync -1;");
    compare(3);
    RandomProgram program =
        text_.finish(std::size_t{ctas} * warps_of_wmma * region_bytes, "", ptx_version);
    program.inputs = inputs_.words();
    return program;
  }

 private:
  static constexpr unsigned threads = warps_of_wmma * warp_size;

  // Generic addresses are those of shared memory.
  std::string space_name() const { return space_ == 0 ? ".shared" : space_ == 1 ? ".global" : ""; }

  void find_base() {
    const std::string warp = text_.reg("b32");
    if (space_ == 1) {
      text_.line("shr.u32 ", warp, ", %thread, 5;");
      text_.line("mad.wide.u32 ", base_, ", ", warp, ", ", region_bytes, ", %memory;");
      return;
    }
    text_.line("shr.u32 ", warp, ", %tid32, 5;");
    const std::string start = text_.reg("b64");
    text_.line("mov.u64 ", start, ", region;");
    if (space_ == 2) text_.line("cvta.shared.u64 ", start, ", ", start, ";");
    text_.line("mad.wide.u32 ", base_, ", ", warp, ", ", region_bytes, ", ", start, ";");
  }

  // The address of the thread's i-th word of an area.
  std::string own_word(unsigned area, unsigned i) {
    if (own_base_.empty()) {
      own_base_ = text_.reg("b64");
      text_.line("mad.wide.u32 ", own_base_, ", %lane, 8, ", base_, ";");
    }
    return "[" + own_base_ + "+" + std::to_string(area * area_bytes + i * 8 * warp_size) + "]";
  }

  void fill() {
    const std::string word = text_.reg("b64");
    const std::string* const types[] = {&form_.a, &form_.b, &form_.c};
    for (unsigned area = 0; area < 4; ++area) {
      for (unsigned i = 0; i < area_words; ++i) {
        const std::string to = own_word(area, i);
        if (area == 3) {
          text_.line("st", space_name(), ".b64 ", to, ", 0;");
          continue;
        }
        text_.load_input(word, "b64", area * area_words + i);
        text_.line("st", space_name(), ".b64 ", to, ", ", word, ";");
        inputs_.add(random_words(*types[area], values_, ctas * threads, inputs_.random()));
      }
    }
    text_.line("bar.warp.sync -1;");
  }

  Fragment load(const std::string& which, const Stored& from, const std::string& type,
                unsigned elements) {
    // f16's factors have as many registers whatever the shape.
    const bool is_wide = type == "f16" && which != "c";
    const Fragment fragment =
        new_fragment(text_, type, is_wide ? 8 : registers_for(elements, type));
    text_.line("wmma.load.", which, ".sync.aligned.", from.layout, ".", form_.shape(), space_name(),
               ".", type, " ", fragment.text(), ", [", base_, "+", from.area * area_bytes, "], ",
               from.stride, ";");
    checkpoint(text_, fragment);
    return fragment;
  }

  void compare(unsigned area) {
    const std::string word = text_.reg("b64");
    for (unsigned i = 0; i < area_words; ++i) {
      text_.line("ld", space_name(), ".b64 ", word, ", ", own_word(area, i), ";");
      text_.checkpoint(word, 64);
    }
  }

  const MatrixForm& form_;
  MatrixValues values_;
  KernelText text_;
  Inputs inputs_;
  std::string base_, own_base_;
  unsigned space_;
  bool has_gaps_;
};

}  // namespace

RandomProgram matrix_program(const MatrixForm& form, MatrixValues values, std::uint64_t seed) {
  return form.is_wmma ? WmmaProgram(form, values, seed).make() : mma_program(form, values, seed);
}

std::size_t matrix_results(const MatrixForm& form) {
  const std::size_t elements = std::size_t{form.m} * form.n;
  if (!form.is_wmma) return 2 * ctas * warps_of_mma * elements;
  return (form.c == form.d ? 2 : 1) * ctas * warps_of_wmma * elements;
}

}  // namespace conformance

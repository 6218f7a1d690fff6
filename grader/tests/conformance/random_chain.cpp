// Straight lines of instructions: each form of the arithmetic suite may follow each other, and
// takes what those before it gave. A form that is added there is drawn here.
#include <algorithm>
#include <map>

#include "tests/conformance/arithmetic_forms.h"
#include "tests/conformance/arithmetic_kernel.h"
#include "tests/conformance/arithmetic_operands.h"
#include "tests/conformance/ptxas_differences.h"
#include "tests/conformance/random_program.h"
#include "tests/conformance/random_text.h"

namespace conformance {
namespace {

constexpr unsigned ctas = 2, threads = block_tuples;
constexpr unsigned operations = 96;

// Whether a form may stand among others: its results are bits that PTX promises, it takes no
// tensor map, and the kernel need not be one of clusters.
bool is_chained(const Form& form) {
  const auto mentions = [&](const char* what) { return form.body.find(what) != form.body.npos; };
  const auto is_strange = [](Kind kind) {
    return kind == Kind::map || kind == Kind::angle || kind == Kind::b128;
  };
  return form.is_within == nullptr && std::ranges::none_of(form.sources, is_strange) &&
         std::ranges::none_of(form.results, is_strange) && !mentions("%cluster_ctarank") &&
         !mentions("activemask") && treatment_of(form.name) != Treatment::left_out;
}

// By the first word of their names, so that an operation with many forms is not all there is.
struct Forms {
  std::vector<Form> all;
  std::vector<std::vector<const Form*>> by_operation;
};

// The types that a name has, and the numbers that they are formats of; pred where of none.
std::vector<Kind> formats_in(std::string_view name) {
  static constexpr std::string_view numbers[] = {"f16", "bf16", "f16x2", "bf16x2", "f32", "f64"};
  std::vector<Kind> formats;
  name = name.substr(0, name.find(' '));
  while (!name.empty()) {
    const std::string_view word = name.substr(0, name.find('.'));
    name.remove_prefix(std::min(word.size() + 1, name.size()));
    if (word.find_first_of("0123456789") == word.npos) continue;
    const std::string_view number = word == "tf32" ? "f32" : word;
    const bool is_known = std::ranges::find(numbers, number) != std::end(numbers);
    formats.push_back(is_known ? kind_from_name(number) : Kind::pred);
  }
  return formats;
}

// The tables say b32 of what is a number where any bits will do as an operand, or for a result.
void tell_formats(Form& form) {
  const std::vector<Kind> formats = formats_in(form.name);
  const auto tell = [](Kind& kind, Kind format) {
    if (format != Kind::pred && bits_of(kind) == bits_of(format)) kind = format;
  };
  if (form.name.starts_with("cvt.") && formats.size() == 2) tell(form.results[0], formats[0]);
  if (form.name.starts_with("selp.")) {
    for (Kind* const kind : {&form.results[0], &form.sources[0], &form.sources[1]}) {
      tell(*kind, formats[0]);
    }
  }
}

Forms chained_forms() {
  Forms forms;
  for (Form& form : all_forms()) {
    if (!is_chained(form)) continue;
    tell_formats(form);
    forms.all.push_back(std::move(form));
  }
  std::map<std::string, std::vector<const Form*>> operations_of;
  for (const Form& form : forms.all) {
    operations_of[form.name.substr(0, form.name.find_first_of(". "))].push_back(&form);
  }
  for (auto& [name, group] : operations_of) forms.by_operation.push_back(std::move(group));
  return forms;
}

std::string type_of(Kind kind) {
  return kind == Kind::pred ? "pred" : "b" + std::to_string(bits_of(kind));
}

bool is_integer(Kind kind) {
  switch (kind) {
    case Kind::b8:
    case Kind::b16:
    case Kind::b32:
    case Kind::b64:
    case Kind::few32:
    case Kind::few64:
    case Kind::amount:
      return true;
    default:
      return false;
  }
}

struct Value {
  std::string name;
  Kind kind;
  std::string giver;  // the form
};

class Chain {
 public:
  explicit Chain(std::uint64_t seed)
      : text_(seed, ctas, threads, source_stride(inputs())), seed_(seed) {
    text_.line(".reg .b64 %cell_global; .reg .b32 %cell_shared; .reg .pred %takes_part, %done;");
    text_.line(".shared .align 128 .b8 cell[", cell_bytes * threads, "];");
    text_.line("mad.wide.u32 %cell_global, %thread, ", cell_bytes, ", %memory;");
    text_.line("mov.u32 %cell_shared, cell; mad.lo.u32 %cell_shared, %tid32, ", cell_bytes,
               ", %cell_shared;");
    text_.line("setp.ne.b32 %takes_part, %tid32, -1;");
    for (unsigned word = 0; word < inputs().sources.size(); ++word) {
      const Kind kind = inputs().sources[word];
      add(kind, text_.reg(type_of(kind)));
      text_.load_input(values_.back().name, type_of(kind), word);
    }
  }

  RandomProgram program() {
    static const Forms forms = chained_forms();
    for (unsigned i = 0; i < operations; ++i) {
      append(text_.chance(50) ? *text_.one_of(text_.one_of(forms.by_operation))
                              : text_.one_of(forms.all));
    }
    RandomProgram program = text_.finish(std::size_t{cell_bytes} * ctas * threads);
    program.compared = compared_;
    program.inputs = operands_of(inputs(), ctas * threads, seed_);
    return program;
  }

 private:
  // As if a form took all that a program begins with.
  static const Form& inputs() {
    static const Form form = [] {
      Form all;
      for (const Kind kind : {Kind::pred, Kind::b8, Kind::b16, Kind::b32, Kind::b64, Kind::f16,
                              Kind::bf16, Kind::f16x2, Kind::bf16x2, Kind::f32, Kind::f64,
                              Kind::few32, Kind::few64, Kind::amount}) {
        all.sources.insert(all.sources.end(), 2, kind);
      }
      return all;
    }();
    return form;
  }

  void add(Kind kind, std::string name, std::string giver = "") {
    values_.push_back({std::move(name), kind, std::move(giver)});
  }

  // A value for an operand of a form, none of `taken`. Numbers are never taken for those of another
  // format: there ptxas draws conclusions from where a value comes from that do not hold.
  std::string pick(const Form& form, Kind kind, const std::vector<std::string>& taken) {
    std::vector<const Value*> fit;
    for (const Value& value : values_) {
      const bool fits = is_integer(kind)
                            ? is_integer(value.kind) && bits_of(value.kind) == bits_of(kind)
                            : value.kind == kind;
      if (fits && std::ranges::find(taken, value.name) == taken.end() &&
          !is_behind(Treatment::not_behind, form.name, value.giver)) {
        fit.push_back(&value);
      }
    }
    // What is new is taken more often.
    const auto count = static_cast<unsigned>(fit.size());
    if (count > 0) return fit[std::max(text_.below(count), text_.below(count))]->name;
    const std::string fresh = text_.reg(type_of(kind));
    text_.load_input(fresh, type_of(kind), word_of(kind));
    return fresh;
  }

  unsigned word_of(Kind kind) {
    std::vector<unsigned> words;
    for (unsigned i = 0; i < inputs().sources.size(); ++i) {
      if (inputs().sources[i] == kind) words.push_back(i);
    }
    return text_.one_of(words);
  }

  void append(const Form& form) {
    std::vector<std::string> sources, results;
    for (const Kind kind : form.sources) {
      sources.push_back(kind == Kind::members ? "-1" : pick(form, kind, sources));
    }
    for (const Kind kind : form.results) results.push_back(text_.reg(type_of(kind)));
    for (const Value& value : values_) {
      if (std::ranges::find(sources, value.name) != sources.end() &&
          is_behind(Treatment::compared_before, form.name, value.giver)) {
        compared_ = std::min(compared_, checkpoints_);
      }
    }
    const Treatment treatment = treatment_of(form.name);
    if (treatment == Treatment::divisor_is_odd) sources[1] = odd(sources[1], form.sources[1]);
    std::string body;
    for (std::size_t i = 0; i < form.body.size(); ++i) {
      const bool is_operand = form.body[i] == '%' && i + 2 < form.body.size() &&
                              (form.body[i + 1] == 's' || form.body[i + 1] == 'd') &&
                              form.body[i + 2] >= '0' && form.body[i + 2] <= '9';
      if (!is_operand) {
        body += form.body[i];
        continue;
      }
      const auto number = static_cast<std::size_t>(form.body[i + 2] - '0');
      body += form.body[i + 1] == 's' ? sources[number] : results[number];
      i += 2;
    }
    text_.line("{ ", body, " }  // ", form.name);
    if (body.find("%cell_shared") != body.npos) text_.line("bar.warp.sync -1;");
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (treatment == Treatment::one_nan && bits_of(form.results[i]) == 64) one_nan(results[i]);
      add(form.results[i], results[i], form.name);
    }
    text_.checkpoint(results[0], bits_of(form.results[0]));
    ++checkpoints_;
  }

  std::string odd(const std::string& value, Kind kind) {
    const std::string result = text_.reg(type_of(kind));
    text_.line("or.", type_of(kind), " ", result, ", ", value, ", 1;");
    return result;
  }

  void one_nan(const std::string& value) {
    text_.line("{ .reg .pred %nan; testp.notanumber.f64 %nan, ", value, "; selp.b64 ", value,
               ", 0x7ff8000000000000, ", value, ", %nan; }");
  }

  KernelText text_;
  std::uint64_t seed_;
  std::vector<Value> values_;
  unsigned checkpoints_ = 0;
  unsigned compared_ = ~0u;  // of them
};

}  // namespace

RandomProgram random_arithmetic(std::uint64_t seed) {
  return Chain(seed).program();
}

}  // namespace conformance

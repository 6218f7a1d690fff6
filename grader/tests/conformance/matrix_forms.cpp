#include "tests/conformance/matrix_forms.h"

#include <initializer_list>

namespace conformance {
namespace {

struct Shape {
  unsigned m, n, k;
};
using Shapes = std::initializer_list<Shape>;
using Names = std::initializer_list<const char*>;

class Forms {
 public:
  std::vector<MatrixForm> all;

  void add(const std::string& beginning, const Shape& shape, const std::string& modifiers,
           const std::string& d, const std::string& a, const std::string& b, const std::string& c,
           const std::string& end = "") {
    MatrixForm form;
    form.m = shape.m;
    form.n = shape.n;
    form.k = shape.k;
    form.d = d;
    form.a = a;
    form.b = b;
    form.c = c;
    const std::string types = "." + d + "." + a + "." + b + "." + c;
    form.mnemonic = beginning + "." + form.shape() + ".row.col" + modifiers + types + end;
    all.push_back(form);
  }

  void add_dense(Shapes shapes, Names sums, Names factors, Names modifiers = {""},
                 Names ends = {""}) {
    for (const Shape& shape : shapes) {
      for (const char* const sum : sums) {
        for (const char* const a : factors) {
          for (const char* const b : factors) {
            for (const char* const modifier : modifiers) {
              for (const char* const end : ends) {
                add("mma.sync.aligned", shape, modifier, sum, a, b, sum, end);
              }
            }
          }
        }
      }
    }
  }

  // With each of the selectors.
  void add_sparse(const Shape& shape, unsigned selectors, Names sums, Names factors,
                  Names modifiers = {""}) {
    for (unsigned selector = 0; selector < selectors; ++selector) {
      for (const char* const sum : sums) {
        for (const char* const a : factors) {
          for (const char* const b : factors) {
            for (const char* const modifier : modifiers) {
              add("mma.sp::ordered_metadata.sync.aligned", shape, modifier, sum, a, b, sum);
              all.back().is_sparse = true;
              all.back().selector = selector;
            }
          }
        }
      }
    }
  }

  // In all layouts, but for types that have one only.
  void add_wmma(Shapes shapes, Names ds, const std::string& type, Names cs,
                const std::string& modifiers = "", const std::string& end = "") {
    const bool is_packed = type == "s4" || type == "u4" || type == "b1";
    for (const Shape& shape : shapes) {
      for (const char* const d : ds) {
        for (const char* const c : cs) {
          for (const char* const layout_a : {"row", "col"}) {
            for (const char* const layout_b : {"col", "row"}) {
              if (is_packed && (*layout_a != 'r' || *layout_b != 'c')) continue;
              add_one_wmma(shape, d, type, c, layout_a, layout_b, modifiers, end);
            }
          }
        }
      }
    }
  }

 private:
  void add_one_wmma(const Shape& shape, const std::string& d, const std::string& type,
                    const std::string& c, const std::string& layout_a, const std::string& layout_b,
                    const std::string& modifiers, const std::string& end) {
    add("", shape, "", d, type, type, c);
    MatrixForm& form = all.back();
    form.is_wmma = true;
    form.layout_a = layout_a;
    form.layout_b = layout_b;
    const std::string factors = type == "f16" ? "." : "." + type + "." + type + ".";
    form.mnemonic = "wmma.mma" + modifiers + ".sync.aligned." + layout_a + "." + layout_b + "." +
                    form.shape() + "." + d + factors + c + end;
  }
};

void add_dense_forms(Forms& forms) {
  forms.add_dense({{16, 8, 8}, {16, 8, 16}}, {"f32", "f16"}, {"f16"});
  forms.add_dense({{16, 8, 8}, {16, 8, 16}}, {"f32"}, {"bf16"});
  forms.add_dense({{16, 8, 4}, {16, 8, 8}}, {"f32"}, {"tf32"});
  forms.add_dense({{16, 8, 16}, {16, 8, 32}}, {"f32", "f16"}, {"e4m3", "e5m2"});
  forms.add_dense({{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}}, {"f64"}, {"f64"},
                  {"", ".rn", ".rz", ".rm", ".rp"});
  forms.add_dense({{8, 8, 16}, {16, 8, 16}, {16, 8, 32}}, {"s32"}, {"s8", "u8"},
                  {"", ".satfinite"});
  forms.add_dense({{8, 8, 32}, {16, 8, 32}, {16, 8, 64}}, {"s32"}, {"s4", "u4"},
                  {"", ".satfinite"});
  forms.add_dense({{8, 8, 128}, {16, 8, 128}, {16, 8, 256}}, {"s32"}, {"b1"}, {""},
                  {".xor.popc", ".and.popc"});
}

void add_sparse_forms(Forms& forms) {
  forms.add_sparse({16, 8, 16}, 4, {"f32", "f16"}, {"f16"});
  forms.add_sparse({16, 8, 32}, 2, {"f32", "f16"}, {"f16"});
  forms.add_sparse({16, 8, 16}, 4, {"f32"}, {"bf16"});
  forms.add_sparse({16, 8, 32}, 2, {"f32"}, {"bf16"});
  forms.add_sparse({16, 8, 8}, 4, {"f32"}, {"tf32"});
  forms.add_sparse({16, 8, 16}, 2, {"f32"}, {"tf32"});
  forms.add_sparse({16, 8, 64}, 1, {"f32"}, {"e4m3", "e5m2"});
  forms.add_sparse({16, 8, 32}, 2, {"s32"}, {"s8", "u8"}, {"", ".satfinite"});
  forms.add_sparse({16, 8, 64}, 1, {"s32"}, {"s8", "u8"}, {"", ".satfinite"});
  forms.add_sparse({16, 8, 64}, 2, {"s32"}, {"s4", "u4"}, {"", ".satfinite"});
  forms.add_sparse({16, 8, 128}, 1, {"s32"}, {"s4", "u4"}, {"", ".satfinite"});
}

void add_wmma_forms(Forms& forms) {
  const Shapes three = {{16, 16, 16}, {32, 8, 16}, {8, 32, 16}};
  forms.add_wmma(three, {"f32", "f16"}, "f16", {"f32", "f16"});
  forms.add_wmma(three, {"f32"}, "bf16", {"f32"});
  forms.add_wmma({{16, 16, 8}}, {"f32"}, "tf32", {"f32"});
  for (const char* const rounding : {"", ".rn", ".rz", ".rm", ".rp"}) {
    forms.add_wmma({{8, 8, 4}}, {"f64"}, "f64", {"f64"}, "", rounding);
  }
  for (const char* const end : {"", ".satfinite"}) {
    for (const char* const type : {"s8", "u8"}) {
      forms.add_wmma(three, {"s32"}, type, {"s32"}, "", end);
    }
    for (const char* const type : {"s4", "u4"}) {
      forms.add_wmma({{8, 8, 32}}, {"s32"}, type, {"s32"}, "", end);
    }
  }
  forms.add_wmma({{8, 8, 128}}, {"s32"}, "b1", {"s32"}, ".xor.popc");
  forms.add_wmma({{8, 8, 128}}, {"s32"}, "b1", {"s32"}, ".and.popc");
}

}  // namespace

std::vector<MatrixForm> matrix_forms() {
  Forms forms;
  add_dense_forms(forms);
  add_sparse_forms(forms);
  add_wmma_forms(forms);
  return std::move(forms.all);
}

}  // namespace conformance

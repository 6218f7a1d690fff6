#include "tests/conformance/product_forms.h"

namespace conformance {
namespace {

constexpr ProductType f16{"f16", 16, 5, 10};
constexpr ProductType bf16{"bf16", 16, 8, 7};
constexpr ProductType tf32{"tf32", 32, 8, 10, 13};
constexpr ProductType e4m3{"e4m3", 8, 4, 3};
constexpr ProductType e5m2{"e5m2", 8, 5, 2};
constexpr ProductType s8{"s8", 8, 0, 0};
constexpr ProductType u8{"u8", 8, 0, 0};
constexpr ProductType b1{"b1", 1, 0, 0};

// Hands out every n that the types have, one after another.
class Widths {
 public:
  unsigned next(bool is_floating) {
    const std::vector<unsigned>& all = is_floating ? floating_ : integer_;
    unsigned& at = is_floating ? floating_at_ : integer_at_;
    at = (at + 5) % static_cast<unsigned>(all.size());  // a stride that comes to all of them
    return all[at];
  }

  Widths() {
    for (unsigned n = 8; n <= 256; n += 8) {
      floating_.push_back(n);
      if (n <= 32 || n % 16 == 0) integer_.push_back(n);
    }
  }

 private:
  std::vector<unsigned> floating_, integer_;
  unsigned floating_at_ = 0, integer_at_ = 0;
};

std::string registers(const char* prefix, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) {
    text += (i == 0 ? "%" : ", %") + (prefix + std::to_string(i));
  }
  return text + "}";
}

}  // namespace

std::string ProductForm::instruction() const {
  const unsigned row_bits = 8 * a_bytes;
  const unsigned k = row_bits / a.bits * (is_sparse ? 2 : 1);
  return std::string("wgmma.mma_async") + (is_sparse ? ".sp" : "") + ".sync.aligned.m64n" +
         std::to_string(n) + "k" + std::to_string(k) + "." + d + "." + a.name + "." + b.name +
         (a.bits == 1 ? ".and.popc"
          : saturates ? ".satfinite"
                      : "");
}

std::string ProductForm::name() const {
  return instruction() + (has_registers ? " A in registers" : "") +
         (is_a_transposed ? " A transposed" : "") + (is_b_transposed ? " B transposed" : "") +
         (negates_a ? " -A" : "") + (negates_b ? " -B" : "") + (selector != 0 ? " selector 1" : "");
}

std::string ProductForm::ptx() const {
  const unsigned count = d_registers();
  std::string text =
      ".version 8.5\n.target sm_90a\n.address_size 64\n"
      ".extern .shared .align 1024 .b8 image[];\n"
      ".visible .entry product(.param .u64 p_image, .param .u64 p_a, .param .u64 p_d,\n"
      "    .param .u64 p_a_matrix, .param .u64 p_b_matrix, .param .u32 p_scale)\n"
      ".reqntid 128\n{\n"
      ".reg .pred %more, %scale;\n.reg .b32 %t, %at, %to, %a<4>, %w<4>, %metadata, %s;\n"
      ".reg .b64 %image, %from, %a, %d, %offset, %base, %am, %bm;\n.reg .b32 %d<" +
      std::to_string(count) +
      ">;\n"
      "mov.u32 %t, %tid.x;\nld.param.u64 %image, [p_image];\nmov.u32 %to, image;\n"
      "mul.lo.u32 %at, %t, 16;\n"
      "COPY:\ncvt.u64.u32 %offset, %at;\nadd.u64 %from, %image, %offset;\n"
      "ld.global.v4.u32 {%w0, %w1, %w2, %w3}, [%from];\nadd.u32 %s, %to, %at;\n"
      "st.shared.v4.u32 [%s], {%w0, %w1, %w2, %w3};\nadd.u32 %at, %at, 2048;\n"
      "setp.lt.u32 %more, %at, " +
      std::to_string(product_image_bytes) +
      ";\n@%more bra COPY;\n"
      "fence.proxy.async;\nbar.sync 0;\n"
      "ld.param.u64 %a, [p_a];\nmul.wide.u32 %offset, %t, 16;\nadd.u64 %from, %a, %offset;\n"
      "ld.global.v4.u32 {%a0, %a1, %a2, %a3}, [%from];\n"
      "mul.wide.u32 %offset, %t, 4;\nadd.u64 %from, %a, %offset;\n"
      "ld.global.u32 %metadata, [%from+2048];\n"
      "shr.u32 %s, %to, 4;\ncvt.u64.u32 %base, %s;\n"
      "ld.param.u64 %am, [p_a_matrix];\nadd.u64 %am, %am, %base;\n"
      "ld.param.u64 %bm, [p_b_matrix];\nadd.u64 %bm, %bm, %base;\n"
      "ld.param.u32 %s, [p_scale];\nsetp.ne.u32 %scale, %s, 0;\n"
      "ld.param.u64 %d, [p_d];\nmul.wide.u32 %offset, %t, " +
      std::to_string(4 * count) + ";\nadd.u64 %d, %d, %offset;\n";
  for (unsigned i = 0; i < count; ++i) {
    text += "ld.global.u32 %d" + std::to_string(i) + ", [%d+" + std::to_string(4 * i) + "];\n";
  }
  text += "wgmma.fence.sync.aligned;\n" + instruction() + " " + registers("d", count) + ", " +
          (has_registers ? registers("a", 4) : "%am") + ", %bm";
  if (is_sparse) text += ", %metadata, " + std::to_string(selector);
  text += ", %scale";
  if (is_floating()) {
    text += negates_a ? ", -1" : ", 1";
    text += negates_b ? ", -1" : ", 1";
  }
  if (a.bits == 16) {
    if (!has_registers) text += is_a_transposed ? ", 1" : ", 0";
    text += is_b_transposed ? ", 1" : ", 0";
  }
  text += ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
  for (unsigned i = 0; i < count; ++i) {
    text += "st.global.u32 [%d+" + std::to_string(4 * i) + "], %d" + std::to_string(i) + ";\n";
  }
  return text + "ret;\n}\n";
}

std::vector<ProductForm> product_forms() {
  std::vector<ProductForm> forms;
  Widths widths;
  const auto add = [&](ProductForm form) {
    form.n = widths.next(form.is_floating());
    forms.push_back(form);
  };
  // With A in either place, dense and sparse.
  const auto add_all = [&](const ProductForm& form) {
    for (const bool is_sparse : {false, true}) {
      if (is_sparse && form.a.bits == 1) continue;
      for (const bool has_registers : {false, true}) {
        ProductForm one = form;
        one.is_sparse = is_sparse;
        one.has_registers = has_registers;
        add(one);
        one.selector = is_sparse && form.a.bits >= 16 ? 1 : 0;
        add(one);
        add(one);
      }
    }
  };
  const auto transposed = [&](const ProductForm& form) {
    for (const bool is_sparse : {false, true}) {
      ProductForm one = form;
      one.is_sparse = is_sparse;
      one.is_b_transposed = true;
      add(one);
      add(one);
      one.is_a_transposed = true;
      add(one);
      add(one);
      one.is_b_transposed = false;
      add(one);
      one = form;
      one.is_sparse = is_sparse;
      one.has_registers = true;
      one.is_b_transposed = true;
      add(one);
    }
  };
  const auto negated = [&](const ProductForm& form) {
    for (unsigned signs = 1; signs < 4; ++signs) {
      ProductForm one = form;
      one.negates_a = (signs & 1) != 0;
      one.negates_b = (signs & 2) != 0;
      one.has_registers = signs == 2;
      add(one);
    }
  };
  for (const char* const d : {"f32", "f16"}) {
    add_all({f16, f16, d});
    transposed({f16, f16, d});
    negated({f16, f16, d});
    for (const ProductType& a : {e4m3, e5m2}) {
      for (const ProductType& b : {e4m3, e5m2}) add_all({a, b, d});
    }
    negated({e5m2, e4m3, d});
  }
  for (const ProductType& type : {bf16, tf32}) {
    add_all({type, type});
    negated({type, type});
  }
  transposed({bf16, bf16});
  for (const bool saturates : {false, true}) {
    for (const ProductType& a : {s8, u8}) {
      for (const ProductType& b : {s8, u8}) {
        ProductForm form{a, b, "s32"};
        form.saturates = saturates;
        add_all(form);
      }
    }
  }
  add_all({b1, b1, "s32"});
  return forms;
}

}  // namespace conformance

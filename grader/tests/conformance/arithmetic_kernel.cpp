#include "tests/conformance/arithmetic_kernel.h"

namespace conformance {
namespace {

std::string number(std::size_t value) {
  return std::to_string(value);
}

bool mentions(const std::string& text, const char* what) {
  return text.find(what) != text.npos;
}

// What a value is called, where it lies in its tuple, and what it is.
struct Value {
  std::string name;
  Kind kind;
  unsigned offset;
};

std::vector<Value> values_of(const std::vector<Kind>& kinds, const char* prefix) {
  std::vector<Value> values;
  unsigned offset = 0;
  for (const Kind kind : kinds) {
    values.push_back({prefix + number(values.size()), kind, offset});
    offset += 8 * words_of(kind);
  }
  return values;
}

std::string type_of(Kind kind) {
  return kind == Kind::pred ? ".pred" : ".b" + number(bits_of(kind));
}

// Of 128 bits the halves have names, too; of a tensor map only the address has.
std::string declaration(const Value& value) {
  if (value.kind == Kind::map) return ".reg .b64 " + value.name + "_at;\n";
  std::string text = ".reg " + type_of(value.kind) + " " + value.name + ";\n";
  if (value.kind == Kind::b128) {
    text += ".reg .b64 " + value.name + "_0, " + value.name + "_1;\n";
  }
  return text;
}

std::string load(const Value& value) {
  const std::string place = "[%in+" + number(value.offset) + "]";
  switch (value.kind) {
    case Kind::pred:
      return "ld.global.b32 %word, " + place + "; setp.ne.b32 " + value.name + ", %word, 0;\n";
    case Kind::b128: {
      const std::string halves = "{" + value.name + "_0, " + value.name + "_1}";
      return "ld.global.b64 " + value.name + "_0, " + place + "; ld.global.b64 " + value.name +
             "_1, [%in+" + number(value.offset + 8) + "]; mov.b128 " + value.name + ", " + halves +
             ";\n";
    }
    case Kind::map:
      return "add.u64 " + value.name + "_at, %in, " + number(value.offset) + ";\n";
    default:
      return "ld.global" + type_of(value.kind) + " " + value.name + ", " + place + ";\n";
  }
}

std::string store(const Value& value, bool as_halves) {
  const std::string place = "[%out+" + number(value.offset) + "]";
  switch (value.kind) {
    case Kind::pred:
      return "selp.b32 %word, 1, 0, " + value.name + "; st.global.b32 " + place + ", %word;\n";
    case Kind::b128: {
      const std::string halves = "{" + value.name + "_0, " + value.name + "_1}";
      const std::string split = as_halves ? "" : "mov.b128 " + halves + ", " + value.name + "; ";
      return split + "st.global.b64 " + place + ", " + value.name + "_0; st.global.b64 [%out+" +
             number(value.offset + 8) + "], " + value.name + "_1;\n";
    }
    default:
      return "st.global" + type_of(value.kind) + " " + place + ", " + value.name + ";\n";
  }
}

std::string address(const char* name, const char* parameter, unsigned stride) {
  return std::string("ld.param.u64 ") + name + ", [" + parameter + "]; mad.wide.u32 " + name +
         ", %tuple, " + number(stride) + ", " + name + ";\n";
}

// The member mask names the lane's bit; results of other lanes are zero.
std::string participation(const std::vector<Value>& sources, const std::vector<Value>& results) {
  std::string text = ".reg .pred %takes_part;\n";
  for (const Value& source : sources) {
    if (source.kind != Kind::members) continue;
    text += "mov.u32 %word, %lanemask_eq; and.b32 %word, %word, " + source.name +
            "; setp.ne.b32 %takes_part, %word, 0;\n";
  }
  for (const Value& result : results) {
    text += result.kind == Kind::pred ? "setp.ne.b32 " + result.name + ", 0, 0;\n"
                                      : "mov" + type_of(result.kind) + " " + result.name + ", 0;\n";
  }
  return text;
}

std::string kernel_text(const Form& form, const std::string& name) {
  const std::vector<Value> sources = values_of(form.sources, "%s");
  const std::vector<Value> results = values_of(form.results, "%d");
  std::string text =
      "// " + form.name + "\n.visible .entry " + name +
      "(.param .u64 operands, .param .u64 results, .param .u64 cells)\n" +
      (mentions(form.body, "%cluster_ctarank") ? ".explicitcluster\n.reqnctapercluster 2, 1, 1\n"
                                               : "") +
      "{\n"
      ".reg .b32 %tuple, %word;\n.reg .b64 %in, %out;\n";
  for (const Value& value : sources) text += declaration(value);
  for (const Value& value : results) text += declaration(value);
  text += "mov.u32 %tuple, %ctaid.x; mov.u32 %word, %tid.x;\nmad.lo.u32 %tuple, %tuple, " +
          number(block_tuples) + ", %word;\n" +
          address("%in", "operands", 8 * source_stride(form)) +
          address("%out", "results", 8 * result_stride(form));
  if (mentions(form.body, "%cell_global")) {
    text += ".reg .b64 %cell_global;\n" + address("%cell_global", "cells", cell_bytes);
  }
  if (mentions(form.body, "%cell_shared")) {
    text += ".shared .align 128 .b8 cell[" + number(cell_bytes * block_tuples) +
            "];\n.reg .b32 %cell_shared;\nmov.u32 %cell_shared, cell; mov.u32 %word, %tid.x;\n"
            "mad.lo.u32 %cell_shared, %word, " +
            number(cell_bytes) + ", %cell_shared;\n";
  }
  if (mentions(form.body, "%done")) text += ".reg .pred %done;\n";
  for (const Value& source : sources) text += load(source);
  if (mentions(form.body, "%takes_part")) text += participation(sources, results);
  text += form.body + "\n";
  for (const Value& result : results) {
    text += store(result, mentions(form.body, (result.name + "_0").c_str()));
  }
  return text + "ret;\n}\n";
}

}  // namespace

unsigned source_stride(const Form& form) {
  const unsigned words = form.source_words();
  return words < 16 ? words : (words + 15) / 16 * 16;
}
unsigned result_stride(const Form& form) {
  return form.result_words();
}

std::string module_text(std::span<const Form> forms) {
  std::string text = ".version 8.5\n.target sm_90a\n.address_size 64\n";
  for (std::size_t i = 0; i < forms.size(); ++i) {
    text += "\n" + kernel_text(forms[i], "form" + number(i));
  }
  return text;
}

}  // namespace conformance

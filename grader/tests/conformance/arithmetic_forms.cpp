#include "tests/conformance/arithmetic_forms.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>

namespace conformance {
namespace {

constexpr std::pair<std::string_view, Kind> kind_names[] = {
    {"pred", Kind::pred},       {"b8", Kind::b8},       {"b16", Kind::b16},
    {"b32", Kind::b32},         {"b64", Kind::b64},     {"b128", Kind::b128},
    {"f16", Kind::f16},         {"bf16", Kind::bf16},   {"f16x2", Kind::f16x2},
    {"bf16x2", Kind::bf16x2},   {"f32", Kind::f32},     {"f64", Kind::f64},
    {"few32", Kind::few32},     {"few64", Kind::few64}, {"amount", Kind::amount},
    {"members", Kind::members}, {"angle", Kind::angle}, {"map", Kind::map},
};

std::vector<Kind> kinds_from_names(const char* names) {
  std::vector<Kind> kinds;
  std::istringstream words(names);
  for (std::string word; words >> word;) kinds.push_back(kind_from_name(word));
  return kinds;
}

// A name with the choices that were made in its braces.
struct Expanded {
  std::string name;
  std::vector<std::string> choices;
};

std::vector<Expanded> expand(std::string_view names) {
  const std::size_t open = names.find('{');
  if (open == std::string_view::npos) return {{std::string(names), {}}};
  const std::size_t close = names.find('}', open);
  const std::vector<Expanded> endings = expand(names.substr(close + 1));
  std::vector<Expanded> all;
  for (std::size_t start = open + 1; start <= close;) {
    const std::size_t end = std::min(names.find(',', start), close);
    const std::string choice(names.substr(start, end - start));
    for (const Expanded& ending : endings) {
      Expanded one{std::string(names.substr(0, open)) + choice + ending.name, {choice}};
      one.choices.insert(one.choices.end(), ending.choices.begin(), ending.choices.end());
      all.push_back(std::move(one));
    }
    start = end + 1;
  }
  return all;
}

std::string ordinary_body(const Form& form) {
  std::string body = form.name;
  const char* separator = " ";
  const auto operands = [&](const char* prefix, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      body += separator + std::string(prefix) + std::to_string(i);
      separator = ", ";
    }
  };
  operands("%d", form.results.size());
  operands("%s", form.sources.size());
  return body + ";";
}

std::string body_of(const FormRow& row, const Expanded& expanded) {
  std::string body;
  for (const char* c = row.body; *c != '\0'; ++c) {
    if (*c != '$') {
      body += *c;
    } else if (c[1] >= '0' && c[1] <= '9') {
      body += expanded.choices.at(static_cast<std::size_t>(*++c - '0'));
    } else {
      body += expanded.name;
    }
  }
  return body;
}

unsigned words_of_all(const std::vector<Kind>& kinds) {
  unsigned words = 0;
  for (const Kind kind : kinds) words += words_of(kind);
  return words;
}

}  // namespace

Kind kind_from_name(std::string_view name) {
  for (const auto& [known, kind] : kind_names) {
    if (known == name) return kind;
  }
  std::fprintf(stderr, "conformance_arithmetic: no kind of value is called %.*s\n",
               static_cast<int>(name.size()), name.data());
  std::abort();
}

unsigned words_of(Kind kind) {
  return kind == Kind::map ? 16 : kind == Kind::b128 ? 2 : 1;
}

unsigned bits_of(Kind kind) {
  switch (kind) {
    case Kind::pred:
      return 1;
    case Kind::b8:
    case Kind::b16:
    case Kind::f16:
    case Kind::bf16:
      return 16;
    case Kind::b64:
    case Kind::f64:
    case Kind::few64:
      return 64;
    case Kind::b128:
      return 128;
    case Kind::map:
      return 1024;
    default:
      return 32;
  }
}

unsigned Form::source_words() const {
  return words_of_all(sources);
}
unsigned Form::result_words() const {
  return words_of_all(results);
}

std::vector<Form> forms_of(std::span<const FormRow> rows) {
  std::vector<Form> forms;
  for (const FormRow& row : rows) {
    for (const Expanded& expanded : expand(row.names)) {
      Form form{expanded.name, "", kinds_from_names(row.results), kinds_from_names(row.sources)};
      form.body = *row.body == '\0' ? ordinary_body(form) : body_of(row, expanded);
      forms.push_back(std::move(form));
    }
  }
  return forms;
}

std::vector<Form> all_forms() {
  std::vector<Form> all;
  for (const auto& part :
       {integer_forms(), float_forms(), approximate_forms(), comparison_forms(), conversion_forms(),
        atomic_forms(), warp_forms(), tensor_map_forms(), video_forms()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace conformance

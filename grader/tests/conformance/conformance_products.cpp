// The conformance suite of wgmma.mma_async: every type and form, random numbers of every kind
// behind random descriptors, on a GPU and under the emulator, compared by a digest of each result.
//
//   conformance_products record FILE         runs all cases and writes the answers
//   conformance_products check FILE          compares
//   conformance_products show FORM NUMBER    the result here, a line a thread and register
//   conformance_products forms               their numbers and names
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "common/split_mix.h"
#include "tests/conformance/answers.h"
#include "tests/conformance/options.h"
#include "tests/conformance/product_device.h"
#include "tests/conformance/run.h"

namespace conformance {
namespace {

constexpr std::size_t cases_of_form = 16;

std::uint64_t digest_of(std::span<const std::uint32_t> words) {
  std::uint64_t digest = words.size();
  for (const std::uint32_t word : words) digest = common::SplitMix64(digest ^ word).next();
  return std::max(digest, last_error + 1);
}

class Products {
 public:
  std::size_t count() const { return forms_.size() * cases_of_form; }
  const ProductForm& form(std::size_t index) const { return forms_[index / cases_of_form]; }
  const std::vector<ProductForm>& forms() const { return forms_; }
  ProductCase at(std::size_t index) const {
    return product_case(form(index), common::seed_of_sequence(1, index));
  }
  std::string name(std::size_t index) const {
    return std::to_string(index / cases_of_form) + " " + std::to_string(index % cases_of_form) +
           ": " + form(index).name();
  }
  std::size_t elements(std::size_t index) const { return std::size_t{64} * form(index).n; }

  Suite suite() const {
    Suite suite{count(), count(), {}, {}};
    suite.start = [this] {
      // A worker's cases are those of one form after another.
      return [this, device = std::shared_ptr<ProductDevice>(),
              of = count()](std::size_t index) mutable -> std::uint64_t {
        if (of != index / cases_of_form) {
          device.reset();
          device = std::make_shared<ProductDevice>(form(index));
          of = index / cases_of_form;
        }
        std::vector<std::uint32_t> d;
        const CUresult result = device->run(at(index), d);
        if (result != CUDA_SUCCESS) return static_cast<std::uint64_t>(result) + refused + 2;
        return digest_of(d);
      };
    };
    suite.text = [this](std::size_t index) { return name(index); };
    suite.group = cases_of_form;
    return suite;
  }

 private:
  std::vector<ProductForm> forms_ = product_forms();
};

int record(const char* path, int workers) {
  const Machine machine = this_machine();
  const Products products;
  Run run(products.suite(), 1);
  run.execute(workers, [] {});
  Answers answers;
  answers.title = "Conformance of wgmma 1";
  answers.machine = machine;
  std::size_t failures = 0, elements = 0;
  for (std::size_t i = 0; i < products.count(); ++i) {
    const std::uint64_t answer = run.answer(i);
    answers.cases.push_back(answer);
    elements += products.elements(i);
    if (answer > last_error) continue;
    if (failures++ < 20) {
      std::printf("%s: no answer (%llu)\n", products.name(i).c_str(),
                  static_cast<unsigned long long>(answer));
    }
  }
  if (!write(path, answers)) {
    std::fprintf(stderr, "conformance_products: cannot write %s\n", path);
    return 3;
  }
  std::printf("%zu products, %zu elements, %zu without an answer: %s\n", products.count(), elements,
              failures, path);
  return failures == 0 ? 0 : 1;
}

int check(const char* path, int workers, std::size_t shown, std::size_t every) {
  Answers answers;
  const Products products;
  if (!read(path, answers) || answers.cases.size() != products.count()) {
    std::fprintf(stderr, "conformance_products: %s does not hold answers\n", path);
    return 3;
  }
  const Machine machine = this_machine();
  Run run(products.suite(), every);
  run.execute(workers, [] {});
  std::size_t compared = 0, elements = 0, wrong = 0, failures = 0;
  for (std::size_t i = 0; i < products.count(); ++i) {
    if (!run.is_selected(i)) continue;
    ++compared;
    elements += products.elements(i);
    if (run.answer(i) <= last_error) ++failures;
    if (run.answer(i) == answers.cases[i]) continue;
    if (wrong++ < shown) {
      std::printf("%s: is not what was recorded\n", products.name(i).c_str());
    }
  }
  std::printf("%s against:\n%s", machine.device.c_str(), answers.header().c_str());
  std::printf("%zu products compared, %zu elements: %zu differ, %zu of them not run\n", compared,
              elements, wrong, failures);
  return wrong == 0 ? 0 : 1;
}

int show(std::size_t index) {
  const Products products;
  if (index >= products.count()) return 2;
  const ProductCase one = products.at(index);
  ProductDevice device(products.form(index));
  std::vector<std::uint32_t> d;
  if (const CUresult result = device.run(one, d); result != CUDA_SUCCESS) {
    std::printf("%s: CUDA error %d\n", products.name(index).c_str(), static_cast<int>(result));
    return 1;
  }
  std::printf("%s\nA %016llx B %016llx%s\n", products.name(index).c_str(),
              static_cast<unsigned long long>(one.a_matrix),
              static_cast<unsigned long long>(one.b_matrix), one.accumulates ? "" : ", D = A * B");
  const std::size_t registers = products.form(index).d_registers();
  for (std::size_t i = 0; i < d.size(); ++i) {
    std::printf("%zu %zu %08x\n", i / registers, i % registers, d[i]);
  }
  return 0;
}

int list() {
  const Products products;
  for (std::size_t i = 0; i < products.forms().size(); ++i) {
    std::printf("%zu %s\n", i, products.forms()[i].name().c_str());
  }
  return 0;
}

int usage() {
  std::fprintf(stderr,
               "usage: conformance_products record FILE | check FILE | show FORM NUMBER | forms\n"
               "       --workers N   processes at once (default 2)\n"
               "       --every N     every Nth form only\n"
               "       --show N      differing products that are named (default 10)\n");
  return 2;
}

int main_of(int argc, char** argv) {
  std::uint64_t workers = 2, shown = 10, every = 1;
  const auto words =
      take_options(argc, argv, {{"--workers", &workers}, {"--show", &shown}, {"--every", &every}});
  if (!words || words->empty()) return usage();
  const std::string mode = words->at(0);
  if (words->size() == 1 && mode == "forms") return list();
  if (words->size() == 3 && mode == "show") {
    return show(std::stoul(words->at(1)) * cases_of_form + std::stoul(words->at(2)));
  }
  if (words->size() != 2 || workers == 0 || every == 0) return usage();
  if (mode == "record") return record(words->at(1), static_cast<int>(workers));
  if (mode == "check") return check(words->at(1), static_cast<int>(workers), shown, every);
  return usage();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  return conformance::main_of(argc, argv);
}

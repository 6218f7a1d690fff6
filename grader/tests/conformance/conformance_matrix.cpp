// The conformance suite of matrix instructions: each form with values of each kind, on a GPU and
// under the emulator, compared by digests of the results.
//
//   conformance_matrix record FILE            runs all and writes the answers
//   conformance_matrix check FILE             compares
//   conformance_matrix show NUMBER            the results here, to be compared by `diff`
//   conformance_matrix ptx NUMBER             the program
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "common/split_mix.h"
#include "tests/conformance/answers.h"
#include "tests/conformance/matrix_forms.h"
#include "tests/conformance/options.h"
#include "tests/conformance/random_device.h"
#include "tests/conformance/run.h"

namespace conformance {
namespace {

constexpr std::uint64_t seed = 1;

struct Case {
  MatrixForm form;
  MatrixValues values;
  std::uint64_t number;

  RandomProgram program() const {
    return matrix_program(form, values, common::seed_of_sequence(seed, number));
  }
  std::string name() const {
    std::string text = std::to_string(number) + ": " + form.mnemonic;
    if (form.is_sparse) text += ", selector " + std::to_string(form.selector);
    return text + ", " + std::string(matrix_value_names[static_cast<std::size_t>(values)]);
  }
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const MatrixForm& form : matrix_forms()) {
    for (std::size_t values = 0; values < std::size(matrix_value_names); ++values) {
      cases.push_back({form, static_cast<MatrixValues>(values), cases.size()});
    }
  }
  return cases;
}

// An answer that no error has: above all of them.
std::uint64_t digest_of(const RandomProgram& program, const RandomResults& results) {
  std::uint64_t digest = 0;
  for (const std::uint32_t one : digests_of(program, results)) {
    digest = common::SplitMix64(digest ^ one).next();
  }
  return std::max(digest, last_error + 1);
}

class Forms {
 public:
  Forms() : cases_(all_cases()) {}

  const std::vector<Case>& cases() const { return cases_; }
  Suite suite() {
    Suite suite{cases_.size(), cases_.size(), {}, {}};
    suite.start = [this] { return [this](std::size_t index) { return run_case(index); }; };
    suite.text = [this](std::size_t index) { return cases_[index].name(); };
    suite.group = std::size(matrix_value_names);
    return suite;
  }

 private:
  std::uint64_t run_case(std::size_t index) const {
    const RandomProgram program = cases_[index].program();
    RandomResults results;
    const CUresult result = run(program, results);
    if (result != CUDA_SUCCESS) return static_cast<std::uint64_t>(result);
    return digest_of(program, results);
  }

  std::vector<Case> cases_;
};

bool is_answer(std::uint64_t answer) {
  return answer > last_error;
}

int record(const char* path, int workers) {
  Answers answers;
  answers.title = "Matrix conformance 1";
  answers.machine = this_machine();
  Forms forms;
  Run run(forms.suite(), 1);
  run.execute(workers, [] {});
  std::size_t missing = 0;
  for (const Case& one : forms.cases()) {
    answers.cases.push_back(run.answer(one.number));
    if (is_answer(answers.cases.back())) continue;
    ++missing;
    std::printf("%s: %llu\n", one.name().c_str(),
                static_cast<unsigned long long>(answers.cases.back()));
  }
  if (!write(path, answers)) {
    std::fprintf(stderr, "conformance_matrix: cannot write %s\n", path);
    return 3;
  }
  std::printf("%zu cases, %zu without an answer: %s\n", answers.cases.size(), missing, path);
  return missing == 0 ? 0 : 1;
}

int check(const char* path, int workers, std::size_t shown, std::size_t every) {
  Answers answers;
  Forms forms;
  if (!read(path, answers) || answers.cases.size() != forms.cases().size()) {
    std::fprintf(stderr, "conformance_matrix: %s does not hold answers to these cases\n", path);
    return 3;
  }
  const Machine machine = this_machine();
  Run run(forms.suite(), every);
  run.execute(workers, [] {});
  std::size_t compared = 0, results = 0, wrong = 0;
  for (const Case& one : forms.cases()) {
    if (!run.is_selected(one.number)) continue;
    ++compared;
    results += matrix_results(one.form);
    const std::uint64_t here = run.answer(one.number);
    if (is_answer(here) && here == answers.cases[one.number]) continue;
    if (wrong++ >= shown) continue;
    std::printf("%s: %s\n", one.name().c_str(),
                is_answer(here) ? "not what was recorded" : "has not run");
  }
  std::printf("%s against:\n%s", machine.device.c_str(), answers.header().c_str());
  std::printf("%zu cases of matrix instructions with %zu results: %zu cases differ\n", compared,
              results, wrong);
  return wrong == 0 ? 0 : 1;
}

// A line a checkpoint and thread.
int show(const Case& one) {
  const RandomProgram program = one.program();
  RandomResults results;
  if (const CUresult result = run(program, results); result != CUDA_SUCCESS) {
    std::printf("%s: CUDA error %d\n", one.name().c_str(), static_cast<int>(result));
    return 1;
  }
  const std::size_t threads = std::size_t{program.ctas} * program.threads;
  for (std::size_t i = 0; i < results.words.size(); ++i) {
    std::printf("%zu %zu %016llx\n", i / threads, i % threads,
                static_cast<unsigned long long>(results.words[i]));
  }
  return 0;
}

int usage() {
  std::fprintf(stderr,
               "usage: conformance_matrix record FILE | check FILE | show NUMBER | ptx NUMBER\n"
               "       --workers N   processes at once (default 2)\n"
               "       --every N     every Nth form only\n"
               "       --show N      differing cases that are named (default 10)\n");
  return 2;
}

int main_of(int argc, char** argv) {
  std::uint64_t workers = 2, shown = 10, every = 1;
  const auto words =
      take_options(argc, argv, {{"--workers", &workers}, {"--show", &shown}, {"--every", &every}});
  if (!words || words->size() != 2) return usage();
  const std::string mode = words->at(0);
  if (mode == "record") return record(words->at(1), static_cast<int>(workers));
  if (mode == "check") return check(words->at(1), static_cast<int>(workers), shown, every);
  const std::vector<Case> cases = all_cases();
  const std::size_t number = std::strtoul(words->at(1), nullptr, 10);
  if (number >= cases.size()) return usage();
  if (mode == "show") return show(cases[number]);
  if (mode == "ptx") return std::printf("%s", cases[number].program().ptx.c_str()) < 0;
  return usage();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  return conformance::main_of(argc, argv);
}

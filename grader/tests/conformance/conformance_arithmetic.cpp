// The arithmetic conformance suite: the same instructions with the same operands on an H200 and
// under the emulator, compared by digests.
//
//   conformance_arithmetic record FILE          runs every form and writes the answers
//   conformance_arithmetic check FILE...        compares
//   conformance_arithmetic show FORM [TUPLE]    operands and results here, to be compared by `diff`
//   conformance_arithmetic save FILE            every result, for another machine's `diff`
//   conformance_arithmetic diff FILE            prints the tuples whose results are others here
//   conformance_arithmetic list | ptx           the forms; their kernels
//
// --beside FILE leaves out the forms that FILE has answers for.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "tests/conformance/answers.h"
#include "tests/conformance/arithmetic_device.h"
#include "tests/conformance/arithmetic_digest.h"
#include "tests/conformance/arithmetic_forms.h"
#include "tests/conformance/arithmetic_kernel.h"
#include "tests/conformance/arithmetic_operands.h"
#include "tests/conformance/run.h"

namespace conformance {
namespace {

constexpr std::uint64_t done = last_error + 1;

// All forms and their results, in memory that the workers share.
class Outcome {
 public:
  explicit Outcome(std::vector<Form> forms) : forms_(std::move(forms)) {
    for (const Form& form : forms_) {
      starts_.push_back(words_);
      words_ += tuples_of(form) * result_stride(form);
    }
    starts_.push_back(words_);
    results_ = static_cast<std::uint64_t*>(shared_memory(words_ * sizeof(std::uint64_t)));
  }

  const std::vector<Form>& forms() const { return forms_; }
  std::span<std::uint64_t> results(std::size_t form) const {
    return {results_ + starts_[form], starts_[form + 1] - starts_[form]};
  }
  std::span<std::uint64_t> all() const { return {results_, words_}; }

  Suite suite() {
    Suite suite{forms_.size(), forms_.size(), {}, {}};
    suite.start = [this, group = suite.group] {
      auto runner = std::make_shared<FormRunner>(forms_, group);
      return [this, runner](std::size_t form) -> std::uint64_t {
        const auto result = static_cast<std::uint64_t>(runner->run(form, results(form)));
        return result == 0 ? done : result;
      };
    };
    suite.text = [this](std::size_t form) { return forms_[form].name; };
    return suite;
  }

 private:
  std::vector<Form> forms_;
  std::vector<std::size_t> starts_;
  std::size_t words_ = 0;
  std::uint64_t* results_ = nullptr;
};

std::string in_words(Words words) {
  std::string text;
  char digits[24];
  for (const std::uint64_t word : words) {
    std::snprintf(digits, sizeof digits, " %llx", static_cast<unsigned long long>(word));
    text += digits;
  }
  return text;
}

Words operands_at(const Form& form, const std::vector<std::uint64_t>& operands, std::size_t tuple) {
  return Words(operands).subspan(tuple * source_stride(form), form.source_words());
}
Words results_at(const Outcome& outcome, std::size_t form, std::size_t tuple) {
  const unsigned stride = result_stride(outcome.forms()[form]);
  return outcome.results(form).subspan(tuple * stride, stride);
}

void print_tuple(const Outcome& outcome, std::size_t index, std::size_t tuple) {
  const Form& form = outcome.forms()[index];
  const std::vector<std::uint64_t> operands = operands_of(form);
  std::printf("%s, tuple %zu:%s ->%s\n", form.name.c_str(), tuple,
              in_words(operands_at(form, operands, tuple)).c_str(),
              in_words(results_at(outcome, index, tuple)).c_str());
}

// Digests of each form whose results must be the same everywhere.
Answers answers_of(const Outcome& outcome, const Run& run, const Machine& machine) {
  Answers answers;
  answers.title = "Arithmetic conformance 1";
  answers.machine = machine;
  for (std::size_t i = 0; i < outcome.forms().size(); ++i) {
    const Form& form = outcome.forms()[i];
    if (form.is_within != nullptr || run.answer(i) != done) continue;
    answers.names.push_back(form.name);
    const std::span<const std::uint64_t> results = outcome.results(i);
    const std::size_t block = block_tuples * result_stride(form);
    for (std::size_t start = 0; start < results.size(); start += block) {
      answers.cases.push_back(digest_of(results.subspan(start, block), result_stride(form)));
    }
  }
  return answers;
}

// Forms that did not run, in words.
std::size_t report_failures(const Outcome& outcome, const Run& run) {
  std::size_t failures = 0;
  for (std::size_t i = 0; i < outcome.forms().size(); ++i) {
    const std::uint64_t answer = run.answer(i);
    if (answer == done) continue;
    ++failures;
    std::printf("%s: %s\n", outcome.forms()[i].name.c_str(),
                answer == not_run   ? "not run"
                : answer == hung    ? "no end"
                : answer == crashed ? "stopped"
                                    : cudaGetErrorName(static_cast<cudaError_t>(answer)));
  }
  return failures;
}

// The .approx instructions: within the manual's error of the exact result?
std::size_t report_beyond_bounds(const Outcome& outcome, const Run& run, std::size_t shown) {
  std::size_t beyond = 0;
  for (std::size_t i = 0; i < outcome.forms().size(); ++i) {
    const Form& form = outcome.forms()[i];
    if (form.is_within == nullptr || run.answer(i) != done) continue;
    const std::vector<std::uint64_t> operands = operands_of(form);
    std::size_t here = 0;
    for (std::size_t tuple = 0; tuple < tuples_of(form); ++tuple) {
      if (form.is_within(form, operands_at(form, operands, tuple), results_at(outcome, i, tuple))) {
        continue;
      }
      if (++here <= shown) print_tuple(outcome, i, tuple);
    }
    if (here != 0) std::printf("%s: %zu results beyond the bound\n", form.name.c_str(), here);
    beyond += here;
  }
  return beyond;
}

int record(Outcome& outcome, const char* path, int workers) {
  const Machine machine = this_machine();
  Run run(outcome.suite(), 1);
  run.execute(workers, [] {});
  const Answers answers = answers_of(outcome, run, machine);
  if (!write(path, answers)) {
    std::fprintf(stderr, "conformance_arithmetic: cannot write %s\n", path);
    return 3;
  }
  const std::size_t beyond = report_beyond_bounds(outcome, run, 10);
  const std::size_t failures = report_failures(outcome, run);
  std::printf("%zu forms, %zu not run, %zu approximations beyond their bound: %s\n",
              outcome.forms().size(), failures, beyond, path);
  return failures + beyond == 0 ? 0 : 1;
}

// Of several files as of one; each has forms that the others lack.
Answers read_all(std::span<const char* const> paths) {
  Answers all;
  for (const char* path : paths) {
    Answers answers;
    if (!read(path, answers)) {
      std::fprintf(stderr, "conformance_arithmetic: %s does not hold answers\n", path);
      std::exit(3);
    }
    all.title += answers.header();
    all.names.insert(all.names.end(), answers.names.begin(), answers.names.end());
    all.cases.insert(all.cases.end(), answers.cases.begin(), answers.cases.end());
  }
  return all;
}

int check(Outcome& outcome, std::span<const char* const> paths, int workers, std::size_t shown) {
  const Answers recorded = read_all(paths);
  const Machine machine = this_machine();
  Run run(outcome.suite(), 1);
  run.execute(workers, [] {});
  const Answers here = answers_of(outcome, run, machine);

  std::unordered_map<std::string, std::size_t> index;
  std::size_t tuples = 0;
  for (std::size_t i = 0; i < outcome.forms().size(); ++i) {
    index[outcome.forms()[i].name] = i;
    tuples += tuples_of(outcome.forms()[i]);
  }
  std::map<std::string, std::span<const std::uint64_t>> digests;
  std::size_t start = 0;
  for (const std::string& name : here.names) {
    const std::size_t blocks = tuples_of(outcome.forms()[index.at(name)]) / block_tuples;
    digests[name] = std::span(here.cases).subspan(start, blocks);
    start += blocks;
  }
  std::size_t wrong_blocks = 0;
  std::size_t wrong_forms = 0;
  start = 0;
  for (const std::string& name : recorded.names) {
    const auto form = index.find(name);
    if (form == index.end()) {
      std::fprintf(stderr, "conformance_arithmetic: there is no form %s any more\n", name.c_str());
      return 3;
    }
    const std::size_t blocks = tuples_of(outcome.forms()[form->second]) / block_tuples;
    const std::size_t first = start;
    start += blocks;
    const auto found = digests.find(name);
    if (found == digests.end()) continue;  // it did not run, which is reported
    std::size_t wrong = 0;
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::uint64_t expected = recorded.cases[first + block];
      const std::uint64_t digest = found->second[block];
      if (expected == digest) continue;
      if (++wrong != 1 || wrong_forms >= shown) continue;
      const std::size_t tuple = block * block_tuples + differing_tuple(expected, digest);
      print_tuple(outcome, form->second, tuple);
      std::printf(
          "  is not what was recorded, or another tuple of %zu to %zu; what a GPU gives:"
          " conformance_arithmetic show '%s' %zu\n",
          block * block_tuples, (block + 1) * block_tuples - 1, name.c_str(), tuple);
    }
    wrong_forms += wrong != 0;
    wrong_blocks += wrong;
    if (wrong != 0) std::printf("%s: %zu of %zu blocks differ\n", name.c_str(), wrong, blocks);
  }
  const auto is_unrecorded = [&](const std::string& name) {
    return std::ranges::find(recorded.names, name) == recorded.names.end();
  };
  const auto unrecorded = std::ranges::count_if(here.names, is_unrecorded);
  const std::size_t beyond = report_beyond_bounds(outcome, run, 1);
  const std::size_t failures = report_failures(outcome, run);
  std::printf("%s against:\n%s", machine.device.c_str(), recorded.title.c_str());
  std::printf(
      "%zu forms of instructions on %zu tuples of operands: %zu mismatches in %zu forms, "
      "%zu forms not run, %td without a recorded answer, %zu approximations beyond their "
      "bound\n",
      outcome.forms().size(), tuples, wrong_blocks, wrong_forms, failures, unrecorded, beyond);
  return wrong_blocks + failures + beyond == 0 ? 0 : 1;
}

// Forms that someone asks for by name.
int show(const char* name, const char* tuple) {
  std::vector<Form> forms;
  for (Form& form : all_forms()) {
    if (form.name == name) forms.push_back(std::move(form));
  }
  if (forms.empty()) {
    std::fprintf(stderr, "conformance_arithmetic: there is no form %s\n", name);
    return 2;
  }
  Outcome outcome(std::move(forms));
  Run run(outcome.suite(), 1);
  run.execute(1, [] {});
  std::printf("%s", module_text(outcome.forms()).c_str());
  const std::size_t first = tuple != nullptr ? std::strtoul(tuple, nullptr, 10) : 0;
  const std::size_t end = tuple != nullptr ? first + 1 : tuples_of(outcome.forms()[0]);
  for (std::size_t i = first; i < end; ++i) print_tuple(outcome, 0, i);
  return report_failures(outcome, run) == 0 ? 0 : 1;
}

int save(Outcome& outcome, const char* path, int workers) {
  Run run(outcome.suite(), 1);
  run.execute(workers, [] {});
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(outcome.all().data()),
             static_cast<std::streamsize>(outcome.all().size_bytes()));
  file.close();
  return report_failures(outcome, run) == 0 && file ? 0 : 1;
}

int diff(Outcome& outcome, const char* path, int workers, std::size_t shown) {
  std::vector<std::uint64_t> other(outcome.all().size());
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(other.data()),
            static_cast<std::streamsize>(outcome.all().size_bytes()));
  if (!file || file.peek() != std::ifstream::traits_type::eof()) {
    std::fprintf(stderr, "conformance_arithmetic: %s holds results of other forms\n", path);
    return 3;
  }
  Run run(outcome.suite(), 1);
  run.execute(workers, [] {});
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < outcome.forms().size(); ++i) {
    const Form& form = outcome.forms()[i];
    if (form.is_within != nullptr || run.answer(i) != done) continue;
    const auto start = static_cast<std::size_t>(outcome.results(i).data() - outcome.all().data());
    std::size_t here = 0;
    for (std::size_t tuple = 0; tuple < tuples_of(form); ++tuple) {
      const unsigned stride = result_stride(form);
      const Words theirs(&other[start + tuple * stride], stride);
      const Words ours = results_at(outcome, i, tuple);
      if (std::equal(ours.begin(), ours.end(), theirs.begin())) continue;
      if (++here > shown) continue;
      print_tuple(outcome, i, tuple);
      std::printf("  there:%s\n", in_words(theirs).c_str());
    }
    if (here != 0) std::printf("%s: %zu tuples differ\n", form.name.c_str(), here);
    wrong += here;
  }
  const std::size_t failures = report_failures(outcome, run);
  std::printf("%zu tuples differ\n", wrong);
  return wrong + failures == 0 ? 0 : 1;
}

int usage() {
  std::fprintf(stderr,
               "usage: conformance_arithmetic record FILE | check FILE... | show FORM [TUPLE]\n"
               "                              save FILE | diff FILE | list | ptx\n"
               "       --beside FILE only the forms that FILE has no answers for\n"
               "       --workers N   processes at once (default 2)\n"
               "       --show N      mismatches printed in full (default 10)\n");
  return 2;
}

std::vector<Form> forms_beside(const char* path) {
  std::vector<Form> forms = all_forms();
  if (path == nullptr) return forms;
  const Answers answers = read_all({&path, 1});
  std::erase_if(forms, [&](const Form& form) {
    return form.is_within != nullptr || std::ranges::count(answers.names, form.name) != 0;
  });
  return forms;
}

int main_of(int argc, char** argv) {
  int workers = 2;
  int shown = 10;
  const char* beside = nullptr;
  std::vector<const char*> words;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--beside" && i + 1 < argc) {
      beside = argv[++i];
      continue;
    }
    int* option = word == "--workers" ? &workers : word == "--show" ? &shown : nullptr;
    if (option == nullptr) {
      words.push_back(argv[i]);
    } else if (++i == argc || (*option = std::atoi(argv[i])) < 1) {
      return usage();
    }
  }
  const std::string mode = words.empty() ? "" : words[0];
  if (mode == "list" || mode == "ptx") {
    if (mode == "ptx") std::printf("%s", module_text(all_forms()).c_str());
    for (const Form& form : mode == "list" ? all_forms() : std::vector<Form>{}) {
      std::printf("%s\n", form.name.c_str());
    }
    return 0;
  }
  if (words.size() < 2) return usage();
  if (mode == "show") return show(words[1], words.size() > 2 ? words[2] : nullptr);
  Outcome outcome(forms_beside(beside));
  if (mode == "record") return record(outcome, words[1], workers);
  if (mode == "check") {
    return check(outcome, std::span(words).subspan(1), workers, static_cast<std::size_t>(shown));
  }
  if (mode == "save") return save(outcome, words[1], workers);
  if (mode == "diff") return diff(outcome, words[1], workers, static_cast<std::size_t>(shown));
  return usage();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  return conformance::main_of(argc, argv);
}

// The TMA conformance suite: the same cases on an H200 and under the emulator, compared by digests.
//
//   conformance_tma record FILE             runs every case and writes the answers
//   conformance_tma check FILE [--every N]  compares (every Nth group of cases)
//   conformance_tma dump CASE...            parameters, digest and memory after the operation
#include <cuda_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "tests/conformance/answers.h"
#include "tests/conformance/run.h"
#include "tests/conformance/tma_cases.h"
#include "tests/conformance/tma_device.h"

namespace conformance {
namespace {

struct AllCases {
  std::vector<MapArguments> maps = map_cases();
  std::vector<Case> operations = operation_cases();
  std::size_t ordinary = 0;

  AllCases() {
    for (const MapArguments& map : im2col_map_cases()) maps.push_back(map);
    for (const Case& im2col : im2col_operation_cases()) operations.push_back(im2col);
    ordinary = operations.size();
    for (const Case& fault : fault_cases()) operations.push_back(fault);
  }

  Suite suite() const {
    Suite suite{operations.size(), ordinary, {}, {}};
    suite.start = [this] {
      auto device = std::make_shared<Device>();
      return [this, device](std::size_t i) { return device->run(operations[i]); };
    };
    suite.text = [this](std::size_t i) { return text(operations[i]); };
    return suite;
  }
};

// Answers to every tensor map, from a process of its own: workers fork before CUDA starts.
Answers encode_in_child(const AllCases& all) {
  Answers answers;
  answers.title = "TMA conformance 1";
  answers.machine = this_machine();
  const std::size_t bytes = (all.maps.size() + 7) / 8;
  auto* accepted = static_cast<std::uint8_t*>(shared_memory(bytes));
  const pid_t child = fork();
  if (child == 0) {
    // The emulator gives a reason for each of ten thousand refusals.
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(3);
    const auto bits = encode_all(all.maps);
    std::memcpy(accepted, bits.data(), bits.size());
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) {
    std::fprintf(stderr, "conformance_tma: tensor maps cannot be encoded\n");
    std::exit(3);
  }
  answers.maps = all.maps.size();
  answers.accepted.assign(accepted, accepted + bytes);
  return answers;
}

void show_progress(const Run& run, const AllCases& all) {
  std::fprintf(stderr, "%zu of %zu operations, %zu unexpected errors\n", run.answered(),
               all.operations.size(), run.unexpected_faults());
}

int record(const char* path, int workers) {
  const AllCases all;
  Answers answers = encode_in_child(all);
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < all.maps.size(); ++i) accepted += answers.accepts(i);
  std::fprintf(stderr, "%zu tensor maps, %zu accepted\n", all.maps.size(), accepted);

  Run run(all.suite(), 1);
  const auto save = [&] {
    answers.cases.clear();
    for (std::size_t i = 0; i < all.operations.size(); ++i) answers.cases.push_back(run.answer(i));
    return write(path, answers);
  };
  run.execute(workers, [&] {
    show_progress(run, all);
    save();
  });
  show_progress(run, all);
  if (!save()) {
    std::fprintf(stderr, "conformance_tma: cannot write %s\n", path);
    return 3;
  }
  std::size_t refusals = 0;
  for (const std::uint64_t answer : answers.cases) refusals += answer == refused;
  std::printf("%zu operations, %zu not run, %zu refused, %zu unexpected errors: %s\n",
              all.operations.size(), all.operations.size() - run.answered(), refusals,
              run.unexpected_faults(), path);
  return run.answered() == all.operations.size() ? 0 : 1;
}

std::string in_words(std::uint64_t answer) {
  if (answer == not_run) return "not run";
  if (answer == refused) return "refused by cuTensorMapEncodeTiled";
  if (answer == hung) return "no end";
  if (answer == crashed) return "the end of the process";
  if (is_error(answer)) return cudaGetErrorName(static_cast<cudaError_t>(answer));
  char digits[32];
  std::snprintf(digits, sizeof digits, "digest %016llx", static_cast<unsigned long long>(answer));
  return digits;
}

int check(const char* path, std::size_t every, int workers, std::size_t shown) {
  const AllCases all;
  Answers answers;
  if (!read(path, answers) || answers.maps != all.maps.size() ||
      answers.cases.size() != all.operations.size()) {
    std::fprintf(stderr, "conformance_tma: %s does not hold answers to these cases\n", path);
    return 3;
  }
  const Answers here = encode_in_child(all);
  std::size_t wrong_maps = 0;
  for (std::size_t i = 0; i < all.maps.size(); ++i) {
    if (answers.accepts(i) == here.accepts(i) || ++wrong_maps > shown) continue;
    std::printf("map %zu: recorded %s, here %s: %s\n", i,
                answers.accepts(i) ? "accepted" : "refused",
                here.accepts(i) ? "accepted" : "refused", text(all.maps[i]).c_str());
  }
  Run run(all.suite(), every);
  run.execute(workers, [] {});
  std::size_t compared = 0;
  std::size_t unknown = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < all.operations.size(); ++i) {
    if (!run.is_selected(i)) continue;
    unknown += answers.cases[i] == not_run;
    if (answers.cases[i] == not_run) continue;
    ++compared;
    if (run.answer(i) == answers.cases[i] || ++wrong > shown) continue;
    std::printf("case %zu: recorded %s, here %s: %s\n", i, in_words(answers.cases[i]).c_str(),
                in_words(run.answer(i)).c_str(), text(all.operations[i]).c_str());
  }
  std::printf("%s against:\n%s", here.machine.device.c_str(), answers.header().c_str());
  if (unknown != 0) std::printf("%zu operations without a recorded answer\n", unknown);
  std::printf("%zu tensor maps: %zu mismatches; %zu operations: %zu mismatches\n", all.maps.size(),
              wrong_maps, compared, wrong);
  return wrong_maps + wrong == 0 ? 0 : 1;
}

// Every byte that the case can have changed, to be compared with another machine's dump by `diff`.
int dump(std::size_t index) {
  const AllCases all;
  if (index >= all.operations.size()) {
    std::fprintf(stderr, "conformance_tma: there is no case %zu\n", index);
    return 2;
  }
  const Case& drawn = all.operations[index];
  Device device;
  std::vector<unsigned char> image;
  const std::uint64_t answer = device.run(drawn, image);
  std::printf("case %zu: %s: %s\n", index, in_words(answer).c_str(), text(drawn).c_str());
  if (answer == refused || is_error(answer)) return 0;
  const Operation& operation = drawn.operation;
  const auto print = [&](const std::string& name, std::size_t start, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (i % 16 == 0) std::printf("%s+%05zx:", name.c_str(), i);
      std::printf("%s%02x", i % 4 == 0 ? " " : "", image[start + i]);
      if (i % 16 == 15) std::printf("\n");
    }
  };
  for (std::uint32_t rank = 0; rank < operation.cluster; ++rank) {
    print("shared " + std::to_string(rank), rank * shared_bytes, operation.shared_size);
  }
  print("global", operation.cluster * shared_bytes, operation.global_size);
  return 0;
}

int usage() {
  std::fprintf(stderr,
               "usage: conformance_tma record FILE | check FILE [--every N] | dump CASE...\n"
               "       --workers N   processes at once (default 2)\n"
               "       --show N      mismatches printed in full (default 10)\n");
  return 2;
}

int main_of(int argc, char** argv) {
  int every = 1;
  int workers = 2;
  int shown = 10;
  std::vector<const char*> words;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    int* option = word == "--every"     ? &every
                  : word == "--workers" ? &workers
                  : word == "--show"    ? &shown
                                        : nullptr;
    if (option == nullptr) {
      words.push_back(argv[i]);
    } else if (++i == argc || (*option = std::atoi(argv[i])) < 1) {
      return usage();
    }
  }
  if (words.size() < 2) return usage();
  const std::string mode = words[0];
  if (mode == "record") return record(words[1], workers);
  if (mode == "check") {
    return check(words[1], static_cast<std::size_t>(every), workers,
                 static_cast<std::size_t>(shown));
  }
  if (mode != "dump") return usage();
  int result = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    // A fault in one case must not end the next one's.
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) std::exit(dump(std::strtoul(words[i], nullptr, 10)));
    int status = 0;
    waitpid(child, &status, 0);
    result |= status != 0;
  }
  return result;
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  return conformance::main_of(argc, argv);
}

// The conformance suite of shared memory's layout: addresses of shared variables and sizes of
// static shared memory, of kernels that nvcc compiled and of PTX that the driver compiles.
//
//   conformance_shared record FILE          writes a line a kernel
//   conformance_shared check FILE [--part]  compares; --part: this program holds a part of the
//   kernels conformance_shared list | ptx MODULE    the lines; a module's text
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "tests/conformance/answers.h"
#include "tests/conformance/shared_kernels.h"
#include "tests/conformance/shared_modules.h"

namespace conformance {

std::vector<SharedKernel>& shared_kernels() {
  static std::vector<SharedKernel> kernels;
  return kernels;
}

AddedSharedKernels::AddedSharedKernels(std::span<const SharedKernel> kernels) {
  shared_kernels().insert(shared_kernels().end(), kernels.begin(), kernels.end());
}

namespace {

constexpr std::uint32_t no_address = ~std::uint32_t{0};
constexpr unsigned dynamic_bytes = 256;

void require(int result, const std::string& what) {
  if (result == 0) return;
  std::fprintf(stderr, "conformance_shared: %s: CUDA error %d\n", what.c_str(), result);
  std::exit(3);
}

// The words that kernels store their addresses to.
class Words {
 public:
  explicit Words(unsigned count) : words_(count, no_address) {
    require(cudaMalloc(&device_, bytes() + 4), "memory");
    require(cudaMemcpy(device_, words_.data(), bytes(), cudaMemcpyDefault), "memory");
  }
  ~Words() { cudaFree(device_); }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;

  void** argument() { return &device_; }
  // "400 - 410": hexadecimal, a dash where the kernel stored none.
  std::string text(const std::string& kernel) {
    require(cudaMemcpy(words_.data(), device_, bytes(), cudaMemcpyDefault), kernel);
    std::string text;
    for (const std::uint32_t word : words_) {
      char digits[16] = " -";
      if (word != no_address) std::snprintf(digits, sizeof digits, " %x", word);
      text += digits;
    }
    return text;
  }

 private:
  std::size_t bytes() const { return words_.size() * sizeof words_[0]; }
  std::vector<std::uint32_t> words_;
  void* device_ = nullptr;
};

std::string compiled_line(const SharedKernel& kernel) {
  cudaFuncAttributes attributes;
  require(cudaFuncGetAttributes(&attributes, kernel.function), kernel.name);
  Words words(kernel.words);
  void* arguments[] = {words.argument()};
  require(cudaLaunchKernel(kernel.function, 1, 1, arguments, dynamic_bytes, nullptr), kernel.name);
  return std::to_string(attributes.sharedSizeBytes) + words.text(kernel.name);
}

std::string line_of(CUmodule module, const std::string& name, unsigned count) {
  CUfunction kernel;
  int static_bytes = 0;
  require(cuModuleGetFunction(&kernel, module, name.c_str()), name);
  require(cuFuncGetAttribute(&static_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel), name);
  Words words(count);
  void* arguments[] = {words.argument()};
  require(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, dynamic_bytes, nullptr, arguments, nullptr),
          name);
  return std::to_string(static_bytes) + words.text(name);
}

// Static bytes and addresses, by the kernel's name.
std::map<std::string, std::string> all_lines() {
  std::map<std::string, std::string> lines;
  for (const SharedKernel& kernel : shared_kernels()) lines[kernel.name] = compiled_line(kernel);
  require(cudaFree(nullptr), "the context");
  for (unsigned i = 0; i < shared_module_count; ++i) {
    const SharedModule written = shared_module(i);
    const std::string prefix = "ptx/" + std::to_string(i) + "/";
    CUmodule module;
    require(cuModuleLoadData(&module, written.text.c_str()), prefix);
    for (const std::string& name : written.kernels) {
      lines[prefix + name] = line_of(module, name, written.words);
    }
    require(cuModuleUnload(module), prefix);
  }
  return lines;
}

int record(const char* path) {
  Answers answers;
  answers.title = "Layout of shared memory 1";
  answers.machine = this_machine();
  for (const auto& [name, line] : all_lines()) answers.names.push_back(name + ": " + line);
  if (!write(path, answers)) {
    std::fprintf(stderr, "conformance_shared: cannot write %s\n", path);
    return 3;
  }
  std::printf("%zu kernels: %s\n", answers.names.size(), path);
  return 0;
}

int check(const char* path, bool is_part, std::size_t shown) {
  Answers recorded;
  if (!read(path, recorded)) {
    std::fprintf(stderr, "conformance_shared: %s does not hold answers\n", path);
    return 3;
  }
  const Machine machine = this_machine();
  std::map<std::string, std::string> here = all_lines();
  const std::size_t kernels = here.size();
  std::size_t wrong = 0;
  std::size_t missing = 0;
  for (const std::string& answer : recorded.names) {
    const std::string name = answer.substr(0, answer.find(": "));
    const auto found = here.find(name);
    if (found == here.end()) {
      ++missing;
      continue;
    }
    const std::string line = name + ": " + found->second;
    here.erase(found);
    if (line == answer || ++wrong > shown) continue;
    std::printf("recorded %s\n    here %s\n", answer.c_str(), line.c_str());
  }
  std::printf("%s against:\n%s", machine.device.c_str(), recorded.header().c_str());
  if (wrong != 0 && machine.toolkit != recorded.machine.toolkit) {
    std::printf("This program was compiled with %s. nvcc may declare variables in another order.\n",
                machine.toolkit.c_str());
  }
  if (is_part) missing = 0;
  std::printf("%zu kernels: %zu mismatches, %zu without a recorded answer, %zu not here\n", kernels,
              wrong, here.size(), missing);
  return wrong + here.size() + missing == 0 ? 0 : 1;
}

int usage() {
  std::fprintf(stderr,
               "usage: conformance_shared record FILE | check FILE [--part] | list | ptx MODULE\n"
               "       --show N      mismatches printed (default 10)\n");
  return 2;
}

int main_of(int argc, char** argv) {
  int shown = 10;
  bool is_part = false;
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--part") {
      is_part = true;
    } else if (word != "--show") {
      words.push_back(word);
    } else if (++i == argc || (shown = std::atoi(argv[i])) < 1) {
      return usage();
    }
  }
  const std::string mode = words.empty() ? "" : words[0];
  if (mode == "list") {
    for (const auto& [name, line] : all_lines())
      std::printf("%s: %s\n", name.c_str(), line.c_str());
    return 0;
  }
  if (words.size() < 2) return usage();
  if (mode == "record") return record(words[1].c_str());
  if (mode == "check") return check(words[1].c_str(), is_part, static_cast<std::size_t>(shown));
  if (mode != "ptx") return usage();
  std::printf("%s", shared_module(static_cast<unsigned>(std::atoi(words[1].c_str()))).text.c_str());
  return 0;
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  return conformance::main_of(argc, argv);
}

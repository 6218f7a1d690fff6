// The TMA conformance suite: the same cases on an H200 and under the emulator, compared by digests.
//
//   conformance_tma record FILE            runs every case and writes the answers
//   conformance_tma check FILE [--every N] compares (every Nth group of cases)
//   conformance_tma dump CASE...           parameters, digest and memory after the operation
//
// Workers are processes, since an operation that the hardware refuses ends its CUDA context. A
// group of cases is one launch; where a launch fails, its cases run again one by one.
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/conformance/tma_kernel.cuh"

namespace conformance {
namespace {

constexpr int group_size = 64;
// Digests with a meaning of their own.
constexpr std::uint64_t refused = 1;  // by cuTensorMapEncodeTiled
constexpr std::uint64_t faulted = 2;  // the launch ended with an error

CUresult encode(const MapArguments& map, std::uint64_t base, CUtensorMap* encoded) {
  return cuTensorMapEncodeTiled(encoded, static_cast<CUtensorMapDataType>(map.type), map.rank,
                                reinterpret_cast<void*>(base + map.address), map.size.data(),
                                map.stride.data(), map.box.data(), map.element_stride.data(),
                                static_cast<CUtensorMapInterleave>(map.interleave),
                                static_cast<CUtensorMapSwizzle>(map.swizzle),
                                static_cast<CUtensorMapL2promotion>(map.l2_promotion),
                                static_cast<CUtensorMapFloatOOBfill>(map.fill));
}

void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "conformance_tma: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(3);
}

std::string text(const MapArguments& map) {
  std::ostringstream out;
  const auto list = [&](const char* name, const auto& values, std::uint32_t count) {
    out << " " << name << " {";
    for (std::uint32_t i = 0; i < count && i < values.size(); ++i)
      out << (i ? ", " : "") << values[i];
    out << "}";
  };
  out << "type " << map.type << " rank " << map.rank << " interleave " << map.interleave
      << " swizzle " << map.swizzle << " l2 " << map.l2_promotion << " fill " << map.fill
      << " address 0x" << std::hex << map.address << std::dec;
  list("size", map.size, map.rank);
  list("stride", map.stride, map.rank == 0 ? 0 : map.rank - 1);
  list("box", map.box, map.rank);
  list("elementStrides", map.element_stride, map.rank);
  return out.str();
}

std::string text(const Case& c) {
  constexpr const char* names[kinds] = {"tensor load",
                                        "tensor store",
                                        "tensor reduce",
                                        "bulk load",
                                        "bulk store",
                                        "bulk reduce",
                                        "bulk copy within shared memory",
                                        "bulk reduce to shared memory"};
#define NAME(name) name,
#define BULK_NAME(name, values) name,
  constexpr const char* tensor[] = {TENSOR_REDUCE(NAME)};
  constexpr const char* global[] = {BULK_REDUCE_TO_GLOBAL(BULK_NAME)};
  constexpr const char* shared[] = {BULK_REDUCE_TO_SHARED(BULK_NAME)};
#undef NAME
#undef BULK_NAME
  const Operation& operation = c.operation;
  std::ostringstream out;
  out << names[static_cast<int>(operation.kind)];
  if (operation.kind == Kind::tensor_reduce) out << " ." << tensor[operation.form];
  if (operation.kind == Kind::bulk_reduce) out << " ." << global[operation.form];
  if (operation.kind == Kind::bulk_reduce_shared) out << " ." << shared[operation.form];
  out << ", shared +" << operation.shared_offset << ", " << operation.bytes << " bytes";
  if (operation.kind >= Kind::bulk_load) {
    out << ", second shared +" << operation.second_offset << ", global +"
        << operation.global_offset;
    return out.str();
  }
  out << ", coordinates {";
  for (std::uint32_t d = 0; d < operation.rank; ++d)
    out << (d ? ", " : "") << operation.coordinates[d];
  return out.str() + "}, " + text(c.map);
}

// The device memory of one worker.
class Device {
 public:
  explicit Device(const std::vector<Case>& cases) : cases_(cases) {
    require(cudaMalloc(&arena_, std::size_t{group_size} * slot_bytes), "cudaMalloc");
    require(cudaMalloc(&operations_, group_size * sizeof(Operation)), "cudaMalloc");
    require(cudaMalloc(&maps_, group_size * sizeof(CUtensorMap)), "cudaMalloc");
    require(cudaMalloc(&digests_, group_size * sizeof(std::uint64_t)), "cudaMalloc");
    require(cudaFree(nullptr), "a CUDA context");
  }

  // Runs `count` cases from `first` on, as one launch. False where the launch fails.
  bool run(std::size_t first, std::size_t count, std::uint64_t* digests,
           unsigned char* images = nullptr) {
    std::vector<Operation> operations;
    std::vector<CUtensorMap> maps(group_size);
    std::vector<std::uint64_t*> results;
    for (std::size_t i = first; i < first + count; ++i) {
      const Case& c = cases_[i];
      const std::size_t place = operations.size();
      const auto slot = reinterpret_cast<std::uint64_t>(arena_) + place * slot_bytes;
      if (c.operation.kind < Kind::bulk_load && encode(c.map, slot, &maps[place]) != CUDA_SUCCESS) {
        digests[i - first] = refused;
        continue;
      }
      operations.push_back(c.operation);
      results.push_back(digests + (i - first));
    }
    if (operations.empty()) return true;
    const std::size_t blocks = operations.size();
    std::vector<std::uint64_t> sums(blocks);
    require(
        cudaMemcpy(operations_, operations.data(), blocks * sizeof(Operation), cudaMemcpyDefault),
        "cudaMemcpy");
    require(cudaMemcpy(maps_, maps.data(), blocks * sizeof(CUtensorMap), cudaMemcpyDefault),
            "cudaMemcpy");
    require(cudaMemset(digests_, 0, blocks * sizeof(std::uint64_t)), "cudaMemset");
    run_cases<<<static_cast<unsigned>(blocks), threads, shared_launch_bytes>>>(
        operations_, maps_, arena_, digests_, images);
    if (cudaMemcpy(sums.data(), digests_, blocks * sizeof(std::uint64_t), cudaMemcpyDefault) !=
        cudaSuccess)
      return false;
    for (std::size_t i = 0; i < blocks; ++i) *results[i] = sums[i];
    return true;
  }

 private:
  const std::vector<Case>& cases_;
  unsigned char* arena_ = nullptr;
  Operation* operations_ = nullptr;
  CUtensorMap* maps_ = nullptr;
  std::uint64_t* digests_ = nullptr;
};

// What the worker processes share.
struct Board {
  std::atomic<std::size_t> next_group;
  std::atomic<std::size_t> next_single;
};

template <class T>
T* shared_array(std::size_t count) {
  void* memory =
      mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("conformance_tma: mmap");
    std::exit(3);
  }
  return static_cast<T*>(memory);
}

class Run {
 public:
  Run(const std::vector<Case>& cases, int every)
      : cases_(cases),
        every_(static_cast<std::size_t>(every)),
        board_(shared_array<Board>(1)),
        digests_(shared_array<std::uint64_t>(cases.size())),
        alone_(shared_array<std::uint8_t>(cases.size())) {}

  // Runs all cases; a fault ends only the worker that met it.
  void execute(int workers) {
    int running = 0;
    const auto start = [&] {
      if (fork() == 0) {
        work();
        _exit(0);
      }
      ++running;
    };
    for (const auto phase : {&Run::by_group, &Run::one_by_one}) {
      phase_ = phase;
      for (int i = 0; i < workers; ++i) start();
      while (running > 0) {
        int status = 0;
        waitpid(-1, &status, 0);
        --running;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
        if (WIFEXITED(status) && WEXITSTATUS(status) == fault_status) {
          start();
          continue;
        }
        std::fprintf(stderr, "conformance_tma: a worker ended with status 0x%x\n", status);
        std::exit(3);
      }
    }
  }

  std::uint64_t digest(std::size_t index) const { return digests_[index]; }
  bool is_selected(std::size_t index) const { return index / group_size % every_ == 0; }

 private:
  static constexpr int fault_status = 9;

  void work() {
    Device device(cases_);
    (this->*phase_)(device);
  }

  void by_group(Device& device) {
    const std::size_t groups = (cases_.size() + group_size - 1) / group_size;
    for (std::size_t group; (group = every_ * board_->next_group++) < groups;) {
      const std::size_t first = group * group_size;
      const std::size_t count = std::min<std::size_t>(group_size, cases_.size() - first);
      if (device.run(first, count, digests_ + first)) continue;
      std::memset(alone_ + first, 1, count);
      _exit(fault_status);
    }
  }

  void one_by_one(Device& device) {
    for (std::size_t i; (i = board_->next_single++) < cases_.size();) {
      if (alone_[i] == 0 || device.run(i, 1, digests_ + i)) continue;
      digests_[i] = faulted;
      _exit(fault_status);
    }
  }

  const std::vector<Case>& cases_;
  std::size_t every_;
  Board* board_;
  std::uint64_t* digests_;
  std::uint8_t* alone_;
  void (Run::*phase_)(Device&) = nullptr;
};

// The recorded answers: lines of text, an empty line, a bit a tensor map, eight bytes a case.
struct Answers {
  std::string header;
  std::vector<std::uint8_t> accepted;  // a bit each
  std::vector<std::uint64_t> digests;
};

std::vector<std::uint8_t> encode_all(const std::vector<MapArguments>& maps) {
  std::vector<std::uint8_t> accepted((maps.size() + 7) / 8);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    alignas(64) CUtensorMap encoded;
    if (encode(maps[i], 0, &encoded) == CUDA_SUCCESS) accepted[i / 8] |= std::uint8_t(1u << i % 8);
  }
  return accepted;
}

// Answers to every tensor map, from a process of its own: workers fork before CUDA starts.
std::vector<std::uint8_t> encode_in_child(const std::vector<MapArguments>& maps,
                                          std::string& device) {
  auto* accepted = shared_array<std::uint8_t>(maps.size());
  auto* name = shared_array<char>(4096);
  const pid_t child = fork();
  if (child == 0) {
    require(cudaFree(nullptr), "a CUDA context");
    const auto bits = encode_all(maps);
    std::memcpy(accepted, bits.data(), bits.size());
    cudaDeviceProp properties;
    require(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    std::snprintf(name, 4096, "%s", properties.name);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) {
    std::fprintf(stderr, "conformance_tma: no CUDA device answers\n");
    std::exit(3);
  }
  device = name;
  return {accepted, accepted + (maps.size() + 7) / 8};
}

std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  return line.empty() ? "unknown" : line;
}

int record(const char* path, int workers) {
  const auto maps = map_cases();
  const auto cases = operation_cases();
  std::string device;
  const auto accepted = encode_in_child(maps, device);
  Run run(cases, 1);
  run.execute(workers);
  std::ofstream file(path, std::ios::binary);
  file << "TMA conformance 1\nGPU: " << device << "\nDriver: " << driver_version()
       << "\nToolkit: CUDA " << CUDART_VERSION / 1000 << "." << CUDART_VERSION % 1000 / 10
       << "\nMaps: " << maps.size() << "\nCases: " << cases.size() << "\n\n";
  file.write(reinterpret_cast<const char*>(accepted.data()),
             static_cast<std::streamsize>(accepted.size()));
  std::size_t faults = 0;
  std::size_t refusals = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::uint64_t digest = run.digest(i);
    faults += digest == faulted;
    refusals += digest == refused;
    file.write(reinterpret_cast<const char*>(&digest), sizeof digest);
  }
  std::size_t count = 0;
  for (const std::uint8_t bits : accepted)
    count += static_cast<std::size_t>(__builtin_popcount(bits));
  std::printf("%zu tensor maps, %zu accepted; %zu operations, %zu refused, %zu faults: %s\n",
              maps.size(), count, cases.size(), refusals, faults, path);
  return file.flush() ? 0 : 3;
}

bool read(const char* path, Answers& answers) {
  std::ifstream file(path, std::ios::binary);
  std::size_t maps = 0;
  std::size_t cases = 0;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    answers.header += line + "\n";
    if (line.starts_with("Maps: ")) maps = std::stoul(line.substr(6));
    if (line.starts_with("Cases: ")) cases = std::stoul(line.substr(7));
  }
  answers.accepted.resize((maps + 7) / 8);
  answers.digests.resize(cases);
  file.read(reinterpret_cast<char*>(answers.accepted.data()),
            static_cast<std::streamsize>(answers.accepted.size()));
  file.read(reinterpret_cast<char*>(answers.digests.data()),
            static_cast<std::streamsize>(cases * sizeof(std::uint64_t)));
  return static_cast<bool>(file) && maps == map_cases().size() && cases == operation_cases().size();
}

const char* name_of(std::uint64_t digest, char (&buffer)[32]) {
  if (digest == refused) return "refused by cuTensorMapEncodeTiled";
  if (digest == faulted) return "a fault";
  std::snprintf(buffer, sizeof buffer, "digest %016llx", static_cast<unsigned long long>(digest));
  return buffer;
}

int check(const char* path, int every, int workers, std::size_t shown) {
  Answers answers;
  if (!read(path, answers)) {
    std::fprintf(stderr, "conformance_tma: %s does not hold the answers to these cases\n", path);
    return 3;
  }
  const auto maps = map_cases();
  const auto cases = operation_cases();
  std::string device;
  const auto accepted = encode_in_child(maps, device);
  std::size_t wrong_maps = 0;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const bool expected = answers.accepted[i / 8] >> i % 8 & 1;
    if ((accepted[i / 8] >> i % 8 & 1) == expected || ++wrong_maps > shown) continue;
    std::printf("map %zu: recorded %s, here %s: %s\n", i, expected ? "accepted" : "refused",
                expected ? "refused" : "accepted", text(maps[i]).c_str());
  }
  Run run(cases, every);
  run.execute(workers);
  std::size_t ran = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!run.is_selected(i)) continue;
    ++ran;
    if (run.digest(i) == answers.digests[i] || ++wrong > shown) continue;
    char expected[32];
    char here[32];
    std::printf("case %zu: recorded %s, here %s: %s\n", i, name_of(answers.digests[i], expected),
                name_of(run.digest(i), here), text(cases[i]).c_str());
  }
  std::printf("%s against:\n%s%zu tensor maps: %zu mismatches; %zu operations: %zu mismatches\n",
              device.c_str(), answers.header.c_str(), maps.size(), wrong_maps, ran, wrong);
  return wrong_maps + wrong == 0 ? 0 : 1;
}

// Every byte that the case can have changed, to be compared with another machine's dump by `diff`.
int dump(std::size_t index) {
  const auto cases = operation_cases();
  if (index >= cases.size()) {
    std::fprintf(stderr, "conformance_tma: there is no case %zu\n", index);
    return 2;
  }
  Device device(cases);
  unsigned char* images = nullptr;
  require(cudaMalloc(&images, shared_bytes + slot_bytes), "cudaMalloc");
  std::uint64_t digest = 0;
  if (!device.run(index, 1, &digest, images)) digest = faulted;
  char buffer[32];
  std::printf("case %zu: %s: %s\n", index, name_of(digest, buffer), text(cases[index]).c_str());
  if (digest == refused || digest == faulted) return 0;
  std::vector<unsigned char> bytes(shared_bytes + slot_bytes);
  require(cudaMemcpy(bytes.data(), images, bytes.size(), cudaMemcpyDefault), "cudaMemcpy");
  const Operation& operation = cases[index].operation;
  const auto print = [&](const char* name, std::size_t start, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (i % 16 == 0) std::printf("%s+%05zx:", name, i);
      std::printf("%s%02x", i % 4 == 0 ? " " : "", bytes[start + i]);
      if (i % 16 == 15) std::printf("\n");
    }
  };
  print("shared", 0, operation.shared_size);
  print("global", shared_bytes, operation.global_size);
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
  if (mode == "check") return check(words[1], every, workers, static_cast<std::size_t>(shown));
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

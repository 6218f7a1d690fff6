// What the host does with memory that it shares with the device, while work that it has submitted
// may still be using it.
#include <cuda/atomic>

#include "harness.h"

constexpr int COUNT = 4096;
constexpr int BYTES = COUNT * sizeof(int);

// An array that host and device have at one address.
struct Shared {
  int* array = nullptr;
  bool is_managed;

  explicit Shared(bool managed) : is_managed(managed) {
    note(managed ? cudaMallocManaged(&array, BYTES) : cudaMallocHost(&array, BYTES));
    for (int i = 0; i < COUNT; ++i) array[i] = i + 1;
  }
  ~Shared() {
    note(cudaDeviceSynchronize());
    note(is_managed ? cudaFree(array) : cudaFreeHost(array));
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
};

Outcome outcome_of(bool is_right) {
  note(cudaDeviceSynchronize());
  if (first_error != cudaSuccess) return Outcome::error;
  return is_right ? Outcome::ok : Outcome::wrong;
}

//: pair summed_before_it_is_there
__global__ void doubles(int* numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  numbers[i] = 2 * numbers[i];  //: data-race
}
template <bool mistaken>
Outcome summed_before_it_is_there() {
  const Shared numbers(true);
  doubles<<<COUNT / 256, 256>>>(numbers.array);
  if constexpr (!mistaken) note(cudaDeviceSynchronize());
  long long sum = 0;
  for (int i = 0; i < COUNT; ++i) sum += numbers.array[i];
  return outcome_of(sum == 1LL * COUNT * (COUNT + 1));
}

// A count and a place for the answer, in one small piece of pinned memory.
//: pair answer_beside_its_question
struct Exchange {
  int question;
  int answer;
};
__global__ void answers(Exchange* exchange) {
  exchange->answer = exchange->question + 1;  //: data-race
}
template <bool mistaken>
Outcome answer_beside_its_question() {
  Exchange* exchange;
  note(cudaHostAlloc(&exchange, sizeof(Exchange), cudaHostAllocMapped));
  *exchange = {41, 0};
  cudaEvent_t answered;
  note(cudaEventCreate(&answered));
  answers<<<1, 1>>>(exchange);
  note(cudaEventRecord(answered));
  const bool is_asked = exchange->question == 41;  // which nobody writes
  if constexpr (!mistaken) note(cudaEventSynchronize(answered));
  const int answer = exchange->answer;
  const Outcome outcome = outcome_of(is_asked && answer == 42);
  note(cudaEventDestroy(answered));
  note(cudaFreeHost(exchange));
  return outcome;
}

//: pair copied_back_and_read
template <bool mistaken>
Outcome copied_back_and_read() {
  const Memory memory;
  const Shared results(false);
  cudaStream_t stream;
  note(cudaStreamCreate(&stream));
  note(cudaMemcpyAsync(results.array, memory.in, BYTES, cudaMemcpyDeviceToHost, stream));
  if constexpr (!mistaken) note(cudaStreamSynchronize(stream));
  const int last = results.array[COUNT - 1];  //: data-race
  note(cudaStreamDestroy(stream));
  return outcome_of(last == INPUTS);
}

// Memory of the program's own, which is pinned where it is.
//: pair copied_to_registered_memory
template <bool mistaken>
Outcome copied_to_registered_memory() {
  const Memory memory;
  std::vector<int> results(COUNT);
  note(cudaHostRegister(results.data(), BYTES, cudaHostRegisterDefault));
  cudaStream_t stream;
  note(cudaStreamCreate(&stream));
  note(cudaMemcpyAsync(results.data(), memory.in, BYTES, cudaMemcpyDeviceToHost, stream));
  if constexpr (!mistaken) note(cudaStreamSynchronize(stream));
  const int middle = results[COUNT / 2];  //: data-race
  note(cudaStreamDestroy(stream));
  note(cudaHostUnregister(results.data()));
  return outcome_of(middle == COUNT / 2 + 1);
}

// A few words of an array are copied, and their neighbors are the host's meanwhile: it reads them,
// and has the system write some.
//: pair some_words_of_an_array
template <bool mistaken>
Outcome some_words_of_an_array() {
  const Memory memory;
  const Shared numbers(false);
  constexpr int first = COUNT / 2 + 5, count = 3;
  note(cudaMemcpyAsync(memory.out, numbers.array + first, count * sizeof(int),
                       cudaMemcpyHostToDevice));
  if constexpr (mistaken) numbers.array[first] = 0;  //: data-race
  long long sum = 0;
  for (int i = 0; i < 100; ++i) sum += numbers.array[first + count + i];
  std::FILE* const zeros = std::fopen("/dev/zero", "r");
  std::setvbuf(zeros, nullptr, _IONBF, 0);
  const bool is_read = std::fread(numbers.array + first + count, sizeof(int), 100, zeros) == 100;
  std::fclose(zeros);
  note(cudaStreamSynchronize(nullptr));
  numbers.array[first] = 0;
  return outcome_of(is_read && sum == 100LL * (first + count) + 50LL * 101);
}

// Two halves of a buffer take turns; the right program waits for the copy of the half that it fills
// again, and for no other.
//: pair refilled_while_it_is_copied
template <bool mistaken>
Outcome refilled_while_it_is_copied() {
  const Memory memory;
  const Shared buffer(false);
  constexpr int half = COUNT / 2;
  cudaEvent_t copied[2];
  for (cudaEvent_t& event : copied) note(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  for (int turn = 0; turn < 4; ++turn) {
    int* const part = buffer.array + turn % 2 * half;
    if (!mistaken && turn >= 2) note(cudaEventSynchronize(copied[turn % 2]));
    for (int i = 0; i < half; ++i) {
      part[i] = half * turn + i + 1;  //: data-race
    }
    int* const target = (turn < 2 ? memory.out : memory.scratch) + turn % 2 * half;
    note(cudaMemcpyAsync(target, part, BYTES / 2, cudaMemcpyHostToDevice));
    note(cudaEventRecord(copied[turn % 2]));
  }
  const Outcome outcome = memory.compare(the_input, COUNT);
  for (cudaEvent_t event : copied) note(cudaEventDestroy(event));
  return outcome;
}

// The first argument is the host's to change only when the kernel that reads it is over.
//: pair next_input_too_early
__global__ void reads_all(const int* numbers, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = numbers[i];  //: data-race
}
template <bool mistaken>
Outcome next_input_too_early() {
  const Memory memory;
  const Shared numbers(true);
  cudaStream_t stream;
  note(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  note(cudaDeviceSynchronize());
  reads_all<<<COUNT / 128, 128, 0, stream>>>(numbers.array, memory.out);
  note(mistaken ? cudaStreamSynchronize(nullptr) : cudaStreamSynchronize(stream));
  std::memset(numbers.array, 0, BYTES);
  note(cudaStreamSynchronize(stream));
  note(cudaStreamDestroy(stream));
  return memory.compare(the_input, COUNT);
}

// A variable of the program's own, which host and device both name.
//: pair managed_variable
__managed__ int largest;
__global__ void finds_largest(const int* in) {
  atomicMax(&largest, in[threadIdx.x]);  //: data-race
}
template <bool mistaken>
Outcome managed_variable() {
  const Memory memory;
  largest = 0;
  finds_largest<<<1, 128>>>(memory.in);
  if constexpr (!mistaken) note(cudaStreamSynchronize(nullptr));
  const int found = largest;
  return outcome_of(found == 128);
}

// The kernel tells the host while it runs: a release of the system's scope, and the host acquires.
//: pair told_by_a_flag
template <bool mistaken>
__global__ void tells_the_host(int* numbers, int* flag) {
  numbers[threadIdx.x] = threadIdx.x + 1;  //: data-race
  __syncthreads();
  if constexpr (!mistaken) {
    if (threadIdx.x == 0) {
      cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).store(1, cuda::memory_order_release);
    }
  }
}
template <bool mistaken>
Outcome told_by_a_flag() {
  const Shared numbers(false);
  const Shared flag(false);
  *flag.array = mistaken;
  tells_the_host<mistaken><<<1, 1024>>>(numbers.array, flag.array);
  const cuda::atomic_ref<int, cuda::thread_scope_system> told(*flag.array);
  while (told.load(cuda::memory_order_acquire) == 0) {
  }
  long long sum = 0;
  for (int i = 0; i < 1024; ++i) sum += numbers.array[i];
  return outcome_of(sum == 1024 * 1025 / 2);
}

// The kernel says when its answer is there, and the host does not ask.
//: pair flag_that_nobody_looks_at
struct Answer {
  int number;
  volatile int is_there;
};
__global__ void answers_with_a_flag(Answer* answer) {
  answer->number = 42;  //: data-race
  __threadfence_system();
  answer->is_there = 1;
}
template <bool mistaken>
Outcome flag_that_nobody_looks_at() {
  Answer* answer;
  note(cudaHostAlloc(&answer, sizeof(Answer), cudaHostAllocMapped));
  answer->is_there = 0;
  answers_with_a_flag<<<1, 1>>>(answer);
  while (!mistaken && answer->is_there == 0) {
  }
  const int number = answer->number;
  const Outcome outcome = outcome_of(number == 42);
  note(cudaFreeHost(answer));
  return outcome;
}

// The right program has the system write before it asks, calls CUDA behind that, and has the system
// read all that was told.
//: pair written_out_without_asking
__global__ void tells_all(int* numbers, volatile int* flag) {
  numbers[threadIdx.x] = threadIdx.x + 1;  //: data-race
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}
template <bool mistaken>
Outcome written_out_without_asking() {
  const Memory memory;
  const Shared numbers(false);
  const Shared flag(false);
  volatile int* is_told = flag.array;
  *is_told = 0;
  std::FILE* const nowhere = std::fopen("/dev/null", "w");
  std::setvbuf(nowhere, nullptr, _IONBF, 0);
  tells_all<<<1, 1024>>>(numbers.array, flag.array);
  if constexpr (!mistaken) {
    std::fputs("waiting\n", nowhere);
    while (*is_told == 0) {
    }
    note(cudaMemsetAsync(memory.scratch, 0, BYTES));
    if (std::fwrite(numbers.array, sizeof(int), COUNT, nowhere) != COUNT) return Outcome::wrong;
  }
  long long sum = 0;
  for (int i = 0; i < 1024; ++i) sum += numbers.array[i];
  std::fclose(nowhere);
  return outcome_of(sum == 1024 * 1025 / 2);
}

// A kernel of another stream asks, and the host waits for that one.
//: pair told_by_way_of_a_kernel
__global__ void tells_another_kernel(int* number, volatile int* flag) {
  *number = 42;  //: data-race
  __threadfence_system();
  *flag = 1;
}
__global__ void asks(const volatile int* flag, int* out, bool asks) {
  while (asks && *flag == 0) {
  }
  __threadfence_system();
  *out = 1;
}
template <bool mistaken>
Outcome told_by_way_of_a_kernel() {
  const Memory memory;
  const Shared numbers(false);
  const Shared flag(false);
  *flag.array = 0;
  cudaStream_t telling, asking;
  note(cudaStreamCreateWithFlags(&telling, cudaStreamNonBlocking));
  note(cudaStreamCreateWithFlags(&asking, cudaStreamNonBlocking));
  note(cudaDeviceSynchronize());
  tells_another_kernel<<<1, 1, 0, telling>>>(numbers.array, flag.array);
  asks<<<1, 1, 0, asking>>>(flag.array, memory.out, !mistaken);
  note(cudaStreamSynchronize(asking));
  const int number = *numbers.array;
  note(cudaStreamDestroy(telling));
  note(cudaStreamDestroy(asking));
  return outcome_of(number == 42);
}

constexpr Pair pairs[] = {
    {"summed_before_it_is_there", summed_before_it_is_there<true>,
     summed_before_it_is_there<false>},
    {"answer_beside_its_question", answer_beside_its_question<true>,
     answer_beside_its_question<false>},
    {"copied_back_and_read", copied_back_and_read<true>, copied_back_and_read<false>},
    {"copied_to_registered_memory", copied_to_registered_memory<true>,
     copied_to_registered_memory<false>},
    {"some_words_of_an_array", some_words_of_an_array<true>, some_words_of_an_array<false>},
    {"refilled_while_it_is_copied", refilled_while_it_is_copied<true>,
     refilled_while_it_is_copied<false>},
    {"next_input_too_early", next_input_too_early<true>, next_input_too_early<false>},
    {"managed_variable", managed_variable<true>, managed_variable<false>},
    {"told_by_a_flag", told_by_a_flag<true>, told_by_a_flag<false>},
    {"flag_that_nobody_looks_at", flag_that_nobody_looks_at<true>,
     flag_that_nobody_looks_at<false>},
    {"written_out_without_asking", written_out_without_asking<true>,
     written_out_without_asking<false>},
    {"told_by_way_of_a_kernel", told_by_way_of_a_kernel<true>, told_by_way_of_a_kernel<false>},
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}

// A runner without CUDA that does what its only argument says, at the moment it is told to call a
// launcher (or earlier, where the argument says so). A launcher here is "add one to each of n
// ints". Started with --replay as well, it does the same again, or what replays_by_behavior says.
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "judge/memory/device.h"
#include "runner/channel.h"
#include "tests/judge/shared_host_memory.h"

namespace {

using protocol::Command;
using protocol::Reply;
using protocol::ReplyStatus;
using protocol::Request;

std::vector<std::byte*> buffers;

int* data_of(const Request& request) {
  return reinterpret_cast<int*>(buffers[request.arguments[0].buffer] + request.arguments[0].value);
}

int count_of(const Request& request) {
  return static_cast<int>(request.arguments[1].value);
}

void add_one(const Request& request, int begin, int end) {
  for (int i = begin; i < end; ++i) ++data_of(request)[i];
}

Reply status(ReplyStatus status, int cuda_error = 0) {
  Reply reply;
  reply.status = status;
  reply.cuda_error = cuda_error;
  return reply;
}

[[noreturn]] void hang() {
  for (;;) pause();
}

protocol::Page* map_page() {
  return static_cast<protocol::Page*>(mmap(nullptr, protocol::page_bytes, PROT_READ | PROT_WRITE,
                                           MAP_SHARED, protocol::page_descriptor, 0));
}

void spin_for(std::chrono::milliseconds processor_time) {
  const auto spent = [] {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
  };
  const auto end = spent() + processor_time;
  while (spent() < end) continue;
}

// From here on this thread gets a fifth of one processor.
void share_a_processor_with_four() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
  sched_setaffinity(0, sizeof one, &one);  // threads that it starts have it, too
  for (int i = 0; i < 4; ++i) std::thread(spin_for, std::chrono::hours(1)).detach();
}

Reply call_right(const Request& request) {
  add_one(request, 0, count_of(request));
  return status(ReplyStatus::done);
}

// Tells a finding as the emulator does, by the output that only a replay has. A runner that tries
// the same writes to a file that is not there.
void tell(const std::string& code, const std::string& message, const std::string& help = "") {
  std::string line = R"({"code":")" + code + R"(","message":")" + message +
                     R"(","place":{"file":"lab3.cu","line":41,"column":5},)"
                     R"("excerpt":{"line":41,"column":5,"text":"    store(data, tile);"},)"
                     R"("block":[0,0,0],"thread":[0,0,0])";
  if (!help.empty()) line += R"(,"help":")" + help + '"';
  line += "}\n";
  if (write(protocol::findings_descriptor, line.data(), line.size()) < 0) errno = 0;
}

void tell_missing_fence() {
  tell("missing-proxy-fence", "TMA store reads shared memory that no proxy fence has made visible",
       "each writing thread calls async_proxy_fence() after its last write and before the barrier "
       "that precedes the store");
}

void tell_what_is_not_modeled() {
  tell("not-modeled", "wgmma is not modeled",
       "the emulator stops rather than guess; run this program on an sm_90 GPU");
}

Reply right_with_a_finding(const Request& request) {
  tell_missing_fence();
  Reply reply = call_right(request);
  reply.findings = 1;
  return reply;
}

using Call = std::function<Reply(const Request&)>;

const std::map<std::string, Call> calls_by_behavior{
    {"right", call_right},
    {"does nothing", [](const Request&) { return status(ReplyStatus::done); }},
    {"is right the second time",  // if it lives to see it
     [](const Request& request) {
       buffers.front() = buffers.back();
       static int calls = 0;
       return ++calls == 2 ? call_right(request) : status(ReplyStatus::done);
     }},
    {"writes past the end",
     [](const Request& request) {
       add_one(request, 0, count_of(request) + 3);
       return status(ReplyStatus::done);
     }},
    {"writes before the start",
     [](const Request& request) {
       add_one(request, -2, count_of(request));
       return status(ReplyStatus::done);
     }},
    {"exits", [](const Request&) -> Reply { std::exit(0); }},
    {"aborts", [](const Request&) -> Reply { std::abort(); }},
    {"segfaults",
     [](const Request&) -> Reply {
       raise(SIGSEGV);
       std::abort();
     }},
    {"hangs", [](const Request&) -> Reply { hang(); }},
    {"hangs at 5 ints",
     [](const Request& request) {
       if (count_of(request) == 5) hang();
       return call_right(request);
     }},
    {"spins",
     [](const Request&) -> Reply {
       spin_for(std::chrono::hours(1));
       hang();
     }},
    {"works for 150 ms with a fifth of a processor",
     [](const Request& request) {
       share_a_processor_with_four();
       spin_for(std::chrono::milliseconds(150));
       return call_right(request);
     }},
    {"spins with a fifth of a processor",
     [](const Request&) -> Reply {
       share_a_processor_with_four();
       spin_for(std::chrono::hours(1));
       hang();
     }},
    {"stops itself",
     [](const Request&) -> Reply {
       raise(SIGSTOP);
       std::abort();
     }},
    {"hangs with a child",
     [](const Request&) -> Reply {
       const pid_t child = fork();
       if (child == 0) hang();
       std::printf("%d\n", static_cast<int>(child));
       std::fflush(stdout);
       hang();
     }},
    {"takes 200 MiB and hangs",
     [](const Request&) -> Reply {
       std::vector<char> taken(std::size_t{200} << 20, 1);
       hang();
     }},
    {"takes 200 MiB that are in no process and hangs",
     [](const Request&) -> Reply {
       constexpr std::size_t bytes = std::size_t{10} << 20;
       for (int i = 0; i < 20; ++i) {
         void* taken =
             mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
         std::memset(taken, 1, bytes);
         madvise(taken, bytes, MADV_DONTNEED);
       }
       hang();
     }},
    {"starts 50 threads and hangs",
     [](const Request&) -> Reply {
       std::vector<std::thread> threads;
       for (int i = 0; i < 50; ++i) threads.emplace_back(hang);
       hang();
     }},
    {"closes the doorbell and hangs",
     [](const Request&) -> Reply {
       close(protocol::doorbell_descriptor);
       hang();
     }},
    {"sends an unknown status", [](const Request&) { return status(ReplyStatus{77}); }},
    {"answers another request",
     [](const Request&) -> Reply {
       map_page()->reply_sequence = 1'000'000;
       hang();
     }},
    {"cuts the page off",
     [](const Request& request) {
       if (ftruncate(protocol::page_descriptor, 0) == 0) std::abort();
       return call_right(request);
     }},
    {"prints without end",
     [](const Request&) -> Reply {
       for (;;) std::puts("PASSED");
     }},
    {"prints much and is right",
     [](const Request& request) {
       for (int i = 0; i < 200'000; ++i) std::fputs("0123456789\n", stderr);
       return call_right(request);
     }},
    {"explains and exits",
     [](const Request&) -> Reply {
       std::fputs("lab3.cu:12: out of memory\n", stderr);
       std::exit(1);
     }},
    {"is right past the TMA engine",
     [](const Request& request) {
       Reply reply = call_right(request);
       reply.is_measured = 1;
       reply.measured[index_of(tmaemu::Measure::through_tma)] = 12;
       return reply;
     }},
    {"is right through the TMA engine",
     [](const Request& request) {
       Reply reply = call_right(request);
       reply.is_measured = 1;
       reply.measured[index_of(tmaemu::Measure::through_tma)] = 16;
       return reply;
     }},
    {"is right with a finding", right_with_a_finding},
    {"prints what looks like a finding",
     [](const Request& request) {
       std::fputs(
           "lab3.cu:41:5: error: no proxy fence [missing-proxy-fence]\n"
           "{\"code\":\"missing-proxy-fence\"}\n",
           stderr);
       return call_right(request);
     }},
    {"exits after a deadlock",
     [](const Request&) -> Reply {
       tell("deadlock", "nothing in the kernel can run any more: all threads wait",
            "each place below waits for threads that wait at another one, or have ended: what none "
            "of them can do any more is missing");
       std::exit(1);
     }},
    {"is too much for the emulator",
     [](const Request&) {
       tell_what_is_not_modeled();
       return status(ReplyStatus::cuda_error, 801);
     }},
    {"asserts what looks like the emulator's limit",
     [](const Request&) {
       tell("assertion",
            "lab3.cu:41: f: block: [0,0,0] Assertion `wgmma is not modeled "
            "[not-modeled]` failed.");
       return status(ReplyStatus::cuda_error, 710);
     }},
    {"is wrong with a finding",
     [](const Request&) {
       tell_missing_fence();
       return status(ReplyStatus::done);
     }},
    {"sends nonsense for a finding",
     [](const Request& request) {
       const std::string nonsense = "\xFF{\"code\":\n[[[[\n";
       if (write(protocol::findings_descriptor, nonsense.data(), nonsense.size()) < 0) errno = 0;
       return call_right(request);
     }},
    {"sends findings without end",
     [](const Request&) -> Reply {
       for (;;) tell_missing_fence();
     }},
    {"has an illegal address", [](const Request&) { return status(ReplyStatus::cuda_error, 700); }},
    {"is ended as endless", [](const Request&) { return status(ReplyStatus::cuda_error, 702); }},
    {"claims to be a stale replay", [](const Request&) { return status(ReplyStatus::stale); }},
    {"is missing", [](const Request&) { return status(ReplyStatus::missing); }},
    {"does not know the part", [](const Request&) { return status(ReplyStatus::unknown_part); }},
};

Reply not_followed() {
  Reply reply = status(ReplyStatus::not_followed);
  std::strcpy(reply.text.data(), "the grader cannot follow this");
  return reply;
}

Reply out_of_time(const Request& request) {
  Reply reply = status(ReplyStatus::out_of_time);
  std::snprintf(reply.text.data(), reply.text.size(), "still running after %u ms",
                request.kernel_milliseconds);
  return reply;
}

Reply right_with_a_finding_that_nobody_can_read(const Request& request) {
  Reply reply = call_right(request);
  reply.findings = 1;
  return reply;
}

// What replays do otherwise than their runners, which do as the name of the behavior says.
const std::map<std::string, Call> replays_by_behavior{
    {"is right in its own process only", calls_by_behavior.at("does nothing")},
    {"does nothing but record", call_right},
    {"claims more of the TMA engine", calls_by_behavior.at("is right past the TMA engine")},
    {"tells a finding of its own", call_right},
    {"hides what is found", right_with_a_finding_that_nobody_can_read},
    {"exits over an error that the replay explains",
     calls_by_behavior.at("is wrong with a finding")},
    {"cannot be followed", [](const Request&) { return not_followed(); }},
    {"is always stale", [](const Request&) { return status(ReplyStatus::stale); }},
    {"has a kernel without end", out_of_time},
    {"ends its replay", calls_by_behavior.at("segfaults")},
    {"aborts if it sees 10, 20, 30 and so on", call_right},
};
const std::map<std::string, Call> runners_by_behavior{
    {"is right in its own process only", call_right},
    {"does nothing but record", calls_by_behavior.at("does nothing")},
    {"claims more of the TMA engine", calls_by_behavior.at("is right through the TMA engine")},
    {"tells a finding of its own", right_with_a_finding},
    {"hides what is found", call_right},
    {"exits over an error that the replay explains", calls_by_behavior.at("exits")},
    {"cannot be followed", call_right},
    {"is always stale", call_right},
    {"has a kernel without end", call_right},
    {"ends its replay", call_right},
    {"aborts if it sees 10, 20, 30 and so on",
     [](const Request& request) {
       int as_drawn = 0;
       for (int i = 0; i < count_of(request); ++i) as_drawn += data_of(request)[i] == 10 * (i + 1);
       if (as_drawn == count_of(request)) std::abort();
       return status(ReplyStatus::done);
     }},
};

Reply call(const std::string& behavior, bool replays, const Request& request) {
  const auto& own = replays ? replays_by_behavior : runners_by_behavior;
  const auto found = own.find(behavior);
  return found != own.end() ? found->second(request) : calls_by_behavior.at(behavior)(request);
}

// Behaviors that fail to load, and the loader's reason.
const std::map<std::string, std::string> not_loaded{
    {"does not load", "no such file"},
    {"lacks a symbol", "s.so: undefined symbol: _Z14launch_add_onePim"},
    {"lacks a function of CUDA's", "s.so: undefined symbol: cudaDoWhatNobodyCan"},
};

bool is_loaded = false;

Reply load(const std::string& behavior) {
  if (behavior == "exits while loading") std::exit(3);
  is_loaded = true;
  const auto reason = not_loaded.find(behavior);
  if (reason == not_loaded.end()) return status(ReplyStatus::done);
  Reply reply = status(ReplyStatus::load_failed);
  reason->second.copy(reply.text.data(), reply.text.size() - 1);
  return reply;
}

Reply obey(const std::string& behavior, bool replays, const Request& request) {
  switch (request.command) {
    case Command::initialize:
      return behavior == "has no device" ? status(ReplyStatus::cuda_error, 100)
                                         : status(ReplyStatus::done);
    case Command::load:
      return load(behavior);
    case Command::map:
      if (behavior == "never maps" || (behavior == "does not map" && is_loaded)) {
        return status(ReplyStatus::cuda_error, 2);
      }
      buffers.push_back(replays ? map_replays_handle(request.memory_handle)
                                : map_handle(request.memory_handle));
      break;
    case Command::unmap_all:
      buffers.clear();
      break;
    case Command::call:
    case Command::rehearse:
      return call(behavior, replays, request);
  }
  return status(ReplyStatus::done);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string behavior = argv[1];
  const bool replays = argc == 3;
  auto channel = runner::Channel::open();
  if (!channel) return 2;
  const bool dies_after_answering = behavior == "answers and dies";
  while (const auto request = channel->next_request()) {
    channel->reply(obey(dies_after_answering ? "right" : behavior, replays, *request));
    if (dies_after_answering && request->command == Command::call) std::_Exit(0);
  }
}

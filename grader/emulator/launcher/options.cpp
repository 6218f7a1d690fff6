#include "emulator/launcher/options.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace launcher {
namespace {

constexpr std::string_view schedule_option = "--schedule=";
constexpr std::string_view check_option = "--check=";
constexpr std::string_view async_option = "--async=";
constexpr std::string_view stats_option = "--stats";
constexpr std::string_view stats_file_option = "--stats-file=";
constexpr std::string_view trace_option = "--trace=";
constexpr std::string_view record_option = "--record=";
constexpr std::string_view error_exitcode_option = "--error-exitcode=";
constexpr std::string_view findings_file_option = "--findings-file=";
constexpr std::string_view explain_option = "--explain";
constexpr std::string_view random_prefix = "random:";

bool is_number(std::string_view value) {
  return !value.empty() &&
         std::all_of(value.begin(), value.end(), [](unsigned char c) { return std::isdigit(c); });
}

bool is_engine(std::string_view value) {
  if (value == "late" || value == "early") return true;
  if (!value.starts_with(random_prefix)) return false;
  value.remove_prefix(random_prefix.size());
  return is_number(value);
}

bool is_exitcode(std::string_view value) {
  if (!is_number(value) || value.size() > 3) return false;
  const int status = std::stoi(std::string(value));
  return status >= 1 && status <= 255;
}

bool is_check(std::string_view value) {
  constexpr std::string_view settings[] = {"on", "off", "strict", "json", "strict,json"};
  return std::ranges::find(settings, value) != std::end(settings);
}

}  // namespace

const char* const usage =
    R"(tmaemu runs a CUDA program on the CPU, as an H200 would run it.

usage: tmaemu [options] program [arguments...]

options, before the program:
  --async=late         the TMA engine acts at the last legal moment (the default)
  --async=early        ... at the first
  --async=random:SEED  ... somewhere between; the same SEED gives the same run
  --schedule=SEED      warps and CTAs have their turns in another order; the same SEED gives the same
                       run. --async=random:SEED varies the order, too; --schedule=off does not
  --check=off          no search for hazards: faster, and only what a GPU would report, too
  --check=strict       also what is found inside CUB, Thrust and CUTLASS and does no harm
  --check=json         findings as JSON, a line each, on stderr; --check=strict,json for both
  --findings-file=FILE findings as JSON, a line each, also to FILE, from all processes of the run;
                       python -m tmaemu_findings FILE makes SARIF, JUnit and annotations of it
  --error-exitcode=N   the exit status where something was found, in place of the program's own
  --stats              at the end, what each kernel did: instructions, sectors, bank conflicts, TMA
                       bytes, waits, and hints; on stderr
  --stats=json         the same for machines: one line of JSON, the last on stderr
  --stats-file=FILE    statistics go to FILE instead; %p in it is the process's number
  --trace=FILE         who did what after what, for a timeline: Chrome trace JSON, which
                       https://ui.perfetto.dev opens; %p in it is the process's number
  --record=FILE        every step of each launch's first cluster, with the shared memory and the
                       mbarriers that it changes: a line of JSON a launch; %p as above
  --explain CODE       what a finding means, with an example and what to write instead, and no
                       program; without a CODE, the list of all codes
  --findings=json      the codes of all findings, their sentences and pages, and no program
  --help               this text
  --version            which emulator, which device, which CUDA

environment:
  TMAEMU_SCHEDULE      a number, or off: what --schedule says, where none is given
  TMAEMU_CHECK         on, off, strict, json, or strict,json: what --check says, where none is given
  TMAEMU_ASYNC         late, early or random:SEED: what --async says, where no --async is given
  TMAEMU_PAGES         what stands in front of the path behind "read:", as ../../
  TMAEMU_STATS         table or json: what --stats says, where no --stats is given
  TMAEMU_STATS_FILE    what --stats-file says, likewise
  TMAEMU_TRACE         what --trace says, likewise
  TMAEMU_RECORD        what --record says, likewise

exit status: the program's own; 2 for a wrong option, 126 for a program that cannot be run, 127 where
there is none.

examples:
  nvcc -arch=sm_90a -lineinfo -std=c++20 lab3.cu -o lab3
  tmaemu ./lab3
  tmaemu --async=random:7 ./lab3
  tmaemu --stats ./lab3
  tmaemu --stats=json --stats-file=lab3.json ./lab3
  tmaemu --trace=lab3.json ./lab3
  tmaemu --explain missing-proxy-fence

A program that is right is right under every --async. Mistakes are reported on stderr with the line
of the source, if the program was built with -lineinfo.
)";

common::Result<Options> parse(const std::vector<std::string>& arguments) {
  Options options;
  auto argument = arguments.begin();
  for (; argument != arguments.end() && argument->starts_with("-"); ++argument) {
    if (*argument == "--") {
      ++argument;
      break;
    }
    if (*argument == "--help" || *argument == "-h") {
      options.help = true;
    } else if (*argument == "--version") {
      options.version = true;
    } else if (*argument == "--findings=json") {
      options.findings = true;
    } else if (argument->starts_with(schedule_option)) {
      options.schedule = argument->substr(schedule_option.size());
      if (options.schedule != "off" && !is_number(options.schedule)) {
        return common::Error{"--schedule is a number, or off, not '" + options.schedule + "'"};
      }
    } else if (argument->starts_with(check_option)) {
      options.check = argument->substr(check_option.size());
      if (!is_check(options.check)) {
        return common::Error{"--check is on, off, strict, json or strict,json, not '" +
                             options.check + "'"};
      }
    } else if (argument->starts_with(error_exitcode_option)) {
      options.error_exitcode = argument->substr(error_exitcode_option.size());
      if (!is_exitcode(options.error_exitcode)) {
        return common::Error{"--error-exitcode is 1 to 255, not '" + options.error_exitcode + "'"};
      }
    } else if (argument->starts_with(findings_file_option)) {
      options.findings_file = argument->substr(findings_file_option.size());
      if (options.findings_file.empty()) {
        return common::Error{"--findings-file= needs a file's name"};
      }
    } else if (*argument == explain_option) {
      options.explain = true;
    } else if (argument->starts_with(async_option)) {
      options.async = argument->substr(async_option.size());
      if (!is_engine(options.async)) {
        return common::Error{"--async is late, early or random:SEED with a number, not '" +
                             options.async + "'"};
      }
    } else if (*argument == stats_option) {
      options.stats = "table";
    } else if (argument->starts_with(stats_file_option)) {
      options.stats_file = argument->substr(stats_file_option.size());
      if (options.stats_file.empty()) return common::Error{"--stats-file= needs a file's name"};
    } else if (argument->starts_with(trace_option)) {
      options.trace = argument->substr(trace_option.size());
      if (options.trace.empty()) return common::Error{"--trace= needs a file's name"};
    } else if (argument->starts_with(record_option)) {
      options.record = argument->substr(record_option.size());
      if (options.record.empty()) return common::Error{"--record= needs a file's name"};
    } else if (argument->starts_with("--stats=")) {
      options.stats = argument->substr(std::string_view("--stats=").size());
      if (options.stats != "table" && options.stats != "json") {
        return common::Error{"--stats is table or json, not '" + options.stats + "'"};
      }
    } else {
      return common::Error{"unknown option '" + *argument +
                           "'; options of the program come after its name"};
    }
  }
  if (options.explain) {
    if (argument != arguments.end()) options.explained_code = *argument++;
    if (argument != arguments.end()) return common::Error{"--explain takes one code"};
    return options;
  }
  if (!options.stats_file.empty() && options.stats.empty()) options.stats = "table";
  options.command.assign(argument, arguments.end());
  const bool needs_program = !options.help && !options.version && !options.findings;
  if (options.command.empty() && needs_program) {
    return common::Error{"no program given; 'tmaemu --help' has examples"};
  }
  return options;
}

}  // namespace launcher

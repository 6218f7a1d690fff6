#include "judge/session/options.h"

#include <getopt.h>
#include <sys/random.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "common/text.h"

namespace judge {

using common::concat;

const char* const usage =
    "usage: LAB --submission FILE.so --output FILE.json [--timeout-seconds S] [--seed N]\n"
    "           [--filter PART] [--case NAME] [--data random|index|ones] [--stop-at-timeout]\n"
    "           [--leave-out PART/NAME]... [--short-cases] [--bandwidth]\n"
    "           [--product-library FILE.so] -- COMMAND...\n"
    "\n"
    "Tests a submission for the lab after which this program is named, and writes the verdicts as\n"
    "JSON. COMMAND starts a runner that holds the submission: build/bin/runner FILE.so, or a\n"
    "sandbox around that. Exits 0 when judging worked, whatever the verdicts. The CUDA libraries\n"
    "in LD_LIBRARY_PATH decide whether a GPU or the emulator executes.\n";

namespace {

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

common::Status set_timeout(Options& options, std::string_view text) {
  constexpr double longest = 24 * 3600;
  const auto seconds = number<double>(text);
  if (!seconds || !(*seconds > 0 && *seconds <= longest)) {
    return common::Error{concat("--timeout-seconds needs a number of seconds above 0, not ", text)};
  }
  options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000 + 0.5));
  return {};
}

common::Status set_seed(Options& options, std::string_view text) {
  const auto seed = number<std::uint64_t>(text);
  if (!seed) return common::Error{concat("--seed needs a whole number, not ", text)};
  options.seed = *seed;
  return {};
}

common::Status set_data(Options& options, std::string_view text) {
  if (text == "random") {
    options.data = InputData::random;
  } else if (text == "index") {
    options.data = InputData::index;
  } else if (text == "ones") {
    options.data = InputData::ones;
  } else {
    return common::Error{concat("--data is random, index or ones, not ", text)};
  }
  return {};
}

common::Status draw_seed(Options& options) {
  if (getrandom(&options.seed, sizeof options.seed, 0) == sizeof options.seed) return {};
  return common::Error{"the operating system gives no random number for the seed"};
}

common::Status check_complete(const Options& options) {
  for (const auto& [value, name] :
       {std::pair{&options.submission, "--submission"}, std::pair{&options.output, "--output"}}) {
    if (value->empty()) return common::Error{concat(name, " is missing; see --help")};
  }
  if (options.runner.empty()) {
    return common::Error{"-- COMMAND is missing, which starts a runner; see --help"};
  }
  return {};
}

}  // namespace

common::Result<Options> parse_options(int argc, char** argv) {
  enum Key {
    submission_key = 1,
    output_key,
    timeout_key,
    seed_key,
    filter_key,
    case_key,
    leave_out_key,
    data_key,
    stop_key,
    short_key,
    bandwidth_key,
    library_key,
    help_key
  };
  static const option known[] = {{"submission", required_argument, nullptr, submission_key},
                                 {"output", required_argument, nullptr, output_key},
                                 {"timeout-seconds", required_argument, nullptr, timeout_key},
                                 {"seed", required_argument, nullptr, seed_key},
                                 {"filter", required_argument, nullptr, filter_key},
                                 {"case", required_argument, nullptr, case_key},
                                 {"leave-out", required_argument, nullptr, leave_out_key},
                                 {"data", required_argument, nullptr, data_key},
                                 {"stop-at-timeout", no_argument, nullptr, stop_key},
                                 {"short-cases", no_argument, nullptr, short_key},
                                 {"bandwidth", no_argument, nullptr, bandwidth_key},
                                 {"product-library", required_argument, nullptr, library_key},
                                 {"help", no_argument, nullptr, help_key},
                                 {nullptr, 0, nullptr, 0}};
  Options options;
  bool seed_given = false;
  optind = 0;
  opterr = 0;
  for (int key = 0; (key = getopt_long(argc, argv, "+", known, nullptr)) != -1;) {
    common::Status set;
    switch (key) {
      case submission_key:
        options.submission = optarg;
        break;
      case output_key:
        options.output = optarg;
        break;
      case timeout_key:
        set = set_timeout(options, optarg);
        break;
      case seed_key:
        set = set_seed(options, optarg);
        seed_given = true;
        break;
      case filter_key:
        options.filter = optarg;
        break;
      case case_key:
        options.only_case = optarg;
        break;
      case leave_out_key:
        options.left_out.emplace(optarg);
        break;
      case data_key:
        set = set_data(options, optarg);
        break;
      case stop_key:
        options.stop_at_timeout = true;
        break;
      case short_key:
        options.short_cases = true;
        break;
      case bandwidth_key:
        options.bandwidth = true;
        break;
      case library_key:
        options.product_library = optarg;
        break;
      case help_key:
        options.help = true;
        break;
      default:
        set = common::Error{concat("unknown or incomplete: ", argv[optind - 1])};
    }
    if (!set) return set.error();
  }
  if (optind < argc && std::string_view(argv[optind - 1]) != "--") {
    return common::Error{concat("unknown argument: ", argv[optind])};
  }
  options.runner.assign(argv + optind, argv + argc);
  if (options.help) return options;
  if (auto complete = check_complete(options); !complete) return complete.error();
  if (!seed_given) {
    if (auto drawn = draw_seed(options); !drawn) return drawn.error();
  }
  return options;
}

}  // namespace judge

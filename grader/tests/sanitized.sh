#!/bin/bash
# sanitized.sh NAME: builds the emulator and its tests with sanitizers into a folder of their own, and runs there
# emulator_tests and the programs of tests/programs. NAME is address (with undefined behavior), undefined or
# thread; or read, which builds and runs nothing and says whether the compiler would take the emulator's files. Runs
# in grader/.
#
# The programs are as nvcc made them; only the emulator that they load is built with the sanitizers, whose
# runtime must then come first in the process.
set -euo pipefail

readonly name=${1:?}
readonly build=${BUILD:?}/sanitized-$name
compile() { make -s --no-print-directory -j"${JOBS:-$(nproc)}" CUDA_HOME="${CUDA_HOME:?}" "$@"; }
# Each file by itself: joined, the largest is the last for minutes.
compile_sanitized() {
    compile BUILD="$build" SANITIZE="$sanitizers" TOGETHER= PRECOMPILED= emulator "$build/tests/emulator_tests"
}

start=
# What shadows a process's memory is more than the limit that this test sets.
limited=GlobalMemory.LeavesTheEmulatorSomeOfALimitedProcesssMemory
case $name in
address) sanitizers=address,undefined library=libasan.so ;;
undefined) sanitizers=undefined library=libubsan.so limited= ;;
thread)
    sanitizers=thread library=libtsan.so
    # ThreadSanitizer leaves a program 1.5 TiB of addresses, of which the emulator reserves 1 TiB: no room for
    # addresses at random.
    start="setarch -R"
    ;;
read)
    # The tests ask nothing of the sanitizers, and every other build compiles them.
    compile BUILD="$build" SANITIZE=address,undefined -k COMPILER=tests/reads.sh emulator
    exit
    ;;
*)
    echo "sanitized: $name is not address, undefined, thread or read" >&2
    exit 2
    ;;
esac

compile_sanitized
compile BUILD="$BUILD" programs

# What lives as long as the process (Device, Registry) is never freed, on purpose: programs may call CUDA from
# the destructors of their own globals.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS="history_size=4 suppressions='$PWD/tests/sanitized.supp'"

# C++'s runtime goes with the sanitizer's, which looks for __cxa_throw when it starts.
preload="$(g++ -print-file-name=$library) $(g++ -print-file-name=libstdc++.so)"
readonly shards=40 jobs=${JOBS:-$(nproc)}
export name build limited start preload shards BUILD

# One of `shards` parts of the tests; what it said is printed where it fails.
run_tests() {
    local said=$build/emulator_tests.$1
    echo "sanitized: emulator_tests, part $1 of $shards ($name)"
    # shellcheck disable=SC2086  # $start is a command and its options
    GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$(($1 - 1)) $start "$build/tests/emulator_tests" --gtest_brief=1 \
        --gtest_filter="-$limited" >"$said" 2>&1 || { cat "$said" >&2 && return 1; }
}

run_program() {
    local said=$build/$1.$2
    echo "sanitized: $1, TMAEMU_ASYNC=$2 ($name)"
    # Four host threads, also where the machine has fewer cores.
    # shellcheck disable=SC2086
    LD_PRELOAD=$preload LD_LIBRARY_PATH=$build/lib/emulator TMAEMU_ASYNC=$2 TMAEMU_THREADS=4 \
        $start "$BUILD/tests/programs/$1" >"$said" 2>"$said.errors" &&
        [ "$(tail -n1 "$said")" = ok ] || { cat "$said" "$said.errors" >&2 && return 1; }
}
export -f run_tests run_program

seq "$shards" | xargs -P "$jobs" -I{} bash -c 'run_tests {}'
for source in tests/programs/*.cu; do
    printf '%s\n' "$(basename "$source" .cu) "{late,early}
done | xargs -P "$jobs" -L1 bash -c 'run_program "$0" "$1"'

#!/bin/bash
# fuzz.sh run SECONDS     feeds the readers of foreign bytes with what libFuzzer invents, one after the other
# fuzz.sh keep            makes of all that it found the smallest corpus that reaches as much, and keeps it
#                         for the tests in corpus.tar.zst
# fuzz.sh compile         says whether clang takes and links the fuzzers; no sanitizer, so it takes a minute
# Works in build/fuzz; what is found stays there, and the next run goes on from it. Runs in grader/.
set -euo pipefail

readonly here=tests/fuzz
readonly work=${BUILD:?}/fuzz
readonly targets=(read_fatbin parse_ptx decode_ptx read_elf)

need() {
    if ! command -v "$1" >/dev/null; then
        echo "fuzz: $1 is missing; on Debian or Ubuntu: sudo apt-get install clang libclang-rt-14-dev zstd" >&2
        exit 1
    fi
}

has_libfuzzer() {
    echo 'extern "C" int LLVMFuzzerTestOneInput(const char *, unsigned long) { return 0; }' |
        clang++ -fsanitize=fuzzer,address -x c++ -o "$work/has-libfuzzer" - 2>/dev/null
}

# compile_fuzzers FOLDER WORD..., with what make is told.
compile_fuzzers() {
    need clang++
    mkdir -p "$work"
    if ! has_libfuzzer; then
        echo "fuzz: clang++ has no libFuzzer; on Debian or Ubuntu: sudo apt-get install libclang-rt-14-dev" >&2
        exit 1
    fi
    make -s --no-print-directory -j"${JOBS:-$(nproc)}" BUILD="$1" CUDA_HOME="${CUDA_HOME:?}" COMPILER=clang++ WARNINGS=-w \
        "${@:2}" fuzzers
}

build() { compile_fuzzers "$work" SANITIZE=fuzzer-no-link,address,undefined TOGETHER= PRECOMPILED=; }

# The kept corpus joins what earlier runs found.
unpack() {
    need zstd
    mkdir -p "$work/corpus" "$work/found"
    zstd -qdc $here/corpus.tar.zst | tar -xf - -C "$work/corpus"
}

# What libFuzzer puts into PTX: the words of the emulator's tables and of its parser, with the dot that a modifier or a
# directive has, and what ptx.dict has besides.
write_dictionary() {
    {
        grep -oE '`[a-z0-9_.:+]+`' ../handout/reference/instructions.md
        grep -rhoE '"[.%]?[a-z][a-zA-Z0-9_.:]*"' emulator/ptx emulator/program emulator/isa emulator/sched
    } | tr -d '`"' | sed 's/\./\n./g' | sed 's/^[a-z].*/&\n.&/' | grep . | sort -u | sed 's/.*/"&"/' |
        cat $here/ptx.dict - >"$work/ptx.dict"
}

# Long inputs are slow and reach little that short ones do not. More than 10 seconds is a hang: a busy machine
# and the sanitizers account for a factor of ten.
run() {
    local target=$1 seconds=$2 options=(-max_len=4096)
    case $target in
    *_ptx) options+=("-dict=$work/ptx.dict") ;;
    read_elf) options=(-max_len=16384) ;;
    esac
    "$work/bin/fuzz_$target" "${options[@]}" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2560 \
        -malloc_limit_mb=1200 -print_final_stats=1 -verbosity=0 -artifact_prefix="$work/found/$target-" \
        "$work/corpus/$target" || {
        echo "fuzz: $target failed; the input is in $work/found" >&2
        exit 1
    }
}

keep() {
    need zstd
    rm -rf "$work/kept"
    for target in "${targets[@]}"; do
        mkdir -p "$work/kept/$target"
        "$work/bin/fuzz_$target" -set_cover_merge=1 -verbosity=0 "$work/kept/$target" "$work/corpus/$target"
    done
    # Nothing in the archive but names and bytes, so that the same corpus makes the same file.
    tar -C "$work/kept" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --format=ustar \
        -cf "$work/corpus.tar" "${targets[@]}"
    zstd -q -19 -f "$work/corpus.tar" -o $here/corpus.tar.zst
}

export ASAN_OPTIONS=allocator_may_return_null=1
case ${1:-} in
run)
    build && unpack && write_dictionary
    for target in "${targets[@]}"; do
        echo "fuzz: $target for $((${2:?} / ${#targets[@]})) seconds"
        run "$target" $((${2:?} / ${#targets[@]}))
    done
    ;;
keep) build && unpack && keep ;;
compile) compile_fuzzers "$work/compiled" -k OPTIMIZE=-O0 OPTIMIZE_LANES=-O0 ;;
*) sed -n '2,6s/^# //p' "$0" >&2 && exit 2 ;;
esac

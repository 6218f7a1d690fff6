#!/bin/sh
# The interface headers must refuse, in words, architectures that lack TMA or an instruction.
# usage: wrong_architectures_are_refused.sh "NVCC AND ITS OPTIONS"   (in grader/)
set -eu
nvcc=$1

# expect_refusal ARCHITECTURE FILE MESSAGE
expect_refusal() {
  if output=$($nvcc -gencode "arch=compute_$1,code=sm_$1" -c "$2" -o /dev/null 2>&1); then
    echo "$2 compiled for sm_$1, which should refuse it" >&2
    exit 1
  fi
  case $output in
    *"$3"*) ;;
    *) echo "$2 failed for sm_$1, but the compiler did not say '$3':" >&2
       echo "$output" >&2
       exit 1 ;;
  esac
}

expect_refusal 80 tests/interface/synchronization.cu "needs compute capability 9.0"
expect_refusal 90a tests/interface/cta_groups.cu "cta_group needs compute capability 10.0"
expect_refusal 90 tests/interface/warpgroups.cu "needs the instructions of sm_90a"

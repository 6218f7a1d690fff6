# make help lists all targets, and what each does.
#
# Set-up, build and tests need no other command: what is missing is installed or named. Every path below is
# relative, because make splits at spaces and the repository may stand in a folder that has them.

.DEFAULT_GOAL := help
SHELL := /bin/bash

# SETUP=none uses what the machine has and what build/ already holds: no pip, no apt-get, no compiling.
ifeq ($(SETUP),none)
PYTHON := $(firstword $(wildcard .venv/bin/python) python3)
TOOLKIT := $(or $(CUDA_HOME),/usr/local/cuda)
READY :=
BUILT := $(wildcard build/bin/judge)
else
PYTHON := .venv/bin/python
TOOLKIT := ../.venv/cuda
READY := .venv/.packages .venv/.python .venv/.toolkit
BUILT :=
endif

JOBS ?= $(shell nproc)
GRADER_BUILD = $(MAKE) -C grader -j$(JOBS) -s --no-print-directory BUILD=../build CUDA_HOME="$(TOOLKIT)"
TMAGRADE := PYTHONPATH=grader $(PYTHON) -P -X utf8 -m tmagrade

.PHONY: grade
grade: build ## grade SUBMISSIONS=folder (default: the solutions and the sample class) [LABS=lab3,lab4] [BACKEND=emulator|gpu] [SANDBOX=none] [EXECUTOR=slurm SLURM="options for sbatch"]
	@$(TMAGRADE) grade $(if $(SUBMISSIONS),--submissions "$(SUBMISSIONS)") $(if $(LABS),--labs "$(LABS)") \
	    $(if $(BACKEND),--backend "$(BACKEND)") $(if $(filter none,$(SANDBOX)),--no-sandbox) \
	    $(if $(EXECUTOR),--executor "$(EXECUTOR)") $(if $(SLURM),--slurm "$(SLURM)")

# BEGIN INSTRUCTORS
.PHONY: test
test: lint build ## every test of the repository
	@$(if $(BUILT),,$(GRADER_BUILD) tests conformance-fast)
	@for program in build/tests/*_tests; do "$$program" --gtest_brief=1 || exit; done
	@PYTHONPATH=grader $(PYTHON) -m pytest

.PHONY: attacks
attacks: build ## hand in hostile work beside honest students, and write handout/reference/attacks.md [BACKEND=gpu: those on bandwidth]
	@$(PYTHON) grader/tests/attacks/run.py $(if $(BACKEND),--backend $(BACKEND))

.PHONY: test-real
test-real: build ## CUB, Thrust, libcu++ and cooperative groups on the emulator, compared with the CPU (minutes)
	@$(GRADER_BUILD) -k real-all; $(PYTHON) grader/tests/real/run.py

.PHONY: conformance conformance-gpu
conformance: $(READY) ## replay on the emulator what an H200 answered: 44,000 tensor maps and TMA operations, 2,000 forms of instructions
	@$(GRADER_BUILD) conformance
conformance-gpu: $(READY) ## compare this machine's sm_90 GPU with the answers in the repository
	@$(GRADER_BUILD) conformance-gpu

.PHONY: bench-emulator
bench-emulator: build ## how fast the emulator is on this machine, beside what it must reach
	@$(GRADER_BUILD) speed
	@$(PYTHON) grader/tests/speed/bench.py

.PHONY: bench-grader
STUDENTS ?= 200
bench-grader: build ## grade a class made for the purpose: time, submissions a minute, memory [STUDENTS=200] [LAB=lab3]
	@$(PYTHON) grader/tests/scale/bench.py --students "$(STUDENTS)" --lab "$(or $(LAB),lab3)"
.PHONY: bench-judge
bench-judge: build ## on an sm_90 GPU: what the judge's figures of bandwidth can be relied on for [LABS=lab3,lab6]
	@PYTHONPATH=grader $(PYTHON) grader/tests/bandwidth/evidence.py $(if $(LABS),--labs "$(LABS)")

.PHONY: stats-gpu
stats-gpu: $(READY) ## record what Nsight Compute counts on this machine's sm_90 GPU, for the tests of tmaemu --stats
	@$(GRADER_BUILD) stats-record

GRADER_ENV = cd grader && export BUILD=../build CUDA_HOME="$(TOOLKIT)" JOBS=$(JOBS)

.PHONY: test-sanitized
SANITIZER ?= address thread
test-sanitized: $(READY) ## the emulator's tests under sanitizers [SANITIZER=address|undefined|thread]
	@$(GRADER_ENV) && for name in $(SANITIZER); do tests/sanitized.sh $$name || exit; done

.PHONY: test-docker
test-docker: $(READY) ## as root: build the image of docker/ without a Docker engine, and grade the sample class in it [LABS=lab2,lab3]
	@docker/test.sh $(LABS)

.PHONY: fuzz fuzz-keep
SECONDS ?= 3600
fuzz: $(READY) ## feed the readers of foreign bytes with what libFuzzer invents [SECONDS=3600]
	@$(GRADER_ENV) && tests/fuzz/fuzz.sh run $(SECONDS)
fuzz-keep: $(READY) ## keep the smallest corpus of what was found for the tests
	@$(GRADER_ENV) && tests/fuzz/fuzz.sh keep
# END INSTRUCTORS

.PHONY: build
build: $(READY) ## the emulator, the judge and the runner
	@$(if $(BUILT),,$(GRADER_BUILD) all)

# BEGIN INSTRUCTORS
.PHONY: bench
bench: build ## on an sm_90 GPU: measure the solutions and their peers [LABS=lab3,lab6]
	@$(if $(BUILT),,$(GRADER_BUILD) bench)
	@$(PYTHON) solutions/bench/run.py --labs "$(LABS)"
# END INSTRUCTORS

.PHONY: setup
setup: $(READY) ## only the set-up [CUDA=wheels: NVIDIA's wheels instead of the machine's toolkit]

.PHONY: doctor
doctor: $(READY) ## what this machine has, and what to do about what it lacks
	@$(TMAGRADE) doctor

# BEGIN INSTRUCTORS
.PHONY: skeletons
skeletons: $(READY) ## write the students' files in labs/ from solutions/
	@PYTHONPATH=grader $(PYTHON) -m tmagrade.skeletons

.PHONY: findings
findings: build ## write grader/tmagrade/finding_codes.json from the emulator's registry of findings
	@build/bin/tmaemu --findings=json > grader/tmagrade/finding_codes.json

.PHONY: instructions
instructions: build ## write handout/reference/instructions.md from the emulator's tables
	@mkdir -p handout/reference && build/bin/tmaemu-instructions > handout/reference/instructions.md
# END INSTRUCTORS

.PHONY: student
student: build ## what make -C labs/LAB does: LAB=name [ACTION=test|run|bench|check] [DIR=the lab's folder]
	@$(TMAGRADE) $(or $(ACTION),test) "$(or $(DIR),labs/$(LAB))" --lab "$(LAB)"

# BEGIN INSTRUCTORS
.PHONY: release
release: $(READY) ## write to TO=folder what students receive [FORCE=yes: in place of what is there]
	@test -n "$(TO)" || { echo "make release TO=folder: which folder?" >&2; exit 1; }
	@$(TMAGRADE) release "$(TO)" $(if $(FORCE),--force)

CPP_FILES = git ls-files '*.h' '*.cpp' '*.cu' '*.cuh'

.PHONY: lint
lint: $(READY) ## ruff, mypy and clang-format, without changing anything
	@if [ ! -x .venv/bin/ruff ]; then echo "lint: not done, since .venv has no ruff, mypy and clang-format"; exit; fi; \
	    .venv/bin/ruff check -q . && .venv/bin/ruff format -q --check . && .venv/bin/mypy \
	    && $(CPP_FILES) | xargs .venv/bin/clang-format --dry-run -Werror

.PHONY: format
format: $(READY) ## let ruff and clang-format rewrite the sources
	@.venv/bin/ruff check -q --fix . ; .venv/bin/ruff format -q .
	@$(CPP_FILES) | xargs .venv/bin/clang-format -i
# END INSTRUCTORS

.PHONY: clean
clean: ## remove what was built and graded
	rm -rf build

.PHONY: distclean
distclean: clean ## clean, and remove the set-up
	rm -rf .venv

.PHONY: help
help: ## this list
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name what; do \
	    printf '  make %-15s %s\n' "$$name" "$$what"; done

# Set-up: each step leaves a stamp, so that the next run starts at once. A stamp is older than what its step reads.

.venv/.packages: grader/setup/packages.sh
	@grader/setup/packages.sh
	@mkdir -p .venv && touch $@

.venv/.python: grader/setup/python.sh grader/setup/requirements.txt | .venv/.packages
	@grader/setup/python.sh . && touch $@

.venv/.toolkit: grader/setup/toolkit.sh grader/setup/requirements-cuda.txt | .venv/.python
	@choice=$(or $(CUDA),$$(cat $@ 2>/dev/null || echo auto)); \
	    grader/setup/toolkit.sh . $$choice && echo $$choice > $@

# Another toolkit was asked for than the one in use, or that one has gone.
ifneq ($(CUDA),)
ifneq ($(CUDA),$(shell cat .venv/.toolkit 2>/dev/null))
.PHONY: .venv/.toolkit
endif
endif
ifeq ($(wildcard .venv/cuda/bin/nvcc),)
.PHONY: .venv/.toolkit
endif

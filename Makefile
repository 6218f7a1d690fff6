# make help lists all targets, and what each does.
#
# Set-up, build and tests need no other command: what is missing is installed or named. All paths below are
# relative, because make splits at spaces and the repository may be in a folder whose name has some.

.DEFAULT_GOAL := help
SHELL := /bin/bash

TOP := .
include grader/setup/student.mk

# SETUP=none uses what the machine has and what build/ already holds: no pip, no apt-get, no compiling.
ifeq ($(SETUP),none)
TOOLKIT := $(or $(CUDA_HOME),/usr/local/cuda)
READY :=
BUILT := $(wildcard build/bin/runner)
else
TOOLKIT := ../.venv/cuda
READY := .venv/.packages .venv/.python .venv/.toolkit .venv/.editor
BUILT :=
endif

JOBS ?= $(shell nproc)
# A release may hold the programs; it is asked only where it does.
unless_prebuilt = $(if $(wildcard prebuilt),grader/setup/prebuilt.sh . || { [ $$? -eq 1 ] && $(1); },$(1))
# Two terminals: what the second one builds waits for the first.
IN_TURN := grader/setup/in_turn.sh
GRADER_BUILD = $(MAKE) -C grader -j$(JOBS) -s --no-print-directory BUILD=../build CUDA_HOME="$(TOOLKIT)"

# What grades a class; students do not have it.
-include grader/staff/staff.mk

# What a lab's own folder has, from here. LAB may be the beginning of a name.
IN_LAB = for lab in labs/"$$LAB" labs/"$$LAB"-*; do \
	    if [ -n "$$LAB" ] && [ -e "$$lab/lab.toml" ]; then exec $(MAKE) --no-print-directory -C "$$lab" $@; fi; done; \
	echo "make $@ LAB=lab0: which lab? In the lab's own folder, it needs no LAB; make -C labs lists the labs" >&2; exit 2
.PHONY: watch hand-in
watch: ## run a lab's tests at each save of its file: LAB=lab3 [PART=name], or in the lab's folder without LAB
	@$(IN_LAB)
hand-in: ## make one zip of a lab to hand in, with its score and a receipt: LAB=lab3, or in the lab's folder without LAB
	@$(IN_LAB)

.PHONY: build
build: $(READY) ## the emulator, the judge and the runner
	@$(if $(BUILT),,$(call unless_prebuilt,$(IN_TURN) $(GRADER_BUILD) all PROGRESS=build))

.PHONY: setup
setup: $(READY) ## only the set-up [CUDA=wheels: NVIDIA's wheels instead of the machine's toolkit]

.PHONY: doctor
doctor: $(READY) ## what this machine has, and what to do about anything it lacks
	@$(TMAGRADE) doctor

# A lab's Makefile asks for student-ready, and then runs the command itself: so a test that fails makes one line of make's.
BUILD_FOR_STUDENT = $(if $(BUILT),:,$(call unless_prebuilt,$(IN_TURN) $(GRADER_BUILD) needed JUDGES_OF="$$LAB" PROGRESS=lab))
.PHONY: student student-ready
student: $(READY) ## what make in labs/LAB does: LAB=name [ACTION=test|watch|check|run|stats|trace|debug|bench] [DIR=the lab's folder] [PART=name] [CASE=name] [POLICY=early|late|random:N] [DATA=index|ones|random] [SEED=number]
	@$(call refuse_parts,$(ACTION))
	@$(BUILD_FOR_STUDENT)
	@$(call asked_of_student,$(or $(ACTION),test),"$${DIR:-labs/$$LAB}")
student-ready: $(READY)
	@$(BUILD_FOR_STUDENT)

.PHONY: actions
actions: build ## what GitHub's workflow runs at each push: the labs that were begun, with annotations and a summary [LABS=lab3]
	@$(TMAGRADE) actions $(call passed,LABS)

.PHONY: site site-open
TEXT_ALONE = $(filter text,$(SITE))
SITE_PYTHON = $(firstword $(wildcard .venv/site/bin/python) python3)
site: $(if $(READY),.venv/.site) $(if $(TEXT_ALONE),,site-modules) ## the handout as a book to read in a browser, with search: build/site/index.html [SITE=text: without what its pages run]
	@$(SITE_PYTHON) -c 'import furo, myst_parser, sphinx_copybutton' 2>/dev/null \
	    || { echo "site: $(SITE_PYTHON) has no Sphinx with furo, MyST and sphinx-copybutton; without SETUP=none, make installs them" >&2; exit 1; }
	@$(SITE_PYTHON) -m sphinx -q -W --keep-going -j $(JOBS) -c handout/site $(if $(TEXT_ALONE),-D pages_run=0) \
	    -d build/site-read handout build/site
	@echo "build/site/index.html is the first page; it needs no server"
# What pages run: explorers and the emulator.
.PHONY: site-modules
site-modules: $(if $(READY),.venv/.explorer)
	@grader/emulator/browser/build.sh . $(SITE_PYTHON) $(JOBS)
site-open: site ## site, and show its first page
	@$(SITE_PYTHON) -m webbrowser "$$($(SITE_PYTHON) -c 'import pathlib; print(pathlib.Path("build/site/index.html").absolute().as_uri())')"

# What grading has found out stays: grades, and the records and libraries by which nothing is judged or measured again.
FOUND_OUT := grades sample-grades records libraries submissions .tmagrade.lock
.PHONY: clean
clean: ## remove what was built; grades stay, and what was measured (make forget removes them)
	@[ ! -d build ] || find build -mindepth 1 -maxdepth 1 $(foreach name,$(FOUND_OUT),! -name $(name)) -exec rm -rf {} +
	@[ ! -d build ] || rmdir --ignore-fail-on-non-empty build

.PHONY: distclean
distclean: clean ## clean, and remove the set-up
	rm -rf .venv

# What only those who maintain the course need; students do not have it.
-include maintainer.mk

# Students begin with what they type most. What other targets type is for who asks for it.
OF_STAFF := $(if $(wildcard maintainer.mk)$(filter yes,$(ALL)),,actions build student)
LISTED = $(filter %/staff.mk,$(MAKEFILE_LIST)) $(filter-out %/staff.mk,$(MAKEFILE_LIST))
LIST = sed -nE 's/^([a-z0-9-]+):[^\#]*\#\# (.*)/\1\t\2/p' $(LISTED) | while IFS=$$'\t' read -r name what; do \
	case " $(OF_STAFF) " in *" $$name "*) ;; *) printf '  make %-15s %s\n' "$$name" "$$what";; esac; done
.PHONY: help
help: ## this list
	@$(if $(wildcard maintainer.mk),,$(MAKE) -s --no-print-directory students-help)
	@$(LIST)
	@$(if $(OF_STAFF),echo "make help ALL=yes also lists what those type who grade the work of others.")
FIRST_LAB = $(patsubst %/Makefile,%,$(firstword $(sort $(wildcard labs/lab*/Makefile))))
.PHONY: students-help
students-help:
	@echo "make -C labs      what comes next, and how much of each lab is done"
	@echo
	@echo "In a lab's folder, such as $(FIRST_LAB):"
	@$(MAKE) -s --no-print-directory -C $(FIRST_LAB) help | sed 's/^/  /'
	@echo
	@echo "Here:"

# Set-up: each step leaves a stamp, so that the next run starts at once. A step runs again if what it reads changes.

.venv/.packages: grader/setup/packages.sh
	@grader/setup/packages.sh
	@mkdir -p .venv && touch $@

.venv/.python: grader/setup/python.sh grader/setup/install.sh grader/setup/requirements.txt | .venv/.packages
	@grader/setup/python.sh . && touch $@

.venv/.toolkit: grader/setup/toolkit.sh grader/setup/requirements-cuda.txt | .venv/.python
	@choice=$(or $(CUDA),$$(cat $@ 2>/dev/null || echo auto)); \
	    grader/setup/toolkit.sh . $$choice && echo $$choice > $@

.venv/.editor: grader/setup/editor.py grader/Makefile | .venv/.toolkit
	@grader/setup/here.sh . && .venv/bin/python grader/setup/editor.py . && pwd -P > $@

# Only for those who build the site.
.venv/.site: grader/setup/site.sh grader/setup/requirements-site.txt
	@mkdir -p .venv && grader/setup/site.sh . requirements-site.txt && touch $@

# What makes that which the site's pages run.
.venv/.explorer: grader/setup/site.sh grader/setup/requirements-explorer.txt | .venv/.site
	@grader/setup/site.sh . requirements-explorer.txt \
	    || { echo "site: make site SITE=text makes the book without all that its pages run" >&2; exit 1; }
	@touch $@

# A toolkit other than the one in use was asked for, or the one in use is gone.
ifneq ($(CUDA),)
ifneq ($(CUDA),$(shell cat .venv/.toolkit 2>/dev/null))
.PHONY: .venv/.toolkit
endif
endif
ifeq ($(wildcard .venv/cuda/bin/nvcc),)
.PHONY: .venv/.toolkit
endif
# The repository was moved or copied: an editor's settings and the environment's programs name folders from the root of
# the file system.
ifneq ($(CURDIR),$(shell cat .venv/.editor 2>/dev/null))
.PHONY: .venv/.editor
endif

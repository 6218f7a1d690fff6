# What `make`, `make test`, ... in a lab's folder do: the Makefile at the top, two folders up, builds what they need.
LAB := $(firstword $(shell sed -n 's/^id = "\(.*\)"/\1/p' lab.toml))
TOP := ../..
include $(TOP)/grader/setup/student.mk

.PHONY: test watch check run stats trace debug bench help
test watch check run stats trace debug bench:
	@$(call refuse_parts,$@)
	@$(MAKE) --no-print-directory -C $(TOP) student-ready
	@$(call asked_of_student,$@,.)

# One file to hand in, with a receipt.
.PHONY: hand-in
hand-in:
	@$(MAKE) --no-print-directory -C $(TOP) student-ready
	@$(TMAGRADE) hand-in . --lab "$$LAB"

# The course's own GPU, where it has one: QUEUE is the folder that the course names.
.PHONY: submit
submit:
	@$(MAKE) --no-print-directory -s -C $(TOP) setup
	@$(TMAGRADE) submit . --lab "$$LAB" $(call passed,QUEUE NICKNAME)

define HELP
make              build, run every test, say the score
make PART=name    only that part, without a score, and what its printf says; with CASE='name' only that case
make watch        the same tests each time that you save; with PART=name, faster
make check        look for mistakes that happen to give the right answer; it takes PART and CASE, too
make run          the program's own small test: run, stats and debug know no PART
make stats        what each of its kernels did: sectors, bank conflicts, TMA bytes; make trace [PART=name]: and when
make debug        the strictest check, and what works for debugging without a GPU
make bench        the bandwidth; needs a Hopper GPU
make hand-in      the same as make, and one zip to hand in, with a receipt
make submit       the whole verdict from the course's GPU: QUEUE=folder (or TMAGRADE_QUEUE) [NICKNAME=on-the-board]
POLICY=early      (late, random:N) one timing of the TMA engine, for all but bench
DATA=index        (ones, random) inputs that show where your kernel puts what, for make, watch and check
endef
help:
	$(info $(HELP))@:

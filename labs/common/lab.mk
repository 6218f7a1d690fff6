# What `make`, `make test`, ... in a lab's folder do: they ask the Makefile at the top, two folders up.
LAB := $(firstword $(shell sed -n 's/^id = "\(.*\)"/\1/p' lab.toml))

.PHONY: test watch check run stats trace debug bench help
test watch check run stats trace debug bench:
	@$(MAKE) --no-print-directory -C ../.. student LAB=$(LAB) ACTION=$@ DIR="$(CURDIR)"

define HELP
make              build, run every test, say the score
make PART=name    only that part, without a score; also CASE='name', as the verdict prints it
make watch        the same tests each time that you save; with PART=name, faster
make check        look for mistakes that happen to give the right answer
make run          the program's own small test
make stats        what each of its kernels did: sectors, bank conflicts, TMA bytes, waits; make trace: and when
make debug        the strictest check, and what works for debugging without a GPU
make bench        the bandwidth; needs a Hopper GPU
POLICY=early      (late, random:N) one timing of the TMA engine, for all but bench
DATA=index        (ones, random) inputs that show where your kernel puts what, for make, watch and check
endef
help:
	$(info $(HELP))@:

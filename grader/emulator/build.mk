# The emulator: one shared library with everything in it, thin libraries under CUDA's sonames, and
# the launcher that puts them in front of the program's own.

EMULATOR_PARTS := ptx fatbin order memory mbarrier program tensor blas tma sched isa diagnostics profile provenance check \
                  trace record instruments device
EMULATOR_OBJECTS := $(FINDING_OBJECTS) $(foreach part,$(EMULATOR_PARTS),$(call objects,emulator/$(part)/*.cpp)) \
                    $(call objects,emulator/isa/*/*.cpp)

# The interpreter's inner loops are lane loops: let the compiler unroll and vectorize them.
# Nobody reads errno or the floating-point flags, so those need no branches in the loops.
$(OBJ)/emulator/isa/%: CXXFLAGS += $(OPTIMIZE_LANES) -fno-math-errno -fno-trapping-math
# So are those of the matrix instructions, loops over columns.
$(OBJ)/emulator/tensor/%: CXXFLAGS += $(OPTIMIZE_LANES) -fno-trapping-math
# And those that pack matrices; what they hold is added with one rounding where the machine can.
$(OBJ)/emulator/blas/%: CXXFLAGS += $(OPTIMIZE_LANES) -fno-trapping-math
$(OBJ)/emulator/blas/chains.o: CXXFLAGS += -ffp-contract=fast
# And the checker's, over the lanes of each access.
$(OBJ)/emulator/check/%: CXXFLAGS += $(OPTIMIZE_LANES)
# Called where the processor has AVX-512. The last -march= counts. Empty on other machines.
ifeq ($(MACHINE),x86_64)
$(OBJ)/emulator/tensor/block_rows_avx512.o: CXXFLAGS += -march=x86-64-v4
endif

$(EMULATOR_LIB)/libtmaemu.so: $(EMULATOR_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) -shared -o $@ $^ -Wl,-soname,libtmaemu.so -Wl,-Bsymbolic -Wl,-z,defs $(LDLIBS_EMULATOR)

# What a program in Python may import: the launcher names the folder in PYTHONPATH.
$(EMULATOR_LIB)/python/%.py: emulator/python/%.py
	@mkdir -p $(@D)
	@cp $< $@

include emulator/runtime/build.mk

# Loaded before anything else, beside a C library of its own; so it brings what it needs of C++.
LOADER_OBJECTS := $(call objects,emulator/loader/*.cpp)
$(EMULATOR_LIB)/libtmaemu-loader.so: $(LOADER_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) -shared -static-libstdc++ -static-libgcc -o $@ $^ -Wl,--exclude-libs,ALL -Wl,-z,defs -ldl

# What tmaemu --explain prints is in tmaemu itself. The folder stands for the pages that come and go.
FINDING_PAGES := ../handout/findings
LAUNCHER_OBJECTS := $(call objects,emulator/launcher/*.cpp) $(OBJ)/emulator/launcher/finding_pages.o \
                    $(OBJ)/emulator/loader/elf_file.o

$(OBJ)/emulator/launcher/finding_pages.cpp: emulator/launcher/embed_pages.py $(FINDING_PAGES) $(wildcard $(FINDING_PAGES)/*.md)
	@mkdir -p $(@D)
	python3 $< $(FINDING_PAGES) > $@.new
	@mv $@.new $@

$(OBJ)/emulator/launcher/finding_pages.o: $(OBJ)/emulator/launcher/finding_pages.cpp
	$(CXX) $(CXXFLAGS) -c $< -o $@

$(BIN)/tmaemu: $(LAUNCHER_OBJECTS) $(REGISTRY_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) -o $@ $^

# Writes the list of PTX instructions, handout/reference/instructions.md, to stdout.
$(BIN)/tmaemu-instructions: $(call objects,emulator/instructions/*.cpp) $(EMULATOR_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) -o $@ $^ $(LDLIBS_EMULATOR)

-include $(EMULATOR_OBJECTS:.o=.d)
-include $(LAUNCHER_OBJECTS:.o=.d) $(LOADER_OBJECTS:.o=.d)

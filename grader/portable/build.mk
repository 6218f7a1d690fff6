# The programs that a release holds (make release BINARIES=yes): of the same objects, but linked so that they run with a
# C library from 2.31 on and a libstdc++ from GCC 10 on, which are Debian 11's and Ubuntu 20.04's, and with the toolkit
# of the course's folder that they are in. Judges lack the checks that the course keeps to itself.

PORTABLE := $(BUILD)/portable
PORTABLE_OBJ := $(OBJ)/portable
OLDER := $(PORTABLE_OBJ)/lib
OLDER_LIMITS := GLIBC_2.31 GCC_7.0.0 GLIBCXX_3.4.28 CXXABI_1.3.12

# $(call older_library,soname,files of this machine whose symbols it has): one without symbols stands for a library that
# newer systems have in another one, and that must be loaded in older ones.
of_compiler = $(shell $(CXX) -print-file-name=$(1))
define older_library
$(OLDER)/$(1): portable/older_libraries.py
	@mkdir -p $$(@D)
	python3 $$< $(OLDER_LIMITS:%=--limit %) --out $$@ $(foreach file,$(2),$$(call of_compiler,$(file)))
	$$(CXX) -shared -nostdlib -o $$@ $$(basename $$@).s -Wl,--version-script,$$(basename $$@).map -Wl,-soname,$(1)
OLDER_LIBRARIES += $(OLDER)/$(1)
endef
$(eval $(call older_library,libc.so.6,libc.so.6 libpthread.so.0 libdl.so.2 librt.so.1))
$(eval $(call older_library,libm.so.6,libm.so.6))
$(eval $(call older_library,ld-linux-x86-64.so.2,ld-linux-x86-64.so.2))
$(eval $(call older_library,libgcc_s.so.1,libgcc_s.so.1))
$(eval $(call older_library,libstdc++.so.6,libstdc++.so.6))
$(eval $(call older_library,libpthread.so.0))
$(eval $(call older_library,libdl.so.2))
$(eval $(call older_library,librt.so.1))

$(PORTABLE_OBJ)/newer_functions_%.o: portable/newer_functions.c
	@mkdir -p $(@D)
	$(CXX:g++=gcc) -O2 -Wall -Wextra -Werror -fPIC -fno-builtin -fvisibility=hidden $(if $(filter program,$*),-DPROGRAM) -c $< -o $@

# What libstdc++ got after GCC 10 comes from the compiler's archive; the rest is the system's, since a student's program
# in the same process has it too. Bound at once: where there is an auditor (emulator/loader), a C library before 2.35
# looks for what is bound late at each call.
OLD_ENOUGH = -nodefaultlibs -Wl,-z,now -L$(OLDER) -Wl,--exclude-libs,ALL $(PORTABLE_OBJ)/newer_functions_$(1).o \
    $(OLDER)/libstdc++.so.6 $(call of_compiler,libstdc++.a) \
    $(OLDER)/libm.so.6 $(OLDER)/libgcc_s.so.1 -Wl,--no-as-needed $(OLDER)/libpthread.so.0 $(OLDER)/libdl.so.2 $(OLDER)/librt.so.1 \
    $(OLDER)/libc.so.6 $(OLDER)/ld-linux-x86-64.so.2 -lgcc $(call of_compiler,libc_nonshared.a)
OLD_ENOUGH_PROGRAM = -Wl,--wrap=__libc_start_main $(call OLD_ENOUGH,program)
NEEDS_OLDER = $(OLDER_LIBRARIES) $(PORTABLE_OBJ)/newer_functions_$(1).o

.PHONY: portable portable-emulator
portable: portable-emulator $(PORTABLE)/bin/runner $(CHECKED:%=$(PORTABLE)/bin/judges/%)
# Also what a wheel holds.
portable-emulator: $(PORTABLE)/bin/tmaemu \
          $(patsubst %,$(PORTABLE)/lib/emulator/%,libtmaemu.so libtmaemu-loader.so $(CUDA_LIBRARIES) $(EMULATOR_PYTHON:emulator/%=%))

$(PORTABLE)/lib/emulator/libtmaemu.so: $(EMULATOR_OBJECTS) $(call NEEDS_OLDER,library)
	@mkdir -p $(@D)
	$(CXX) -shared -o $@ $(EMULATOR_OBJECTS) -Wl,-soname,libtmaemu.so -Wl,-Bsymbolic -Wl,-z,defs \
	    $(call of_compiler,libzstd.a) $(call of_compiler,liblz4.a) $(call OLD_ENOUGH,library)

$(PORTABLE)/lib/emulator/libtmaemu-loader.so: $(LOADER_OBJECTS) $(call NEEDS_OLDER,library)
	@mkdir -p $(@D)
	$(CXX) -shared -o $@ $(LOADER_OBJECTS) -Wl,-z,defs $(call OLD_ENOUGH,library)

$(PORTABLE)/lib/emulator/python/%.py: emulator/python/%.py
	@mkdir -p $(@D)
	@cp $< $@

define portable_cuda_library
$(PORTABLE)/lib/emulator/$(1): $(EMULATOR_LIB)/$(1) $(2) $(PORTABLE)/lib/emulator/libtmaemu.so
	$$(CXX) -shared -o $$@ $(2) $(OBJ)/$(RUNTIME)/$(1).s -Wl,-soname,$(1) \
	    -Wl,--version-script=$(OBJ)/$(RUNTIME)/$(1).map -Wl,-Bsymbolic -Wl,-z,defs \
	    '-Wl,-rpath,$$$$ORIGIN' $(PORTABLE)/lib/emulator/libtmaemu.so $$(call OLD_ENOUGH,library)
endef
$(eval $(call portable_cuda_library,libcudart.so.12,$(CUDART_12_OBJECTS)))
$(eval $(call portable_cuda_library,libcudart.so.13,$(CUDART_13_OBJECTS)))
$(eval $(call portable_cuda_library,libcuda.so.1,$(DRIVER_OBJECTS)))
$(foreach major,12 13,$(eval $(call portable_cuda_library,libcublas.so.$(major),$(CUBLAS_OBJECTS) $(CUBLAS_$(major)_VERSION))) \
    $(eval $(call portable_cuda_library,libcublasLt.so.$(major),$(CUBLAS_LT_OBJECTS) $(CUBLAS_$(major)_VERSION))))

$(PORTABLE)/bin/tmaemu: $(LAUNCHER_OBJECTS) $(REGISTRY_OBJECTS) $(call NEEDS_OLDER,program)
	@mkdir -p $(@D)
	$(CXX) -o $@ $(filter %.o,$(filter-out $(PORTABLE_OBJ)/%,$^)) $(OLD_ENOUGH_PROGRAM)

# The toolkit is the course's folder's own: $(1) leads from the program to the top.
portable_cudart = $(CUDART) '-Wl,--enable-new-dtags,-rpath,$$ORIGIN/$(1)/.venv/cuda/lib64:$$ORIGIN/$(1)/.venv/cuda/lib' \
    -Wl,--allow-shlib-undefined

$(PORTABLE)/bin/runner: $(RUNNER_OBJECTS) $(call NEEDS_OLDER,program)
	@mkdir -p $(@D)
	$(CXX) -o $@ $(RUNNER_OBJECTS) $(call portable_cudart,../..) $(OLD_ENOUGH_PROGRAM)

$(PORTABLE)/bin/judges/%: $(JUDGE_COMMON_OBJECTS) $(call NEEDS_OLDER,program)
	@mkdir -p $(@D)
	$(CXX) -o $@ $(filter-out $(PORTABLE_OBJ)/%,$(filter %.o,$^)) $(call portable_cudart,../../..) \
	    $(call of_compiler,libgtest.a) $(OLD_ENOUGH_PROGRAM)
$(foreach lab,$(CHECKED),$(eval $(PORTABLE)/bin/judges/$(lab): \
    $(call objects,$(filter-out %/grader_checks.cpp,$(wildcard checks/$(lab)/*.cpp))) \
    $(call kernel_objects,checks/$(lab)/bandwidth.cu)))

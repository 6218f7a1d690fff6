# The emulator's libraries under CUDA's sonames: thin, over the state in libtmaemu.so. Included from
# emulator/build.mk.

RUNTIME := emulator/runtime
EMULATOR_OBJECTS += $(call objects,$(RUNTIME)/state/*.cpp)
$(EMULATOR_LIB)/libtmaemu.so: $(call objects,$(RUNTIME)/state/*.cpp)

# A caller's cudaMemcpyKind may hold any number, and is refused by a check of its own: CUDA's interface is
# C, where every value of an enumeration is one of its type.
ifneq ($(SANITIZE),)
$(OBJ)/$(RUNTIME)/%.o: SANITIZE_FLAGS += -fno-sanitize=enum
endif

# The two versions of the runtime come from the same sources, but for what CUDA 13 changed.
CUDART_OBJECTS := $(call objects,$(RUNTIME)/cudart/*.cpp)
CUDART_12_OBJECTS := $(CUDART_OBJECTS) $(call objects,$(RUNTIME)/cudart12/*.cpp)
CUDART_13_OBJECTS := $(CUDART_OBJECTS) $(call objects,$(RUNTIME)/cudart13/*.cpp)
DRIVER_OBJECTS := $(call objects,$(RUNTIME)/driver/*.cpp)

# $(call cuda_library,soname,version node of its symbols,objects)
define cuda_library
$(OBJ)/$(RUNTIME)/$(1).s: $(3) $(RUNTIME)/exports/$(basename $(basename $(1))).txt $(RUNTIME)/exports/make_stubs.py
	python3 $(RUNTIME)/exports/make_stubs.py --names $(RUNTIME)/exports/$(basename $(basename $(1))).txt \
	    --machine $(MACHINE) --version "$(2)" --assembly $$@ --version-script $(OBJ)/$(RUNTIME)/$(1).map $(3)

$(EMULATOR_LIB)/$(1): $(OBJ)/$(RUNTIME)/$(1).s $(3) $(EMULATOR_LIB)/libtmaemu.so
	@mkdir -p $$(@D)
	$$(CXX) -shared -o $$@ $(3) $(OBJ)/$(RUNTIME)/$(1).s -Wl,-soname,$(1) \
	    -Wl,--version-script=$(OBJ)/$(RUNTIME)/$(1).map -Wl,-Bsymbolic -Wl,-z,defs \
	    '-Wl,-rpath,$$$$ORIGIN' -L$(EMULATOR_LIB) -ltmaemu -ldl
endef

$(eval $(call cuda_library,libcudart.so.12,libcudart.so.12,$(CUDART_12_OBJECTS)))
$(eval $(call cuda_library,libcudart.so.13,libcudart.so.13,$(CUDART_13_OBJECTS)))
$(eval $(call cuda_library,libcuda.so.1,,$(DRIVER_OBJECTS)))

-include $(CUDART_12_OBJECTS:.o=.d) $(CUDART_13_OBJECTS:.o=.d) $(DRIVER_OBJECTS:.o=.d)

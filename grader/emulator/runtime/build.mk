# The emulator's libraries under CUDA's sonames: thin, over the state in libtmaemu.so. Included from
# emulator/build.mk.

RUNTIME := emulator/runtime
STATE_OBJECTS := $(call objects,$(RUNTIME)/state/*.cpp) $(call objects,$(RUNTIME)/blas/*.cpp)
EMULATOR_OBJECTS += $(STATE_OBJECTS)
$(EMULATOR_LIB)/libtmaemu.so: $(STATE_OBJECTS)

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
# Of cuBLAS they differ in what they say that they are.
CUBLAS_OBJECTS := $(call objects,$(RUNTIME)/cublas/*.cpp)
CUBLAS_LT_OBJECTS := $(call objects,$(RUNTIME)/cublaslt/*.cpp)
CUBLAS_12_VERSION := $(call objects,$(RUNTIME)/cublas12/*.cpp)
CUBLAS_13_VERSION := $(call objects,$(RUNTIME)/cublas13/*.cpp)

# $(call cuda_library,soname,version node of its symbols,objects,what its other entry points call)
define cuda_library
$(OBJ)/$(RUNTIME)/$(1).s: $(3) $(RUNTIME)/exports/$(basename $(basename $(1))).txt $(RUNTIME)/exports/make_stubs.py
	python3 $(RUNTIME)/exports/make_stubs.py --names $(RUNTIME)/exports/$(basename $(basename $(1))).txt \
	    --machine $(MACHINE) --version "$(2)" --refuse $(4) --assembly $$@ --version-script $(OBJ)/$(RUNTIME)/$(1).map $(3)

$(EMULATOR_LIB)/$(1): $(OBJ)/$(RUNTIME)/$(1).s $(3) $(EMULATOR_LIB)/libtmaemu.so
	@mkdir -p $$(@D)
	$$(CXX) -shared -o $$@ $(3) $(OBJ)/$(RUNTIME)/$(1).s -Wl,-soname,$(1) \
	    -Wl,--version-script=$(OBJ)/$(RUNTIME)/$(1).map -Wl,-Bsymbolic -Wl,-z,defs \
	    '-Wl,-rpath,$$$$ORIGIN' -L$(EMULATOR_LIB) -ltmaemu -ldl
endef

$(eval $(call cuda_library,libcudart.so.12,libcudart.so.12,$(CUDART_12_OBJECTS),tmaemu_runtime_not_modeled))
$(eval $(call cuda_library,libcudart.so.13,libcudart.so.13,$(CUDART_13_OBJECTS),tmaemu_runtime_not_modeled))
$(eval $(call cuda_library,libcuda.so.1,,$(DRIVER_OBJECTS),tmaemu_driver_not_modeled))

define cublas_libraries
$(call cuda_library,libcublas.so.$(1),libcublas.so.$(1),$(CUBLAS_OBJECTS) $(CUBLAS_$(1)_VERSION),tmaemu_blas_not_modeled)
$(call cuda_library,libcublasLt.so.$(1),libcublasLt.so.$(1),$(CUBLAS_LT_OBJECTS) $(CUBLAS_$(1)_VERSION),tmaemu_blas_not_modeled)
endef
$(foreach major,12 13,$(eval $(call cublas_libraries,$(major))))

-include $(CUDART_12_OBJECTS:.o=.d) $(CUDART_13_OBJECTS:.o=.d) $(DRIVER_OBJECTS:.o=.d) \
    $(patsubst %.o,%.d,$(CUBLAS_OBJECTS) $(CUBLAS_LT_OBJECTS) $(CUBLAS_12_VERSION) $(CUBLAS_13_VERSION))

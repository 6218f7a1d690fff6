# Which variables make is told here. One that nobody reads would pass in silence, and another class be graded than was
# meant; so it is refused, with the name that comes nearest. What the environment has is for others, too, and is not asked.
YES_OR_NO := ALL BINARIES DRY_RUN FORCE YES
ONE_VALUE := BANDWIDTH:alone SANDBOX:none SETUP:none SITE:text UNTRACKED:leave
OF_SETUP := CUDA CUDA_HOME CHROMIUM JOBS PYTHON
OF_TESTS := HAZARD_ENGINES MINUTES OPTIONS PROPERTIES_CLASSES SAMPLE_CLASS SANITIZER SECONDS SHARE SOURCES
OF_STUDENTS := ACTION
OF_BUILD := BUILD COMPILER DEBUG OPTIMIZE OPTIMIZE_CHECKS OPTIMIZE_LANES OPTIMIZE_TESTS PRECOMPILED PROGRESS SANITIZE TOGETHER WARNINGS
OF_PROGRAMS := CUDA_VISIBLE_DEVICES SHELL TMPDIR TMAEMU_% TMAGRADE_%
# WORDS (words.mk) are those whose values are any text.
KNOWN := $(WORDS) $(YES_OR_NO) $(foreach pair,$(ONE_VALUE),$(firstword $(subst :, ,$(pair)))) $(OF_SETUP) $(OF_STUDENTS) $(OF_TESTS) $(OF_BUILD) $(OF_PROGRAMS)

quoted = '$(subst ','\'',$(1))'
NEAREST = import difflib, sys; print(*difflib.get_close_matches(sys.argv[1].upper(), sys.argv[2:], 1))
nearest = $(shell python3 -c '$(NEAREST)' $(call quoted,$(1)) $(filter-out %\%,$(KNOWN)) 2>/dev/null)
meant = $(if $(1), (the nearest name is $(1)))
refuse = $(error make reads no variable $(1)$(call meant,$(call nearest,$(1))): `make help` lists them; what another program is to read stands in front: $(1)=... make)
TYPED := $(foreach name,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(name)))),$(name)))
$(foreach name,$(filter-out $(KNOWN),$(TYPED)),$(call refuse,$(name)))

# $(call asked,DRY_RUN) is empty where that was not asked for. Of a value that nobody knows it is not said whether it was.
may_be = $(if $(filter $(1),$(YES_OR_NO)),yes no,$(patsubst $(1):%,%,$(filter $(1):%,$(ONE_VALUE))))
demand = $(if $(filter-out $(call may_be,$(1)),$(value $(1))),$(error $(1)=$(value $(1)) is neither yes nor no: say $(1)=$(firstword $(call may_be,$(1))), or leave it out))
asked = $(call demand,$(1))$(filter-out no,$(value $(1)))
$(foreach name,$(filter $(TYPED),$(KNOWN)),$(if $(call may_be,$(name)),$(call demand,$(name))))
# $(call passed,LABS DRY_RUN): --labs "$LABS" --dry-run, of what was said and asked for.
option_of = --$(shell echo $(1) | tr A-Z_ a-z-)
passed = $(foreach name,$(1),$(if $(filter $(name),$(YES_OR_NO)),$(if $(call asked,$(name)),$(call option_of,$(name))),$(if $(value $(name)),$(call option_of,$(name)) "$$$(name)")))

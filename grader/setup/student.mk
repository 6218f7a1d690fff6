# What a student's commands run: for the Makefile at the top, and for those of the labs, which include it from two
# folders below. TOP leads to the top.
include $(TOP)/grader/setup/words.mk
include $(TOP)/grader/setup/variables.mk

ifeq ($(SETUP),none)
PYTHON := $(firstword $(wildcard $(TOP)/.venv/bin/python) python3)
else
PYTHON := $(TOP)/.venv/bin/python
endif
# make -C leaves PWD as it was: the folder in which it was typed. What is to be typed next is named from there.
ifndef TMAGRADE_TYPED_IN
export TMAGRADE_TYPED_IN := $(value PWD)
endif
TMAGRADE := PYTHONPATH=$(TOP)/grader "$(PYTHON)" -P -X utf8 -m tmagrade

# $(call asked_of_student,action,folder): a shell reads the words of the user as values of variables.
asked_of_student = $(TMAGRADE) $(1) $(2) --lab "$$LAB" $(call passed,PART CASE POLICY DATA SEED)

REFUSE_PARTS = echo "make $(1) runs the program's own main(), which knows no parts: leave out PART, CASE, DATA and SEED" >&2; exit 2
refuse_parts = $(if $(and $(filter run stats debug,$(1)),$(PART)$(CASE)$(DATA)$(SEED)),$(REFUSE_PARTS))

# What a user says stays what it is: make does not expand it, and a shell sees it only as the value of a variable, which
# it does not read again. A recipe has "$$LABS" where another would have "$(LABS)".
WORDS := SUBMISSIONS OUTPUT LABS LAB LAYOUT PREFIX ONLY STUDENT BACKEND EXECUTOR SLURM DIR TO NAME IDEA TITLE STUDENTS PROGRAMS KEEP PART CASE POLICY DATA SEED CLASS QUEUE NICKNAME UPGRADE JUDGES_OF
GIVEN := $(foreach name,$(WORDS),$(if $(filter-out undefined,$(origin $(name))),$(name)))
$(foreach name,$(GIVEN),$(eval override $(name) := $$(value $(name))))
export $(GIVEN)

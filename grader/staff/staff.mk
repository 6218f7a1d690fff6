# Grading a class. The Makefile at the top includes this file; a release lacks it.

.PHONY: grade
grade: build ## grade SUBMISSIONS=folder (default: the solutions and about one wrong student per lab; CLASS=all: the whole sample class) [LABS=lab3,lab4] [LAYOUT=plain|canvas|gradescope|moodle|github] [PREFIX=lab3-] [ONLY=student] [OUTPUT=folder] [DRY_RUN=yes] [BANDWIDTH=alone] [BACKEND=emulator|gpu] [SANDBOX=none] [EXECUTOR=slurm SLURM="options for sbatch"]
	@$(TMAGRADE) grade $(if $(SUBMISSIONS),--submissions "$$SUBMISSIONS") $(if $(LABS),--labs "$$LABS") \
	    $(if $(LAYOUT),--layout "$$LAYOUT") $(if $(PREFIX),--prefix "$$PREFIX") $(if $(ONLY),--only "$$ONLY") \
	    $(if $(BACKEND),--backend "$$BACKEND") $(if $(call asked,SANDBOX),--no-sandbox) \
	    $(if $(EXECUTOR),--executor "$$EXECUTOR") $(if $(SLURM),--slurm "$$SLURM") \
	    $(if $(CLASS),--class "$$CLASS") $(if $(OUTPUT),--output "$$OUTPUT") \
	    $(if $(call asked,DRY_RUN),--dry-run) $(if $(call asked,BANDWIDTH),--bandwidth-alone)

.PHONY: forget
forget: $(READY) ## remove grades, after a question: STUDENT=name (the whole name, or several with commas), LABS=lab3 or ALL=yes (with all that was handed in and built) [OUTPUT=folder] [YES=yes: ask nothing]
	@$(TMAGRADE) forget $(if $(STUDENT),--student "$$STUDENT") $(if $(LABS),--labs "$$LABS") \
	    $(if $(call asked,ALL),--all) $(if $(OUTPUT),--grades "$$OUTPUT") $(if $(call asked,YES),--yes)

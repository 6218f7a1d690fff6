# Grading a class. The Makefile at the top includes this file; a release lacks it.

.PHONY: grade
grade: build ## grade SUBMISSIONS=folder (default: the solutions and about one wrong student per lab; CLASS=all: the whole sample class) [LABS=lab3,lab4] [LAYOUT=plain|canvas|gradescope|moodle|github] [PREFIX=lab3-] [ONLY=student] [OUTPUT=folder] [DRY_RUN=yes] [BANDWIDTH=alone] [BACKEND=emulator|gpu] [SANDBOX=none] [EXECUTOR=slurm SLURM="options for sbatch"]
	@$(TMAGRADE) grade $(call passed,SUBMISSIONS LABS LAYOUT PREFIX ONLY BACKEND EXECUTOR SLURM CLASS OUTPUT DRY_RUN) \
	    $(if $(call asked,SANDBOX),--no-sandbox) $(if $(call asked,BANDWIDTH),--bandwidth-alone)

.PHONY: forget
forget: $(READY) ## remove grades, after a question: STUDENT=name (the whole name, or several with commas), LABS=lab3 or ALL=yes (with all that was handed in and built) [OUTPUT=folder] [YES=yes: ask nothing]
	@$(TMAGRADE) forget $(call passed,STUDENT LABS ALL YES) $(if $(OUTPUT),--grades "$$OUTPUT")

.PHONY: review
review: $(READY) ## a page on this machine to read hand-ins with their findings, comment lines, give points and answer requests [OUTPUT=folder]
	@$(TMAGRADE) review $(if $(OUTPUT),--grades "$$OUTPUT")

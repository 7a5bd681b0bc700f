# Tests compile the sources of a folder as one translation unit: most of a compiler's work is the standard headers, which
# it then reads once. UNITS is the folder of units; $(call unit,NAME,SOURCES) makes NAME.cc there, which includes SOURCES.
UNITS ?= build/units
.DEFAULT_GOAL := all

# The file's time changes only when the list does. Two runs of make may do this at once.
define unit
$(UNITS)/$(1).cc: UNIT_SOURCES
	@mkdir -p $$(@D)
	@new=$$@.$$$$$$$$; printf '#include "%s"\n' $(abspath $(2)) > $$$$new; \
	  if cmp -s $$$$new $$@; then rm $$$$new; else mv $$$$new $$@; fi
endef
.PHONY: UNIT_SOURCES

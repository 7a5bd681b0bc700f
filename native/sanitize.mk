# Flags of all sanitized objects: the tests and the fuzz targets of addon, helper and link share them.
# `npm test` compiles with SANITIZE_LEVEL=-O0: one run of the tests takes less time than their optimisation.
SANITIZE_LEVEL ?= -O1
SANITIZE := $(SANITIZE_LEVEL) -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
# For the linker: the runtime of the fuzzer. Objects are compiled with its instrumentation, without that runtime.
FUZZER := -fsanitize=fuzzer
SANITIZE_COMPILE := $(SANITIZE) $(FUZZER)-no-link

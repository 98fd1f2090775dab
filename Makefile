# Two commands to begin with: `make demo`, which links two packages into one kernel and shows that nothing of the seam
# is left, and `make check`, which runs every test. CMake does the work; this file only knows which folders and in
# which order.
#
#   make          set up what is missing, build into build/ (programs in build/bin/)
#   make demo     the hello-callable example, linked, beside its unit build
#   make check    all tests, in the normal build and in the AddressSanitizer + UndefinedBehaviorSanitizer build
#   make format   clang-format over the whole tree
#   make tidy     clang-tidy over the whole tree
#   make clean    remove build/ and build-asan/; .venv/ stays
#
# JOBS=N limits the work done at a time; CMAKE_FLAGS=... goes to cmake.

JOBS ?= $(shell nproc)
CMAKE_FLAGS ?=
SOURCES = $(shell git ls-files '*.c' '*.h' '*.cpp' '*.cu' ':!lit-tests/*.cu')


.PHONY: all setup demo check format tidy clean
all: build/build.ninja
	ninja -C build -j$(JOBS)

setup:
	cmake/setup.sh

build/build.ninja build-asan/build.ninja: | setup
build/build.ninja:
	cmake -G Ninja -B build $(CMAKE_FLAGS) .
build-asan/build.ninja:
	cmake -G Ninja -B build-asan -DPIPELINK_SANITIZE=ON -DPIPELINK_PLUGIN_DIR=$(CURDIR)/build/lib $(CMAKE_FLAGS) .

demo: all
	examples/hello-callable/demo.sh build

check: all build-asan/build.ninja
	ninja -C build-asan -j$(JOBS) pipelink-test-depends
	.venv/bin/python3 lit-tests/run.py -j$(JOBS) build build-asan

format:
	clang-format-22 -i $(SOURCES)

tidy: build/build.ninja
	run-clang-tidy-22 -quiet -p build -j$(JOBS)

clean:
	rm -rf build build-asan

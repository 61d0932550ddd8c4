# The commands people type; CMake does the work (presets in CMakePresets.json).
.DEFAULT_GOAL := build
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory
JOBS ?= 2
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 30
SOAK_SECONDS ?= 3600
TRACKED = git ls-files '*.c' '*.h' '*.inl'
NEW = git ls-files --others --exclude-standard '*.c' '*.h' '*.inl'

# configures and builds one preset; WERROR=ON stays in the build folder until it is set to OFF
compile = cmake --preset $(1) --log-level=WARNING $(if $(WERROR),-DTX_WERROR=$(WERROR)) >/dev/null && \
	cmake --build --preset $(1) -j $(JOBS)

.PHONY: build demo test test-all test-clang test-asan test-tsan fuzz check-cxx lint format format-check \
	compare zoo python soak coverage bench install clean help

build: ## build/thixis and build/libthixis.a (the default)
	@tools/setup --check core
	@$(call compile,release)

demo: ## install what is missing, build, show a picture
	@tools/setup core
	@$(MAKE) build
	build/thixis demo

test: ## install what is missing, build, run the C tests (at most 3 minutes)
	@tools/setup core
	@echo "== release =="
	@$(MAKE) build
	@ctest --preset release -j $(JOBS)

test-all: ## what CI runs: test, compare, zoo, python, clang, sanitizers, fuzzers, C++17, lint, format (at most 20 minutes)
	@tools/setup all
	@$(MAKE) test WERROR=ON
	@$(MAKE) compare zoo python test-clang test-asan test-tsan fuzz check-cxx lint format-check
	@echo "== all passed =="

DISCRETE_SCENES = $(wildcard scenes/core_*.xml) scenes/balls.xml scenes/balls_elliptic.xml \
	 scenes/joints.xml scenes/humanoid.xml scenes/chain.xml scenes/quadruped.xml scenes/arm.xml
compare: build ## the models in the wheels of Gymnasium and dm_control against MuJoCo
	@echo "== compare =="
	@tools/peers && status=0 || status=$$?; \
	if [ $$status = 75 ]; then echo "SKIPPED: compare needs the wheels of tools/peers.lock, and no package index answers"; \
	elif [ $$status != 0 ]; then exit $$status; \
	else tools/compare_models --wheels && tools/compare_models --wheels --discrete $(DISCRETE_SCENES); fi

zoo: build ## five robots with meshes: none may be three times slower than MuJoCo (bench/zoo)
	@echo "== zoo =="
	@tools/peers && status=0 || status=$$?; \
	if [ $$status = 75 ]; then echo "SKIPPED: zoo needs the wheels of tools/peers.lock, and no package index answers"; \
	elif [ $$status != 0 ]; then exit $$status; \
	else bench/zoo --ci || { status=$$?; [ $$status = 77 ] || exit $$status; }; fi

python: build ## the Python package: source archive, wheel, tests, tutorial (at most 2 minutes)
	@echo "== python =="
	@TX_PYTHON_LIBRARY=$(wildcard $(CURDIR)/build/libthixis.so) tools/python --test && status=0 || status=$$?; \
	if [ $$status = 75 ]; then echo "SKIPPED: python needs the wheels of tools/python.lock, and no package index answers"; \
	else exit $$status; fi

test-clang: ## tests built with clang
	@echo "== clang =="
	@$(call compile,clang)
	@ctest --preset clang -j $(JOBS)

test-asan: ## tests under the address and undefined-behaviour sanitizers
	@echo "== asan =="
	@$(call compile,asan)
	@ctest --preset asan -j $(JOBS)

test-tsan: ## tests that use threads, under the thread sanitizer
	@echo "== tsan =="
	@$(call compile,tsan)
	@ctest --preset tsan -j $(JOBS)

fuzz: ## all fuzzers, FUZZ_SECONDS (30) in total
	@echo "== fuzz =="
	@$(call compile,fuzz)
	@tools/fuzz $(FUZZ_SECONDS)

check-cxx: ## lane text as C++17; every public header alone as C17 and C++17
	@echo "== c++17 =="
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release --target check_cxx

lint: ## layers, lanes tags, instruction sets, fused instructions
	@echo "== lint =="
	@tools/lint --self-test
	@tools/lint build
	@tools/c_reference --check

format: ## rewrite the sources with clang-format
	@{ $(TRACKED); $(NEW); } | xargs -r clang-format -i

format-check: ## fail where clang-format would change a tracked file
	@echo "== format =="
	@$(TRACKED) | xargs -r clang-format --dry-run --Werror

soak: ## long runs: fuzzers for SOAK_SECONDS (3600), then every program in tests/soak/
	@tools/setup all
	@$(MAKE) fuzz FUZZ_SECONDS=$(SOAK_SECONDS)
	@$(MAKE) build
	@for script in tests/soak/*; do \
		if [ -f $$script ] && [ -x $$script ]; then echo "== $$script =="; $$script || exit 1; fi; \
	done

coverage: ## lines and branches of src/ that the tests run, per folder
	@cmake -S . -B build-coverage -DCMAKE_BUILD_TYPE=Debug -DTX_SHARED=OFF -DCMAKE_C_FLAGS="--coverage -DTX_LANE_CALLS" >/dev/null
	@cmake --build build-coverage -j $(JOBS)
	@find build-coverage -name '*.gcda' -delete
	@ctest --test-dir build-coverage -j $(JOBS) | tail -n 5
	@for piece in build URDF attached joints compile save; do TX_PIECE=$$piece build-coverage/tests/test_memory all | tail -n 1; done
	@tools/coverage build-coverage

bench: build ## run the benchmarks
	@if [ -x bench/run ]; then bench/run; else echo "bench/run does not exist yet"; fi

install: build ## install under PREFIX (/usr/local); DESTDIR is honoured
	@cmake --preset release --log-level=WARNING -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null
	@cmake --install build

clean: ## remove the build folders
	rm -rf build build-debug build-asan build-tsan build-clang build-fuzz build-mutate build-coverage

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | expand -t 14

# make            builds all programs into build/
# make run        runs the head unit in a window, with a demo collection or with the music of MUSIC=FOLDER
# make test       runs all required tests: lint, unit tests, real time, binary, conformance, image
# make preview    paints all states of the screen into build/preview.png
# make image      makes a disk image that boots as a head unit; make boot starts it in QEMU
# make help       lists all targets and variables
#
# Missing Debian packages are installed first. make prints why each of these packages is needed.

SWIFT ?= swift
MUSIC ?=
MINUTES ?= 60
BOARD ?= qemu-x86_64
ARGS ?=

BINARY := build/autoharp
# The program that paints samples of the screen. It is not a product: only developers use it.
PREVIEW := .build/release/autoharp-screen-preview
PRODUCTS := autoharp autoharp-controller autoharp-library autoharp-cover autoharp-screen autoharp-app
# An empty file. Its time is the time of the last build of all programs.
PROGRAMS := build/programs
IMAGE_OPTIONS = $(if $(APPS),--apps "$(APPS)") $(if $(DATA_SIZE),--data-size $(DATA_SIZE)) $(if $(REALTIME),--realtime) $(if $(LOCKED),--locked)
# AUTOHARP_IMAGE=FOLDER selects the image in FOLDER instead of the image of BOARD.
SYSTEM := AUTOHARP_IMAGE="$${AUTOHARP_IMAGE:-build/image/$(BOARD)}" build/venv/bin/python -m pytest -v -rs Tests/System

# This assignment is immediate (:=). With `=`, CORPUS would depend on AUTOHARP_CORPUS, and the target test-unit sets
# AUTOHARP_CORPUS from CORPUS: an endless recursion.
ifndef CORPUS
CORPUS := $(AUTOHARP_CORPUS)
endif

# A module can import only the modules that Package.swift lists for it.
CHECKED := --explicit-target-dependency-import-check error
# The runtime is linked statically, so that the binary also runs on machines without Swift. Line tables are enough to
# find the source line of a crash. Debug information about variables would make the build 5 % slower and add 10 MB to
# each binary.
RELEASE := -c release --static-swift-stdlib -Xswiftc -gline-tables-only $(CHECKED)

.DEFAULT_GOAL := build
.NOTPARALLEL:
.PHONY: build run preview test test-structure test-fuzz test-binary test-conformance test-unit test-rt test-tsan
.PHONY: test-asan lint format conformance graph renew-goldens
.PHONY: bench bench-deps bench-scanning bench-library bench-memory bench-phone bench-app bench-drift bench-screen latency soak fuzz clean deps help
.PHONY: image image-lock image-deps boot test-image test-system system-deps first-sound
.PHONY: test-conformance-image test-imagebuilder test-desktop desktop-deps desktop-test-deps

##@ Build and run

# AUTOHARP_ONLY limits the package to the products, so that one `swift build` makes all of them and nothing else. The
# programs start each other from their own folder.
build: deps ## Build all programs into build/ (default)
	AUTOHARP_ONLY="$(PRODUCTS)" $(SWIFT) build $(RELEASE)
	@mkdir -p build
	@cmp -s .build/release/autoharp build/autoharp.unstripped || cp .build/release/autoharp build/autoharp.unstripped
	@for name in $(PRODUCTS); do \
	  strip -o build/$$name.new .build/release/$$name || exit 1; \
	  cmp -s build/$$name.new build/$$name && rm build/$$name.new || mv -f build/$$name.new build/$$name || exit 1; \
	done

run: $(PROGRAMS) ## Run the head unit in a window, or in the terminal if there is no desktop: MUSIC=FOLDER, APP=PROGRAM
	@board/run $(if $(MUSIC),--music "$(MUSIC)") $(if $(APP),--app "$(APP)") $(ARGS)

# `swift build` needs some seconds to find out that nothing has changed. `make run` starts at once if no source is newer
# than this file. The folders are listed too, because their times change when a file is removed.
$(PROGRAMS): $(shell find Package.swift Sources) | deps
	@$(MAKE) --no-print-directory build
	@touch $@

$(PREVIEW): deps
	AUTOHARP_ONLY=autoharp-screen-preview $(SWIFT) build $(RELEASE)

preview: $(PREVIEW) ## Paint all states of the screen into build/preview.png
	@mkdir -p build
	@$(PREVIEW) --sheet build/preview.png
	@echo "build/preview.png; one state: $(PREVIEW) --png FILE --state NAME"

# The fastest parts run first. The Swift tests wait for most of their time, so the image is built and tested at the same
# time.
PARTS := lint test-structure test-imagebuilder test-fuzz test-binary test-conformance test-rt test-unit+test-image

##@ Test

test: deps image-deps ## Run all required tests: style, structure, image builder, fuzz targets, binary, conformance, real time, unit, image
	@MAKE="$(MAKE)" Tests/run-parts.sh $(PARTS)

test-structure: ## Compare folders, pages and the drawing of the modules with the package
	@SWIFT="$(SWIFT)" python3 Tests/Structure/test_structure.py

test-fuzz: deps ## Check that the targets of make fuzz compile
	@Tests/Fuzz/run.sh check

test-binary: build ## Check the release binaries: size, which libraries are in them
	@Tests/Binary/check-binary.sh $(BINARY).unstripped $(BINARY)
	@python3 Tests/Binary/check_libraries.py $(addprefix build/,$(PRODUCTS))

test-conformance: build ## Compare the release binary with flac -d and oggdec on generated files and CORPUS=DIR
	@python3 Tests/Conformance/conformance.py --autoharp $(BINARY) --made $(if $(CORPUS),"$(CORPUS)")
ifeq ($(CORPUS),)
	@echo "Skipped: the corpus. To include it, set CORPUS=DIR or AUTOHARP_CORPUS."
endif

test-conformance-image: image ## Compare the autoharp of the image of BOARD with flac -d, in an emulator if the image is for another processor (1 min)
	@python3 Tests/Conformance/image_program.py $(BOARD)

# Some Swift tests use audio files that are not in the repository. They find the folder by this environment variable.
test-unit: export AUTOHARP_CORPUS = $(if $(CORPUS),$(shell cd "$(CORPUS)" && pwd))
test-unit: deps ## Run the Swift tests, or those of FILTER=NAME
	@SWIFT="$(SWIFT)" CHECKED="$(CHECKED)" Tests/run-unit.sh $(if $(FILTER),"$(FILTER)")

# The test suites that compare results with golden files.
GOLDEN_SUITES = $(shell git grep -lE 'Golden\.|Transcript\(' -- 'Tests/*Tests.swift' | \
  sed 's|.*/||; s|\.swift||' | paste -sd '|')

renew-goldens: deps ## Write all golden files again, and list the changed files
	AUTOHARP_RENEW_GOLDENS=1 $(SWIFT) test $(CHECKED) --filter "$(GOLDEN_SUITES)"
	@git status --short

test-rt: deps ## Run the engine's tests under the real-time sanitizer
	@Tests/Sanitizers/run.sh rt

test-tsan: deps ## Run the tests of code with threads under the thread sanitizer
	@Tests/Sanitizers/run.sh tsan

test-asan: deps ## Run the Swift tests under the address sanitizer
	@Tests/Sanitizers/run.sh asan

# Without CORPUS the target fails at once and does not build first.
conformance: $(if $(CORPUS),build) ## Compare with flac -d and oggdec, file by file: CORPUS=DIR
	@test -n "$(CORPUS)" || { echo "usage: make conformance CORPUS=DIR"; exit 2; }
	@python3 Tests/Conformance/conformance.py --autoharp $(BINARY) "$(CORPUS)"

fuzz: deps ## Test with damaged files and hostile messages
	@Tests/Fuzz/run.sh

# Tests/Desktop needs pytest from build/venv, but not the Debian packages of system-deps.
test-desktop: $(PROGRAMS) desktop-test-deps build/venv/made ## Test make run on a virtual desktop with a real pointer (1 min)
	@build/venv/bin/python -B -m pytest -v -rs Tests/Desktop $(ARGS)

test-system: image system-deps ## Test the image: GROUP=NAME (docs/testing.md lists them), TEST=NAME
	@board/build-image $(BOARD) --swift "$(SWIFT)" $(IMAGE_OPTIONS) --realtime --test-programs
	@$(SYSTEM) $(if $(GROUP),--group $(GROUP)) $(if $(TEST),-k "$(TEST)") $(ARGS)

test-image: image system-deps ## Boot the image twice and check its sound (2 min without KVM)
	@python3 Tests/Binary/check_libraries.py $(addprefix build/image/$(BOARD)/,autoharp autoharp-controller autoharp-screen autoharp-cover autoharp-library)
	@echo "Two boots: 30 s with KVM, 2 min under emulation, longer on a busy machine."
	@$(SYSTEM) -m quick

test-imagebuilder: system-deps ## Run the tests of the program that builds the image (seconds)
	@build/venv/bin/python -m pytest -q Tests/ImageBuilder

##@ Style and drawings

lint: deps ## Check the style of all Swift sources
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests

format: deps ## Rewrite all Swift sources in the style that lint checks
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests

graph: ## Draw docs/modules.svg from the package
	@SWIFT="$(SWIFT)" python3 Tests/Structure/draw_modules.py

##@ Measure

# bench and latency compare Autoharp with mpd and mpv, and soak compares it with mpd. The output reports which of these
# players are not installed.
bench: build bench-deps ## Compare decoding with flac and oggdec, and playing with mpd and mpv (30 min)
	@build/bench-venv/bin/python Tests/Benchmarks/bench.py --autoharp $(BINARY) $(ARGS)

latency: build bench-deps ## Measure the time from a command until it is heard, and compare with mpd and mpv (1 hour)
	@build/bench-venv/bin/python Tests/Benchmarks/latency.py --autoharp $(BINARY) $(ARGS)

bench-scanning: build ## Measure the scan of a collection, and compare with mpd (3 min)
	@python3 Tests/Benchmarks/scanning.py --library build/autoharp-library $(ARGS)

bench-library: build bench-deps ## Measure the library on the control socket: pages, search, queue, memory, a slow stick (10 min)
	@build/bench-venv/bin/python Tests/Benchmarks/library.py --autoharp $(BINARY) $(ARGS)

bench-memory: image bench-deps ## Measure the memory of daemon and library with the programs of the image (1 min; needs root)
	@build/bench-venv/bin/python Tests/Benchmarks/library.py --image build/image/$(BOARD)/tree $(ARGS)

bench-phone: build ## Measure the daemon while a phone plays, and compare with a FLAC file (10 min)
	AUTOHARP_ONLY=StreamingPhone $(SWIFT) build $(RELEASE)
	@python3 Tests/Benchmarks/phone_playing.py --autoharp $(BINARY) --phone .build/release/StreamingPhone $(ARGS)

bench-app: build ## Measure a program that is a source, and compare with mpd (5 min)
	@python3 Tests/Benchmarks/app_playing.py --autoharp $(BINARY) --app build/autoharp-app $(ARGS)

bench-drift: build ## Let phones stream whose clocks differ from the card's by 300 ppm, and watch the lead (12 min)
	AUTOHARP_ONLY=StreamingPhone $(SWIFT) build $(RELEASE)
	@python3 Tests/Benchmarks/phone_drift.py --autoharp $(BINARY) --phone .build/release/StreamingPhone $(ARGS)

bench-screen: build $(PREVIEW) ## Measure the screen: painting, touch to picture, start, a minute of playback (3 min)
	@python3 Tests/Benchmarks/screen.py --autoharp $(BINARY) --screen build/autoharp-screen --preview $(PREVIEW) $(ARGS)

soak: build bench-deps ## Play at the same time as mpd on a busy machine for MINUTES=60, then again with commands
	@build/bench-venv/bin/python Tests/Benchmarks/soak.py --autoharp $(BINARY) --minutes $(MINUTES) $(ARGS)

first-sound: image system-deps ## Measure the time from power-on to sound, compared with a minimal program (BESIDE=FOLDER: and a stock Debian)
	@build/venv/bin/python Tests/System/measure/first_sound.py $(if $(BESIDE),--beside $(BESIDE)) $(ARGS)

##@ The image

image: deps image-deps ## Build the disk image of BOARD (the first time 5 min, then seconds)
	@board/build-image $(BOARD) --swift "$(SWIFT)" $(IMAGE_OPTIONS) $(if $(STEP),--step $(STEP))

image-lock: image-deps ## Renew packages.lock of BOARD with the newest Debian packages
	@board/build-image $(BOARD) --lock

boot: image $(if $(DISPLAY)$(WAYLAND_DISPLAY),desktop-deps) ## Boot the image in QEMU, in a window if there is a desktop; MUSIC=FOLDER: with a stick (Ctrl-A X ends QEMU)
	@board/boot $(BOARD) $(if $(REALTIME),--realtime) $(if $(MUSIC),"$(patsubst ~/%,$(HOME)/%,$(MUSIC))")

image-deps:
	@SWIFT="$(SWIFT)" board/host/install-packages.sh image-packages.list
	@$(if $(wildcard board/host/$(BOARD)-packages.list),SWIFT="$(SWIFT)" board/host/install-packages.sh $(BOARD)-packages.list)

desktop-deps:
	@SWIFT="$(SWIFT)" board/host/install-packages.sh desktop-packages.list

desktop-test-deps:
	@SWIFT="$(SWIFT)" board/host/install-packages.sh desktop-test-packages.list

system-deps: image-deps build/venv/made

build/venv/made:
	@python3 -m venv build/venv
	@build/venv/bin/pip install --quiet -r Tests/System/requirements.txt
	@touch $@

# The benchmarks also run with any other Python 3. In this case they draw no pictures.
bench-deps:
	@[ -e build/bench-venv/made ] || { python3 -m venv build/bench-venv && \
	  build/bench-venv/bin/pip install --quiet -r Tests/Benchmarks/requirements.txt && \
	  touch build/bench-venv/made; }

##@ Other

clean: ## Remove all build results
	rm -rf .build .build-* build

deps: ## Install missing Debian packages, check the version of Swift
	@SWIFT="$(SWIFT)" board/host/install-packages.sh

help: ## Show this list
	@awk -F ':.*## ' '/^##@ / { print "\n" substr($$0, 5) ":" } /^[a-z-]+:.*## / { printf "  make %-23s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "Variables:"
	@echo "  MUSIC=FOLDER     the music of 'make run', or of a stick for 'make boot'"
	@echo "  FILTER=NAME      the Swift tests that 'make test-unit' runs"
	@echo "  GROUP=NAME       the group that 'make test-system' runs; TEST=NAME: tests with this name"
	@echo "  AUTOHARP_CUTS=N  number of power cuts in the system tests"
	@echo "  CORPUS=DIR       more audio files for the tests (or set AUTOHARP_CORPUS)"
	@echo "  BOARD=NAME       the board of the image: $(notdir $(patsubst %/board.conf,%,$(wildcard board/*/board.conf))) (default: qemu-x86_64)"
	@echo "  SWIFT_ARM64=DIR  the Swift toolchain for arm64 from swift.org, whose library is used for arm64 boards"
	@echo "  STEP=NAME        build only this step of the image, and the steps that it needs (root, initrd, ...)"
	@echo "  LOCKED=1         stop if Debian has replaced a version of packages.lock"
	@echo "  APP='PROGRAM ...' make run also starts this program, which is a source: see docs/sources.md"
	@echo "  APPS=FOLDER      add the apps of this folder to the image: see docs/sources.md"
	@echo "  DATA_SIZE=MIB    size of /data in the image, in MiB"
	@echo "  REALTIME=1       use the PREEMPT_RT kernel; the image is in a separate folder"
	@echo "  AUTOHARP_MIRROR=URL  the Debian mirror for the image (default: http://deb.debian.org/debian)"
	@echo "  MINUTES=N        minutes of each phase of 'make soak' (default: 60)"
	@echo "  ARGS='...'       options of board/run or of the benchmark, e.g. make run ARGS='--parked --night --size 480x320',"
	@echo "                   make bench ARGS='--quick', make latency ARGS='--commands 20'"
	@echo "  SWIFT=PATH       the Swift compiler (default: swift)"

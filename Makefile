# The commands of this project. `make serve` and `make test` install what is missing (as root, or
# with sudo), build and run; everything they make is under build/, dist/ and node_modules/.
#
#   make serve         build everything, serve the page, print its address (PORT=8000)
#   make test          every test: native, sanitizers, Wasm under Node, TypeScript, browser
#   make native        build/native/hlo, the command
#   make wasm web dist the engine as Wasm; the page; both, into dist/
#   make conformance   DIR=path/to/conformance: judge the engine by outside cases, and the page by 40 files
#   make page-corpus   DIR=path/to/conformance: open all of its HLO files in the page
#   make page-views    DIR=path/to/conformance: look at all of them in the views of whole programs
#   make bench         timings: cases, start-up, growth, the page; with PEERS=folder beside other engines, whose
#                      benchmark is there; with DIR=path/to/conformance XLA's benchmark modules too;
#                      BENCH=quick or all: less or more
#   make golden-update: rewrite golden expectations, OPS.md
#   make ulp           the functions of f32 at every f32, those of f64 at 20 million: about 20 minutes on two cores
#   make format check  rewrite formatting; check formatting, lint and types
#   make clean
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PORT ?= 8000
DIR ?= ../shared/conformance
SETUP := .ci/setup
# A comma where make would split arguments.
, := ,
export NODE_PATH ?= /usr/share/nodejs
# A Node of our own (see .ci/setup) wins over the system's when that one is too old.
export PATH := $(CURDIR)/build/node/bin:$(PATH)
export EM_CACHE_IS_LOCKED ?= 1
# A clone in another folder may use what this one compiled: object files hold no absolute paths.
export CCACHE_NOHASHDIR ?= 1
export BENCH

# ---- Sources -----------------------------------------------------------------------------------
# A room's folders are parts of the room.
ENGINE := $(filter-out engine/cli/main.cc,$(wildcard engine/*/*.cc engine/*/*/*.cc))
CLI := engine/cli/main.cc
UNIT := $(wildcard tests/unit/*.cc tests/fuzz/*.cc tests/generated/*.cc tests/reference/*.cc tests/replay/*.cc) tests/golden/repeated_runs.cc
GOLDEN := $(wildcard tests/golden/*.cc)
CONFORMANCE := $(wildcard tests/conformance/*.cc) $(wildcard tests/replay/*.cc)
BENCH_PROGRAM := $(wildcard tests/bench/*.cc)
BINDINGS := wasm/bindings.cc wasm/custom_calls.cc
BINDINGS_SMALL := wasm/small_build.cc
BINDINGS_FULL := wasm/full_build.cc wasm/region_installer.cc wasm/program_calls.cc
# What lets programs for Node run generated code, as the full build does.
BINDINGS_NODE := wasm/region_installer.cc

# ---- Compilers ---------------------------------------------------------------------------------
# CXX for the native build, CLANG for the sanitizer build, EMXX for Wasm: one source, three compilers.
CCACHE ?= $(shell command -v ccache 2>/dev/null)
NATIVE_CXX ?= g++
CLANG_CXX ?= $(shell command -v clang++-14 || command -v clang++ || echo clang++)
EMXX ?= em++
INCLUDE := build/include
# Bits are the same on machines that have a fused multiply-add.
FLAGS := -std=c++20 -Wall -Wextra -Werror -ffp-contract=off -I. -isystem $(INCLUDE)
# Rooms without inner loops are compiled in two thirds of the time at -O1, and run as fast but for a tenth.
NATIVE_LEVEL := -O2
NATIVE_PLAIN := cli cost diff graph hlo io layout mlir passes precision proto rewrite run standalone timeline views why tests_
NATIVE_FLAGS = $(FLAGS) $(NATIVE_LEVEL)
$(foreach r,$(NATIVE_PLAIN),build/native/obj/$(r)%.o): NATIVE_LEVEL := -O1
build/native/obj/tests_bench%.o: NATIVE_LEVEL := -O2
# Optimizing takes the compiler three times as long, which pays where tests run long.
ASAN_LEVEL := -O1
ASAN_FLAGS = $(FLAGS) -DHLO_CHECK_ATTRS $(ASAN_LEVEL) -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
ASAN_PLAIN := cli cost diff graph io mlir passes proto rewrite standalone views
$(foreach r,$(ASAN_PLAIN),build/asan/obj/$(r)%.o): ASAN_LEVEL := -O0
# Reading and writing JSON is half of what the views' longest tests do.
build/asan/obj/%_hot-0.o: ASAN_LEVEL := -O1
# Kernels whose vectors would be in memory if the functions that work on them were called: after -Os,
# even -O3 inlines nothing unless told to.
KERNELS_HOT := kernels/arg_extreme kernels/cumulative_fold kernels/reduce_fold kernels/row_loops
# Everything but the inner loops: what is loaded counts for more than how fast it is. Emscripten's -Os
# inlines nothing unless told to, which is for what every word of a text, every element of a literal and
# every instruction of a run goes through; what is asked now and then is made as small as it gets.
WASM_HOT := hlo/lexer hlo/instruction_parser hlo/operand_parser hlo/ir types/scanner \
  types/shape_text types/literal_parse types/number_text types/element_reader run/replica \
  run/loop_runner run/loop_ranges run/island_runner run/island_steps run/island_epilogue plan/region_program views/program_view types/shape types/tensor \
  base/budget $(KERNELS_HOT)
WASM_LEVEL := -Os
# Without the assertions of libraries: what they would catch the sanitizer build finds. Nothing here
# prints integers of 128 bits.
WASM_FLAGS = $(FLAGS) $(WASM_LEVEL) -DNDEBUG -DFMT_USE_INT128=0 -msimd128 -fwasm-exceptions
WASM_SMALL := base cli cost diff graph hlo io layout mlir passes plan precision proto rewrite run standalone threads timeline views why wasm_
$(foreach r,$(WASM_SMALL),build/wasm/obj/$(r)%.o): WASM_LEVEL := -Oz
build/wasm/obj/%_hot-0.o: WASM_LEVEL := -Os -finline-functions
# Functions of f64 are made of small ones: they take a third of the time where those are inlined, and no
# more room.
build/wasm/obj/lanes-%.o: WASM_LEVEL := -O2
# Inner loops are worth the compiler's full effort; the rest is not.
KERNEL_FLAGS := -O3 -fno-math-errno -fno-trapping-math
# Most tests take the compiler longer than they run.
TEST_FLAGS = $(if $(strip $(foreach w,long main bench conformance,$(findstring $(w),$(@F)))),,-O0)
WASM_LINK := -fwasm-exceptions -msimd128 -sALLOW_MEMORY_GROWTH=1 -sALLOW_TABLE_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sABORTING_MALLOC=0
# The level here is Binaryen's, to which -Os leaves inlining. The golden files and what the command is
# tried on end sooner than their programs would be optimized.
WASM_NODE_LINK := $(WASM_LINK) -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sENVIRONMENT=node
wasm_link_level = $(if $(filter golden hlo,$(1)),-O1,-O3)
# Binaryen's own -Os ends with its functions sorted by how often they are called, which shortens indices
# and costs gzip 16 kB: here they stay beside those of the same file, until similar ones are put together,
# which saves it 40 kB. (-Oz would make loops over bytes of memcpy and memset.)
WASM_WEB_LINK := $(WASM_LINK) -O1 -lembind -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=web,worker \
  -sFILESYSTEM=0 -sDYNAMIC_EXECUTION=0 -sEXPORT_NAME=createModule
WASM_OPT ?= $(shell command -v wasm-opt || echo "$$(dirname "$$(readlink -f "$$(command -v $(EMXX))")")/../bin/wasm-opt")
WASM_FEATURES := simd exception-handling bulk-memory sign-ext nontrapping-float-to-int mutable-globals \
  reference-types multivalue
WASM_PASSES := duplicate-function-elimination memory-packing once-reduction \
  dce remove-unused-names remove-unused-brs remove-unused-names optimize-instructions pick-load-signs \
  precompute code-pushing simplify-locals-nostructure vacuum reorder-locals remove-unused-brs \
  coalesce-locals local-cse simplify-locals vacuum reorder-locals coalesce-locals reorder-locals vacuum \
  code-folding merge-blocks remove-unused-brs remove-unused-names merge-blocks precompute \
  optimize-instructions rse vacuum dae-optimizing inlining-optimizing duplicate-function-elimination \
  duplicate-import-elimination simplify-globals-optimizing remove-unused-module-elements directize \
  optimize-added-constants strip-debug strip-producers
# A function that is called once stays one when it is large: beside those that it resembles gzip makes
# less of it than inlined, by 25 kB in all. What is hot the compiler has inlined before. Static data
# starts at 1024, which lets constants become offsets of loads and stores.
WASM_SIZES := --one-caller-inline-max-function-size=30 --always-inline-max-function-size=4 --low-memory-unused
define link_web
$(EMXX) $(filter %.o %.a,$^) $(WASM_WEB_LINK) -o $@
$(WASM_OPT) $(WASM_FEATURES:%=--enable-%) --optimize-level=2 --shrink-level=1 \
  --zero-filled-memory $(WASM_SIZES) $(WASM_PASSES:%=--%) $(@:.mjs=.wasm) -o $(@:.mjs=.wasm)
$(if $(filter %_threads.mjs,$@),,node .ci/order_functions.mjs $(@:.mjs=.wasm))
endef
NODE_FLAGS = $(shell node -p 'process.allowedNodeEnvironmentFlags.has("--experimental-fetch") ? "--no-experimental-fetch" : ""' 2>/dev/null)

# ---- Translation units -------------------------------------------------------------------------
# Sources of a room are compiled several at a time: headers are most of what a compiler reads here.
# TOGETHER=1 compiles each alone.
TOGETHER ?= 50
together = $(if $(strip $(3)),$(patsubst %,build/$(1)/obj/%.o,$(shell .ci/together build/$(1)/together $(TOGETHER) $(2) $(3))))
# Sources that have flags of their own, by build: they make units of their own.
native_HOT :=
asan_HOT := engine/views/json.cc engine/views/json_parts.cc
wasm_HOT := $(WASM_HOT:%=engine/%.cc)
# Sources that make units of their own because the full engine takes others (FAST).
wasm_APART := engine/threads/pool.cc engine/types/convert.cc $(addprefix engine/kernels/,complex_math.cc fourier.cc fourier_matrix.cc fourier_powers.cc fourier_roots.cc \
  gamma_functions.cc incomplete_integrals.cc order_keys.cc random_bits.cc sort_items.cc special_functions.cc \
  special_loops.cc triangular.cc) $(addprefix engine/ops/,movement/scatter_blocks.cc movement/tensor_moves.cc \
  movement/window_starts.cc products/batch_norm_eval.cc products/contraction.cc products/fft_eval.cc products/reduce_blocks.cc random/random_bits.cc random/random_numbers.cc \
  sorting/sort_eval.cc sorting/sort_keys.cc sorting/sort_values.cc sorting/topk.cc windows/convolution_eval.cc windows/convolver.cc windows/cumulative_windows.cc \
  windows/reduce_window.cc windows/select_and_scatter.cc windows/window_walk.cc)
# Tests that compare with a plain loop over many elements, which is worth optimizing.
SLOW := $(addprefix tests/unit/,kernels_products_test.cc layout_film_test.cc layout_map_test.cc layout_relayout_test.cc \
  ops_convolution_test.cc ops_sort_test.cc ops_windows_test.cc plan_region_control_test.cc types_convert_test.cc views_limits_test.cc)
ROOMS := $(sort $(foreach f,$(ENGINE),$(word 2,$(subst /, ,$(f)))))
# Under the sanitizers before the rest of the room: of a library's inline functions the first copy is taken.
hot_objects = $(call together,$(1),$(2)_hot,$(filter engine/$(2)/%,$($(1)_HOT)))
define engine_objects
$(foreach r,$(ROOMS),$(if $(filter asan,$(1)),$(call hot_objects,$(1),$(r))) \
  $(call together,$(1),$(r),$(filter-out $($(1)_HOT) $($(1)_APART) engine/kernels/move_%,$(filter engine/$(r)/%,$(ENGINE)))) \
  $(call together,$(1),$(r)_apart,$(filter engine/$(r)/%,$($(1)_APART))) \
  $(if $(filter asan,$(1)),,$(call hot_objects,$(1),$(r)))) \
$(call together,$(1),kernels_move,$(filter engine/kernels/move_%,$(ENGINE)))
endef
define objects
$(foreach d,$(sort $(dir $(filter-out %/main.cc,$(2)))),$(call together,$(1),$(subst /,_,$(d))part,$(filter-out $(SLOW) %/main.cc,$(filter $(d)%,$(2)))) \
  $(call together,$(1),$(subst /,_,$(d))long,$(filter $(SLOW),$(filter $(d)%,$(2))))) \
$(call alone,$(1),$(filter %/main.cc,$(2)))
endef
# "wasm: 12 of 61" as units are compiled; those of the tests count too when they are wanted.
say = mkdir -p $(@D); echo "$(1): $$((1 + $$(find $(@D) -maxdepth 1 -name '*.o' | wc -l))) of $(words $(wildcard build/$(1)/together/*.cc) $(if $(filter wasm,$(1)),$(FAST)))  $(basename $(@F))"
# Each by itself: what programs choose among.
alone = $(foreach f,$(2),$(call together,$(1),$(subst /,_,$(f:%.cc=%)),$(f)))
define compile_rule
build/$(1)/obj/kernels%.o: build/$(1)/together/kernels%.cc | build/.headers
	@$$(call say,$(1))
	@$$(CCACHE) $(2) $(3) $$(KERNEL_FLAGS) -MMD -MP -c $$< -o $$@
build/$(1)/obj/tests_%.o: build/$(1)/together/tests_%.cc | build/.headers
	@$$(call say,$(1))
	@$$(CCACHE) $(2) $(3) $(5) -MMD -MP -c $$< -o $$@
build/$(1)/obj/%.o: build/$(1)/together/%.cc | build/.headers
	@$$(call say,$(1))
	@$$(CCACHE) $(2) $(3) -MMD -MP -c $$< -o $$@
build/$(1)/libengine.a: $(call engine_objects,$(1))
	@rm -f $$@
	@$(4) rcs $$@ $$^
endef

.PHONY: all serve test native asan wasm web dist bench conformance golden-update format format-check check clean setup \
  test-native test-asan test-wasm test-web test-browser page-corpus page-views ulp
all: native dist

# ---- Set-up ------------------------------------------------------------------------------------
# Everything that has to be there before a rule may run. The stamp is per machine: build/ is not kept.
setup: build/.setup
build/.setup: $(SETUP) package.json package-lock.json
	@mkdir -p build
	@$(SETUP)
	@touch $@
# Header-only libraries as links in a folder of their own: -I/usr/include would hide Emscripten's headers.
build/.headers: | build/.setup
	@mkdir -p $(INCLUDE)
	@for lib in fmt nlohmann doctest CLI xtensor xtl hwy eigen3; do \
	  test -d /usr/include/$$lib || { echo "missing: /usr/include/$$lib (see .ci/setup)"; exit 1; }; \
	  ln -sfn /usr/include/$$lib $(INCLUDE)/$$lib; done
	@touch $@

# ---- Native ------------------------------------------------------------------------------------
$(eval $(call compile_rule,native,$(NATIVE_CXX),$$(NATIVE_FLAGS),ar,$$(TEST_FLAGS)))
$(eval $(call compile_rule,asan,$(CLANG_CXX),$$(ASAN_FLAGS),ar,$$(TEST_FLAGS)))
build/wasm/obj/kernels%.o: KERNEL_FLAGS += -fno-unroll-loops
# What the page's first load has of most of them is small: the full engine has its own (FAST), and
# loops that the first load goes without.
build/wasm/obj/kernels-%.o: KERNEL_FLAGS += -Os -DHLO_SMALL
build/wasm/obj/kernels_apart-%.o: KERNEL_FLAGS += -Oz -DHLO_SMALL
# Copies of long pieces as one instruction of the machine; elsewhere pieces are short.
build/wasm/obj/kernels_move%.o: KERNEL_FLAGS += -mbulk-memory -DHLO_SMALL
# Nothing of the first load is shared among threads.
build/wasm/obj/%_hot-0.o: WASM_LEVEL += -DHLO_SMALL
$(eval $(call compile_rule,wasm,$(EMXX),$$(WASM_FLAGS),emar))
build/wasm/obj/ops_apart-%.o: WASM_LEVEL := -Oz -DHLO_SMALL
# Kernels and conversions once more, as fast as the compiler makes them: in the archive they are small,
# for the page's first load. An object that is named comes before the archive's.
FAST := $(patsubst %,build/wasm/obj/fast_%.o,kernels-0 kernels_apart-0 kernels_hot-0 kernels_move-0 ops_apart-0 \
  plan_hot-0 run_hot-0 types_apart-0)
$(FAST): WASM_LEVEL :=
# These are as fast in the archive, but for what threads share.
$(filter %_hot-0.o,$(FAST)): WASM_LEVEL := -Os -finline-functions
build/wasm/obj/fast_kernels_hot-0.o: KERNEL_FLAGS += -fno-unroll-loops
build/wasm/obj/fast_plan_hot-0.o build/wasm/obj/fast_run_hot-0.o: KERNEL_FLAGS :=
build/wasm/obj/fast_kernels_move%.o: KERNEL_FLAGS += -mbulk-memory
$(FAST): build/wasm/obj/fast_%.o: build/wasm/together/%.cc | build/.headers
	@$(call say,wasm)
	@$(CCACHE) $(EMXX) $(WASM_FLAGS) $(KERNEL_FLAGS) -MMD -MP -c $< -o $@
# The engine comes first: of an inline function that tests have too, the optimized one is taken.
define native_program
build/$(1)/$(4): $(call objects,$(1),$(5)) build/$(1)/libengine.a
	$(2) $(3) -Wl,--whole-archive build/$(1)/libengine.a -Wl,--no-whole-archive $$(filter %.o,$$^) -o $$@
endef
PROGRAMS := hlo=CLI unit=UNIT golden=GOLDEN conformance=CONFORMANCE bench=BENCH_PROGRAM
$(foreach p,$(PROGRAMS),$(eval $(call native_program,native,$(NATIVE_CXX),,$(word 1,$(subst =, ,$(p))),$($(word 2,$(subst =, ,$(p)))))))
ASAN_LINK := -fsanitize=address$(,)undefined
$(foreach p,$(filter-out bench=%,$(PROGRAMS)),$(eval $(call native_program,asan,$(CLANG_CXX),$(ASAN_LINK),$(word 1,$(subst =, ,$(p))),$($(word 2,$(subst =, ,$(p)))))))

native: build/.setup
	@$(MAKE) -j$(JOBS) --no-print-directory build/native/hlo
asan: build/.setup
	@$(MAKE) -j$(JOBS) --no-print-directory build/asan/unit build/asan/golden

# ---- Wasm --------------------------------------------------------------------------------------
# Programs for Node are CommonJS; the project's own package.json says that .js files are modules.
build/wasm/package.json: build/.headers
	@mkdir -p $(@D)
	@echo '{"type": "commonjs"}' >$@
define wasm_program
build/wasm/$(1).js: $(FAST) $(call objects,wasm,$(2)) $(call alone,wasm,$(BINDINGS_NODE)) build/wasm/libengine.a | build/wasm/package.json
	$(EMXX) $$^ $$(WASM_NODE_LINK) $(call wasm_link_level,$(1)) -o $$@
endef
$(foreach p,$(PROGRAMS),$(eval $(call wasm_program,$(word 1,$(subst =, ,$(p))),$($(word 2,$(subst =, ,$(p)))))))
# The engine twice: what a page needs for HLO, which it loads first, and all of it.
# Alignments are hints that no engine heeds, and gzip makes 2 kB less of them when they are all the same. Atomic
# operations, which need theirs, are in the build with threads alone.
build/wasm/engine.mjs: WASM_PASSES += precompute-propagate optimize-instructions vacuum coalesce-locals reorder-locals \
  dae-optimizing duplicate-function-elimination directize remove-unused-module-elements \
  dae-optimizing duplicate-function-elimination code-pushing simplify-locals vacuum remove-unused-brs merge-blocks \
  optimize-instructions vacuum coalesce-locals reorder-locals merge-locals coalesce-locals reorder-locals vacuum dealign
build/wasm/engine.mjs: $(call alone,wasm,$(BINDINGS) $(BINDINGS_SMALL)) build/wasm/libengine.a
	$(link_web)
build/wasm/engine_full.mjs: $(FAST) $(call alone,wasm,$(BINDINGS) $(BINDINGS_FULL)) build/wasm/libengine.a
	$(link_web)
# The full engine again, with threads, for pages that are isolated. All objects are those of the other
# but the pool of threads: what threads run has neither atomic operations nor variables of its own, so
# that it need not be compiled for them, as the linker would have it.
THREAD_POOL := build/wasm/obj/pthread_pool.o
$(THREAD_POOL): build/wasm/together/threads_apart-0.cc | build/.headers
	@$(call say,wasm)
	@$(CCACHE) $(EMXX) $(WASM_FLAGS) -pthread -MMD -MP -c $< -o $@
build/wasm/engine_threads.mjs: WASM_WEB_LINK += -pthread -Wl,--no-check-features -Wno-pthreads-mem-growth \
  -sDEFAULT_PTHREAD_STACK_SIZE=2MB
build/wasm/engine_threads.mjs: WASM_FEATURES += threads
# Landing pads leave what they look for in a variable that the library for threads has once for each of
# them, and objects that are not compiled for threads once for all: so it comes from the other library. Only
# the thread that runs programs has such pads; pieces and the pool catch everything or nothing.
UNWINDER = $(firstword $(wildcard $(addprefix $(shell em-config CACHE)/sysroot/lib/wasm32-emscripten/libunwind-,\
  except.a legacyexcept.a wasmexcept.a)))
build/wasm/engine_threads.mjs: WASM_WEB_LINK += $(UNWINDER)
# It is fetched less often: passes that make it small are left out, and the order of functions stays.
build/wasm/engine_threads.mjs: WASM_PASSES := dce remove-unused-names optimize-instructions precompute simplify-locals vacuum \
  coalesce-locals reorder-locals inlining-optimizing duplicate-function-elimination optimize-added-constants strip-debug strip-producers
build/wasm/engine_threads.mjs: $(FAST) $(THREAD_POOL) $(call alone,wasm,$(BINDINGS) $(BINDINGS_FULL) wasm/thread_calls.cc) build/wasm/libengine.a | build/wasm/package.json
	$(link_web)
# The package that `import { createEngine } from "hlo-playground"` finds.
build/npm/index.js: build/wasm/engine_full.mjs $(wildcard wasm/*.ts) wasm/types.tsconfig.json package.json
	npm run --silent build:package
wasm: build/.setup
	@$(MAKE) -j$(JOBS) --no-print-directory build/npm/index.js build/wasm/hlo.js

# ---- Page --------------------------------------------------------------------------------------
WEB_SOURCES := $(shell find web wasm -type f -not -name '*.cc' 2>/dev/null)
dist/index.html: build/wasm/engine.mjs build/wasm/engine_full.mjs build/wasm/engine_threads.mjs $(WEB_SOURCES) package.json
	npm run --silent build
	@touch $@
web dist: build/.setup
	@$(MAKE) -j$(JOBS) --no-print-directory dist/index.html
serve: dist
	@node web/serve.mjs dist $(PORT)

# ---- Tests -------------------------------------------------------------------------------------
# tests/run.mjs runs the suites, two at a time, and adds up what they report.
NEEDS_native := build/native/hlo build/native/unit build/native/golden
NEEDS_asan := build/asan/unit build/asan/golden
NEEDS_wasm := build/wasm/unit.js build/wasm/golden.js build/wasm/hlo.js build/npm/index.js
NEEDS_web := build/npm/index.js dist/index.html
NEEDS_browser := dist/index.html
SUITES := native asan wasm web browser
test: build/.setup
	@$(MAKE) -j$(JOBS) --no-print-directory $(sort $(foreach s,$(SUITES),$(NEEDS_$(s)))) build/native/conformance
	@LONG=$(LONG) node tests/run.mjs
$(addprefix test-,$(SUITES)): test-%: build/.setup
	@$(MAKE) -j$(JOBS) --no-print-directory $(NEEDS_$*)
	@node tests/run.mjs $*
conformance: build/.setup
	@$(MAKE) -j$(JOBS) --no-print-directory build/native/conformance build/wasm/conformance.js
	@echo "native:"; build/native/conformance $(DIR) --list tests/conformance/exceptions.txt
	@echo "Wasm (Node):"; node $(NODE_FLAGS) build/wasm/conformance.js $(DIR) --list tests/conformance/exceptions.txt
	@$(MAKE) -j$(JOBS) --no-print-directory dist/index.html
	@echo "page:"; node tests/conformance/page.mjs $(DIR)/hlo/files 40
page-corpus: build/.setup
	@$(MAKE) -j$(JOBS) --no-print-directory dist/index.html
	@node tests/conformance/page.mjs $(DIR)/hlo/files
page-views: build/.setup
	@$(MAKE) -j$(JOBS) --no-print-directory dist/index.html
	@node tests/conformance/views.mjs $(DIR)/hlo/files
golden-update: build/.setup
	@$(MAKE) -j$(JOBS) --no-print-directory build/native/golden build/native/hlo
	@build/native/golden --update tests/data
	@build/native/hlo ops --markdown >engine/ops/OPS.md
ulp: build/.setup
	@$(MAKE) -j$(JOBS) --no-print-directory build/native/unit
	@HLO_ULP_STEP=1 build/native/unit -tc='functions of f32*,functions of f64*,functions of two f64*'
# By default in less than ten minutes; BENCH=quick in two or three, BENCH=all with the programs in C++ too.
# XLA's CPU benchmark modules too where they are: in DIR, or in a folder "conformance" beside PEERS.
BENCH_MODULES = $(firstword $(wildcard $(DIR)/hlo/files $(PEERS)/../conformance/hlo/files))
bench: build/.setup
	@$(MAKE) -j$(JOBS) --no-print-directory build/npm/index.js
	@$(MAKE) -j$(JOBS) --no-print-directory dist/index.html
	@date +%s >build/bench_start
	@$(if $(PEERS),for where in node chrome; do echo "beside other engines ($$where):"; \
	  node tests/bench/peers.mjs $(PEERS) $$where; done,node tests/bench/cases.mjs)
	@$(if $(BENCH_MODULES),node tests/bench/modules.mjs $(BENCH_MODULES))
	@node tests/bench/startup.mjs
	@node tests/bench/growth.mjs
	@node tests/bench/timeline.mjs
	@$(if $(filter quick,$(BENCH)),,node tests/bench/page.mjs)
	@$(if $(filter all,$(BENCH)),$(MAKE) -j$(JOBS) --no-print-directory build/native/bench build/wasm/bench.js && \
	  echo "native:" && build/native/bench $(DIR) && echo "wasm (Node):" && node $(NODE_FLAGS) build/wasm/bench.js $(DIR))
	@echo "make bench took $$(( $$(date +%s) - $$(cat build/bench_start) )) s, besides building"

# ---- Tidiness ----------------------------------------------------------------------------------
CXX_FILES = $(shell git ls-files '*.cc' '*.h' '*.def' 2>/dev/null | grep -v '\.def$$')
format: build/.setup
	@clang-format-14 -i $(CXX_FILES)
	@npm run --silent format
format-check: build/.setup
	@$(if $(CXX_FILES),clang-format-14 --dry-run -Werror $(CXX_FILES))
check: format-check
	@npm run --silent lint
	@npm run --silent typecheck
	@for room in $(ROOMS); do echo "names of engine/$$room"; \
	  find engine/$$room -name '*.cc' | sort | grep -v cli/main.cc | sed 's/.*/#include "&"/' >build/room.cc; \
	  $(NATIVE_CXX) $(FLAGS) -fsyntax-only build/room.cc || exit 1; done
	@echo "$(filter engine/%,$(ENGINE)) $(CLI)" | tr ' ' '\n' | xargs -P$(JOBS) -n4 \
	  sh -c 'clang-tidy-14 --quiet "$$@" -- -x c++ $(filter-out -Werror,$(FLAGS))' clang-tidy
clean:
	rm -rf build dist test-results playwright-report

-include $(shell find build -name '*.d' 2>/dev/null)

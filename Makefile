# make serve: build the app and open it. make test: all tests. Both install what they need when it is missing.

TOOLS ?= $(or $(DESK_TOOLS),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/streaming-pipeline-desk/tools)
export PATH := $(TOOLS)/bin:$(PATH)
SETUP := ./scripts/setup.sh
# Laws are held against the same random designs every time; another number takes others.
export PROPTEST_RNG_SEED ?= 1
WASM := --target wasm32-unknown-unknown

.PHONY: serve dev build test lint unit browser-test e2e size bench bench-core bench-edit help

help: ## this list
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: ## build the app as it ships and open it on http://127.0.0.1:8080
	$(SETUP) wasm
	trunk serve --release $(if $(shell command -v xdg-open),--open)

dev: ## the same, unoptimised, rebuilt on every change
	$(SETUP) wasm
	trunk serve

build: ## the app as it ships, in dist/
	$(SETUP) wasm
	trunk build --release

test: lint unit browser-test build size e2e ## everything that must hold
	@echo "all tests passed"

lint: ## formatting, clippy on both targets, documentation without warnings
	$(SETUP) rust
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings
	cargo clippy --lib --bins $(WASM) -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --quiet

unit: ## unit, property, snapshot and layer tests, natively
	$(SETUP) rust
	cargo test

browser-test: ## tests of what touches a browser type, in headless Chromium
	$(SETUP) wasm browser
	CHROMEDRIVER=$$(command -v chromedriver) cargo test $(WASM) --test browser

size: ## the download of a first visit against its budget
	node scripts/size.mjs dist

e2e: ## user journeys in headless Chromium, on the built app
	$(SETUP) browser
	npm run --silent e2e

bench: bench-core bench-edit ## what an edit costs: the analysis natively, and the whole edit in Chromium

bench-core: ## time of the analysis at 100, 1,000 and 10,000 elements
	$(SETUP) rust
	cargo bench

bench-edit: build ## main-thread work from an edit to its frame in headless Chromium, at 200, 1,000 and 2,000 elements
	$(SETUP) browser
	node scripts/frame.mjs

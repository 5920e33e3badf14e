#!/usr/bin/env bash
# Installs what a target of the Makefile needs and what is missing, says so, and is quick when nothing is.
# Usage: scripts/setup.sh rust|wasm|node|browser ...
set -euo pipefail
cd "$(dirname "$0")/.."

tools="${DESK_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/streaming-pipeline-desk/tools}"
trunk_version=0.21.14
say() { printf '\033[1msetup:\033[0m %s\n' "$*" >&2; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

debian() {
  say "installing Debian packages: $* (about a minute)"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
}

locked_version() { # crate: its version in Cargo.lock
  awk -v crate="$1" '$1 == "name" && $3 == "\"" crate "\"" { getline; gsub(/"/, "", $3); print $3; exit }' Cargo.lock
}

rust() {
  command -v cargo >/dev/null || { say "Rust is missing: install rustup first (rustup.rs), then call make again"; exit 1; }
  local channel
  channel=$(awk -F'"' '/^channel/ { print $2 }' rust-toolchain.toml)
  if ! rustup run "$channel" rustc --version >/dev/null 2>&1; then
    say "installing Rust $channel (about a minute)"
    rustup toolchain install "$channel" --profile minimal --component rustfmt --component clippy
  fi
  if ! rustup target list --installed | grep -qx wasm32-unknown-unknown; then
    say "installing the WebAssembly target (about 10 s)"
    rustup target add wasm32-unknown-unknown
  fi
  for component in clippy rustfmt; do
    rustup component list --installed | grep -q "^$component" || rustup component add "$component"
  done
}

has_version() { # command, version
  [ -x "$tools/bin/$1" ] && "$tools/bin/$1" --version 2>/dev/null | grep -qF " $2"
}

wasm() {
  rust
  # Light build profiles: these tools are not what is shipped, and the stock profiles take six times as long.
  export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
  local bindgen
  bindgen=$(locked_version wasm-bindgen)
  if ! has_version wasm-bindgen "$bindgen"; then
    say "building wasm-bindgen-cli $bindgen (about 3 min, once)"
    CARGO_PROFILE_RELEASE_OPT_LEVEL=1 cargo install --quiet wasm-bindgen-cli --version "$bindgen" --no-default-features --force --root "$tools"
  fi
  if ! has_version trunk "$trunk_version"; then
    say "building trunk $trunk_version (about 4 min, once)"
    CARGO_PROFILE_RELEASE_OPT_LEVEL=0 cargo install --quiet trunk --version "$trunk_version" --locked --no-default-features --force --root "$tools"
  fi
  node
}

node() {
  command -v npm >/dev/null || debian nodejs npm
  if [ ! -d node_modules ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    say "installing fonts and the browser test library (a few seconds)"
    npm ci --ignore-scripts --no-audit --no-fund --silent
  fi
}

browser() {
  node
  command -v chromium >/dev/null || debian chromium
  command -v chromedriver >/dev/null || debian chromium-driver
}

for part in "$@"; do
  case "$part" in
    rust | wasm | node | browser) "$part" ;;
    *) say "unknown part: $part"; exit 2 ;;
  esac
done

#!/bin/sh
# Writes the service worker of a build: its version is the hash of all files, its list is all files.
set -eu
source_dir="$TRUNK_SOURCE_DIR"
cd "$TRUNK_STAGING_DIR"
files=$(find . -type f ! -name sw.js | LC_ALL=C sort | sed 's|^\./||')
version=$(printf '%s\n' "$files" | while read -r file; do sha256sum "$file"; done | sha256sum | cut -c1-16)
list=$(printf '"%s",' $files)
sed -e "s|__VERSION__|$version|" -e "s|\"__ASSETS__\"|\"./\",$list|" "$source_dir/public/sw.template.js" >sw.js

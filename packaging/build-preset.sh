# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sourced by app/run and tests/run after `root` is set: build PRESET, quiet unless it fails.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
# configure PRESET: a build folder whose tests are known, though not built
configure() {
    mkdir -p "$root/build"
    (cd "$root" && cmake --preset "$1") >"$root/build/$1.log" 2>&1 && return 0
    tail -n 40 "$root/build/$1.log" >&2
    printf 'The build could not be prepared; all of its output is in %s\n' "$root/build/$1.log" >&2
    return 1
}
build() {
    local log="$root/build/$1.log" begin=$SECONDS
    mkdir -p "$root/build"
    printf 'Building (%s) ...\n' "$1" >&2
    if ! (cd "$root" && cmake --preset "$1" && cmake --build --preset "$1" -j "$(nproc)") >"$log" 2>&1; then
        grep -nE 'error|FAILED' "$log" | head -n 20 >&2 || true
        tail -n 40 "$log" >&2
        printf 'The build failed; all of its output is in %s\n' "$log" >&2
        return 1
    fi
    printf 'Built (%s) in %d s\n' "$1" $((SECONDS - begin)) >&2
}

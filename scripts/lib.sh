# Functions shared by the scripts in this directory. Set `root`, the repository, before sourcing it.
# shellcheck shell=sh
# shellcheck disable=SC2034 # variables used by those scripts

: "${root:?}"

# Packages needed to build offread on a bare Debian or Ubuntu. `a|b` means that either is sufficient;
# the first that the distribution has is installed.
build_packages='g++ pkg-config ca-certificates libncursesw5-dev|libncurses-dev libxml2-dev
  libcurl4-openssl-dev libpsl-dev libsqlite3-dev libunistring-dev libfribidi-dev zlib1g-dev
  libbrotli-dev libzstd-dev nettle-dev libuchardet0 libturbojpeg0-dev libpng-dev libwebp-dev
  libgif-dev libavif-dev libchafa0t64|libchafa0'

# Additional programs started by the tests and checks: binutils for nm and the linker of Swift's clang,
# python3 for scripts/plain-words.
test_packages='binutils tmux mandoc openssl strace poppler-utils python3'
# Programs started only by `scripts/test --all`: other shells, and other implementations to compare with.
judge_packages='zsh fish python3-venv pandoc chromium bubblewrap'

swift_minimum=6.2
swift_advice='install it from https://www.swift.org/install/linux and put it on your PATH'

# Prints an error message and exits with status 1.
fail() {
  printf 'offread: %s\n' "$*" >&2
  exit 1
}

is_installed() {
  alternatives=$1
  while [ -n "$alternatives" ]; do
    case $(dpkg-query -W -f='${Status}' "${alternatives%%|*}" 2>/dev/null) in
      'install ok installed') return 0 ;;
    esac
    case $alternatives in
      *'|'*) alternatives=${alternatives#*|} ;;
      *) return 1 ;;
    esac
  done
}

# Prints the first alternative that apt can install, or the last one if it can install none.
installable() {
  alternatives=$1
  while case $alternatives in *'|'*) true ;; *) false ;; esac; do
    if apt-cache show "${alternatives%%|*}" >/dev/null 2>&1; then break; fi
    alternatives=${alternatives#*|}
  done
  printf '%s\n' "${alternatives%%|*}"
}

# Runs a command as root. Without a terminal, sudo must not ask for a password.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif [ -t 2 ]; then
    sudo "$@"
  else
    sudo -n "$@"
  fi
}

# Installs the missing ones of the given system packages.
install_packages() {
  missing=
  for package in "$@"; do
    is_installed "$package" || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0

  names=
  for package in $missing; do names="$names ${package##*|}"; done
  by_hand="apt install$names"
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    fail "system packages are missing; as root, run: $by_hand"
  fi

  printf 'offread: installing system packages:%s\n' "$names" >&2
  log=$(mktemp) || fail 'cannot create a temporary file'
  # A failure may concern another package source. If it matters, the installation fails below.
  as_root apt-get -q update >"$log" 2>&1 </dev/null || true
  names=
  for package in $missing; do names="$names $(installable "$package")"; done
  # shellcheck disable=SC2086 # a list of words
  if ! as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends $names >>"$log" 2>&1 </dev/null; then
    if grep -qE '^sudo:' "$log"; then
      reason='sudo failed'
    elif grep -qiE 'failed to fetch|unable to locate|not resolve|failure resolving' "$log"; then
      reason='cannot reach the package servers'
    else
      grep -E '^(E|dpkg):' "$log" | tail -n 5 >&2
      reason='apt cannot install the missing packages'
    fi
    rm -f "$log"
    fail "$reason; install by hand: $by_hand"
  fi
  rm -f "$log"
}

prepared=

# Ensures that a Swift toolchain and the given system packages are installed.
prepare() {
  prepared=$*
  command -v swift >/dev/null ||
    fail "Swift $swift_minimum or newer is required: $swift_advice"
  command -v git >/dev/null || fail 'git is required to fetch Swift packages: install git'
  # If the toolchain does not start, the packages installed below may contain the missing library.
  check_swift "$(swift_version)"
  if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
    install_packages "$@"
  elif [ ! -e "$root/.build/workspace-state.json" ]; then
    printf 'offread: apt-get is not available; install the development files of %s %s\n' \
      'ncursesw, libxml2, libcurl, libpsl, sqlite3, libunistring, fribidi, zlib, brotli, zstd,' \
      'uchardet, turbojpeg, libpng, libwebp, giflib, libavif, chafa, and a C++ compiler' >&2
  fi
  version=$(swift_version)
  [ -n "$version" ] || fail 'swift --version failed; run it to see why'
  check_swift "$version"
}

# Prints the version of Swift, such as 6.3.1, or nothing if `swift` does not start.
swift_version() {
  swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1
}

check_swift() {
  [ -n "$1" ] || return 0
  oldest=$(printf '%s\n%s\n' "$1" "$swift_minimum" | sort -V | head -n 1)
  [ "$oldest" = "$swift_minimum" ] ||
    fail "Swift $1 is too old; $swift_minimum or newer is required: $swift_advice"
}

# Fetches the Swift packages on which offread depends, unless that was done before.
fetch_dependencies() {
  [ ! -e "$root/.build/workspace-state.json" ] || return 0
  mkdir -p "$root/.build" || fail "cannot write to $root"
  log=$root/.build/fetch.log
  [ ! -t 2 ] || printf 'offread: fetching Swift packages\n' >&2
  if ! swift package --package-path "$root" resolve >"$log" 2>&1; then
    rm -f "$root/.build/workspace-state.json"
    if grep -qiE 'resolve host|unable to access|failed to clone|git command|timed out|unreachable' "$log"; then
      fail 'cannot fetch Swift packages from github.com: go online and run this again'
    fi
    cat "$log" >&2
    fail 'cannot fetch Swift packages'
  fi
}

release_binary=
release_stamp=
link_options=

# Builds the release binary if it is older than any of its sources, and sets `release_binary`. With OFFREAD_SMALL=1 the
# build fails if the program would contain all data of ICU.
build_release() {
  release_binary=$root/.build/release/offread
  # Contains the options of the linker, which are empty if the program contains whole libraries.
  release_stamp=$root/.build/release.stamp
  if [ -x "$release_binary" ] && [ -e "$release_stamp" ] &&
    { [ -z "${OFFREAD_SMALL-}" ] || [ -s "$release_stamp" ]; } &&
    [ -z "$(find "$root/Package.swift" "$root/Sources" "$root/Helpers/StaticLibraries" "$root/Helpers/UnicodeData" \
      -newer "$release_stamp" | head -n 1)" ]; then
    return 0
  fi
  # shellcheck disable=SC2086 # a list of words
  prepare $build_packages
  fetch_dependencies
  reduce_libraries
  started=$root/.build/release.started
  printf '%s' "$link_options" >"$started" || fail "cannot write to $root/.build"
  if [ -t 2 ]; then
    printf 'offread: building; the first build takes a few minutes\n' >&2
    build_product >&2 || fail 'the build failed; see above'
  else
    log=$root/.build/release.log
    build_product >"$log" 2>&1 || {
      cat "$log" >&2
      fail 'the build failed; see above'
    }
  fi
  mv -f "$started" "$release_stamp"
}

# Sets `link_options` to the options that make the program 35 MB smaller.
reduce_libraries() {
  link_options=$("$root/scripts/reduce-libraries" "$root/.build/libraries") || {
    [ -z "${OFFREAD_SMALL-}" ] || fail 'cannot make the program smaller; see above'
    printf 'offread: warning: the program contains all data of ICU, so it is 35 MB larger; see above\n' >&2
    link_options=
  }
}

# Builds the program without a library path beside it, from which a planted library could be loaded, and without the
# path of the sources, so that builds are reproducible. -internalize-at-link lets the linker remove unused public functions.
# The metadata of concrete types is not looked up by mangled names
# (-disable-concrete-type-metadata-mangled-name-accessors): that takes 15 % of the instructions of a short run.
# No exception passes through functions of Swift and C, so they need no unwinding tables (force-attribute=nounwind).
# Each function has a section of its own (-function-sections), so that the linker removes unused functions and merges
# equal ones.
build_product() {
  # shellcheck disable=SC2086 # a list of words
  swift build --package-path "$root" -c release --static-swift-stdlib --disable-local-rpath \
    -Xcxx "-ffile-prefix-map=$root=." -Xcc "-ffile-prefix-map=$root=." -Xcc -fno-asynchronous-unwind-tables \
    -Xswiftc -Xllvm -Xswiftc -force-attribute=nounwind \
    -Xswiftc -file-prefix-map -Xswiftc "$root=." -Xswiftc -Xfrontend -Xswiftc -internalize-at-link \
    -Xswiftc -Xfrontend -Xswiftc -function-sections \
    -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
    $link_options --product offread </dev/null
}

# Fails if the log of a build has warnings in the project's own code, or those that contain TEXT. A file with a warning
# is touched, so that the next build compiles it and prints the warning again: reject_warnings LOG [TEXT]
reject_warnings() {
  warnings=$(grep -F -e "$root/Sources/" -e "$root/Tests/" ${2:+-e "$2"} "$1" |
    grep -F 'warning:' | sort -u || true)
  [ -n "$warnings" ] || return 0
  printf '%s\n' "$warnings" >&2
  printf '%s\n' "$warnings" | sed -n 's/:[0-9]*:[0-9]*: warning:.*//p' | sort -u |
    while IFS= read -r file; do touch -c -- "$file"; done
  fail 'the build has warnings'
}

# Compiles each target as a whole, which takes a fifth less time in total if everything has to be compiled.
whole_targets='-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2'

# Builds with a sanitizer, in a directory of its own, and sets `build` to that directory. The build for AddressSanitizer
# has the tests of the cache, and the program of scripts/fuzz: build_sanitized thread|address LOG [OPTION]...
# With `none`, only that program is built, optimized and without a sanitizer.
build_sanitized() {
  build=$root/.build/sanitize-$1
  log=$2
  # Package.swift reads this variable and declares only the necessary targets.
  export OFFREAD_SANITIZE="$1"
  shift 2
  [ "$OFFREAD_SANITIZE" = none ] || set -- --sanitize "$OFFREAD_SANITIZE" "$@"
  # shellcheck disable=SC2086 # lists of words
  swift build --scratch-path "$build" --disable-index-store $whole_targets \
    ${OFFREAD_TEST_ALL:+-debug-info-format none} "$@" >"$log" 2>&1 </dev/null || {
    grep -E 'error:' "$log" | sort -u | head -n 40 >&2
    fail "the build failed; the complete output is in $log"
  }
  reject_warnings "$log"
}

# Prints the path of llvm-objcopy of the toolchain, or the name of the system's objcopy.
find_objcopy() {
  objcopy=$(swiftc -print-target-info 2>/dev/null |
    sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift[^/]*".*|\1/bin/llvm-objcopy|p')
  [ -x "$objcopy" ] || objcopy=objcopy
  printf '%s\n' "$objcopy"
}

# Writes a program without symbols: strip_program PROGRAM OUTPUT [OPTION]... GNU strip would remove the segment that
# makes relocated data read-only (RELRO) from a program linked by lld, so llvm-objcopy of the toolchain is used.
strip_program() {
  program=$1
  stripped=$2
  shift 2
  objcopy=$(find_objcopy)
  "$objcopy" --strip-all "$@" "$program" "$stripped" || return 1
  if readelf -lW "$program" | grep -q GNU_RELRO && ! readelf -lW "$stripped" | grep -q GNU_RELRO; then
    rm -f -- "$stripped"
    printf 'offread: %s removes the protection of relocated data\n' "$objcopy" >&2
    return 1
  fi
}

# Packages needed to build the optional program that reads ZIM files.
zim_packages='g++ pkg-config libzim-dev'

# Builds the program that reads ZIM files: build_zim OUTPUT-FILE
build_zim() {
  pkg-config --exists libzim || fail 'ZIM files need libzim: install libzim-dev'
  # shellcheck disable=SC2046 # a list of words
  "${CXX:-c++}" -std=c++17 -O2 -Wall -Wextra -fstack-protector-strong -D_FORTIFY_SOURCE=2 \
    -o "$1" "$root/Helpers/Zim/offread-zim.cpp" $(pkg-config --cflags --libs libzim) ||
    fail 'cannot build offread-zim; see above'
}

# The list of installed files, relative to the prefix.
manifest=share/offread/installed-files

default_prefix() {
  if [ -n "${1-}" ]; then
    printf '%s\n' "$1"
  elif [ "$(id -u)" -eq 0 ]; then
    printf '/usr/local\n'
  else
    printf '%s\n' "${HOME:?}/.local"
  fi
}

# Appends a duration to the file named by OFFREAD_TIMES, if that is set: record SECONDS NAME
record() {
  [ -z "${OFFREAD_TIMES-}" ] || printf '%s %s\n' "$1" "$2" >>"$OFFREAD_TIMES"
}

step_name=
step_start=0

# Prints the name of the next step and ends the current one.
step() {
  end_step
  step_name=$*
  step_start=$(date +%s)
  printf '== %s\n' "$*"
}

end_step() {
  [ -z "$step_name" ] || record "$(($(date +%s) - step_start))" "$step_name"
  step_name=
}

# The process groups and the subshells that run in the background.
beside_groups=
beside_shells=

# Starts a script or a function in the background: beside NAME COMMAND [ARGUMENT]...
# Scripts get a lower priority than tests, except for compilers, whose priority SwiftPM sets.
beside() {
  beside_name=$1
  shift
  beside_log=$root/.build/beside-$beside_name.log
  rm -f -- "$beside_log.seconds"
  beside_start=$(date +%s)
  if [ -x "$1" ]; then
    # shellcheck disable=SC2016 # for the inner shell
    setsid nice sh -c 'end=$1 start=$2; shift 2; "$@" || exit; echo $(($(date +%s) - start)) >"$end"' \
      sh "$beside_log.seconds" "$beside_start" "$@" >"$beside_log" 2>&1 </dev/null &
    beside_groups="$beside_groups $!"
  else
    {
      "$@"
      printf '%s\n' "$(($(date +%s) - beside_start))" >"$beside_log.seconds"
    } >"$beside_log" 2>&1 </dev/null &
    beside_shells="$beside_shells $!"
  fi
  eval "beside_$beside_name=$!"
}

# Waits for a background command, prints its output, and exits if it failed: await NAME [STEP]
# Its duration is recorded under the name STEP.
await() {
  beside_process=
  eval "beside_process=\$beside_$1"
  status=0
  wait "$beside_process" || status=$?
  beside_groups=$(printf '%s' "$beside_groups" | sed "s/ $beside_process\\b//")
  cat "$root/.build/beside-$1.log"
  [ "$status" -eq 0 ] || exit "$status"
  [ -z "${2-}" ] || record "$(cat "$root/.build/beside-$1.log.seconds")" "$2"
}

# Ends the background commands.
end_beside() {
  for group in $beside_groups; do kill -- "-$group" 2>/dev/null || true; done
  for shell in $beside_shells; do wait "$shell" 2>/dev/null || true; done
}

# Prints the duration of each step, and the ten slowest tests in the given test logs.
print_times() {
  end_step
  printf '== durations\n'
  awk '{ seconds = $1; sub(/^[0-9]+ /, ""); printf "%6d s  %s\n", seconds, $0 }' "$OFFREAD_TIMES"
  printf '== slowest tests\n'
  for log in "$@"; do
    kind=${log##*/}
    sed -nE "s/^[^ ]+ +Test (.*) passed after ([0-9.]+) seconds.*/\\2 \\1 (${kind%.log})/p" "$log"
  done | grep -v ' run with [0-9]* tests* in ' | sort -rn | head -n 10 |
    awk '{ seconds = $1; sub(/^[0-9.]+ /, ""); printf "%8.1f s  %s\n", seconds, $0 }'
}

# Prints the lines of a test log that report failures, or the end of the log if there are none. A message may have
# several lines; it ends at a line that starts with the symbol of another event.
failures() {
  grep -aqE '^(✘|error:)|Fatal error' "$1" || {
    tail -n 200 "$1"
    return
  }
  awk '/^(◇|✔|➜|↓|⚠)/ { failed = 0 } /^✘|^error:|Fatal error/ { failed = 1 } failed' "$1"
}

# Prints the PATH of the tests: links to the programs of the given packages and of Debian's essential and required
# packages, the Swift toolchain, and the Python environment with the reference programs. A program that no package
# list contains is therefore missing on every host.
test_path() {
  toolchain=$(dirname -- "$(readlink -f -- "$(command -v swift)")")
  judges_path=${OFFREAD_PYTHON:+:${OFFREAD_PYTHON%/*}}
  command -v dpkg-query >/dev/null || {
    printf '%s\n' "$PATH$judges_path"
    return
  }
  names=$(dpkg-query -W -f='${db:Status-Status};${Essential};${Priority};${Package}\n' |
    awk -F ';' '$1 == "installed" && ($2 == "yes" || $3 == "required") { print $4 }')
  for package in "$@"; do
    for name in $(printf '%s\n' "$package" | tr '|' ' '); do
      ! is_installed "$name" || names="$names $name"
    done
  done
  links=$root/.build/path-${0##*/}
  rm -rf -- "$links"
  mkdir -p -- "$links"
  # shellcheck disable=SC2086 # a list of words
  programs=$(dpkg -L $names | grep -E '^(/usr)?/s?bin/[^/]+$')
  # Links made by update-alternatives, such as awk and which, do not belong to a package.
  chosen=$(find /usr/bin /usr/sbin -maxdepth 1 -lname '/etc/alternatives/*' | while IFS= read -r link; do
    file=$(readlink -f -- "$link") || continue
    if printf '%s\n' "$programs" | awk -F / -v name="${file##*/}" '$NF == name { found = 1 } END { exit !found }'; then printf '%s\n' "$link"; fi
  done)
  # The toolchain is installed among the programs of the system.
  case $toolchain in
    /bin | /usr/bin | /usr/local/bin)
      chosen="$chosen
$(find "$toolchain" -maxdepth 1 \( -name 'swift*' -o -name '*clang*' -o -name 'lld*' -o -name '*ld.lld' \))"
      toolchain=
      ;;
  esac
  printf '%s\n' "$programs" "$chosen" | awk -F / 'NF && !seen[$NF]++' | tr '\n' '\0' |
    xargs -0 ln -st "$links"
  printf '%s\n' "$links${toolchain:+:$toolchain}$judges_path"
}

# Filters of the tests that run in separate processes. End-to-end tests spend most of their time waiting.
test_shards='^EndToEndTests[.][I-O] ^ReaderTests[.] ^EndToEndTests[.][D-H] ^OfflineCacheTests[.] ^LibraryTests[.]
  ^EndToEndTests[.][P-R] ^HTMLTests[.] ^EndToEndTests[.][S-Z] ^EndToEndTests[.][A-C]'

# Runs the tests built in the given directory, with the programs of the packages given to `prepare`, and sets `total` to
# their number. With a filter it starts one process, otherwise one for each of `test_shards` and one for the other tests.
# Within a process the tests run sequentially, so the log contains the duration of each of them.
# run_tests LOG DIRECTORY [--filter NAME | --skip NAME]...
run_tests() {
  log=$1
  bundle=$2/offreadPackageTests.xctest
  shift 2
  status=0
  # shellcheck disable=SC2086 # a list of words
  path=$(test_path $prepared)
  rm -f -- "$log".part*
  case " $* " in
    *' --filter'*) processes= ;;
    *)
      # shellcheck disable=SC2086 # a list of words
      processes=$(printf -- '--filter %s\n' $test_shards)"
--skip $(printf '%s\n' $test_shards | paste -sd '|' -)"
      ;;
  esac
  count=$(printf '%s\n' "$processes" | wc -l)
  # A test process ends together with the programs that it started.
  # shellcheck disable=SC2016 # for the inner shell
  printf '%s\n' "$processes" | awk '{ print NR, $0 }' |
    xargs -d '\n' -I LINE -P "$(($(getconf _NPROCESSORS_ONLN) * 2))" sh -fc 'log=$0.part${3%% *} bundle=$1 path=$2
      option=${3#* }; shift 3
      exec env PATH="$path" "$bundle" --testing-library swift-testing --no-parallel $option "$@" >"$log" 2>&1
    ' "$log" "$bundle" "$path" LINE "$@" || status=$?
  cat "$log".part* >"$log"
  rm -f -- "$log".part*
  # Each process prints such a line at its end, and each failing test prints one, too.
  ended=$(grep -acE 'Test run with [0-9]+ tests? .*(passed|failed) after ' "$log" || true)
  total=$(sed -nE 's/.*Test run with ([0-9]+) tests? .*(passed|failed) after .*/\1/p' "$log" |
    awk '{ sum += $1 } END { print sum + 0 }')
  failed=$(grep -aE '^[^ ]+ +Test .* failed after [0-9.]+ seconds' "$log" |
    grep -acvE '^[^ ]+ +Test run with ' || true)
  [ "$ended" -eq "$count" ] || status=1
  if [ "$status" -ne 0 ] || [ "$ended" -eq 0 ] || [ "$total" -eq 0 ]; then
    failures "$log" | tail -n 200 >&2
    [ "$failed" -gt 0 ] || failed=1
    printf '%s passed, %s failed\n' "$((total > failed ? total - failed : 0))" "$failed"
    fail "tests failed; the complete output is in $log"
  fi
}

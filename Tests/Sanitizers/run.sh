#!/bin/sh
# Runs the Swift tests under a sanitizer; fails if the sanitizer reports an error.
#
#   run.sh rt       code below the real-time line does not allocate, lock or wait
#   run.sh tsan     no data race in the rings, the clock, and the threads of engine, loader and store
#   run.sh asan     no access out of bounds or to freed memory; a pattern as the next argument
#                   selects tests, for example 'ScreenPainterTests|ScreenTests'
#
# rt and tsan test the release build, because users run the release build. A debug build is
# different code.
set -eu
cd "$(dirname "$0")/../.."
here=Tests/Sanitizers
swift=${SWIFT:-swift}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

case ${1:-} in
rt)
  export AUTOHARP_ONLY=AudioEngineTests
  export RTSAN_OPTIONS="suppressions=$PWD/$here/allowed.supp"
  run() {
    "$swift" test --scratch-path .build-rtsan -c release -Xswiftc -enable-testing \
      -Xswiftc -Xclang-linker -Xswiftc -fsanitize=realtime "$@"
  }
  run --filter AudioEngineTests
  # Then check that the sanitizer works: for each violation, it must end the test that contains this
  # violation.
  for violation in allocation lock wait; do
    if AUTOHARP_MUST_DIE=1 run --skip-build --filter "mustDie_$violation" >"$log" 2>&1 ||
      ! grep -q 'ERROR: RealtimeSanitizer' "$log"; then
      echo "The real-time sanitizer did not report this violation: $violation"
      exit 1
    fi
  done
  echo "Real-time sanitizer: no error; the checks for an allocation, a lock and a wait work"
  ;;
tsan)
  export AUTOHARP_ONLY='ArtworkTests AudioEngineTests LocalPlayerTests PhonePlayerTests UnitStateTests'
  export TSAN_OPTIONS="suppressions=$PWD/$here/threads.supp"
  "$swift" test --scratch-path .build-tsan -c release -Xswiftc -enable-testing --sanitize thread \
    --filter 'ArtworkTests|AudioEngineTests|LocalPlayerTests|PhonePlayerTests|UnitStateTests'
  ;;
asan)
  # Leaks are not detected, because the Swift runtime never frees its metadata.
  export ASAN_OPTIONS=detect_leaks=0
  "$swift" test --scratch-path .build-asan --sanitize address ${2:+--filter "$2"}
  ;;
*)
  sed -n '2,9s/^# \{0,1\}//p' "$0"
  exit 2
  ;;
esac

#!/usr/bin/env bash
# run-unit.sh [PATTERN]: builds the Swift tests and runs them, or those whose names match PATTERN.
#
#   SWIFT=PATH        the Swift to use
#   CHECKED=OPTIONS   options of the build
#   LIMIT=SECONDS     after which a run counts as hanging
#
# `swift test` would keep the last lines of the output if it is stopped, and would wait for each child process of a
# program that has crashed. So the program of the tests runs directly. A run that reaches the limit hangs: a slow
# machine needs a third of it. The last lines then name the tests that did not end.
set -euo pipefail

readonly limit=${LIMIT:-2700}
swift=${SWIFT:-swift}

# shellcheck disable=SC2086 # several words
"$swift" build --build-tests ${CHECKED:-}
program=$("$swift" build --build-tests --show-bin-path)/autoharpPackageTests.xctest
log=$(mktemp)
# The tests are a process group of their own, which does not ignore signals as a job in the background would.
set -m
trap '[ -z "${tests:-}" ] || kill -- "-$tests" 2>/dev/null || true; rm -f "$log" "$log.began"' EXIT
trap 'exit 130' INT TERM

NO_COLOR=1 timeout --kill-after=30 "$limit" "$program" --testing-library swift-testing ${1:+--filter "$1"} \
  </dev/null >"$log" 2>&1 &
tests=$!
# Ends with the tests, and not with a child process that they left.
tail --pid="$tests" -n +1 -f "$log" | LC_ALL=C grep --line-buffered -v '^[^ ]* Test case passing ' || true
status=0
wait "$tests" || status=$?
[ "$status" = 0 ] && exit
[ "$status" != 124 ] || echo "The tests did not end within $limit s."
echo "== failed"
LC_ALL=C grep -E '^[^ ]* Test .* (recorded an issue|failed after)' "$log" || true
echo "== started and not ended"
LC_ALL=C sed -nE 's/^[^ ]* Test (.*\)) started\.$/\1/p' "$log" | grep -v '^case passing ' | sort >"$log.began"
LC_ALL=C sed -nE 's/^[^ ]* Test (.*\)) (with [0-9]+ test cases? )?(passed|failed) after .*/\1/p; s/^[^ ]* Test (.*\)) skipped.*/\1/p' "$log" |
  sort | comm -23 "$log.began" - || true
exit "$status"

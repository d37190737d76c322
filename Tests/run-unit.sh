#!/usr/bin/env bash
# run-unit.sh [PATTERN]: builds the Swift tests and runs all of them, or the tests whose names match PATTERN.
#
#   SWIFT=PATH        the Swift to use
#   CHECKED=OPTIONS   options of the build
#   LIMIT=SECONDS     the time after which a run counts as hanging
#
# `swift test` would not print the last lines of the output when it is stopped, and would wait for each child process of
# a program that has crashed. So this script runs the program of the tests directly. A run that reaches LIMIT counts as
# hanging, because even a slow machine needs only a third of LIMIT. The last lines of the output then name the tests
# that did not end.
set -euo pipefail

# Most tests spend their time waiting for real devices, programs or timeouts, but the program runs at most one test per
# core at once. So the tests are divided into these groups of modules, and a group with all other modules. All groups
# run at the same time.
readonly parts=(
  '^DaemonTests\.'
  '^(AVRCPTarget|Bluez|PhoneLink|PhonePlayer|HeadUnit|LocalPlayer)Tests\.'
  '^(Audio[A-Za-z]*|ALSASink|AmplifierControl|EventLoop|Library[A-Za-z]*)Tests\.'
)
readonly limit=${LIMIT:-2700}
swift=${SWIFT:-swift}

# shellcheck disable=SC2086 # several words
"$swift" build --build-tests ${CHECKED:-}
program=$("$swift" build --build-tests --show-bin-path)/autoharpPackageTests.xctest
logs=$(mktemp -d)
running=()
# With job control, each group of tests has its own process group. Without job control, a job in the background would
# ignore SIGINT.
set -m
trap 'for part in "${running[@]}"; do kill -- "-$part" 2>/dev/null || true; done; rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM

# begin NAME OPTIONS...
begin() {
  local log=$logs/$1.log
  shift
  NO_COLOR=1 timeout --kill-after=30 "$limit" "$program" --testing-library swift-testing "$@" </dev/null >"$log" 2>&1 &
  running+=($!)
  # `tail` ends when the program of the tests ends, even if a child process of a test still runs.
  (tail --pid="${running[-1]}" -n +1 -f "$log" | LC_ALL=C grep --line-buffered -v '^[^ ]* Test case passing ' || true) &
  shown+=($!)
}

shown=()
if [ $# -gt 0 ]; then
  begin 0 --filter "$1"
else
  skipped=()
  for part in "${!parts[@]}"; do
    begin "$part" --filter "${parts[$part]}"
    skipped+=(--skip "${parts[$part]}")
  done
  begin rest "${skipped[@]}"
fi
status=0
for part in "${running[@]}"; do
  wait "$part" || status=$?
done
for part in "${shown[@]}"; do wait "$part" || true; done
[ "$status" = 0 ] && exit
[ "$status" != 124 ] || echo "The tests did not end within $limit s."
echo "== failed"
LC_ALL=C grep -hE '^[^ ]* Test .* (recorded an issue|failed after)' "$logs"/*.log || true
echo "== started and not ended"
LC_ALL=C sed -nE 's/^[^ ]* Test (.*\)) started\.$/\1/p' "$logs"/*.log | grep -v '^case passing ' | sort >"$logs/began"
LC_ALL=C sed -nE 's/^[^ ]* Test (.*\)) (with [0-9]+ test cases? )?(passed|failed) after .*/\1/p; s/^[^ ]* Test (.*\)) skipped.*/\1/p' "$logs"/*.log |
  sort | comm -23 "$logs/began" - || true
exit "$status"

#!/bin/sh
# run-parts.sh PART…: runs the parts one after the other, and stops at the first failure. A part is
# a target of the Makefile, or several targets with `+` between them, such as
# `test-unit+test-image`. The targets of one part run at the same time. The output of the first
# target of the part is shown at once, the output of its other targets when all targets of the part
# have ended. The last lines show the duration of each target.
set -u

make=${MAKE:-make}
summary=
number=0
status=0
besides=
logs=$(mktemp -d)
# All targets of a part except the first run in sessions of their own. When this script ends, the trap ends the
# processes of these sessions.
trap 'for beside in $besides; do kill -- "-$beside" 2>/dev/null; done; rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM

for part; do
  number=$((number + 1))
  echo "== $number of $#: $part"
  first=${part%%+*}
  others=$(echo "$part" | tr + ' ' | cut -d ' ' -s -f 2-)
  for target in $others; do
    setsid "$0" "$target" >"$logs/$target" 2>&1 </dev/null &
    besides="$besides $!"
  done
  begin=$(date +%s)
  "$make" --no-print-directory "$first"
  status=$?
  seconds=$(($(date +%s) - begin))
  [ "$status" = 0 ] && result=passed || result="FAILED ($status)"
  summary="$summary$(printf '%6d s  %-16s %s' "$seconds" "$first" "$result")
"
  for beside in $besides; do wait "$beside" || status=$?; done
  besides=
  for target in $others; do
    sed '/^== summary$/,$d' "$logs/$target"
    summary="$summary$(sed -n '/^== summary$/{n;p}' "$logs/$target")
"
  done
  [ "$status" = 0 ] || break
done

echo "== summary"
printf '%s' "$summary"
if [ "$status" = 0 ]; then
  echo "== all passed"
else
  echo "== $part failed; $(($# - number)) parts were skipped"
fi
exit "$status"

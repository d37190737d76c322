#!/bin/sh
# run-parts.sh TARGET…: runs targets of the Makefile one after the other, and stops at the first
# failure. The last lines show the duration of each target.
set -u

make=${MAKE:-make}
summary=
number=0
status=0

for part; do
  number=$((number + 1))
  echo "== $number of $#: $part"
  begin=$(date +%s)
  "$make" --no-print-directory "$part"
  status=$?
  seconds=$(($(date +%s) - begin))
  [ "$status" = 0 ] && result=passed || result="FAILED ($status)"
  summary="$summary$(printf '%6d s  %-16s %s' "$seconds" "$part" "$result")
"
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

#!/bin/sh
# What the release binary may not contain, checked by its symbols: with a static runtime, ldd would
# show nothing. Foundation alone is worth 50 MB, Dispatch brings threads of its own.
#
#   check-binary.sh UNSTRIPPED STRIPPED
set -eu

unstripped=$1
stripped=$2
# 12 MiB, of which 6 are the runtime: the whole daemon is to fit, with phone and keys, so what makes
# it grow by a megabyte is a library that nobody wanted.
limit=12582912

# Mangled Swift names begin with the length of their module's name; Dispatch is C too.
found=$(nm "$unstripped" | awk '{print $NF}' |
  grep -E '^\$[sS](10Foundation|20FoundationEssentials|8Dispatch)|^_?dispatch_' | head -5 || true)
if [ -n "$found" ]; then
  echo "Foundation or Dispatch is linked in:" >&2
  echo "$found" >&2
  exit 1
fi

size=$(wc -c <"$stripped")
if [ "$size" -gt "$limit" ]; then
  echo "$stripped has $size bytes, more than $limit" >&2
  exit 1
fi
echo "$stripped: $size bytes, no Foundation, no Dispatch"

#!/bin/sh
# Checks the symbols of the release binary: with a static runtime ldd would show nothing.
# Foundation alone adds 50 MB, and Dispatch starts its own threads.
#
#   check-binary.sh UNSTRIPPED STRIPPED
set -eu

unstripped=$1
stripped=$2
# 12 MiB, 6 of which are the Swift runtime. The whole daemon with phone and keys must fit, so growth
# by a megabyte means an unwanted library.
limit=12582912

# Mangled Swift names begin with the length of their module's name. Dispatch also has C symbols.
found=$(nm "$unstripped" | awk '{print $NF}' |
  grep -E '^\$[sS](10Foundation|20FoundationEssentials|8Dispatch)|^_?dispatch_' | head -5 || true)
if [ -n "$found" ]; then
  echo "The binary contains symbols of Foundation or Dispatch:" >&2
  echo "$found" >&2
  exit 1
fi

size=$(wc -c <"$stripped")
if [ "$size" -gt "$limit" ]; then
  echo "$stripped has $size bytes; the limit is $limit bytes" >&2
  exit 1
fi
echo "$stripped: $size bytes, no Foundation, no Dispatch"

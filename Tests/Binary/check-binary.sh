#!/bin/sh
# Checks that the release binary contains neither Foundation nor Dispatch nor regular expressions, and
# that it is not too large. Foundation alone adds 50 MB, and Dispatch starts its own threads. One call
# of String.contains(_: String) adds 1.6 MB for regular expressions. The script searches the symbols,
# because ldd does not show libraries that are linked statically.
#
#   check-binary.sh UNSTRIPPED STRIPPED
set -eu

unstripped=$1
stripped=$2
# 14.5 MiB. The program has 14.0 MiB, of which 6 MiB are the Swift runtime. If the binary grows by half
# a megabyte, it probably contains an unwanted library.
limit=15204352

# In a mangled Swift name, the name of the module follows its length. Dispatch also has C symbols.
found=$(nm "$unstripped" | awk '{print $NF}' |
  grep -E '^\$[sS](10Foundation|20FoundationEssentials|8Dispatch|12_RegexParser)|^_?dispatch_' | head -5 || true)
if [ -n "$found" ]; then
  echo "The binary contains symbols of Foundation, Dispatch or regular expressions:" >&2
  echo "$found" >&2
  exit 1
fi

size=$(wc -c <"$stripped")
if [ "$size" -gt "$limit" ]; then
  echo "$stripped has $size bytes; the limit is $limit bytes" >&2
  exit 1
fi
echo "$stripped: $size bytes, no Foundation, no Dispatch, no regular expressions"

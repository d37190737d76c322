#!/usr/bin/env bash
# run.sh [SECONDS] [TARGET...]: gives damaged input to the code that reads untrusted data, SECONDS for each target
# (default 60). Without TARGET, all targets run: see docs/fuzzing.md. A target ends at its first failure, and the script
# prints the command that repeats the failure. If any target failed, the script exits with 1.
#
# run.sh check [TARGET...]: only checks that the targets compile.
#
#   AUTOHARP_CORPUS=DIR   also start from the small files in DIR
#   SWIFT=PATH            the Swift to use; its swiftc must be in the same folder
set -eu

readonly all="ParsersFuzzer DecoderFuzzer StreamFuzzer PicturesFuzzer CoversFuzzer MessagesFuzzer PhonesFuzzer StateFuzzer LibraryFuzzer M3UFuzzer LinesFuzzer"
seconds=${1:-60}
[[ $seconds =~ ^([0-9]+|check)$ ]] || { echo "usage: $0 [SECONDS|check] [TARGET...]" >&2; exit 2; }
[ $# -eq 0 ] || shift
targets=${*:-$all}
for target in $targets; do
  [[ " $all " == *" $target "* ]] || { echo "$0: unknown target '$target'; known are: $all" >&2; exit 2; }
done
cd "$(dirname "$0")/../.."
root=$PWD
build=$root/build/fuzz
here=$root/Tests/Fuzz

# Limits for one input. The stack is as large as the stack of the decode thread. The largest allocations
# of a decoder are the tables of a Vorbis stream, which have 8 MB together. The resident size of the
# process includes the memory of the address sanitizer.
readonly max_bytes=65536 max_resident_mb=512 max_allocation_mb=64 max_seconds=10
readonly max_stack_kb=1024

# --- build ----------------------------------------------------------------------------------

swift=$(command -v "${SWIFT:-swift}") || { echo "The PATH has no Swift." >&2; exit 2; }
swiftc=$(dirname "$swift")/swiftc

# build_target NAME FILES...: compiles a target together with the sources under test, so that the target
# can call internal functions.
build_target() {
  local name=$1
  shift
  mkdir -p "$build/$name"
  # The compiler runs in the folder of the target, because -g writes module files into the working directory.
  (
    cd "$build/$name"
    # The linker is lld, because gold warns about each symbol of the sanitizer.
    local output=(-O -g -whole-module-optimization -sanitize=fuzzer,address -use-ld=lld -o "$name")
    [ "$seconds" != check ] || output=(-typecheck)
    # shellcheck disable=SC2046 # several words
    "$swiftc" "${output[@]}" -parse-as-library -module-name "$name" -package-name fuzz \
      -swift-version 6 -warnings-as-errors \
      -enable-upcoming-feature ExistentialAny \
      -enable-upcoming-feature InternalImportsByDefault \
      -I "$root/Sources/CLibraries/CFLAC" -I "$root/Sources/CLibraries/CMPG123" -I "$root/Sources/CLibraries/CVorbisFile" -I "$root/Sources/CLibraries/COpusFile" \
      -I "$root/Sources/CLibraries/CSBC" -I "$root/Sources/CLibraries/CPNG" -I "$root/Sources/CLibraries/CTurboJPEG" \
      -I "$root/Sources/CLibraries/CMemfd" -I "$root/Sources/CLibraries/CSystemd" \
      -I "$root/Sources/CLibraries/CRealtime" -I "$root/Sources/CLibraries/CSoxr" -I "$root/Sources/CLibraries/CMalloc" \
      -I "$root/Sources/CLibraries/CGPIO" -I "$root/Sources/CLibraries/CUTF8Proc" \
      $(pkg-config --cflags flac libmpg123 opusfile vorbisfile sbc libpng libturbojpeg libsystemd soxr libutf8proc) \
      $(pkg-config --libs flac libmpg123 opusfile opus vorbisfile vorbis ogg sbc libpng libturbojpeg libsystemd soxr libutf8proc) \
      "$@" "$here/FuzzSupport.swift" "$here/$name.swift"
  )
}

# --- seeds ----------------------------------------------------------------------------------

make_seeds() {
  rm -rf "$build/seeds"
  python3 "$here/make-seeds.py" "$build/seeds"
  [ -n "${AUTOHARP_CORPUS:-}" ] || return 0
  mkdir -p "$build/seeds/corpus"
  find -L "$AUTOHARP_CORPUS" -type f -size -64k \
    \( -name '*.flac' -o -name '*.og[ga]' \) -exec cp --backup=numbered {} "$build/seeds/corpus" \;
}

# --- run ------------------------------------------------------------------------------------

# Swift's own crash report is switched off. Swift would write its report before the report of libFuzzer, and then hang
# because of the sanitizer's memory.
export SWIFT_BACKTRACE=enable=no
# The quarantine of freed memory is small, because with the default size it would be most of the resident
# size. Leaks are not detected, because the Swift runtime never frees its metadata.
export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16

limits=(-timeout="$max_seconds" -rss_limit_mb="$max_resident_mb"
  -malloc_limit_mb="$max_allocation_mb" -max_len="$max_bytes")

statistic() { sed -n "s/^stat::$1: *//p" "$2"; }

# run_target NAME SEEDS...: new inputs are stored in build/fuzz, and the next run continues with them.
run_target() {
  local name=$1 program=$build/$1/$1 log=$build/$1.log crashers=$build/crashers
  shift
  mkdir -p "$build/$name/corpus" "$crashers"
  echo "== $name: $seconds s"
  local status=0
  (
    ulimit -s "$max_stack_kb"
    exec "$program" "${limits[@]}" -max_total_time="$seconds" -dict="$here/audio.dict" \
      -artifact_prefix="$crashers/$name-" -print_final_stats=1 "$build/$name/corpus" "$@"
  ) >"$log" 2>&1 || status=$?

  local coverage
  coverage=$(sed -n 's/.* cov: \([0-9]*\) ft: \([0-9]*\) corp: \([0-9]*\).*/\1 edges, \2 features, \3 inputs/p' "$log" | tail -n 1)
  printf '   %s executions, %s per second, %s; slowest %s s, %s MB\n' \
    "$(statistic number_of_executed_units "$log")" \
    "$(statistic average_exec_per_sec "$log")" "$coverage" \
    "$(statistic slowest_unit_time_sec "$log")" "$(statistic peak_rss_mb "$log")"
  [ "$status" -ne 0 ] || { echo "   no crasher"; return 0; }

  local crasher
  crasher=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
  grep -E 'Fatal error|ERROR: |SUMMARY: ' "$log" | sed 's/^/   /' || true
  echo "   CRASHER ${crasher:-(none was written)}; the complete output is in $log"
  if [ -n "$crasher" ]; then
    echo "   Repeat:   ulimit -s $max_stack_kb"
    echo "             SWIFT_BACKTRACE=$SWIFT_BACKTRACE ASAN_OPTIONS=$ASAN_OPTIONS \\"
    echo "             $program ${limits[*]} $crasher"
    echo "   Minimize: the same with -minimize_crash=1 -max_total_time=60; then copy the file to $here/crashers"
  fi
  return 1
}

# build NAME: compiles a target together with the sources that it tests.
build() {
  local codecs
  mapfile -t codecs < <(find "$root/Sources/Audio/AudioCodecs" -name '*.swift')
  case $1 in
    ParsersFuzzer)
      build_target "$1" "${codecs[@]}" "$root"/Sources/Bluetooth/BluetoothController/*.swift \
        "$here"/{Mutator,TagMutator,FaultyByteSource}.swift ;;
    DecoderFuzzer) build_target "$1" "${codecs[@]}" "$here"/{Mutator,TagMutator,FaultyByteSource,OggConsistency}.swift ;;
    StreamFuzzer) build_target "$1" "$root"/Sources/Bluetooth/A2DPStream/*.swift ;;
    PicturesFuzzer)
      mkdir -p "$build/pictures"
      sed -E '/^internal import Files$/d' "$root/Sources/Pictures/Artwork/PNGHeader.swift" >"$build/pictures/PNGHeader.swift"
      build_target "$1" "$root"/Sources/Audio/AudioCodecs/Bytes/ByteSource.swift "$root/Sources/Platform/Files/CRC32.swift" \
        "$root"/Sources/Pictures/Artwork/{CoverFault,CoverLimits,HeaderBytes,ImageHeader,ImageKind,JPEGHeader}.swift \
        "$build/pictures/PNGHeader.swift" ;;
    CoversFuzzer)
      one_module covers Pictures/PictureExchange Pictures/PictureDecoding
      build_target "$1" "$build"/covers/*.swift "$root/Sources/Audio/AudioCodecs/Bytes/ByteSource.swift" ;;
    MessagesFuzzer)
      # The simulated daemon of the tests is part of the target.
      one_module messages Platform/Threads Platform/Text Platform/EventLoop Platform/BusMethods NowPlaying/NowPlaying NowPlaying/Reports \
        NowPlaying/SystemClock Library/NameKeys Library/LibraryModel Control/Control
      for file in FakeApps FakeUnit FakePhones FakeLibrary FakeQueue FakePlaylists FakeSettings ScriptedSource; do
        sed -E '/^import (Control|EventLoop|LibraryModel|NowPlaying|Reports|SystemClock)$/d' \
          "$root/Tests/Control/ControlTests/$file.swift" >"$build/messages/$file.swift"
      done
      build_target "$1" "$build"/messages/*.swift "$here"/{MessageSamples,FuzzValues}.swift ;;
    PhonesFuzzer)
      # The simulated bluetoothd of the tests is part of the target. Of PhonePlayer, the target contains only the
      # session of a phone.
      one_module phones Platform/Threads Platform/EventLoop NowPlaying/NowPlaying NowPlaying/Reports \
        NowPlaying/SystemClock Audio/AudioCodecs Audio/AudioEngine Bluetooth/A2DPStream Bluetooth/Bluez \
        Bluetooth/PhoneLink Playback/PhonePlayer
      rm "$build"/phones/PhonePlayer-Phone{Player,Prompt}.swift
      # The target contains only the types of AudioCodecs that AudioEngine uses.
      find "$build/phones" -name 'AudioCodecs-*' | grep -vE \
        -e '-(Audio(Decoder|Metadata)|ByteSource|DecodeError|ForeignFormat|Loudness|PictureReference|StreamFormat|VorbisComments).swift$' | xargs rm
      for file in PrivateBus ChildProcess Tools Hang EventLoop+Testing \
        Bluez/FakePlayer Bluez/FakeBluez{,+Calls,+Phone}; do
        sed -E '/^[a-z]* *import (EventLoop|Threads)$/d' \
          "$root/Sources/TestKit/$file.swift" >"$build/phones/TestKit-$(basename "$file").swift"
      done
      # When all sources are in one module, the macros of sys/socket.h belong to CSystemd, so these files must import
      # it.
      sed -i '1i import CSystemd' "$build"/phones/*-{StreamReader,FakeBluez+Phone}.swift
      build_target "$1" "$build"/phones/*.swift "$here/FuzzValues.swift" ;;
    StateFuzzer)
      one_module stored Platform/Files Platform/Threads Platform/Text Platform/GPIO NowPlaying/NowPlaying \
        NowPlaying/SystemClock Library/NameKeys Library/LibraryModel Unit/UnitState Unit/Settings
      sed -E '/^@testable import (Settings|UnitState)$/d' \
        "$root/Tests/Unit/DaemonTests/StoredFileCheck.swift" >"$build/stored/StoredFileCheck.swift"
      build_target "$1" "$build"/stored/*.swift ;;
    LibraryFuzzer)
      # The simulated library of the tests is part of the target.
      one_module library Platform/Threads Platform/EventLoop Platform/BusMethods Library/NameKeys Library/LibraryModel Library/LibraryExchange
      for file in TestKit/{HostileLibrary,UnixSocket,Tools,Hang,ChildProcess}; do
        sed -E '/^[a-z]* *import (EventLoop|Threads)$/d' \
          "$root/Sources/$file.swift" >"$build/library/TestKit-$(basename "$file").swift"
      done
      sed -i '1i import CSystemd' "$build"/library/TestKit-UnixSocket.swift
      for file in FuzzedLink LibrarySamples; do
        sed -E '/^(@testable )?import (EventLoop|LibraryExchange|LibraryModel|TestKit)$/d' \
          "$root/Tests/Library/LibraryExchangeTests/$file.swift" >"$build/library/$file.swift"
      done
      build_target "$1" "$build"/library/*.swift "$here/FuzzValues.swift" ;;
    M3UFuzzer)
      one_module m3u Audio/AudioCodecs Platform/Text Library/PlaylistFiles
      # The target contains only the types of AudioCodecs that PlaylistFiles uses.
      find "$build/m3u" -name 'AudioCodecs-*' | grep -vE -e '-(ByteSource|CodePage).swift$' | xargs rm
      build_target "$1" "$build"/m3u/*.swift "$here/FaultyByteSource.swift" ;;
    LinesFuzzer)
      one_module lines Platform/Text Programs/autoharp-app/Lines
      build_target "$1" "$build"/lines/*.swift ;;
  esac
}

# one_module FOLDER MODULES...: copies the sources of modules to a folder, without the imports of these modules, because
# all sources of a target are in one module.
one_module() {
  local copies=$build/$1 names=() module
  shift
  rm -rf "$copies"
  mkdir -p "$copies"
  for module in "$@"; do names+=(-e "/^[a-z]* *import $(basename "$module")\$/d"); done
  for module in "$@"; do
    find "$root/Sources/$module" -name '*.swift' -print0 | while IFS= read -r -d '' file; do
      sed "${names[@]}" "$file" >"$copies/$(basename "$module")-$(basename "$file")"
    done
  done
}

# seeds NAME: prints the folders of the inputs that a target starts with.
seeds() {
  local files="$build/seeds/files $here/crashers"
  [ ! -d "$build/seeds/corpus" ] || files+=" $build/seeds/corpus"
  case $1 in
    ParsersFuzzer) echo "$files $build/seeds/parsers" ;;
    DecoderFuzzer) echo "$files" ;;
    PicturesFuzzer) echo "$build/seeds/pictures" ;;
    CoversFuzzer) echo "$build/seeds/pictures $build/seeds/covers" ;;
    StateFuzzer) echo "$here/state" ;;
    M3UFuzzer) echo "$here/seeds/m3u" ;;
    LinesFuzzer) echo "$here/seeds/lines" ;;
    MessagesFuzzer) ;; # The target contains its samples.
    LibraryFuzzer) echo "$here/library" ;;
  esac
}

echo "== building the targets and the seeds"
for target in $targets; do build "$target"; done
[ "$seconds" != check ] || exit 0
make_seeds

failed=0
for target in $targets; do
  # shellcheck disable=SC2046 # several folders
  run_target "$target" $(seeds "$target") || failed=1
done
exit "$failed"

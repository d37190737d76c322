#!/bin/sh
# make-demo-album.sh OUTDIR: makes the album "Open Road" for machines without music. The album has
# six tracks with plucked strings. The tracks use these formats:
#
#   1    FLAC, 24 bits, 96 kHz
#   2    Ogg Vorbis
#   3+4  FLAC, 16 bits, 44.1 kHz: one piece, cut while a chord sounds; between the two tracks there
#        must be no gap
#   5    FLAC, 16 bits, 44.1 kHz
#   6    Ogg Vorbis
#
# All files have tags, ReplayGain and a cover. With the same versions of the tools, each run makes
# the same bytes.
set -eu

[ $# = 1 ] || { echo "usage: $0 OUTDIR" >&2; exit 2; }
album=${1%/}

one="01 - First Light.flac"
two="02 - Hedgerows at Walking Pace.ogg"
three="03 - The Long Bridge, Near Side.flac"
four="04 - The Long Bridge, Far Side.flac"
five="05 - Rain in Third Gear.flac"
six="06 - Engine Off, Crickets.ogg"

complete=yes
for name in "$one" "$two" "$three" "$four" "$five" "$six" cover.png; do
  [ -e "$album/$name" ] || complete=no
done
[ $complete = no ] || exit 0

echo "Making a demo album, \"Open Road\", in $album (a few seconds)"

# The script makes the files in a folder beside the target. The last step for each file is a rename,
# so the album never contains an incomplete file.
mkdir -p "$album"
album=$(cd "$album" && pwd)
work=$(mktemp -d "$album.making.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"

# --- sound ----------------------------------------------------------------------------------

# With -R, sox uses the same pseudo-random numbers in each run. sox needs these numbers for the attack of a string and
# for dither.
sox() { command sox -R -V1 "$@"; }

# strings OUT RATE SECONDS STEP NOTE...: plucks one note every STEP milliseconds and lets the notes
# ring. Each note has its own position between left and right. A dot is a rest.
strings() {
  out=$1 rate=$2 seconds=$3 step=$4
  shift 4
  oscillators='' delays='' left='' right='' string=0 beat=0
  for note; do
    at=$((beat * step)) beat=$((beat + 1))
    [ "$note" != . ] || continue
    string=$((string + 1))
    oscillators="$oscillators pluck $note"
    delays="$delays $((at / 1000)).$(printf %03d $((at % 1000)))"
    pan=$((string * 3 % 7 + 2))  # 2 to 8 tenths
    left="$left,${string}v0.$pan" right="$right,${string}v0.$((10 - pan))"
  done
  sox -n -r "$rate" -b 32 "$out" synth "$seconds" $oscillators delay $delays \
    remix "${left#,}" "${right#,}" trim 0 "$seconds" norm -6
}

# pad OUT RATE SECONDS FREQUENCY...: a soft chord with a slow tremolo. In the right channel, each
# voice has a slightly higher frequency, so that the sound is wide.
pad() {
  out=$1 rate=$2 seconds=$3
  shift 3
  oscillators='' left='' right='' voice=0
  for frequency; do
    oscillators="$oscillators triangle $frequency triangle $frequency.6"
    left="$left,$((voice * 2 + 1))" right="$right,$((voice * 2 + 2))"
    voice=$((voice + 1))
  done
  sox -n -r "$rate" -b 32 "$out" synth "$seconds" $oscillators remix "${left#,}" "${right#,}" \
    lowpass 700 tremolo 0.3 35 fade h 1.5 "$seconds" 2 norm -20
}

# mix OUT BITS FADE IN...: mixes the files IN, and adds a reverb and a fade at the end. Many strings
# at once are far louder than one string, so a compressor reduces the differences in level.
mix() {
  out=$1 bits=$2 fade=$3
  shift 3
  sox -m "$@" --comment '' -b "$bits" "$out" gain -6 reverb 45 40 80 \
    compand 0.02,0.3 -60,-60,-30,-24,0,-10 gain -n -2 fade t 0 -0 "$fade" dither
}

# First Light: D major, rising. The mix is an AIFF file, because flac prints a warning for the
# 24-bit WAV of sox.
strings a.wav 96000 10 300 D2 A2 D3 'F#3' A3 D4 'F#4' A4 E4 'C#4' A3 'F#4' D4 A3 E3 D3 . \
  G2 D3 G3 B3 D4 G4 A4 D4 D5
pad b.wav 96000 10 147 220 370
mix 1.aiff 24 2.5 a.wav b.wav

# Hedgerows at Walking Pace: a waltz in G.
strings a.wav 44100 10 280 G2 D4 B3 D3 G4 B3 C3 E4 G4 G3 A4 E4 D3 'F#4' A4 C4 'F#4' D5 \
  G2 B4 G4 D3 D4 B3 G2 . . D4 . G4
pad b.wav 44100 10 196 294
mix 2.wav 16 2 a.wav b.wav

# The Long Bridge: one piece of 18 s, which is cut later. The pad and some strings sound at the cut.
strings a.wav 44100 18 360 A2 E3 C4 E4 A4 E4 C4 E4 F2 C3 A3 C4 F4 C4 A3 C4 C3 G3 E4 G4 C5 G4 \
  E4 G4 G2 D3 B3 D4 G4 D4 B3 D4 A2 E3 A3 C4 E4 A4 B4 C5 E5 C5 A4 . A2
pad b.wav 44100 18 110 165 262
mix bridge.wav 16 4 a.wav b.wav

# Rain in Third Gear: quick and high, over a low E.
strings a.wav 44100 9 150 E2 B4 G4 E5 B4 'F#5' G4 E5 B4 D5 G4 B4 C3 E4 G4 C5 E5 G5 E5 C5 D3 \
  'F#4' A4 D5 'F#5' A5 'F#5' D5 E2 G4 B4 E5 G5 B5 G5 E5 B4 G4 E4 B3 E3 . . E4
pad b.wav 44100 9 165 247 392
mix 5.wav 16 2.5 a.wav b.wav

# Engine Off, Crickets: three slow chords, and the sound of crickets.
strings a.wav 44100 12 110 D2 A2 'F#3' A3 D4 'F#4' . . . . . . . . . . . . . . . . . . \
  G2 D3 B3 D4 G4 B4 . . . . . . . . . . . . . . . . . . . . D2 A2 D3 'F#3' A3 E4 'F#4' D5
pad b.wav 44100 12 147 220
sox -n -r 44100 -b 32 c.wav synth 12 sine 4310 sine 4530 tremolo 27 95 tremolo 1.3 90 \
  remix 1,2v0.4 2,1v0.3 fade h 3 12 3 norm -38
mix 6.wav 16 3 a.wav b.wav c.wav

# --- cover ----------------------------------------------------------------------------------

# A harp whose strings run from the sky to the end of a road. The picture is computed pixel by
# pixel, so that no graphics program is needed.
python3 - cover.png <<'PYTHON'
import struct, sys, zlib

SIZE, HORIZON, SUN = 500, 320, 92
SKY = [(0.0, (28, 22, 66)), (0.45, (134, 48, 104)), (0.8, (240, 112, 72)), (1.0, (255, 196, 110))]
GROUND, ROAD, LINE = (30, 20, 44), (58, 44, 70), (255, 214, 150)
SUNLIGHT, STRING = (255, 236, 190), (255, 240, 220)


def blend(a, b, t):
    return tuple(round(x + (y - x) * t) for x, y in zip(a, b))


def sky(t):
    for (t0, c0), (t1, c1) in zip(SKY, SKY[1:]):
        if t <= t1:
            return blend(c0, c1, (t - t0) / (t1 - t0))


def draw(row, center, width, color, alpha=1.0):
    """Draws a horizontal line into a row. A pixel that the line covers only partly gets a mixed
    colour."""
    left, right = center - width / 2, center + width / 2
    for x in range(max(0, int(left)), min(SIZE, int(right) + 1)):
        cover = min(x + 1, right) - max(x, left)
        if cover > 0:
            row[x] = blend(row[x], color, cover * alpha)


rows = []
for y in range(SIZE):
    if y < HORIZON:
        up = (HORIZON - y) / HORIZON
        row = [sky(1 - up)] * SIZE
        if HORIZON - y < SUN:
            draw(row, SIZE / 2, 2 * (SUN**2 - (HORIZON - y) ** 2) ** 0.5, SUNLIGHT)
        for string in range(-6, 7):
            draw(row, SIZE / 2 + string * 36 * up, 1.6, STRING, 0.25 + 0.55 * up)
    else:
        down = (y + 1 - HORIZON) / (SIZE - HORIZON)
        row = [GROUND] * SIZE
        draw(row, SIZE / 2, 330 * down, ROAD)
        if int(4.5 / (down + 0.12)) % 2:
            draw(row, SIZE / 2, 14 * down, LINE)
    rows.append(b"\0" + b"".join(map(bytes, row)))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


with open(sys.argv[1], "wb") as png:
    png.write(b"\x89PNG\r\n\x1a\n")
    png.write(chunk(b"IHDR", struct.pack(">IIBBBBB", SIZE, SIZE, 8, 2, 0, 0, 0)))
    png.write(chunk(b"IDAT", zlib.compress(b"".join(rows), 9)))
    png.write(chunk(b"IEND", b""))
PYTHON

# Vorbis comments contain the same picture as a FLAC picture block in base64.
python3 - cover.png >picture.txt <<'PYTHON'
import base64, struct, sys

png = open(sys.argv[1], "rb").read()
width, height = struct.unpack(">II", png[16:24])
mime, words, front_cover = b"image/png", b"Front cover", 3
block = struct.pack(">II", front_cover, len(mime)) + mime + struct.pack(">I", len(words)) + words
block += struct.pack(">IIIII", width, height, 24, 0, len(png)) + png
print("METADATA_BLOCK_PICTURE=" + base64.b64encode(block).decode())
PYTHON

# --- files ----------------------------------------------------------------------------------

# The cut is in the middle of a chord, and not at the border of a FLAC block.
flac --silent --until=400100 -o 3.flac bridge.wav
flac --silent --skip=400100 -o 4.flac bridge.wav
flac --silent -o 1.flac 1.aiff
flac --silent -o 5.flac 5.wav
oggenc --quiet --quality 5 --serial 2 -o 2.ogg 2.wav
oggenc --quiet --quality 5 --serial 6 -o 6.ogg 6.wav

# metaflac computes the album gain only for tracks of the same rate. So the script makes copies with
# one rate, measures the copies, and writes their ReplayGain tags into the tracks.
sox 1.aiff -r 44100 -b 16 gain1.wav
cp 2.wav gain2.wav
cp 5.wav gain5.wav
cp 6.wav gain6.wav
flac --silent gain?.wav
cp 3.flac gain3.flac
cp 4.flac gain4.flac
metaflac --add-replay-gain gain?.flac

# finish NUMBER NAME: adds tags and the picture to a file, then moves it to the album with its final
# name.
finish() {
  number=$1 name=$2
  title=${name#* - }
  {
    echo "TITLE=${title%.*}"
    echo "ARTIST=Autoharp"
    echo "ALBUM=Open Road"
    echo "ALBUMARTIST=Autoharp"
    echo "TRACKNUMBER=$number"
    echo "TRACKTOTAL=6"
    echo "DATE=2026"
    echo "GENRE=Instrumental"
    metaflac --export-tags-to=- "gain$number.flac" | grep ^REPLAYGAIN_
  } >tags.txt
  case $name in
    *.flac)
      metaflac --import-tags-from=tags.txt "$number.flac"
      metaflac --import-picture-from="3||Front cover||cover.png" "$number.flac"
      mv "$number.flac" "$album/$name"
      ;;
    *.ogg)
      cat picture.txt >>tags.txt
      vorbiscomment --raw --write --commentfile tags.txt "$number.ogg"
      mv "$number.ogg" "$album/$name"
      ;;
  esac
}

finish 1 "$one"
finish 2 "$two"
finish 3 "$three"
finish 4 "$four"
finish 5 "$five"
finish 6 "$six"
mv cover.png "$album/cover.png"

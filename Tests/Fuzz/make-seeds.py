#!/usr/bin/env python3
"""make-seeds.py OUTDIR: makes the small files with which the fuzzers start.

Encoders make the ordinary files. This script writes the other files bit by bit. Some of them are
Vorbis streams of 200 bytes, which no encoder makes: with so few bytes, the fuzzer can change every
field of the set-up header. Other files violate the format in ways that mutation would find only after hours.
"""

import base64
import os
import struct
import subprocess
import sys
import zlib

out = os.path.abspath(sys.argv[1])
for folder in ("files", "parsers", "pictures", "covers"):
    os.makedirs(os.path.join(out, folder), exist_ok=True)


def path(name):
    return os.path.join(out, "files", name)


def write(name, data, folder="files"):
    with open(os.path.join(out, folder, name), "wb") as file:
        file.write(data)


def read(name):
    with open(path(name), "rb") as file:
        return file.read()


def run(*arguments):
    # The output of an encoder is printed only if the encoder fails.
    done = subprocess.run(arguments, cwd=out, capture_output=True)
    if done.returncode != 0:
        sys.exit("%s: exit %d\n%s" % (arguments[0], done.returncode, done.stderr.decode()))


# --- from encoders ---------------------------------------------------------------------------


def sound(name, rate, bits, channels, seconds):
    # With -R, sox uses the same pseudo-random numbers in each run, so that a crash can be reproduced.
    voices = []
    for channel in range(channels):
        voices += ["sine", str(300 + 170 * channel)]
    run("sox", "-R", "-V1", "-n", "-r", str(rate), "-b", str(bits), "-c", str(channels), name,
        "synth", str(seconds), *voices, "gain", "-6", "dither")
    return name


def flac(name, source, *options):
    run("flac", "--totally-silent", "--force", "--no-padding", *options, "-o", path(name), source)


def ogg(name, source, *options):
    run("oggenc", "--quiet", "--quality=-1", *options, "-o", path(name), source)


png = (
    b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR"
    + struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0) + bytes.fromhex("907753de") + struct.pack(">I", 12) + b"IDAT"
    + bytes.fromhex("789c6360600000000400010000") + struct.pack(">I", 0) + b"IEND"
    + bytes.fromhex("ae426082")
)
write("../dot.png", png)
write("dot.png", png, "pictures")
write(
    "frame.jpg",
    b"\xff\xd8" + b"\xff\xe0\x00\x10JFIF\x00" + bytes(9) + b"\xff\xff\xfe\x00\x04ab"
    + b"\xff\xc0\x00\x11\x08\x00\x0c\x00\x10\x03" + bytes(9) + b"\xff\xda",
    "pictures",
)
picture = (
    struct.pack(">II", 3, 9) + b"image/png" + struct.pack(">I", 5) + b"Cover"
    + struct.pack(">IIIII", 1, 1, 24, 0, len(png)) + png
)
tags = [
    "TITLE=Seed", "ARTIST=One", "artist=Two", "ALBUM=Fuzz", "TRACKNUMBER=3/12",
    "REPLAYGAIN_TRACK_GAIN=-6.50 dB", "REPLAYGAIN_TRACK_PEAK=0.98", "R128_ALBUM_GAIN=-256",
]
with open(os.path.join(out, "tags.txt"), "w") as file:
    file.write("\n".join(tags + ["METADATA_BLOCK_PICTURE=" + base64.b64encode(picture).decode()]))

mono8 = sound("mono8.wav", 8000, 8, 1, 0.2)
mono16 = sound("mono16.wav", 8000, 16, 1, 0.4)
stereo16 = sound("stereo16.wav", 44100, 16, 2, 0.1)
other16 = sound("other16.wav", 22050, 16, 1, 0.1)
stereo24 = sound("stereo24.aiff", 96000, 24, 2, 0.02)
six16 = sound("six16.wav", 8000, 16, 6, 0.1)

for name in (mono8, mono16, stereo16, other16, stereo24, six16):
    with open(os.path.join(out, name), "rb") as file:
        write("uncompressed-" + name, file.read())
for name, options in (
    ("cbr.mp3", ("-b", "32")), ("vbr.mp3", ("-V", "9")), ("mono.mp3", ("-m", "m", "-b", "64")),
    ("low.mp3", ("--resample", "8", "-b", "8")), ("plain.mp3", ("-t", "-V", "5")),
    ("tagged.mp3", ("--tt", "Seed", "--ta", "One", "--add-id3v2", "--ti", "dot.png")),
    ("free.mp3", ("--freeformat", "-b", "160")),
):
    run("lame", "--quiet", *options, stereo16, path(name))
for name, source, options in (
    ("mono.opus", mono16, ("--serial", "1")), ("six.opus", six16, ("--serial", "2", "--bitrate", "64")),
    ("tagged.opus", stereo16, ("--serial", "3", "--title", "Seed", "--picture", "dot.png")),
):
    run("opusenc", "--quiet", *options, source, path(name))
run("twolame", "--quiet", stereo16, path("two.mp2"))
ape_item = struct.pack("<II", 7, 0) + b"replaygain_track_gain\0-6.5 dB"
ape = b"APETAGEX" + struct.pack("<IIII", 2000, len(ape_item) + 32, 1, 0x80000000) + bytes(8)
write("ape.mp3", read("plain.mp3") + ape_item + ape + b"TAG" + b"Seed".ljust(125, b"\0"))
flac("mono8.flac", mono8)
flac("mono16.flac", mono16, "--blocksize=192")
flac("stereo16.flac", stereo16, "--blocksize=576", "--seekpoint=10x")
flac("stereo24.flac", stereo24)
flac("six16.flac", six16)
flac("stereo16.oga", stereo16, "--ogg", "--blocksize=576", "--serial-number=1")
flac("tagged.oga", mono16, "--ogg", "--serial-number=1", "--picture=dot.png", "--tag=TITLE=Seed")
flac("tagged.flac", mono16, "--picture=dot.png", *("--tag=" + tag for tag in tags))
id3 = b"ID3\4\0\0\0\0\0\x0a" + b"A" * 10
write("id3.flac", id3 + read("tagged.flac") + b"TAG" + b" " * 125)
whole = read("mono16.flac")
write("frames.flac", whole[whole.index(b"\xff\xf8"):])
unknown = bytearray(whole)
unknown[21] &= 0xF0
unknown[22:26] = bytes(4)
write("unknown-total.flac", bytes(unknown))
# Each FLAC frame states its format. So if the FLAC frames of two files follow one header, the format
# changes in the middle.
other = read("six16.flac")
write("format-change.flac", whole + other[other.index(b"\xff\xf8"):])
write("cut.flac", whole[:len(whole) * 2 // 3])
wrong = bytearray(whole)
wrong[8:12] = struct.pack(">HH", 4096, 4096)
write("wrong-block-size.flac", bytes(wrong))
half = len(whole) // 2
write("junk-inside.flac", whole[:half] + whole[:200] + whole[half:])

ogg("mono16.ogg", mono16, "--serial=1")
ogg("stereo16.ogg", stereo16, "--serial=1")
ogg("other16.ogg", other16, "--serial=2")
ogg("six16.ogg", six16, "--serial=3")
run("vorbiscomment", "--raw", "--write", "--commentfile", "tags.txt", path("mono16.ogg"),
    path("tagged.ogg"))
first, second, third = read("stereo16.ogg"), read("other16.ogg"), read("six16.ogg")
write("chain.ogg", first + second + third)
write("chain-same-serial.ogg", first + read("mono16.ogg"))
# The last link has the serial number of the first link. This misleads a search by bisection.
write("chain-around.ogg", first + third + read("mono16.ogg"))
write("cut.ogg", first[:len(first) * 3 // 4])
write("flac-then-vorbis.ogg", read("tagged.oga") + second)
write("vorbis-then-flac.ogg", second + read("tagged.oga"))
write("flac-chain.oga", read("stereo16.oga") + read("tagged.oga"))



# --- formats that are recognised and not played ----------------------------------------------


def box(kind, *parts):
    body = b"".join(parts)
    return struct.pack(">I", 8 + len(body)) + kind + body


def movie(coding):
    entry = struct.pack(">I", 36) + coding + bytes(28)
    table = box(b"stbl", box(b"stsd", struct.pack(">II", 0, 1), entry))
    media = box(b"mdia", box(b"hdlr", bytes(8), b"soun", bytes(4)), box(b"minf", table))
    return box(b"moov", box(b"trak", media))


file_type = box(b"ftyp", b"M4A ", bytes(4))
write("first.m4a", file_type + movie(b"mp4a") + box(b"mdat", bytes(64)))
write("last.m4a", file_type + struct.pack(">I4sQ", 1, b"mdat", 80) + bytes(64) + movie(b"alac"))
asf_header = bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c")
asf_encryption = bytes.fromhex("fbb3112223bdd211b4b700a0c955fc6e")
asf_objects = bytes(16) + struct.pack("<Q", 30) + bytes(6) + asf_encryption + struct.pack("<Q", 24)
write("protected.wma",
      asf_header + struct.pack("<QIH", 30 + len(asf_objects), 2, 0x0201) + asf_objects)

# --- bit by bit ------------------------------------------------------------------------------


def ogg_crc(data):
    crc = 0
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc & 0x80000000 else 0)) & 0xFFFFFFFF
    return crc


def page(packets, flags=0, granule=0, serial=1, number=0):
    table = b"".join(b"\xff" * (len(p) // 255) + bytes([len(p) % 255]) for p in packets)
    assert len(table) <= 255
    head = b"OggS\0" + bytes([flags]) + struct.pack("<qIII", granule, serial, number, 0)
    data = bytearray(head + bytes([len(table)]) + table + b"".join(packets))
    data[22:26] = struct.pack("<I", ogg_crc(data))
    return bytes(data)


class Bits:
    """Packs numbers as Vorbis does, least significant bit first."""

    def __init__(self):
        self.value, self.length = 0, 0

    def put(self, *pairs):
        for value, count in pairs:
            self.value |= value << self.length
            self.length += count
        return self

    def bytes(self):
        return self.value.to_bytes((self.length + 7) // 8, "little")


def book(bits, entries, dimensions, lengths=None, lookup=False):
    bits.put((0x564342, 24), (dimensions, 16), (entries, 24))
    if lengths is None:  # all codewords have the same length
        length = entries.bit_length() - 1
        bits.put((1, 1), (length - 1, 5), (entries, entries.bit_length()))
    else:
        bits.put((0, 1), (0, 1), *((length - 1, 5) for length in lengths))
    if not lookup:
        return bits.put((0, 4))
    values = round(entries ** (1 / dimensions))
    # The smallest value is -1, and the step is 1. Both are packed floats (Vorbis specification, 9.2.2).
    bits.put((1, 4), (0x80000000 | 788 << 21 | 1, 32), (788 << 21 | 1, 32), (1, 4), (0, 1))
    return bits.put(*((value & 3, 2) for value in range(values)))


def setup(floor=1, residue=1, channels=1, long_blocks=True, books=None, residues=1, classes=2):
    bits = Bits()
    books = books or [(4, 2), (4, 1)]
    bits.put((len(books), 8))
    for entries, dimensions in books:
        book(bits, entries, dimensions)
    book(bits, 4, 1, lengths=[1, 2, 3, 3], lookup=True)
    bits.put((0, 6), (0, 16))  # one empty time-domain transform
    bits.put((0, 6), (floor, 16))
    if floor == 1:
        # One partition of class 0: two points, one book.
        bits.put((1, 5), (0, 4), (1, 3), (0, 2), (2, 8), (1, 2), (5, 4), (8, 5), (20, 5))
    else:
        bits.put((4, 8), (8000, 16), (64, 16), (6, 6), (100, 8), (0, 4), (len(books), 8))
    bits.put((residues - 1, 6))
    for _ in range(residues):
        bits.put((residue, 16), (0, 24), (32, 24), (7, 24), (classes - 1, 6), (0, 8))
        for index in range(classes):
            bits.put((index & 1, 3), (0, 1))
        bits.put(*((len(books), 8) for index in range(classes) if index & 1))
    bits.put((0, 6), (0, 16), (0, 1))
    if channels > 1:  # couple the first two channels
        width = (channels - 1).bit_length()
        bits.put((1, 1), (0, 8), (0, width), (1, width))
    else:
        bits.put((0, 1))
    bits.put((0, 2), (0, 8), (0, 8), (0, 8))
    bits.put((1 if long_blocks else 0, 6))
    for flag in range(2 if long_blocks else 1):
        bits.put((flag, 1), (0, 16), (0, 16), (0, 8))
    return b"\5vorbis" + bits.put((1, 1)).bytes()


def identification(channels=1, rate=8000, blocks=0x86):
    return b"\1vorbis" + struct.pack("<IBIiii", 0, channels, rate, 0, 0, 0) + bytes([blocks, 1])


def comment(*entries):
    data = b"\3vorbis" + struct.pack("<I", 4) + b"hand" + struct.pack("<I", len(entries))
    for entry in entries:
        data += struct.pack("<I", len(entry)) + entry.encode()
    return data + b"\1"


def stream(serial=1, packets=12, channels=1, rate=8000, blocks=0x86, tags=(), **options):
    data = page([identification(channels, rate, blocks)], flags=2, serial=serial)
    data += page([comment(*tags), setup(channels=channels, **options)], serial=serial, number=1)
    # The packets have short blocks. The bits after the mode are arbitrary, and so is the decoded sound.
    audio = [
        bytes([(0x5A + 37 * n) & 0xFC, 0xC3, (n * 77) & 0xFF, 0x96, 0x0F]) for n in range(packets)
    ]
    half = packets // 2
    data += page(audio[:half], granule=32 * (half - 1), serial=serial, number=2)
    return data + page(
        audio[half:], flags=4, granule=32 * (packets - 1), serial=serial, number=3)


write("tiny.ogg", stream(tags=["TITLE=Tiny"]))
write("tiny-floor0.ogg", stream(floor=0))
write("tiny-residue0.ogg", stream(residue=0))
write("tiny-residue2.ogg", stream(residue=2, channels=2))
write("tiny-short.ogg", stream(long_blocks=False, blocks=0x66))
write("tiny-8ch.ogg", stream(channels=8))
write("tiny-chain.ogg", b"".join(stream(serial=n, channels=n) for n in (1, 2, 3, 4)))
write("tiny-around.ogg", stream(1, channels=2) + stream(2, channels=8) + stream(1, channels=1))
write("tiny-many.ogg", b"".join(stream(serial=n, packets=4) for n in range(40)))
write("tiny-muxed.ogg",
      page([b"\x80theora" + bytes(8)], flags=2, serial=9) + stream(tags=["ARTIST=Mux"]))

# A file with STREAMINFO, a hundred empty padding blocks, and the sound.
write("empty-blocks.flac", whole[:4] + b"\0" + whole[5:42] + b"\1\0\0\0" * 100 + b"\x81\0\0\0"
      + whole[whole.index(b"\xff\xf8"):])

# --- for single parsers: the first byte selects the parser, see ParsersFuzzer.swift ----------

def id3_tag(version, flags=0):
    """An ID3 tag with each kind of ID3 frame that the parser reads."""
    def frame(name, content):
        if version == 2:
            name = {"TIT2": "TT2", "TXXX": "TXX", "COMM": "COM", "APIC": "PIC"}.get(name, name[:3])
            return name.encode() + struct.pack(">I", len(content))[1:] + content
        return name.encode() + struct.pack(">IH", len(content), 0) + content
    kind = b"PNG" if version == 2 else b"image/png\0"
    body = frame("TIT2", b"\3One\0Two") + frame("TPE1", b"\1\xff\xfeA\0b\0") + frame("TCON", b"\0(17)")
    body += frame("TXXX", b"\0REPLAYGAIN_TRACK_GAIN\0-3 dB") + frame("COMM", b"\0engiTunSMPB\0 0 210 5A4")
    body += frame("RVA2", b"track\0\1\xfe\0\x10\0\1") + frame("APIC", b"\0" + kind + b"\3x\0" + png)
    body = (struct.pack(">IHI", 6, 0, 0) if flags & 0x40 else b"") + body + bytes(12)
    if flags & 0x80:
        body = body.replace(b"\xff", b"\xff\0")
    return b"ID3" + bytes([version, 0, flags, 0, 0, len(body) >> 7, len(body) & 127]) + body


comments = comment(*tags, "METADATA_BLOCK_PICTURE=" + base64.b64encode(picture).decode())
parsers = [
    ("comments", comments[7:]),
    ("setup", setup()),
    ("setup-floor0", setup(floor=0)),
    ("base64", base64.b64encode(picture)),
    ("picture", picture),
    ("frame", whole[whole.index(b"\xff\xf8"):][:64]),
    ("loudness", b"\0".join([b"-6.50 dB", b"0.98", b"+3,2 dB", b"1.1", b"-256", b"512", b"3/12",
                             b"1", b"0x33"])),
    ("metadata", read("tagged.flac")[:400]),
    ("guard", read("tiny.ogg")),
    ("radio", b"maker A\nversion 5.1\nfeatures 2 25\nlink AA:BB:CC:DD:EE:FF classic signal -7 quality 251\n"
              b"link AA:BB:CC:DD:EE:01 low-energy\nend\n"),
    ("id3-2", id3_tag(2)), ("id3-3", id3_tag(3)), ("id3-4", id3_tag(4)),
    ("id3-unsynchronised", id3_tag(3, 0x80)), ("id3-extended", id3_tag(3, 0x40)),
]
order = [
    "comments", "setup", "base64", "picture", "frame", "loudness", "metadata", "guard", "radio", "id3",
]
for name, data in parsers:
    write(name, bytes([order.index(name.split("-")[0])]) + data, "parsers")

# --- covers with pixels ----------------------------------------------------------------------

# Two pictures of 16 by 16 pixels that libjpeg-turbo's cjpeg has encoded: in one scan, and in ten.
BASELINE_JPEG = (
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4"
    "UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj"
    "Y2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAQABADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAABAMG/8QAJhAA"
    "AQMDAwIHAAAAAAAAAAAAAQIDEgQRIQAFMRMiFBUzQVFhgf/EABUBAQEAAAAAAAAAAAAAAAAAAAEE/8QAIhEAAQIDCQAA"
    "AAAAAAAAAAAAAQMRAAJBBRIhMXGB0fDx/9oADAMBAAIRAxEAPwDLKNU7VLap8xEjwABbJJPGqbf5jR1hQ12OQnftIjY5"
    "vxb70yiUkrrmYzWvpqDd7FYGSB+aSytobYKHpWf9TwsshM5Rv8x9udKtprTktkSMHoa6Dpi9ZAXppSXZ+G3Hkf/Z"
)
PROGRESSIVE_JPEG = (
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wCDEAAoABwAHgAjAB4AGQAoACMAIQAjAC0AKwAoADAAPABkAEEAPAA3ADcAPAB7"
    "AFgAXQBJAGQAkQCAAJkAlgCPAIAAjACKAKAAtADmAMMAoACqANoArQCKAIwAyAERAMsA2gDuAPUBAgEEAQIAmwDBARsB"
    "LwEYAPoBLADmAP0BAgD4/9sAQwErLS08NTx2QUF2+KWMpfj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4"
    "+Pj4+Pj4+Pj4+Pj4+Pj4/8IAEQgAEAAQAwEiAAIRAQMRAf/EABcAAAMBAAAAAAAAAAAAAAAAAAABAgT/xAAVAQEBAAAA"
    "AAAAAAAAAAAAAAAAAv/aAAwDAQACEAMQAAABzltf/8QAGBABAQADAAAAAAAAAAAAAAAAAREAIUL/2gAIAQEAAQUC3SiZ"
    "z//EABURAQEAAAAAAAAAAAAAAAAAAAEA/9oACAEDAQE/AUv/xAAWEQEBAQAAAAAAAAAAAAAAAAABAAP/2gAIAQIBAT8B"
    "dG//xAAYEAACAwAAAAAAAAAAAAAAAAAAARARof/aAAgBAQAGPwKGVh//xAAaEAACAwEBAAAAAAAAAAAAAAAAIQERMUFx"
    "/9oACAEBAAE/IWpBmHHxEVi9H//aAAwDAQACAAMAAAAQU//EABcRAQADAAAAAAAAAAAAAAAAAAEAEWH/2gAIAQMBAT8Q"
    "O0dn/8QAFhEBAQEAAAAAAAAAAAAAAAAAAQAR/9oACAECAQE/EErl/8QAGxAAAgMBAQEAAAAAAAAAAAAAAREAIUFRcZH/"
    "2gAIAQEAAT8QLGIfkp6FPEuuGCUMlh0oWB2Wm18n/9k="
)
write("baseline.jpg", base64.b64decode(BASELINE_JPEG), "covers")
write("progressive.jpg", base64.b64decode(PROGRESSIVE_JPEG), "covers")


def png_chunk(name, body):
    data = name + body
    return struct.pack(">I", len(body)) + data + struct.pack(">I", zlib.crc32(data))


def png_of(depth, kind, channels, interlaced):
    """A PNG of 9 by 9 pixels. With `kind` 3, it has a palette and a transparent colour."""
    passes = ((0, 0, 1, 1),) if not interlaced else (
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
    rows = b""
    for x, y, across, down in passes:
        columns, lines = len(range(x, 9, across)), len(range(y, 9, down))
        for line in range(lines):
            size = (columns * channels * depth + 7) // 8
            # The rows use the five filters in turn.
            rows += bytes([line % 5]) + bytes((37 * line + 11 * byte) % 256 for byte in range(size))
    header = struct.pack(">IIBBBBB", 9, 9, depth, kind, 0, 0, int(interlaced))
    palette = png_chunk(b"PLTE", bytes(range(48))) + png_chunk(b"tRNS", b"\x00\x80") if kind == 3 else b""
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + palette
            + png_chunk(b"IDAT", zlib.compress(rows)) + png_chunk(b"IEND", b""))


for depth, kind, channels in ((1, 0, 1), (16, 0, 1), (8, 2, 3), (16, 2, 3), (4, 3, 1), (8, 4, 2), (8, 6, 4)):
    for interlaced in (False, True):
        write(f"png-{depth}-{kind}-{int(interlaced)}.png", png_of(depth, kind, channels, interlaced), "covers")

"""bluetoothd for the image: Debian's source package, and the patches of board/bluez/.

BlueZ 5.82 hands the text of a phone unchecked to libdbus, which ends the process for a title that
is not valid UTF-8. Each patch says what it mends, and which commit of BlueZ does the same.
packages.lock names the files of the source package with their hashes. Nothing here needs root.
"""

import os
import platform
import re
import shutil

from steps import (
    BOARDS, PROJECT, Refused, empty_folder, hash_of, is_whole, made, run, say, up_to_date,
)

# Parts of BlueZ beside bluetoothd. Only the plug-in for game pads uses udev, and the image does not
# load that one.
LEFT_OUT = (
    "client obex mesh cups tools monitor manpages test systemd library datafiles udev".split()
)
SOURCES = PROJECT / "build" / "image" / "sources"


def patches():
    return sorted((BOARDS / "bluez").glob("*.patch"))


def source(packages):
    return [package for package in packages if package.part == "source"]


def patched_version(packages):
    """Debian's version and a hash of our patches: what the image says of itself."""
    texts = [(path.name, path.read_text()) for path in patches()]
    return f"{source(packages)[0].version}+autoharp.{hash_of(texts)[:8]}"


# --- the lock -------------------------------------------------------------------------------


def source_version(version):
    """Of a package's version: Debian's rebuilds of the same source end in +b and a number."""
    return re.sub(r"\+b\d+$", "", version)


def resolve_source(apt, lines):
    """The files of the source package of the bluez that the lock has, as lines of the lock."""
    version = next(
        source_version(line.split()[2]) for line in lines if line.startswith("image bluez ")
    )
    for paragraph in apt("apt-cache", "showsrc", "--only-source", "bluez").split("\n\n"):
        if f"\nVersion: {version}\n" not in paragraph:
            continue
        hashes = paragraph.split("\nChecksums-Sha256:", 1)[1].splitlines()[1:]
        files = [line.split() for line in hashes[: hashes_end(hashes)]]
        return sorted(f"source bluez {version} {name} {sha} {size}" for sha, size, name in files)
    raise Refused(f"Debian has no source package of bluez {version}.")


def hashes_end(lines):
    return next((n for n, line in enumerate(lines) if not line.startswith(" ")), len(lines))


def check_source(packages):
    """Refuses a lock whose source is not that of its package."""
    package = next(p for p in packages if p.part == "image" and p.name == "bluez")
    have = {p.version for p in source(packages)}
    if have != {source_version(package.version)}:
        raise Refused(
            f"packages.lock has bluez {package.version}, but the source of "
            f"{', '.join(sorted(have)) or 'none'}: bluetoothd would not be the one that the image "
            "names. `make image-lock` takes both from Debian."
        )


# --- the source -----------------------------------------------------------------------------


def fetch_source(board, packages, make_apt):
    """Puts the source package into the cache."""
    SOURCES.mkdir(parents=True, exist_ok=True)
    wanted = source(packages)
    if all(is_whole(SOURCES / p.file, p) for p in wanted):
        return
    version = wanted[0].version
    try:
        apt = make_apt(board)
        apt.update()
        say(f"fetching the source of bluez {version}")
        apt("apt-get", "--quiet", "source", "--download-only", f"bluez={version}", cwd=SOURCES)
    except Refused as error:
        raise Refused(
            f"{error}\nThe source of bluez {version} cannot be fetched, and there is no image "
            "without it: a phone can end the bluetoothd that Debian has built. `make image-lock` "
            "takes the newest; AUTOHARP_MIRROR can name a mirror that keeps old ones."
        )
    for package in wanted:
        if not is_whole(SOURCES / package.file, package):
            raise Refused(f"{package.file} is not what {board.lock.name} names.")


def publish_source(board, packages):
    """Puts the source and the patches beside the image: the GPL asks for them with the binary."""
    folder = empty_folder(board.work / "source")
    for path in (*(SOURCES / p.file for p in source(packages)), *patches(), __file__):
        shutil.copy(path, folder)


# --- the program ----------------------------------------------------------------------------


def build_bluez(board, packages, sysroot, toolchain, with_sanitizer=False):
    """Compiles bluetoothd for the board; for the bench also one with the address sanitizer."""
    name = "bluetoothd-asan" if with_sanitizer else "bluetoothd"
    result = board.shared / name
    work = board.shared / f"{name}.build"
    multiarch = next((sysroot / "usr/lib").glob("*-linux-gnu*")).name
    settings = flags(board, work, with_sanitizer)
    options = [f"--disable-{part}" for part in LEFT_OUT]
    sysroot_key = sysroot.with_name(sysroot.name + ".made-from").read_text()
    files = [str(package) for package in source(packages)]
    key = hash_of(files, *patches(), sysroot_key, str(toolchain), settings, options, "1")
    if up_to_date(result, key):
        return result
    say(
        f"{name}: building BlueZ {patched_version(packages)} with the {len(patches())} patches of "
        "board/bluez; Debian's ends when a phone sends a title that is not valid UTF-8"
    )
    unpack_source(packages, empty_folder(work))
    compiler = f"{toolchain}/bin/clang --target={board.triple} --sysroot={sysroot}"
    if with_sanitizer:
        compiler += " -fsanitize=address"
    places = f"{sysroot}/usr/lib/{multiarch}/pkgconfig:{sysroot}/usr/share/pkgconfig"
    environment = dict(
        os.environ, PKG_CONFIG_LIBDIR=places, PKG_CONFIG_PATH="", LC_ALL="C", CC=compiler,
        AR=f"{toolchain}/bin/llvm-ar", NM=f"{toolchain}/bin/llvm-nm",
        RANLIB=f"{toolchain}/bin/llvm-ranlib", **settings,
    )
    run(
        # The two names differ, so configure does not try to run what it compiles.
        *("./configure", f"--build={platform.machine()}-pc-linux-gnu", f"--host={multiarch}"),
        *("--prefix=/usr", "--sysconfdir=/etc", "--localstatedir=/var", "--libexecdir=/usr/libexec"),
        *options, cwd=work, env=environment,
    )
    # "all", as generated headers are missing where only one program is named.
    run("make", f"--jobs={os.cpu_count()}", "all", cwd=work, env=environment)
    shutil.copyfile(work / "src/bluetoothd", result)
    result.chmod(0o755)
    shutil.rmtree(work)
    made(result, key)
    return result


def unpack_source(packages, work):
    """The source with Debian's patches and then ours."""
    files = {package.file: SOURCES / package.file for package in source(packages)}
    original = next(path for name, path in files.items() if ".orig.tar" in name)
    debian = next(path for name, path in files.items() if ".debian.tar" in name)
    run("tar", "--extract", "--file", original, "--strip-components=1", cwd=work)
    run("tar", "--extract", "--file", debian, cwd=work)
    series = (work / "debian/patches/series").read_text().splitlines()
    listed = [line.split()[0] for line in series if line.strip() and not line.startswith("#")]
    for patch in [*(work / "debian/patches" / name for name in listed), *patches()]:
        try:
            run(
                *("patch", "--batch", "--forward", "--strip=1", "--fuzz=0"),
                *("--no-backup-if-mismatch", "--input", patch), cwd=work,
            )
        except Refused as error:
            raise Refused(f"{patch.name} does not fit this version of BlueZ:\n{error}")


def flags(board, work, with_sanitizer):
    """Debian's hardening. The address sanitizer has checks of its own instead."""
    if with_sanitizer:
        return {"CFLAGS": "-O1 -g1 -fno-omit-frame-pointer", "LDFLAGS": "-fuse-ld=lld"}
    branches = {"amd64": "-fcf-protection", "arm64": "-mbranch-protection=standard"}
    return {
        "CFLAGS": f"-O2 -fPIE -fstack-protector-strong -fstack-clash-protection -Wformat "
        f"-Werror=format-security {branches.get(board.architecture, '')} "
        f"-ffile-prefix-map={work}=.",
        "CPPFLAGS": "-D_FORTIFY_SOURCE=2",
        "LDFLAGS": "-fuse-ld=lld -pie -Wl,-z,relro,-z,now,--strip-all",
    }

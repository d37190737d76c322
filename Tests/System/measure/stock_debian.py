#!/usr/bin/env python3
"""Makes a stock Debian 13 in FOLDER that plays with mpd after power-on, for comparison.

mmdebstrap (a Debian package) makes the root file system with Debian's default packages and settings. mmdebstrap must
run as root. No setting is tuned for a fast start. In the first boot an added systemd unit makes mpd find the song and
play it. In all later boots mpd resumes by itself, which is its default in Debian. The files have the same names as the
files of an Autoharp image, so that HeadUnit can boot them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import paths  # noqa: F401
from headunit import HeadUnit, Image
from sound import flac, noise

PACKAGES = "systemd-sysv,dbus,linux-image-amd64,initramfs-tools,alsa-utils,mpd,mpc"
KEY = "signed-by=/usr/share/keyrings/debian-archive-keyring.gpg"
MIRROR = os.environ.get("AUTOHARP_MIRROR", "http://deb.debian.org/debian")
SOURCES = [
    f"deb [{KEY}] {MIRROR} trixie main",
    f"deb [{KEY}] {MIRROR} trixie-updates main",
    f"deb [{KEY}] {MIRROR}-security trixie-security main",
]
FIRST_BOOT = """[Unit]
After=mpd.service
Requires=mpd.service
ConditionPathExists=!/var/lib/first-boot-is-over
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'mpc update --wait; mpc add song.flac; mpc repeat on; mpc play; sleep 5'
ExecStart=/bin/sh -c 'touch /var/lib/first-boot-is-over; systemctl --no-block poweroff'
[Install]
WantedBy=multi-user.target
"""


def make_root(root: Path) -> None:
    mode = Path("/dev/null").stat().st_mode
    subprocess.run(
        ["mmdebstrap", "--mode=root", "--variant=important", "--architectures=amd64",
         f"--include={PACKAGES}", "trixie", root, *SOURCES], check=True,
    )
    # mmdebstrap can change the permissions of the host's /dev/null, so restore them.
    Path("/dev/null").chmod(mode & 0o7777)


def fill(root: Path) -> None:
    (root / "var/lib/mpd/music/song.flac").write_bytes(flac(noise(60, seed=1)))
    (root / "etc/fstab").write_text("/dev/vda / ext4 defaults 0 1\n")
    (root / "etc/systemd/system/first-boot.service").write_text(FIRST_BOOT)
    wants = root / "etc/systemd/system/multi-user.target.wants"
    (wants / "first-boot.service").symlink_to("../first-boot.service")


def make_image(root: Path, folder: Path) -> Image:
    kernel = next((root / "boot").glob("vmlinuz-*")).read_bytes()
    # The kernel is unpacked, as in the Autoharp image for QEMU.
    packed = kernel[kernel.find(b"\x28\xb5\x2f\xfd") :]
    plain = subprocess.run(["zstd", "-dc"], input=packed, capture_output=True).stdout
    (folder / "vmlinux").write_bytes(plain)
    shutil.copyfile(next((root / "boot").glob("initrd.img-*")), folder / "initrd")
    (folder / "cmdline").write_text("root=/dev/vda ro quiet console=ttyS0\n")
    (folder / "board").write_text("qemu-x86_64\n")
    disk = folder / "autoharp.img"
    disk.unlink(missing_ok=True)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", root, disk, "3G"], check=True)
    return Image(folder)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    root = folder / "root"
    if not root.exists():
        make_root(root)
        fill(root)
    image = make_image(root, folder)
    unit = HeadUnit.boot(image, Path(tempfile.mkdtemp(prefix="unit-")), memory=1024, shell=False)
    try:
        unit.machine.monitor.wait_for("SHUTDOWN")
        unit.machine.process.wait()
        subprocess.run(["cp", "--sparse=always", unit.disk.file, image.disk], check=True)
    finally:
        unit.close()
    print(f"{folder}: boot it with `first_sound.py --beside {folder}`")


if __name__ == "__main__":
    main()

"""Keys from the input devices of the kernel control the daemon, and the console shows their names."""

from __future__ import annotations

import re
import time

from machine import TIMEOUT

# A key of QEMU's keyboard, and the command that it sends.
KEYS = [
    ("audionext", "next"),
    ("audioprev", "previous"),
    ("audioplay", "togglePlayPause"),
    ("audiostop", "stop"),
    ("volumeup", "volume +2.5 %"),
    ("volumedown", "volume -2.5 %"),
    ("audiomute", "volume mute"),
]


def test_key_press_becomes_a_command_with_its_device(boot):
    unit = boot()
    unit.wait_until_booted()
    unit.wait_for_console("keys", r"QEMU Virtio Keyboard")
    for key, command in KEYS:
        unit.key(key)
        unit.wait_for_console(
            "trace", rf"keys/keys \(QEMU Virtio Keyboard\) {re.escape(command)}"
        )


def test_held_next_key_seeks_until_release(boot):
    unit = boot()
    unit.wait_until_booted()
    unit.wait_for_console("keys", r"QEMU Virtio Keyboard")
    unit.key("audionext", held=True)
    unit.wait_for_console("trace", r"seekForward begin")
    unit.key("audionext", held=False)
    unit.wait_for_console("trace", r"seekForward end")


def test_keyboard_plugged_in_after_boot_is_read_until_removal(boot):
    unit = boot()
    unit.wait_until_booted()
    unit.machine.monitor("device_add", driver="usb-kbd", id="wheel", bus="usb.0")
    unit.wait_for_console("keys", r"QEMU USB Keyboard")
    unit.machine.monitor("device_del", id="wheel")
    unit.machine.monitor.wait_for("DEVICE_DELETED")
    deadline = time.monotonic() + TIMEOUT
    while "QEMU USB Keyboard" in unit.console("keys"):
        assert time.monotonic() < deadline, "the removed keyboard is still listed"


def test_unassigned_key_is_listed_by_name_and_can_be_bound(boot):
    line = "key = KEY_MAIL next on QEMU Virtio Keyboard\n"
    unit = boot(data={"autoharp.conf": line.encode()})
    unit.wait_until_booted()
    unit.wait_for_console("keys", r"QEMU Virtio Keyboard")
    # Typed letters are private and must not appear.
    unit.key("a")
    unit.key("calculator")
    text = unit.wait_for_console("keys", r"KEY_CALC \(140\).*QEMU Virtio Keyboard")
    assert "KEY_A " not in text
    unit.key("mail")
    unit.wait_for_console("trace", r"keys/keys \(QEMU Virtio Keyboard\) next")


def test_pointing_device_is_not_read_for_keys(boot):
    unit = boot()
    unit.wait_until_booted()
    unit.wait_for_console("keys", r"QEMU Virtio Tablet")
    # The JSON answer is keyed by the titles of the sections. "devices" lists the devices that the daemon reads.
    sections = unit.ask("keys")
    assert "QEMU Virtio Tablet" in str(sections["not read"])
    assert "QEMU Virtio Tablet" not in str(sections.get("devices", ""))


def test_ctrl_alt_del_sysrq_keys_and_break_do_nothing(boot):
    """These keys and a BREAK must do nothing, because any keyboard can be paired, and a serial line picks up noise.
    Root can still use /proc/sysrq-trigger."""
    unit = boot()
    unit.wait_until_booted()
    unit.wait_for_console("keys", r"QEMU Virtio Keyboard")
    begin = "cat /proc/sys/kernel/random/boot_id; systemctl show --property=InactiveExitTimestamp autoharp.service"
    before = unit.shell(begin)
    # systemd restarts the machine at once after seven presses within two seconds, unless its configuration forbids
    # this.
    for keys in [["ctrl", "alt", "delete"]] * 9 + [["alt", "sysrq", letter] for letter in "sub"]:
        for key in keys:
            unit.key(key, held=True)
        for key in reversed(keys):
            unit.key(key, held=False)
    # After a BREAK, the kernel would take the next byte within five seconds as a command.
    unit.machine.monitor("chardev-send-break", id="console")
    unit.machine.lines["console"].send("b")
    assert "sysrq: " not in unit.shell("dmesg")
    unit.machine.lines["console"].send("\x15")
    unit.wait_for_console("now", r"stopped|nothing|paused")
    unit.shell("sleep 3")
    assert unit.shell(begin) == before
    unit.shell("echo h >/proc/sysrq-trigger")
    assert "sysrq: HELP" in unit.shell("dmesg")

"""The unit cannot be reached over a network, even if the machine has network cards."""

from __future__ import annotations

from devices import plain

CARDS = plain("virtio-net-pci", "e1000", "usb-net,bus=usb.0")


def test_network_has_no_listener_and_no_address(boot):
    # The machine has network cards. One of them is a USB device, which a person could plug in.
    unit = boot(devices=[CARDS])
    unit.wait_until_booted()
    for table in ("tcp", "tcp6", "udp", "udp6", "udplite", "raw", "raw6", "packet"):
        lines = unit.shell(f"cat /proc/net/{table} 2>/dev/null | tail -n +2")
        assert lines == "", table
    # 127.0.0.1 is the only address.
    addresses = unit.shell(
        "grep -B1 'host LOCAL' /proc/net/fib_trie | grep -e '|--' | grep -v ' 127[.]'; true"
    )
    assert addresses == ""
    for interface in unit.shell("ls /sys/class/net").split():
        assert unit.shell(f"cat /sys/class/net/{interface}/operstate") in ("down", "unknown")

"""bluetoothd accepts packets from all devices in range. Therefore bluetoothd has few rights, and only few
programs may send messages to it."""

from __future__ import annotations

from car import car

ASK = "busctl get-property org.bluez /org/bluez/hci0 org.bluez.Adapter1 Powered"


def test_bluetoothd_has_few_rights_and_accepts_calls_of_the_daemon_only(boot, radio):
    unit = car(boot, radio)
    status = unit.shell("cat /proc/$(pidof bluetoothd)/status")
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    # The capabilities are CAP_NET_ADMIN (bit 12) and CAP_NET_BIND_SERVICE (bit 10). bluetoothd needs the second one to
    # listen on L2CAP PSMs below 0x1001.
    assert {fields[name].strip() for name in ("CapEff", "CapBnd", "CapPrm")} == {"0000000000001400"}
    assert fields["NoNewPrivs"].strip() == "1"
    assert fields["Seccomp"].strip() == "2"
    # Only root can read bonds. The system is read-only for bluetoothd.
    assert unit.shell("stat -c '%U %a' /data/bluetooth") == "root 700"
    mounts = unit.shell("cat /proc/$(pidof bluetoothd)/mounts")
    writable = {line.split()[1] for line in mounts.splitlines() if line.split()[3].startswith("rw")}
    assert not writable & {"/", "/data", "/usr", "/etc", "/media", "/run", "/dev/shm"}, writable

    assert unit.run_as("autoharp", ASK) == ("b true", 0)
    answer, failed = unit.run_as("console", ASK)
    assert failed and "denied" in answer
    # Not even root is permitted to call systemd on the bus. The daemon owns no name on the bus, so no client can call
    # it by a name.
    answer, failed = unit.try_shell("busctl call org.freedesktop.systemd1 /org/freedesktop/systemd1 "
                                    "org.freedesktop.systemd1.Manager ListUnits")
    assert failed and "denied" in answer
    assert "org.autoharp" not in unit.shell("busctl list --no-pager")

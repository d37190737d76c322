"""The attack surface of the booted unit is exactly what the tables of docs/board.md accept."""

from __future__ import annotations

import re

import pytest

from car import album, wait_for_phones
from daemon import on_data
from headunit import HeadUnit
from machine import PROJECT

PAGE = PROJECT / "docs/board.md"
# The headers of the tables. The last column of each table is the reason.
UNITS = "| unit | user | exposure | findings | why it is not less |"
SOCKETS = "| socket | kind | rights | services that may connect | who listens |"
WRITABLE = "| path | rights | why it is harmless |"

BLUETOOTH_LISTENS = "4"  # BT_LISTEN, the state in the kernel's lists of Bluetooth sockets
LISTENS = 0x10000  # __SO_ACCEPTCON, a flag in /proc/net/unix
DATAGRAM = 2
USER_SOCKETS = "2"  # NETLINK_USERSOCK, the only netlink protocol with which all users may send to each other
NO_ATTRIBUTES = "ff" * 8
NOT_STARTED = """[Unit]
ConditionPathExists=
OnFailure=
[Service]
Type=exec
ExecStart=
ExecStart=/usr/bin/busybox sleep 100000
ExecPaths=/usr
Restart=no
StandardInput=null
StandardOutput=journal
"""
# A process with this capability may connect to a socket of any mode.
DAC_OVERRIDE = 1 << 1
# The search leaves out /proc and /sys, because the kernel makes their files and sets their modes.
FILES = r"find / \( -path /proc -o -path /sys \) -prune -o"


def accepted(header: str) -> dict[str, str]:
    """The rows of a table in docs/board.md. The key is the first cell of a row. The value is the text of its other
    cells, without the last cell (the reason)."""
    lines = PAGE.read_text().splitlines()
    rows = {}
    for line in lines[lines.index(header) + 2 :]:
        if not line.startswith("|"):
            break
        name, *cells, reason = [cell.strip().strip("`") for cell in line.strip("|").split(" | ")]
        assert reason, f"{name} has no reason"
        assert name not in rows, f"{name} is in the table twice"
        rows[name] = " ".join(cells)
    return rows


def template(name: str) -> str:
    return re.sub(r"@.*\.service$", "@.service", name)


def services(unit: HeadUnit) -> dict[str, str]:
    """Each service unit that runs a program, with its user, and with its exposure and the number of findings of
    `systemd-analyze security`. A template is represented by an example instance, which is not started."""
    files = unit.shell("systemctl list-unit-files --type=service --plain --no-legend --full")
    loaded = unit.shell("systemctl list-units --type=service --all --plain --no-legend --full")
    names = {line.split()[0].replace("@.", "@example.") for line in (files + "\n" + loaded).splitlines()}
    shown = unit.shell("systemctl show --property=Id,LoadState,User,ExecStart,ExecStop "
                       + " ".join(f"'{name}'" for name in sorted(names)))
    users = {}
    for text in shown.split("\n\n"):
        fields = dict(line.split("=", 1) for line in text.splitlines())
        if fields["LoadState"] == "loaded" and ("ExecStart" in fields or "ExecStop" in fields):
            users[fields["Id"]] = fields.get("User") or "root"
    names = " ".join(f"'{name}'" for name in users)
    lines = unit.shell(f"systemd-analyze security --no-pager {names} | grep -e '^✗' -e '^→'").splitlines()
    found: dict[str, tuple[float, int, str]] = {}
    findings = 0
    for line in lines:
        if line.startswith("✗"):
            findings += 1
        else:
            # The last line of each service: → Overall exposure level for NAME: 1.5 OK :-)
            name, exposure = re.search(r" for (\S+): ([0-9.]+) ", line).groups()
            result = (float(exposure), findings, users.pop(name))
            found[template(name)] = max(result, found.get(template(name), result))
            findings = 0
    assert not users, f"systemd-analyze has not judged {users}"
    return {name: f"{user} {exposure} {findings}" for name, (exposure, findings, user) in found.items()}


def processes(unit: HeadUnit) -> dict[str, str]:
    """Each systemd unit that has processes, with the users of its processes. Process 1 and the threads of the kernel
    are left out."""
    script = ("for p in /proc/[0-9]*; do readlink $p/exe >/dev/null && "
              "echo $(stat -c %U $p) $(cat $p/cgroup); done; true")
    found: dict[str, set[str]] = {}
    for line in unit.shell(script).splitlines():
        user, group = line.split(None, 1)
        if group != "0::/init.scope":
            name = re.search(r"/([^/]+\.service)", group)
            found.setdefault(template(name[1]) if name else group, set()).add(user)
    return {name: " ".join(sorted(users)) for name, users in found.items()}


def reached(unit: HeadUnit, sockets: list[str]) -> dict[str, list[str]]:
    """The services that may connect to each of these sockets. A service that does not run, but would have a mount
    namespace, is started with another program for this test. The root shell is left out: it runs only if the kernel's
    command line requests it."""
    found: dict[str, list[str]] = {name: [] for name in sockets}
    wanted = "MainPID,RestrictAddressFamilies,CapabilityBoundingSet,ProtectSystem,PrivateMounts"
    for name in sorted(accepted(UNITS).keys() - {"root-shell@.service"}):
        running = unit.shell(f"systemctl list-units --plain --no-legend --state=running '{name.replace('@.', '@*.')}'")
        instance = running.split()[0] if running else name.replace("@.", "@example.")
        fields = properties(unit, instance, wanted)
        # If a service does not restrict address families, systemd reports "~".
        families = fields["RestrictAddressFamilies"]
        if not families.startswith("~") and "AF_UNIX" not in families.split():
            continue
        process, rights = fields["MainPID"], ""
        if process == "0" and fields["ProtectSystem"] == "no" and fields["PrivateMounts"] == "no":
            # The service shares the mounts of the system, so the namespace of process 1 is used. No process shows the
            # service's capabilities, so they come from its settings.
            process = "1"
            rights = f"{DAC_OVERRIDE if 'cap_dac_override' in fields['CapabilityBoundingSet'] else 0:x}"
        elif process == "0":
            unit.shell(f"mkdir -p /run/systemd/system/{instance}.d && cd /run/systemd/system/{instance}.d && "
                       f"printf '%s' '{NOT_STARTED}' >reach.conf && systemctl daemon-reload && "
                       f"systemctl start {instance}")
            process = properties(unit, instance, "MainPID")["MainPID"]
        rights = rights or unit.shell(f"sed -n 's/^CapEff:\t//p' /proc/{process}/status")
        for socket in unit.shell(f"/run/reach {process} {rights} {' '.join(sockets)}").splitlines():
            found[socket].append(name.removesuffix(".service"))
        unit.shell(f"test ! -e /run/systemd/system/{instance}.d/reach.conf || {{ systemctl stop {instance}; "
                   f"rm -r /run/systemd/system/{instance}.d; systemctl daemon-reload; }}")
    return found


def properties(unit: HeadUnit, name: str, wanted: str) -> dict[str, str]:
    text = unit.shell(f"systemctl show --property={wanted} '{name}'")
    return dict(line.split("=", 1) for line in text.splitlines())


def unix_sockets(unit: HeadUnit) -> dict[str, str]:
    """The sockets that accept connections, and the datagram sockets with a name, to which other processes can send."""
    found = {}
    for line in unit.shell("cat /proc/net/unix").splitlines()[1:]:
        _, _, _, flags, kind, _, _, *path = line.split(None, 7)
        if not (int(flags, 16) & LISTENS or (int(kind, 16) == DATAGRAM and path)):
            continue
        name = path[0] if path else "(no name)"
        rights = unit.shell(f"stat -c '%U:%G %a' '{name}'") if name.startswith("/") else "all users"
        found[name] = f"{ {1: 'stream', 2: 'datagram', 5: 'packet'}[int(kind, 16)] } {rights}"
    for name, services in reached(unit, [name for name in found if name.startswith("/")]).items():
        found[name] += " " + ", ".join(services)
    return found


def network_sockets(unit: HeadUnit) -> dict[str, str]:
    """All network sockets. The unit must have none, not even sockets of clients."""
    found = {}
    for table in ("tcp", "tcp6", "udp", "udp6", "udplite", "udplite6", "raw", "raw6", "icmp", "icmp6", "packet"):
        for line in unit.shell(f"tail -n +2 /proc/net/{table} 2>/dev/null; true").splitlines():
            found[f"{table} {line.split()[1]}"] = "network all"
    for line in unit.shell("tail -n +2 /proc/net/netlink").splitlines():
        _, protocol, port, *_ = line.split()
        if protocol == USER_SOCKETS and port != "0":
            found[f"netlink user socket of {port}"] = "netlink all"
    return found


def bluetooth_sockets(unit: HeadUnit) -> dict[str, str]:
    """The sockets to which devices in range may connect. Only the kernel's debugfs shows their states."""
    debug = "/sys/kernel/debug"
    unit.shell(f"mount -t debugfs debugfs {debug}")
    try:
        found = {}
        for protocol in ("l2cap", "rfcomm", "sco", "iso"):
            for line in unit.shell(f"cat {debug}/bluetooth/{protocol} 2>/dev/null; true").splitlines():
                # For L2CAP: own address and its type, address of the peer and its type, state, PSM, own channel.
                # The sockets of other protocols have no types.
                fields = re.sub(r"\(\d\) ", "", line).split()
                if len(fields) < 3 or fields[2] != BLUETOOTH_LISTENS:
                    continue
                number = {"l2cap": f" {fields[3]}", "rfcomm": f" {fields[-1]}"}.get(protocol, "")
                if number == " 0":
                    number = f" channel {int(fields[4], 16)}"
                found[f"{protocol}{number}"] = "Bluetooth devices in range –"
        return found
    finally:
        unit.shell(f"umount {debug}")


def writable_files(unit: HeadUnit) -> dict[str, str]:
    """All files and folders that every user may write, with their rights. Sockets are left out: they have a table of
    their own."""
    found = unit.shell(f"{{ {FILES} -perm -0002 ! -type l ! -type s -print; find /sys -perm -0002 ! -type l; }}"
                       " | xargs stat -c '%A %n'")
    return {name: rights for rights, name in (line.split(None, 1) for line in found.splitlines())}


def privileged_files(unit: HeadUnit) -> dict[str, str]:
    """Programs that give rights to their caller: set-user-ID and set-group-ID files, and files with
    capabilities. Capabilities are extended attributes. The root file system has no extended attributes at
    all, as its superblock says, and the kernel ignores capabilities on file systems with `nosuid`."""
    found = dict.fromkeys(unit.shell(f"{FILES} -perm /6000 ! -type d -print").splitlines(), "set-ID")
    mounts = [line.split() for line in unit.shell("cat /proc/mounts").splitlines()]
    for device, point, kind, options, *_ in mounts:
        if point == "/":
            assert kind == "squashfs"
            table = unit.shell(f"dd if={device} bs=8 skip=7 count=1 2>/dev/null | hexdump -v -e '1/1 \"%02x\"'")
            if table != NO_ATTRIBUTES:
                found[point] = "has extended attributes"
        # systemd mounts the file /etc/machine-id from /run. The file has no execute permission, so it needs no
        # `nosuid`.
        elif "nosuid" not in options.split(",") and point != "/etc/machine-id":
            found[point] = "mounted without nosuid"
    return found


def compare(what: str, found: dict[str, str], expected: dict[str, str]) -> list[str]:
    return ([f"{what}: new: {name}: {found[name]}" for name in sorted(found.keys() - expected.keys())]
            + [f"{what}: missing: {name}" for name in sorted(expected.keys() - found.keys())]
            + [f"{what}: changed: {name}: {found[name]}, accepted: {expected[name]}"
               for name in sorted(found.keys() & expected.keys()) if found[name] != expected[name]])


def differences(unit: HeadUnit) -> list[str]:
    """What the unit has but the tables do not accept, and what the tables accept but the unit does not have."""
    units = accepted(UNITS)
    running = processes(unit)
    users = {name: text.split()[0] for name, text in units.items() if name in running}
    sockets = unix_sockets(unit) | network_sockets(unit) | bluetooth_sockets(unit)
    return (compare("unit", services(unit), units) + compare("process", running, users)
            + compare("socket", sockets, accepted(SOCKETS))
            + compare("writable", writable_files(unit), accepted(WRITABLE))
            + compare("privileged", privileged_files(unit), {}))


# Each line or group of lines makes one kind of change, which the comparison must report.
PLANTED = r"""
cd /run/systemd/system
mkdir -p dbus.service.d
printf '[Service]\nPrivateNetwork=no\n' >dbus.service.d/planted.conf
printf '[Unit]\nDefaultDependencies=no\n[Service]\nExecStart=/usr/bin/busybox sleep 100000\n' >planted.service
printf '[Unit]\nDefaultDependencies=no\n[Socket]\nService=planted.service\n%s\n' >planted.socket "
ListenStream=/run/planted/stream
ListenDatagram=@planted
ListenStream=127.0.0.1:4711
ListenDatagram=[::1]:4712"
systemctl daemon-reload && systemctl start planted.socket planted.service || exit
chmod 660 /run/planted/stream /run/dbus/system_bus_socket
mkdir -m 777 /run/planted/folder
: >/run/planted/file && chmod 666 /run/planted/file
cp /usr/bin/busybox /run/planted/root && chmod 4755 /run/planted/root
mkdir /run/planted/disk && mount -t tmpfs -o mode=700 tmpfs /run/planted/disk
"""
FOUND = [
    "privileged: new: /run/planted/disk: mounted without nosuid",
    "privileged: new: /run/planted/root: set-ID",
    "process: new: planted.service: root",
    "socket: changed: /run/dbus/system_bus_socket: stream root:root 660 bluetooth, data-format@, stick@, "
    "systemd-journald, accepted: stream root:root 666 autoharp-console@, autoharp-library, autoharp-screen, autoharp, "
    "bluetooth, data-format@, dbus, stick@, systemd-journald",
    "socket: new: /run/planted/stream: stream root:root 660 data-format@, stick@, systemd-journald",
    "socket: new: @planted: datagram all users",
    "socket: new: tcp 0100007F:1267: network all",
    "socket: new: udp6 00000000000000000000000001000000:1268: network all",
    "unit: new: planted.service: root 9.5 71",
    "writable: new: /run/planted/file: -rw-rw-rw-",
    "writable: new: /run/planted/folder: drwxrwxrwx",
]


def test_exposure_is_the_accepted_one(boot, image, radio):
    if not image.reach.exists():
        pytest.skip("the image has no program `reach`; `make test-system` builds this program")
    # With low energy, bluetoothd can listen on further channels.
    radio.low_energy = True
    unit = boot(radio=radio, data=on_data(album()) | {"reach": image.reach.read_bytes()})
    wait_for_phones(unit)
    unit.wait_until_booted()
    unit.shell("cp /data/reach /run/reach && chmod 755 /run/reach")
    found = differences(unit)
    assert found == [], "\n".join(found)

    # The comparison notices each kind of change.
    unit.shell(PLANTED)
    found = differences(unit)
    less_protected = [line for line in found if line.startswith("unit: changed: dbus.service: messagebus ")]
    assert len(less_protected) == 1
    assert sorted(set(found) - set(less_protected)) == FOUND

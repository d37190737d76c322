import AVRCPTarget
import Bluez
import EventLoop
import Foundation
import Glibc
import NowPlaying
import Reports
import TestKit
import Testing

/// Tests the D-Bus policy file of the image with the user accounts of this machine.
@Suite struct BusPolicyTests {
  /// The part of systemd's policy file that permits root everything.
  private let systemd = """
    <busconfig><policy user="root"><allow own="org.freedesktop.systemd1"/>
    <allow send_destination="org.freedesktop.systemd1"/></policy></busconfig>
    """

  /// A bus rejects user names without an account, so `daemon` replaces the user `autoharp`.
  private func policy() throws -> [String] {
    let text = try ProjectFile.text("rootfs-overlay/etc/dbus-1/system.d/autoharp-bluez.conf")
    return [systemd, text.replacingOccurrences(of: "\"autoharp\"", with: "\"daemon\"")]
  }

  /// In this test, both bluetoothd and the unit run as root. The policy permits root the calls of the unit to
  /// bluetoothd and the calls of bluetoothd to the agent and the player of the unit.
  @Test(.enabled(if: getuid() == 0, "needs root"))
  func bluetoothd_mayCallThePlayer_andTheAgent() throws {
    let bench = try Bench(policy: policy())
    try bench.turn { bench.bluez.agent?.isDefault == true && bench.player?.title == "first" }
    bench.bluez.press(.play)
    try bench.turn { bench.source.performed == ["play"] }
    bench.bluez.set("LoopStatus", .string("Track"))
    try bench.turn { bench.source.performed.count == 2 }
    bench.bluez.addDevice(Bench.phone, isBonded: false)
    #expect(bench.target.openPairing(for: .seconds(60)) == nil)
    bench.bluez.askAgent("RequestConfirmation", [FakeBluez.object(Bench.phone), .uint32(1)])
    try bench.turn { bench.target.state.request?.passkey == "000001" }
  }

  /// Calls a method as a user. Returns true if the bus permits the call.
  private func mayCall(
    _ loop: EventLoop, _ bus: PrivateBus, as user: String, _ call: [String]
  ) throws -> Bool {
    let group = try #require(getpwnam(user)).pointee.pw_gid
    let result = try loop.run(
      "setpriv",
      [
        "--reuid=\(user)", "--regid=\(group)", "--clear-groups", "busctl",
        "--address=\(bus.address)",
      ]
        + ["call"] + call)
    if case .failure(let error) = result { return !"\(error)".contains("denied") }
    return true
  }

  @Test(.enabled(if: getuid() == 0, "needs root, to run as other users"))
  func root_mayOnlyReadFromSystemd_andOthersMayNotCallBluez() throws {
    let loop = EventLoop()
    let bus = try PrivateBus(policy: policy())
    // Two connections that own the names of systemd and BlueZ.
    var owned = 0
    let owners = try ["org.freedesktop.systemd1", "org.bluez"].map { name in
      let owner = try Bus(loop, to: .bus(bus.address))
      owner.onConnected = { [unowned owner] in
        owner.requestName(name) { if case .success(true) = $0 { owned += 1 } }
      }
      return owner
    }
    try loop.turn { owned == 2 }
    func call(_ name: String, _ interface: String, _ member: String) -> [String] {
      [name, "/", interface, member]
    }
    let systemd = "org.freedesktop.systemd1"
    let (manager, properties) = (systemd + ".Manager", "org.freedesktop.DBus.Properties")
    for (interface, member, isPermitted) in [
      (manager, "Reboot", false), (manager, "StartUnit", false), (properties, "Set", false),
      ("org.freedesktop.DBus.Peer", "Ping", false), (manager, "GetUnit", true),
      (properties, "GetAll", true),
    ] {
      #expect(
        try mayCall(loop, bus, as: "root", call(systemd, interface, member)) == isPermitted,
        "\(member)")
    }
    let bluez = call("org.bluez", "org.bluez.Adapter1", "StartDiscovery")
    for (user, isPermitted) in [("root", true), ("daemon", true), ("games", false)] {
      #expect(try mayCall(loop, bus, as: user, bluez) == isPermitted, "\(user)")
    }
    let driver = "org.freedesktop.DBus"
    #expect(
      try !mayCall(loop, bus, as: "root", call(driver, driver + ".Monitoring", "BecomeMonitor")))
    #expect(try mayCall(loop, bus, as: "root", call(driver, driver, "ListNames")))
    withExtendedLifetime(owners) {}
  }
}

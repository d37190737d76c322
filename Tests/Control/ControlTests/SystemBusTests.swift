import Control
import EventLoop
import Foundation
import Glibc
import NowPlaying
import SystemClock
import TestKit
import Testing

@Suite struct SystemBusTests {
  @Test func busThatAppearsLate_getsTheName_andTheSocketWorksWithoutIt() throws {
    let folder = try TemporaryFolder()
    let bench = try Bench(bus: .bus("unix:path=\(folder.path("none"))"))
    // The control socket works without the bus.
    let client = try bench.client()
    #expect(try bench.answer { client.getState($0) }.get() == bench.center.state)
    // The bus appears, disappears, and appears again.
    for _ in 0..<2 {
      let bus = try PrivateBus(at: folder.path("none"))
      try waitForName(bench, bus)
      bus.stop()
      try FileManager.default.removeItem(atPath: folder.path("none"))
    }
  }

  private func waitForName(_ bench: Bench, _ bus: PrivateBus) throws {
    let caller = try Bus(bench.loop, to: .bus(bus.address))
    var owner: String?
    let watch = try caller.watchName(ControlInterface.busName) { owner = $0 }
    try bench.loop.turn { owner != nil }
    watch.cancel()
    caller.close()
  }

  @Test func nameOwnedByAnotherProcess_isRequestedUntilItIsFree() throws {
    let bus = try PrivateBus()
    let loop = EventLoop()
    let other = try Bus(loop, to: .bus(bus.address))
    var isTaken = false
    other.requestName(ControlInterface.busName) { _ in isTaken = true }
    try loop.turn { isTaken }
    let bench = try Bench(bus: .bus(bus.address))
    let watcher = try Bus(bench.loop, to: .bus(bus.address))
    var owners: [String] = []
    let watch = try watcher.watchName(ControlInterface.busName) { owners.append($0 ?? "none") }
    try bench.loop.turn { !owners.isEmpty }
    #expect(owners.last != "none")
    other.close()
    try bench.loop.turn { owners.count >= 3 && owners.last != "none" }
    #expect(owners.first != owners.last)
    withExtendedLifetime(watch) {}
  }

  /// Tests the policy file of the image. The users in the file are replaced by users that every
  /// Debian has, because a bus rejects users without an account.
  @Test(.enabled(if: getuid() == 0, "needs root, to run as other users"))
  func policy_decidesWhoOwnsTheName_andWhoMayCall() throws {
    let file = ProjectFile.url("rootfs-overlay/usr/share/dbus-1/system.d/org.autoharp.conf")
    let users = [
      "autoharp": "daemon", "console": "bin", "screen": "games", "nobody": "nobody", "root": "root",
    ]
    var policy = try String(contentsOf: file, encoding: .utf8)
    for (name, account) in users {
      policy = policy.replacingOccurrences(of: "user=\"\(name)\"", with: "user=\"\(account)\"")
    }
    // `man` is a user whose only group has the same name.
    policy = policy.replacingOccurrences(of: "group=\"autoharp\"", with: "group=\"man\"")
    let bus = try PrivateBus(policy: [policy])
    func run(as user: String, _ loop: EventLoop, _ arguments: [String]) throws -> Bool {
      let account = users[user, default: user]
      let group = try #require(getpwnam(account)).pointee.pw_gid
      let result = try loop.run(
        "setpriv",
        ["--reuid=\(account)", "--regid=\(group)", "--clear-groups", "busctl"]
          + ["--address=\(bus.address)", "call"] + arguments)
      if case .failure(let error) = result { #expect("\(error)".contains("denied"), "\(error)") }
      return (try? result.get()) != nil
    }
    let claim = ["org.freedesktop.DBus", "/", "org.freedesktop.DBus", "RequestName", "su"]
    let alone = EventLoop()
    #expect(try run(as: "autoharp", alone, claim + ["org.autoharp", "0"]))
    #expect(try !run(as: "console", alone, claim + ["org.autoharp", "0"]))
    #expect(try !run(as: "nobody", alone, claim + ["org.autoharp", "0"]))

    let bench = try Bench(bus: .bus(bus.address))
    try waitForName(bench, bus)
    let call = [
      ControlInterface.busName, ControlInterface.path, ControlInterface.nowPlaying.name, "GetState",
    ]
    for (user, mayCall) in [("root", true), ("console", true), ("man", true), ("nobody", false)] {
      #expect(try run(as: user, bench.loop, call) == mayCall, "\(user)")
    }
    let play = call.dropLast(2) + [ControlInterface.commands.name, "Play"]
    for (user, mayCall) in [("console", true), ("screen", true), ("man", false)] {
      #expect(try run(as: user, bench.loop, Array(play)) == mayCall, "\(user)")
    }
    let reboot = call.dropLast(2) + [ControlInterface.unit.name, "Reboot"]
    for (user, mayCall) in [("console", true), ("screen", false), ("man", false)] {
      #expect(try run(as: user, bench.loop, Array(reboot)) == mayCall, "\(user)")
    }
  }

  @Test func callerOnABus_isAClient() throws {
    let bus = try PrivateBus()
    let bench = try Bench(bus: .bus(bus.address))
    let caller = try Bus(bench.loop, to: .bus(bus.address))
    var owner: String?
    let watch = try caller.watchName(ControlInterface.busName) { owner = $0 }
    try bench.loop.turn { owner != nil }

    func call(_ interface: BusInterface, _ member: String, _ arguments: [BusValue] = []) throws
      -> Result<[BusValue], BusError>
    {
      var answer: Result<[BusValue], BusError>?
      caller.call(
        ControlInterface.busName, ControlInterface.path, interface.name, member, arguments
      ) { answer = $0.map(\.values) }
      try bench.loop.turn { answer != nil }
      return try #require(answer)
    }
    #expect(try call(ControlInterface.commands, "Play") == .success([]))
    #expect(bench.source.performed == ["play"])

    // A caller on a bus can become a surface. It then receives signals that the daemon sends to
    // this surface alone.
    var states = 0
    let match = try caller.match(
      MatchRule(sender: ControlInterface.busName, member: "StateChanged")
    ) { _ in states += 1 }
    guard
      case .success = try call(
        ControlInterface.surface, "Register", [.string("screen"), .boolean(true)])
    else {
      Issue.record("not registered")
      return
    }
    bench.source.setRate(0)
    try bench.loop.turn { states >= 1 }
    #expect(
      bench.center.inspection(at: MonotonicInstant.now()).surfaces.contains { $0.id == "screen" })
    watch.cancel()
    match.cancel()
    caller.close()
    try bench.loop.turn {
      !bench.center.inspection(at: MonotonicInstant.now()).surfaces.contains { $0.id == "screen" }
    }
  }

  @Test func endOfTheBus_disconnectsItsCallers_butTheSocketWorks() throws {
    let bus = try PrivateBus()
    let bench = try Bench(bus: .bus(bus.address))
    let caller = try Bus(bench.loop, to: .bus(bus.address))
    var owner: String?
    let watch = try caller.watchName(ControlInterface.busName) { owner = $0 }
    try bench.loop.turn { owner != nil }
    caller.call(
      ControlInterface.busName, ControlInterface.path, ControlInterface.surface.name, "Register",
      [.string("screen"), .boolean(false)]
    ) { _ in }
    func isRegistered() -> Bool {
      bench.center.inspection(at: MonotonicInstant.now()).surfaces.contains { $0.id == "screen" }
    }
    try bench.loop.turn { isRegistered() }
    bus.stop()
    try bench.loop.turn { !isRegistered() }
    // The control socket still works.
    let client = try bench.client()
    #expect(try bench.answer { client.getState($0) }.get() == bench.center.state)
    withExtendedLifetime(watch) {}
  }
}

import Control
import EventLoop
import Foundation
import Glibc
import NowPlaying
import Reports
import TestKit
import Testing

@Suite struct AccessTests {
  @Test func role_isThatOfTheUser() {
    let rule = AccessRule(user: 800, console: 801, screen: 803)
    for owner: UInt32 in [0, 800] { #expect(rule.role(ofUser: owner) == .owner) }
    #expect(rule.role(ofUser: 801) == .console)
    #expect(rule.role(ofUser: 803) == .screen && rule.role(ofUser: 1000) == .observer)
    let radio = AccessRule(
      user: 800, console: 801, screen: 803,
      apps: [AppAccess(id: "radio", user: 804), AppAccess(id: "mine", user: 801)])
    #expect(radio.role(ofUser: 804) == .app && radio.role(ofUser: 801) == .console)
    // A desktop system has no users for the console and the screen, so all programs run as one user.
    let desktop = AccessRule(user: 1000, console: nil, screen: nil)
    #expect(desktop.role(ofUser: 1000) == .owner && desktop.role(ofUser: 1001) == .observer)
  }

  @Test(.enabled(if: getuid() == 0, "needs root, to run as another user"))
  func observer_mayOnlyLook() throws {
    let bench = try Bench(mode: 0o666)
    // Other users must be able to reach the socket in the test's folder.
    chmod(bench.folder.url.path, 0o755)
    func call(_ arguments: [String]) throws -> String { try self.call(bench, arguments) }
    #expect(try call([NowPlaying1.interface.name, "GetState"]).hasPrefix("a{sv} "))
    #expect(
      try call([Unit1.interface.name, "GetFacts", "s", "audio"]).hasPrefix("a(sa(sss)) "))
    #expect(try call([Unit1.interface.name, "IsShellAllowed"]) == "b false\n")
    #expect(
      try !call([Unit1.interface.name, "Follow", "as", "1", "notices"]).contains("denied"))
    #expect(try call([Bluetooth1.interface.name, "GetState"]).hasPrefix("a{sv} "))
    for arguments in [
      [Commands1.interface.name, "Play"],
      [Surface1.interface.name, "Register", "sb", "screen", "true"],
      [Unit1.interface.name, "Reboot"],
      [Unit1.interface.name, "ErasePersonalData"],
      [Unit1.interface.name, "GetLog", "u", "5"],
      [Unit1.interface.name, "Follow", "as", "1", "log"],
      [Unit1.interface.name, "PlayChime"],
      [Unit1.interface.name, "TestSound"],
      [Bluetooth1.interface.name, "OpenPairing", "u", "0"],
      [Settings1.interface.name, "Set", "ss", "replay-gain", "album"],
      [Settings1.interface.name, "Reset", "s", "replay-gain"],
      [Settings1.interface.name, "Repair"],
      [Settings1.interface.name, "SetTime", "x", "1800000000"],
      [Unit1.interface.name, "SetParked", "s", "yes"],
    ] {
      let error = try call(arguments)
      #expect(error.contains("Access denied"), "\(error)")
    }
    #expect(bench.source.performed.isEmpty && bench.unit.done.isEmpty)
    #expect(bench.unit.fakePhones?.done == [])
    #expect(bench.unit.fakeSettings.done.isEmpty && bench.unit.vehicle.isParked == nil)
    #expect(
      try call([Settings1.interface.name, "GetSettings"]).hasPrefix("a{sv} "))
  }

  @Test(.enabled(if: getuid() == 0, "needs root, to run as another user"))
  func screen_mayPlayPairAndManagePhones_butNotReadTheLog() throws {
    let rule = AccessRule(user: 0, console: nil, screen: 65534)
    let bench = try Bench(mode: 0o666, access: rule)
    chmod(bench.folder.url.path, 0o755)
    #expect(try !call(bench, [Commands1.interface.name, "Play"]).contains("denied"))
    #expect(bench.source.performed == ["play"])
    #expect(
      try !call(bench, [Bluetooth1.interface.name, "OpenPairing", "u", "0"])
        .contains("denied"))
    #expect(bench.unit.fakePhones?.done.count == 1)
    #expect(
      try !call(bench, [Bluetooth1.interface.name, "Forget", "s", "x"]).contains("denied"))
    for arguments in [
      [Unit1.interface.name, "PowerOff"], [Unit1.interface.name, "GetLog", "u", "5"],
      [Unit1.interface.name, "BeginInterruption", "sa{sv}", "call", "0"],
      [Unit1.interface.name, "SetParked", "s", "yes"],
      [Settings1.interface.name, "Set", "ss", "parked", "always"],
      [Settings1.interface.name, "Reset", "s", "parked"],
    ] {
      let error = try call(bench, arguments)
      #expect(error.contains("Access denied"), "\(error)")
    }
    #expect(bench.unit.done.isEmpty && bench.unit.vehicle.isParked == nil)
    for arguments in [
      ["Set", "ss", "replay-gain", "album"], ["Reset", "s", "replay-gain"],
      ["SetTime", "x", "1800000000"],
    ] {
      let answer = try call(bench, [Settings1.interface.name] + arguments)
      #expect(!answer.contains("denied"), "\(answer)")
    }
    #expect(bench.unit.fakeSettings.done.count == 3)
  }

  @Test(.enabled(if: getuid() == 0, "needs root, to run as another user"))
  func screen_mayErasePersonalData_unlessTheCarMoves() throws {
    let rule = AccessRule(user: 0, console: nil, screen: 65534)
    let bench = try Bench(mode: 0o666, access: rule)
    chmod(bench.folder.url.path, 0o755)
    let erase = [Unit1.interface.name, "ErasePersonalData"]
    bench.unit.vehicle.isParked = false
    #expect(try call(bench, erase).contains("not parked"))
    #expect(bench.unit.done.isEmpty)
    for isParked in [true, nil] {
      bench.unit.vehicle.isParked = isParked
      #expect(try call(bench, erase).isEmpty)
    }
    #expect(bench.unit.done == ["erase", "erase"])
  }

  @Test(.enabled(if: getuid() == 0, "needs root, to run as another user"))
  func console_mayNotTellThatTheCarIsParked() throws {
    let rule = AccessRule(user: 0, console: 65534, screen: nil)
    let bench = try Bench(mode: 0o666, access: rule)
    chmod(bench.folder.url.path, 0o755)
    for arguments in [
      [Unit1.interface.name, "SetParked", "s", "yes"],
      [Settings1.interface.name, "Set", "ss", "parked", "always"],
    ] {
      let error = try call(bench, arguments)
      #expect(error.contains("Access denied"), "\(error)")
    }
    #expect(bench.unit.vehicle.isParked == nil && bench.unit.fakeSettings.done.isEmpty)
    let answer = try call(
      bench, [Settings1.interface.name, "Set", "ss", "replay-gain", "album"])
    #expect(!answer.contains("denied"), "\(answer)")
  }

  @Test(.enabled(if: getuid() == 0, "needs root, to run as another user"))
  func userAtItsLimitOfConnections_leavesConnectionsToOtherUsers() throws {
    var limits = PeerListener.Limits()
    limits.peersOfUser = 2
    let bench = try Bench(mode: 0o666, limits: limits)
    chmod(bench.folder.url.path, 0o755)
    var refused: [UInt32] {
      bench.events.compactMap {
        if case .refused(.tooManyPeers(let peer)) = $0 { peer.user } else { nil }
      }
    }
    let clients = try (0..<3).map { _ in try bench.rawClient() }
    try bench.loop.turn { refused == [0] && bench.server?.peerCount == 2 }
    #expect(
      try call(bench, [NowPlaying1.interface.name, "GetState"]).hasPrefix("a{sv} "))
    #expect(refused == [0])
    clients.forEach { close($0) }
  }

  /// Calls a method as the user `nobody`.
  private func call(_ bench: Bench, _ arguments: [String]) throws -> String {
    let options = [
      "--reuid=65534", "--regid=65534", "--clear-groups", "busctl", "--address=\(bench.address)",
    ]
    let call = ["call", "org.autoharp", ControlInterface.path] + arguments
    switch try bench.loop.run("setpriv", options + call) {
    case .success(let text): return text
    case .failure(let error): return "\(error)"
    }
  }
}

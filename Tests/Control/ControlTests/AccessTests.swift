import Control
import EventLoop
import Foundation
import Glibc
import NowPlaying
import TestKit
import Testing

@Suite struct AccessTests {
  @Test func mayCommand_closedSocket_acceptsEveryPeer() {
    let rule = AccessRule(mode: 0o660, user: 100, group: 200)
    // With this mode, this user can connect only as a supplementary member of the socket's group.
    // Members of the group may send commands.
    #expect(rule.mayCommand(user: 1000, group: 1000))
  }

  @Test func mayCommand_openSocket_acceptsOnlyRootAndTheDaemonsUserOrGroup() {
    let rule = AccessRule(mode: 0o666, user: 100, group: 200)
    #expect(rule.mayCommand(user: 0, group: 0))
    #expect(rule.mayCommand(user: 100, group: 1000))
    #expect(rule.mayCommand(user: 1000, group: 200))
    #expect(!rule.mayCommand(user: 1000, group: 1000))
  }

  @Test(.enabled(if: getuid() == 0, "needs root, to run as another user"))
  func otherUser_onAnOpenSocket_mayOnlyRead() throws {
    let bench = try Bench(mode: 0o666)
    // Other users must be able to reach the socket in the test's folder.
    chmod(bench.folder.url.path, 0o755)
    func call(_ arguments: [String]) throws -> String {
      let command =
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "busctl"]
        + ["--address=\(bench.address)", "call", "org.autoharp", ControlInterface.path] + arguments
      switch try bench.loop.run(command[0], Array(command.dropFirst())) {
      case .success(let text): return text
      case .failure(let error): return "\(error)"
      }
    }
    #expect(try call([ControlInterface.nowPlaying.name, "GetState"]).hasPrefix("a{sv} "))
    #expect(try call([ControlInterface.unit.name, "GetLog", "u", "5"]).hasPrefix("a(xys) 2 "))
    #expect(try call([ControlInterface.bluetooth.name, "GetState"]).hasPrefix("a{sv} "))
    for arguments in [
      [ControlInterface.commands.name, "Play"],
      [ControlInterface.surface.name, "Register", "sb", "screen", "true"],
      [ControlInterface.unit.name, "Reboot"],
      [ControlInterface.bluetooth.name, "OpenPairing", "u", "0"],
    ] {
      let error = try call(arguments)
      #expect(error.contains("Access denied"), "\(error)")
    }
    #expect(bench.source.performed.isEmpty && bench.unit.done.isEmpty)
    #expect(bench.unit.fakePhones?.done == [])
  }
}

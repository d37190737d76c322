import Glibc

@testable import autoharp_controller

/// A simulated controller at the other end of a socket pair. `open` sends all prepared answers, before a command
/// arrives.
final class ScriptedController: ControllerAccess {
  /// The first page of the features of the controller.
  var bits = [UInt8](repeating: 0, count: 8)
  /// If true, the controller is unplugged after its last answer.
  var isPulled = false
  private let links: [ControllerLink]
  private var answers: [[UInt8]] = []
  private var mine: Int32 = -1

  /// Creates the controller `hci0` with these links.
  init(links: [ControllerLink] = []) { self.links = links }

  deinit { close(mine) }

  /// Prepares an answer: the event *Command Complete* for a command.
  func complete(_ opcode: UInt16, status: UInt8 = 0, _ returned: [UInt8]) {
    let head = [0x04, 0x0E, UInt8(4 + returned.count), 1]
    answers.append(head + [UInt8(opcode & 255), UInt8(opcode >> 8), status] + returned)
  }

  func open(_ adapter: Int) throws(CallFailure) -> Int32 {
    if adapter != 0 { throw CallFailure(call: "hci_open_dev", code: ENODEV) }
    var pair: [Int32] = [0, 0]
    let status = socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair)
    if status < 0 { throw CallFailure(call: "socketpair", code: errno) }
    mine = pair[0]
    _ = fcntl(pair[1], F_SETFL, O_NONBLOCK)
    for bytes in answers { _ = send(mine, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
    if isPulled { shutdown(mine, Int32(SHUT_WR)) }
    return pair[1]
  }

  func links(_ descriptor: Int32, _ adapter: Int) -> [ControllerLink] { links }

  func features(_ descriptor: Int32, _ adapter: Int) -> [UInt8] { bits }

  /// The commands that have arrived since the last call, one packet each.
  func takeCommands() -> [[UInt8]] {
    var commands: [[UInt8]] = []
    var bytes = [UInt8](repeating: 0, count: 300)
    while case let count = recv(mine, &bytes, bytes.count, Int32(MSG_DONTWAIT)), count > 0 {
      commands.append(Array(bytes[..<count]))
    }
    return commands
  }

  /// True if the tested code has closed its end of the socket pair.
  var isClosed: Bool {
    _ = takeCommands()
    var byte: UInt8 = 0
    return recv(mine, &byte, 1, Int32(MSG_DONTWAIT)) == 0
  }
}

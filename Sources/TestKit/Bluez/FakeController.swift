package import BluetoothRadio
package import EventLoop
internal import Glibc

/// A controller at the other end of a pair of sockets: what it was asked, and what it answers.
package final class FakeController: RadioAccess {
  /// Links that it has.
  package var links: [RadioLink] = []
  /// Its first page of features.
  package var bits = [UInt8](repeating: 0, count: 8)
  /// Adapters that there are.
  package var adapters: Set<Int> = [0]
  /// How often it was opened.
  package private(set) var openings = 0
  private var mine: Int32 = -1

  package init() {}

  deinit { close(mine) }

  package func open(_ adapter: Int) throws(SystemError) -> Int32 {
    if !adapters.contains(adapter) { throw SystemError("hci_open_dev", ENODEV) }
    close(mine)
    var pair: [Int32] = [0, 0]
    let status = socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &pair)
    if status < 0 { throw SystemError("socketpair", errno) }
    mine = pair[0]
    openings += 1
    _ = fcntl(pair[1], F_SETFL, O_NONBLOCK)
    return pair[1]
  }

  package func links(_ descriptor: Int32, _ adapter: Int) -> [RadioLink] { links }

  package func features(_ descriptor: Int32, _ adapter: Int) -> [UInt8] { bits }

  /// What it was asked since the last time, packet by packet.
  package func takeQuestions() -> [[UInt8]] {
    var asked: [[UInt8]] = []
    var bytes = [UInt8](repeating: 0, count: 300)
    while case let count = recv(mine, &bytes, bytes.count, Int32(MSG_DONTWAIT)), count > 0 {
      asked.append(Array(bytes[..<count]))
    }
    return asked
  }

  /// Whether the other end was closed.
  package var isClosed: Bool {
    _ = takeQuestions()
    var byte: UInt8 = 0
    return recv(mine, &byte, 1, Int32(MSG_DONTWAIT)) == 0
  }

  /// Completes a command.
  package func answer(_ opcode: UInt16, status: UInt8 = 0, _ returned: [UInt8]) {
    let head = [0x04, 0x0E, UInt8(4 + returned.count), 1]
    let bytes = head + [UInt8(opcode & 255), UInt8(opcode >> 8), status] + returned
    _ = send(mine, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Answers all that it was asked: who it is (a maker's number), and the same of each link.
  package func answerAll(maker: UInt8, signal: Int8, quality: UInt8) {
    for question in takeQuestions() where question.count >= 4 {
      let opcode = UInt16(question[1]) | UInt16(question[2]) << 8
      switch opcode {
      case 0x1001: answer(opcode, [10, 0, 0, 10, maker, 0, 0, 0])
      case 0x1405: answer(opcode, Array(question[4...]) + [UInt8(bitPattern: signal)])
      case 0x1403: answer(opcode, Array(question[4...]) + [quality])
      default: answer(opcode, status: 1, [])
      }
    }
  }
}

// Fuzz target for the messages of the control socket. The server is the real `ControlServer` with the simulated daemon
// of its tests. Clients send to the server over real sockets. The functions that read answers in the screen and in the
// console are called directly. This file is compiled together with the sources of Control, of the modules that Control
// uses, and of the simulated daemon in ControlTests.

import CSystemd
import Glibc

private enum FuzzSubject: UInt8, CaseIterable {
  /// All bytes that a client sends, also the bytes of the authentication.
  case stream
  /// Messages with a valid header and arbitrary arguments.
  case arguments
  /// Valid messages with unexpected values.
  case calls
  /// States and reports that the daemon sends.
  case answers
}

/// libFuzzer calls this with each input. The first byte selects the subject.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMessages(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  var input = FuzzInput([UInt8](UnsafeBufferPointer(start: data, count: size)))
  let subject = FuzzSubject(rawValue: input.byte() % UInt8(FuzzSubject.allCases.count)) ?? .stream
  switch subject {
  case .stream: FuzzedServer().receive(input.rest())
  case .arguments:
    var bytes = Array("\0AUTH ANONYMOUS \r\nBEGIN\r\n".utf8)
    while !input.isEmpty { bytes += message(&input) }
    FuzzedServer().receive(bytes)
  case .calls: FuzzedServer().perform(&input)
  case .answers: readAnswers(&input)
  }
  return 0
}

// MARK: The server

/// A server on a socket that has no file, and its clients. All run on one event loop.
private final class FuzzedServer {
  private let loop = EventLoop()
  private let unit: FakeUnit
  private let server: ControlServer
  private let address: sockaddr_un
  private let addressLength: socklen_t

  init() {
    let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var length = socklen_t(MemoryLayout<sa_family_t>.size)
    // With this length, the kernel chooses an unused abstract address.
    withSockets(&address) { pointer in
      require(bind(listening, pointer, length) == 0 && listen(listening, 16) == 0)
      length = socklen_t(MemoryLayout<sockaddr_un>.size)
      require(getsockname(listening, pointer, &length) == 0)
    }
    let turns = Turns(loop)
    unit = FakeUnit(turns)
    self.address = address
    addressLength = length
    guard
      let server = try? ControlServer(
        loop, unit, turns, adopting: listening,
        access: AccessRule(user: 0, console: nil, screen: nil))
    else { fatalError("no server") }
    self.server = server
    turns.begin { [weak server] in server?.update() }
  }

  /// The abstract address without its first byte, which is NUL.
  private var name: String {
    var address = address
    let count = Int(addressLength) - MemoryLayout<sa_family_t>.size - 1
    return withUnsafeBytes(of: &address.sun_path) {
      String(decoding: $0.dropFirst().prefix(count), as: UTF8.self)
    }
  }

  private func step() -> Bool {
    do { return try loop.step() } catch { fatalError("\(error)") }
  }

  /// A client that uses no library sends the bytes, reads the answers, and ends the connection.
  func receive(_ bytes: [UInt8]) {
    let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = address
    let isConnected = withSockets(&address) { connect(client, $0, addressLength) == 0 }
    require(client >= 0 && isConnected)
    var sent = 0
    var answer = [UInt8](repeating: 0, count: 64 << 10)
    var isAtEnd = false
    var idleSteps = 0
    while idleSteps < 3 {
      let isBusy = step()
      if sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
          send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        // The server can end the connection at any time.
        sent = count > 0 ? sent + count : errno == EAGAIN ? sent : bytes.count
      } else if !isAtEnd {
        shutdown(client, Int32(SHUT_WR))
        isAtEnd = true
      }
      let received = recv(client, &answer, answer.count, 0)
      idleSteps = isBusy || received > 0 || !isAtEnd ? 0 : idleSteps + 1
    }
    close(client)
    finish()
  }

  /// A client calls methods. Each call gets an answer, or the connection ends.
  func perform(_ input: inout FuzzInput) {
    guard let bus = try? Bus(loop, to: .peer("unix:abstract=\(name)")) else {
      fatalError("no connection")
    }
    var isConnected = true
    bus.onDisconnected = { _ in isConnected = false }
    // The client is an app, too. Its session and its stream have the number 1.
    for call in openingCalls {
      bus.call(nil, ControlInterface.path, call.interface, call.member, call.arguments) { _ in }
    }
    while step() {}
    var open = 0
    for _ in 0..<4 where !input.isEmpty && isConnected {
      let call = sampleCalls[input.index(below: sampleCalls.count)]
      let arguments = call.arguments.map { changed($0, &input) }
      open += 1
      bus.call(nil, ControlInterface.path, call.interface, call.member, arguments) { _ in
        open -= 1
      }
      while step() {}
      require(open == 0 || !isConnected, "\(call.interface).\(call.member) has no answer")
    }
    bus.close()
    finish()
  }

  /// Checks that the server keeps nothing of clients that have ended, and that the state of the unit can still be
  /// written and read.
  private func finish() {
    while step() {}
    require(server.peerCount == 0, "\(server.peerCount) clients remain")
    require(server.clientBytes == 0, "\(server.clientBytes) bytes of clients remain")
    let state = unit.center.state
    require((try? StateCoding.state(StateCoding.value(of: state))) != nil, "\(state)")
  }
}

private func withSockets<Result>(
  _ address: inout sockaddr_un, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
) -> Result {
  withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
  }
}

// MARK: Messages with arbitrary arguments

/// A method call whose header is valid. The input chooses the method, whether the signature is the declared one, and
/// the bytes of the arguments.
private func message(_ input: inout FuzzInput) -> [UInt8] {
  let call = sampleCalls[input.index(below: sampleCalls.count)]
  let choice = input.byte()
  let declared = call.arguments.map(\.signature).joined()
  let signature = choice & 1 == 0 ? Array(declared.utf8) : Array(input.bytes(choice >> 1))
  let body = input.bytes(UInt8(input.index(below: 256)))
  var header: [UInt8] = [UInt8(ascii: "l"), 1, 0, 1]
  header += littleEndian(UInt32(body.count)) + littleEndian(1)
  var fields: [UInt8] = []
  func field(_ code: UInt8, _ type: Character, _ text: [UInt8]) {
    fields += [UInt8](repeating: 0, count: -fields.count & 7) + [code, 1, type.asciiValue!, 0]
    fields += type == "g" ? [UInt8(text.count)] : littleEndian(UInt32(text.count))
    fields += text + [0]
  }
  field(1, "o", Array(ControlInterface.path.utf8))
  field(2, "s", Array(call.interface.utf8))
  field(3, "s", Array(call.member.utf8))
  if !signature.isEmpty { field(8, "g", signature) }
  header += littleEndian(UInt32(fields.count)) + fields
  return header + [UInt8](repeating: 0, count: -header.count & 7) + body
}

private func littleEndian(_ number: UInt32) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

// MARK: Answers

/// Reads a changed state or report, as a client does.
private func readAnswers(_ input: inout FuzzInput) {
  let sample = sampleAnswers[Int(input.byte()) % sampleAnswers.count]
  let values = sample.values.map { changed($0, &input) }
  do {
    _ = try sample.read(values)
  } catch {
    require(!"\(error)".isEmpty)
  }
}

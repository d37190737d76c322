import EventLoop
import Glibc
import TestKit
import Testing

/// A listener on a private socket. Each peer can call the objects that a test adds to `tree`.
final class Server {
  let loop = EventLoop()
  let folder: TemporaryFolder
  let path: String
  let listener: PeerListener
  let tree = ObjectTree()
  var peers: [Bus] = []
  var endings: [Bus.Ending] = []
  var refusals: [PeerListener.Refusal] = []

  init(_ limits: PeerListener.Limits = .init()) throws {
    folder = try TemporaryFolder()
    path = folder.path("control")
    listener = try PeerListener(loop, path: path, limits: limits)
    listener.onPeer = { [unowned self] peer in
      peers.append(peer)
      peer.objects = tree
      peer.onDisconnected = { [unowned self, unowned peer] ending in
        endings.append(ending)
        peers.removeAll { $0 === peer }
      }
    }
    listener.onRefused = { [unowned self] in refusals.append($0) }
  }

  var address: String { "unix:path=\(path)" }

  func client() throws -> Bus { try Bus(loop, to: .peer(address)) }

  /// A connected client that uses no D-Bus library.
  func rawClient() throws -> Int32 {
    try #require(UnixSocket.connected(to: path))
  }

  /// Makes a call, and runs the loop until the answer arrives.
  func ask(
    _ bus: Bus, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = [], timeout: Duration = Hang.limit
  ) throws -> Result<[BusValue], BusError> {
    try loop.ask(bus, nil, path, interface, member, arguments, timeout: timeout)
  }
}

extension EventLoop {
  func ask(
    _ bus: Bus, _ destination: String?, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = [], timeout: Duration = Hang.limit
  ) throws -> Result<[BusValue], BusError> {
    var answer: Result<[BusValue], BusError>?
    bus.call(destination, path, interface, member, arguments, timeout: timeout) {
      answer = $0.map(\.values)
    }
    try turn { answer != nil }
    return answer!
  }
}

/// An object for tests. `Echo` returns its argument, `Add` a sum, `Fail` an error, `Wrong` a value of a wrong type.
/// Calls of `Later` are passed to the test, which answers them.
enum Echo {
  static let path = "/org/autoharp/Echo"
  static let name = "org.autoharp.Echo1"
  static let interface = BusInterface(
    name,
    methods: [
      .init("Echo", [.init("value", "v")], returns: [.init("value", "v")]),
      .init("Add", [.init("a", "i"), .init("b", "i")], returns: [.init("sum", "i")]),
      .init("Fail", [], returns: []),
      .init("Wrong", [], returns: [.init("text", "s")]),
      .init("Later", [], returns: [.init("text", "s")]),
    ],
    properties: [
      .init("Title", "s", .readwrite),
      .init("Elapsed", "x", emits: .never),
      .init("Version", "u", emits: .constant),
      .init("Absent", "s", emits: .name),
    ],
    signals: [.init("Changed", [.init("what", "s"), .init("count", "u")])])

  /// - Parameter later: receives the calls of `Later`.
  static func object(_ later: @escaping (MethodCall) -> Void = { _ in }) -> BusObject {
    var title = "first"
    return BusObject(
      path: path, interfaces: [interface],
      onCall: { call in
        var arguments = call.arguments
        switch call.member {
        case "Echo": call.reply([.variant((try? arguments.variant()) ?? .byte(0))])
        case "Add":
          let sum = ((try? arguments.integer()) ?? 0) + ((try? arguments.integer()) ?? 0)
          call.reply([.int32(Int32(clamping: sum))])
        case "Fail": call.fail("org.autoharp.Error.Never", "not %s today")
        case "Wrong": call.reply([.byte(1)])
        default: later(call)
        }
      },
      onGet: { _, property in
        switch property {
        case "Title": .string(title)
        case "Elapsed": .int64(-5)
        case "Version": .uint32(7)
        default: nil
        }
      },
      onSet: { write throws(BusErrorReply) in
        if write.value.text?.isEmpty == true {
          throw BusErrorReply("org.autoharp.Error.Empty", "a title has letters")
        }
        title = write.value.text ?? ""
      })
  }
}

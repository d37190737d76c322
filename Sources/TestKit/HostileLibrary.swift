public import EventLoop
internal import Foundation

/// Simulates a library process that an attacker controls. The test chooses the values of all answers, and sends any
/// signal.
///
/// Used on the thread of the event loop.
public final class HostileLibrary {
  /// The path of the library's D-Bus object.
  public static let path = "/org/autoharp/library"
  /// The D-Bus interface of the library.
  public static let interface = "org.autoharp.LibraryProcess1"
  /// The signatures of the arguments of the methods.
  private static let arguments = [
    "SetVolumes": "a(ssaysbb)", "SetPreferredFolder": "ay", "Hold": "b", "Rescan": "s",
    "ReadAnew": "s", "Forget": "s", "GetPage": "sssu", "GetLetters": "ss", "Search": "sbsu",
    "FindSimilar": "ssu", "GetTracks": "sstu", "GetNeighbour": "ssb", "GetEntries": "say",
    "FindMoved": "saay", "GetProblems": "u", "GetDoubts": "", "GetThumbnail": "s",
  ]

  /// The values of the answers, keyed by the name of the method. A call of a method without values gets no answer.
  public var answers: [String: [BusValue]] = [:] { didSet { publish() } }
  /// The number of calls, keyed by the name of the method.
  public private(set) var calls: [String: Int] = [:]
  /// The calls that got no answer.
  public private(set) var open: [MethodCall] = []
  /// True if the daemon has ended the connection.
  public private(set) var isEnded = false
  private let bus: Bus

  /// Connects to the daemon.
  /// - Parameter path: the socket of the library.
  public init(_ loop: EventLoop, path: String) throws {
    guard let socket = UnixSocket.connected(to: path) else {
      throw Tools.Failure(description: "nothing listens at \(path)")
    }
    bus = try Bus(loop, connected: socket)
    bus.onDisconnected = { [weak self] _ in self?.isEnded = true }
    publish()
  }

  deinit { bus.close() }

  /// The number of calls, without `Hold` and the methods that begin with `Set`.
  public var questions: Int {
    calls.reduce(0) { $0 + ($1.key.hasPrefix("Set") || $1.key == "Hold" ? 0 : $1.value) }
  }

  /// Sends the signal `member` of the library's interface.
  public func emit(_ values: [BusValue], _ member: String = "Changed") {
    try? bus.emit(Self.path, Self.interface, member, values)
  }

  private func publish() {
    let tree = ObjectTree()
    let methods = Self.arguments.sorted { $0.key < $1.key }.map { name, signature in
      BusInterface.Method(
        name, signature.isEmpty ? [] : [.init("arguments", signature)],
        returns: (answers[name] ?? []).map { .init("value", $0.signature) })
    }
    try? tree.add(
      BusObject(path: Self.path, interfaces: [BusInterface(Self.interface, methods: methods)]) {
        [weak self] call in
        guard let self else { return }
        calls[call.member, default: 0] += 1
        if let values = answers[call.member] { call.reply(values) } else { open.append(call) }
      })
    bus.objects = tree
  }
}

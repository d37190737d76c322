internal import EventLoop
internal import NowPlaying

/// The object that bluetoothd calls when a phone presses a key. It implements the part of the MPRIS player that BlueZ
/// uses. bluetoothd reports success to the phone before bluetoothd calls the object, and ignores the answer of the
/// object.
enum PlayerObject {
  /// A call of bluetoothd.
  enum Call: Equatable {
    case request(MediaRequest)
    /// bluetoothd drops the player.
    case release
  }

  static let root = "/org/autoharp/player"

  static func path(_ adapter: String) -> String { "\(root)/\(adapter)" }

  /// The request that each method of MPRIS stands for.
  static let requests: [String: MediaRequest] = [
    "Play": .play, "Pause": .pause, "PlayPause": .togglePlayPause, "Stop": .stop, "Next": .next,
    "Previous": .previous,
  ]

  static let interface = BusInterface(
    PlayerCoding.interface,
    methods: requests.keys.sorted().map { .init($0) } + [.init("Release")],
    properties: [
      .init("PlaybackStatus", "s"), .init("LoopStatus", "s", .readwrite),
      .init("Shuffle", "b", .readwrite), .init("Metadata", "a{sv}"),
      .init("Position", "x", emits: .never),
    ] + PlayerProperties.Flag.allCases.map { .init($0.rawValue, "b") },
    signals: [.init("Seeked", [.init("position", "x")])])

  /// - Parameters:
  ///   - isBluez: returns true if a unique bus name is the name of bluetoothd. Calls of other programs are refused.
  ///   - onCall: called with each request of bluetoothd.
  static func object(
    _ adapter: String, isBluez: @escaping (String) -> Bool,
    properties: @escaping () -> [PlayerProperty], onCall: @escaping (Call) -> Void
  ) -> BusObject {
    BusObject(
      path: path(adapter), interfaces: [interface],
      onCall: { call in
        guard isBluez(call.message.sender) else {
          return call.fail(BusErrorName.accessDenied, "only bluetoothd may call this")
        }
        onCall(requests[call.member].map { .request($0) } ?? .release)
        call.reply()
      },
      onGet: { _, name in
        PlayerCoding.values(of: properties()).first { $0.0 == name }?.1
      },
      onSet: { write throws(BusErrorReply) in
        guard isBluez(write.call.message.sender) else {
          throw BusErrorReply(BusErrorName.accessDenied, "only bluetoothd may set this")
        }
        switch (write.property, write.value) {
        case ("Shuffle", .boolean(let isOn)):
          onCall(.request(.changeShuffleMode(isOn ? .items : .off)))
        case ("LoopStatus", .string(let word)):
          guard let loop = PlayerProperties.Loop(rawValue: word) else {
            throw BusErrorReply(BusErrorName.invalidArguments, "no such mode")
          }
          onCall(.request(.changeRepeatMode(loop.mode)))
        default: throw BusErrorReply(BusErrorName.propertyReadOnly, write.property)
        }
      })
  }
}

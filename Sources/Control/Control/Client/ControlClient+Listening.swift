internal import EventLoop
internal import NowPlaying
internal import Reports

// Signals of the daemon, and its address.
extension ControlClient {
  /// Subscribes to the daemon's signals. Called after each connection.
  func listen() {
    guard let bus else { return }
    func hear(
      _ interface: BusInterface, _ member: String,
      _ take: @escaping (ControlClient, [BusValue]) throws(WireError) -> Void
    ) {
      let rule = MatchRule(
        path: ControlInterface.path, interface: interface.name, member: member)
      let signal = try? bus.match(rule) { [weak self] message in
        guard let self else { return }
        do throws(WireError) {
          let body = try? message.body()
          try take(self, body?.values ?? [])
        } catch {
          onTrouble?("the daemon's signal cannot be read: \(error)")
        }
      }
      if let signal { matches.append(signal) }
    }
    hear(ControlInterface.nowPlaying, "StateChanged") { client, values throws(WireError) in
      try client.show(values)
    }
    hear(ControlInterface.bluetooth, "StateChanged") { client, values throws(WireError) in
      try client.showPhones(values)
    }
    hear(ControlInterface.unit, "LogLine") { client, values throws(WireError) in
      client.onLog?(try ReportCoding.logLine(values))
    }
    hear(ControlInterface.unit, "TraceRecord") { client, values throws(WireError) in
      guard let value = values.first else { throw WireError("trace", "empty") }
      if let entry = try TraceCoding.entry(value) { client.onTrace?(entry) }
    }
    hear(ControlInterface.unit, "Notice") { client, values throws(WireError) in
      // A newer daemon may send other kinds.
      if let kind = values.first?.text.flatMap({ UnitNotice.Kind(rawValue: $0) }) {
        client.onNotice?(UnitNotice(kind, about: values.dropFirst().first?.text ?? ""))
      }
    }
    hear(ControlInterface.unit, "FocusMoved") { client, values throws(WireError) in
      guard values.count == 2, let word = values[0].text, let times = values[1].integer else {
        throw WireError("focus", "expected su")
      }
      // A newer daemon may send other kinds.
      if let kind = FocusMove.Kind(rawValue: word) {
        client.onFocus?(FocusMove(kind, times: Int(clamping: times)))
      }
    }
    hear(ControlInterface.surface, "ChannelToken") { client, values throws(WireError) in
      guard let token = values.first?.integer else { throw WireError("token", "expected t") }
      client.tokenCame(token)
    }
  }

  func show(_ values: [BusValue]) throws(WireError) {
    guard let value = values.first else { throw WireError("state", "empty") }
    let state = try StateCoding.state(value)
    nowPlaying = state
    onNowPlaying?(state)
  }

  /// The D-Bus address of a socket path. All bytes except letters, digits and `-_/.` are escaped.
  static func address(_ path: String) -> String {
    let digits = Array("0123456789abcdef")
    return path.utf8.reduce(into: "unix:path=") { result, byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = byte < 0x80 && (character.isLetter || character.isNumber)
      if isPlain || "-_/.".utf8.contains(byte) {
        result.append(character)
      } else {
        result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }
}

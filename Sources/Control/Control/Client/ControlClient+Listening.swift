internal import EventLoop
internal import NowPlaying
internal import Reports

// Signals of the daemon, and the D-Bus address of its socket.
extension ControlClient {
  /// Subscribes to the daemon's signals. Called each time when the connection is established.
  func listen() {
    guard let bus else { return }
    func observe(
      _ interface: BusInterface, _ member: String,
      _ handler: @escaping (ControlClient, [BusValue]) throws(WireError) -> Void
    ) {
      let rule = MatchRule(
        path: ControlInterface.path, interface: interface.name, member: member)
      let signal = try? bus.match(rule) { [weak self] message in
        guard let self else { return }
        do throws(WireError) {
          let body = try? message.body()
          try handler(self, body?.values ?? [])
        } catch {
          onProblem?("a signal of the daemon cannot be read: \(error)")
        }
      }
      if let signal { matches.append(signal) }
    }
    observe(ControlInterface.nowPlaying, "StateChanged") { client, values throws(WireError) in
      try client.show(values)
    }
    observe(ControlInterface.bluetooth, "StateChanged") { client, values throws(WireError) in
      try client.showPhones(values)
    }
    observe(ControlInterface.library, "Changed") { client, values throws(WireError) in
      try client.showLibrary(values)
    }
    observe(ControlInterface.sources, "Changed") { client, values throws(WireError) in
      try client.showSources(values)
    }
    observe(ControlInterface.settings, "Changed") { client, values throws(WireError) in
      try client.showSettings(values)
    }
    observe(ControlInterface.unit, "LogLine") { client, values throws(WireError) in
      client.onLog?(try ReportCoding.logLine(values))
    }
    observe(ControlInterface.unit, "TraceRecord") { client, values throws(WireError) in
      guard let value = values.first else { throw WireError("trace", "empty") }
      if let entry = try TraceCoding.entry(value) { client.onTrace?(entry) }
    }
    observe(ControlInterface.unit, "Notice") { client, values throws(WireError) in
      // A newer daemon may send other kinds.
      if let kind = values.first?.text.flatMap({ UnitNotice.Kind(rawValue: $0) }) {
        client.onNotice?(UnitNotice(kind, about: values.dropFirst().first?.text ?? ""))
      }
    }
    observe(ControlInterface.unit, "FilesUnplayable") { client, values throws(WireError) in
      guard let value = values.first else { throw WireError("files", "empty") }
      client.onNotice?(try NoticeCoding.notice(value))
    }
    observe(ControlInterface.unit, "FocusMoved") { client, values throws(WireError) in
      guard values.count == 2, let word = values[0].text, let times = values[1].integer else {
        throw WireError("focus", "expected su", .wrongType)
      }
      // A newer daemon may send other kinds.
      if let kind = FocusMove.Kind(rawValue: word) {
        client.onFocus?(FocusMove(kind, times: Int(clamping: times)))
      }
    }
    observe(ControlInterface.unit, "VehicleChanged") { client, values throws(WireError) in
      guard let value = values.first else { throw WireError("vehicle", "empty") }
      client.onVehicle?(try VehicleCoding.state(value))
    }
    observe(ControlInterface.surface, "ChannelToken") { client, values throws(WireError) in
      guard let token = values.first?.integer else {
        throw WireError("token", "expected t", .wrongType)
      }
      client.tokenReceived(token)
    }
  }

  func show(_ values: [BusValue]) throws(WireError) {
    guard let value = values.first else { throw WireError("state", "empty") }
    let state = try StateCoding.state(value)
    nowPlaying = state
    onNowPlaying?(state)
  }
}

internal import BluetoothRadio
internal import EventLoop
internal import NowPlaying
package import Reports

// What the console reports about Bluetooth.
extension AVRCPTarget {
  /// Report of the console command `bt`.
  package var report: FactsReport {
    FactsReport(
      [.init("bluetooth", [serviceFact, agentFact, windowFact])]
        + client.adapters.map(adapterSection) + [phonesSection, guardSection, pressSection])
  }

  /// One line for each phone.
  package var phonesSection: FactsReport.Section {
    let phones = state.phones
    guard !phones.isEmpty else {
      return .init("phones", [.init("known", "none; 'bt pair on' lets one be paired")])
    }
    return .init("phones", phones.map { .init($0.address, phoneWords($0)) })
  }

  /// One line about phones for the console command `status`.
  package var phonesFact: FactsReport.Fact {
    guard case .ready = state.service else { return .init("phones", serviceFact.value) }
    let connected = state.connected.map(\.name)
    return connected.isEmpty
      ? .init("phones", "none connected, \(state.phones.count) known")
      : .init("phones", connected.joined(separator: ", "), .good)
  }

  private func phoneWords(_ phone: PhonesState.Phone) -> String {
    var words = [phone.name] + phone.words
    if connections.plan.prospects[phone.address]?.isSuspended == true {
      words.append("suspended until it connects by itself")
    } else if let due = connections.plan.prospects[phone.address]?.due, !phone.isControlling {
      let seconds = due.wholeTime(since: clock()).components.seconds
      words.append(options.reconnects ? "dialled in \(seconds) s" : "not dialled")
    }
    return words.joined(separator: ", ")
  }

  private var serviceFact: FactsReport.Fact {
    switch state.service {
    case .off: .init("service", "off, by the configuration")
    case .noBus: .init("service", "no system bus yet", .note)
    case .noService: .init("service", "bluetoothd is not running", .note)
    case .noAdapter: .init("service", "there is no adapter", .note)
    case .ready: .init("service", "bluetoothd is there", .good)
    }
  }

  private var agentFact: FactsReport.Fact {
    if let agentRefusal = pairing.agentRefusal { return .init("agent", agentRefusal, .bad) }
    return pairing.agent.isRegistered
      ? .init("agent", "registered", .good) : .init("agent", "not registered")
  }

  private var windowFact: FactsReport.Fact {
    guard let until = pairing.policy.until else { return .init("pairing", "closed") }
    return .init(
      "pairing",
      "open for \(until.wholeTime(since: clock()).components.seconds) s"
        + (pairing.search.isWanted ? ", \(pairing.found.count) devices found so far" : ""))
  }

  private func adapterSection(_ adapter: BluezAdapter) -> FactsReport.Section {
    let id = adapter.id
    var facts: [FactsReport.Fact] = [
      .init("address", adapter.address), .init("name", adapter.name),
      .init("power", adapter.isPowered ? "on" : "off", adapter.isPowered ? .good : .bad),
      .init("discoverable", adapter.isDiscoverable ? "yes" : "no"),
      .init("pairable", adapter.isPairable ? "yes" : "no"),
      .init("looks around", adapter.isDiscovering ? "yes" : "no"),
    ]
    facts += controllerFacts(id)
    guard let adapterPlayer = player.adapterPlayers[id] else {
      return .init(id, facts + [.init("player", "BlueZ has no media here", .bad)])
    }
    switch adapterPlayer.registration {
    case .registered:
      facts.append(
        .init("player", "registered, \(adapterPlayer.registrations) times so far", .good))
    case .none: facts.append(.init("player", "dropped by BlueZ; it is tried again", .note))
    case .asked: facts.append(.init("player", "BlueZ is being asked", .note))
    case .refused(let words): facts.append(.init("player", words, .bad))
    }
    facts.append(.init("signals sent", "\(adapterPlayer.signalCount)"))
    let told = adapterPlayer.confirmed.playerProperties
    facts.append(
      .init(
        "BlueZ was told",
        "\(told.status.rawValue), \(told.track?.title ?? "no track"), repeat \(told.loop.rawValue), "
          + "shuffle \(told.isShuffled ? "on" : "off")"))
    return .init(id, facts)
  }

  private func controllerFacts(_ id: String) -> [FactsReport.Fact] {
    guard let details = radio.readings[id]?.details else {
      return [.init("controller", radio.failures[id].map { "unknown: \($0)" } ?? "unknown")]
    }
    let features = ControllerDetails.Feature.allCases.filter(details.features.contains)
    return [
      .init("controller", "\(details.manufacturer), Bluetooth \(details.version)"),
      .init(
        "it can",
        features.isEmpty ? "nothing of use" : features.map(\.words).joined(separator: ", ")),
    ]
  }

  private var guardSection: FactsReport.Section {
    let surface = player.center.inspection(at: clock()).surfaces.first { $0.id == Self.surface }
    guard let surface else { return .init("guard", [.init("surface", "not there")]) }
    let check = surface.check
    return .init(
      "guard",
      [
        .init("channel", "\(surface.channel)", surface.channel.hasPassed ? .good : .note),
        .init(
          "differences", "\(check.differencesSeen) seen, \(check.repairs) repaired",
          check.differencesSeen == 0 ? .good : .note),
      ])
  }

  private var pressSection: FactsReport.Section {
    let now = clock()
    let log = player.presses
    guard log.count > 0 else { return .init("commands", [.init("received", "none")]) }
    return .init(
      "commands",
      [.init("received", "\(log.count)")]
        + log.presses.reversed().enumerated().map { place, press in
          let name = press.phone.flatMap { address in
            client.devices.first { $0.address == address }?.name ?? address
          }
          let seconds = now.wholeTime(since: press.at).components.seconds
          return .init(
            place == 0 ? "last" : "\(place + 1)",
            "\(press.request), \(seconds) s ago, by \(name ?? "one of several")"
              + (press.wasIgnored ? "; ignored, as it came while connecting" : ""))
        })
  }
}

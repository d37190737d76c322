internal import BluetoothRadio
internal import EventLoop
internal import NowPlaying
package import Reports

// What it tells about itself.
extension AVRCPTarget {
  /// All about Bluetooth, for `bt`.
  package var report: FactsReport {
    FactsReport(
      [.init("bluetooth", [serviceFact, agentFact, windowFact])]
        + adapters.map(adapterSection) + [phonesSection, guardSection, pressSection])
  }

  /// Phones on one line each.
  package var phonesSection: FactsReport.Section {
    let phones = state.phones
    guard !phones.isEmpty else {
      return .init("phones", [.init("known", "none; 'bt pair on' lets one be paired")])
    }
    return .init("phones", phones.map { .init($0.address, phoneWords($0)) })
  }

  /// In one line, for `status`.
  package var phonesFact: FactsReport.Fact {
    guard case .ready = state.service else { return .init("phones", serviceFact.value) }
    let connected = state.connected.map(\.name)
    return connected.isEmpty
      ? .init("phones", "none connected, \(state.phones.count) known")
      : .init("phones", connected.joined(separator: ", "), .good)
  }

  private func phoneWords(_ phone: PhonesState.Phone) -> String {
    var words = [phone.name] + phone.words
    if plan.prospects[phone.address]?.isLeftInPeace == true {
      words.append("left in peace until it comes or is asked for")
    } else if let due = plan.prospects[phone.address]?.due, !phone.isControlling {
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
    if let agentRefusal { return .init("agent", agentRefusal, .bad) }
    return agent?.isRegistered == true
      ? .init("agent", "registered", .good) : .init("agent", "not registered")
  }

  private var windowFact: FactsReport.Fact {
    guard let until = pairingPolicy.until else { return .init("pairing", "closed") }
    return .init(
      "pairing",
      "open for \(until.wholeTime(since: clock()).components.seconds) s"
        + (search.isWanted ? ", \(found.count) devices found so far" : ""))
  }

  private func adapterSection(_ id: String) -> FactsReport.Section {
    let adapter = state.adapters.first { $0.id == id }
    var facts: [FactsReport.Fact] = [
      .init("address", adapter?.address ?? ""), .init("name", adapter?.name ?? ""),
      .init(
        "power", adapter?.isPowered == true ? "on" : "off",
        adapter?.isPowered == true ? .good : .bad),
      .init("discoverable", adapter?.isDiscoverable == true ? "yes" : "no"),
      .init("pairable", adapter?.isPairable == true ? "yes" : "no"),
      .init(
        "looks around",
        watch?[BluezNames.path(ofAdapter: id), BluezNames.adapter]?["Discovering"]?.flag == true
          ? "yes" : "no"),
    ]
    facts += controllerFacts(id)
    guard let adapterPlayer = adapterPlayers[id] else {
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
    let told = adapterPlayer.heard.playerProperties
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
    let surface = center.inspection(at: clock()).surfaces.first { $0.id == Self.surface }
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
    guard !presses.isEmpty else { return .init("commands", [.init("received", "none")]) }
    return .init(
      "commands",
      [.init("received", "\(pressCount)")]
        + presses.reversed().enumerated().map { place, press in
          let name = press.phone.flatMap { address in
            devices.first { $0.address == address }?.name ?? address
          }
          let seconds = now.wholeTime(since: press.at).components.seconds
          return .init(
            place == 0 ? "last" : "\(place + 1)",
            "\(press.request), \(seconds) s ago, by \(name ?? "one of several")"
              + (press.wasIgnored ? "; ignored, as it came while connecting" : ""))
        })
  }
}

internal import BluetoothController
internal import Bluez
internal import EventLoop
internal import NowPlaying
package import Reports

// The report about Bluetooth, for the console.
extension AVRCPTarget {
  /// The report that the console command `bt` shows.
  package var report: FactsReport {
    FactsReport(
      [.init("bluetooth", [serviceFact, agentFact, windowFact])]
        + client.adapters.map(adapterSection) + [phonesSection, guardSection, pressSection])
  }

  /// One line for each phone, or one line that says that no phone is known.
  package var phonesSection: FactsReport.Section {
    let phones = state.phones
    guard !phones.isEmpty else {
      return .init("phones", [.init("known", "none; 'bt pair on' permits pairing")])
    }
    return .init("phones", phones.map { .init($0.address, phoneText($0)) })
  }

  /// The line about phones that the console command `status` shows.
  package var phonesFact: FactsReport.Fact {
    guard case .ready = state.service else { return .init("phones", serviceFact.value) }
    let connected = state.connected.map { phone in
      phone.name + (phone.hasPressedKey ? "" : " (\(PhonesState.Phone.withoutKeys))")
    }
    return connected.isEmpty
      ? .init("phones", "none connected, \(state.phones.count) known")
      : .init("phones", connected.joined(separator: ", "), .good)
  }

  private func phoneText(_ phone: PhonesState.Phone) -> String {
    var parts = [phone.name] + phone.words
    let candidate = connections.plan.candidates[phone.address]
    if candidate?.isSuspended == true {
      parts.append("suspended until it connects by itself")
    } else if let due = candidate?.due, connections.isDialable(phone.address),
      !phone.isControlling
    {
      let seconds = due.wholeTime(since: clock()).components.seconds
      parts.append(options.reconnects ? "dialled in \(seconds) s" : "not dialled")
    }
    return parts.joined(separator: ", ")
  }

  private var serviceFact: FactsReport.Fact {
    switch state.service {
    case .off: .init("service", "off, by the configuration")
    case .noBus: .init("service", "no system bus yet", .note)
    case .noService: .init("service", "bluetoothd is not running", .note)
    case .noAdapter: .init("service", "the unit has no adapter", .note)
    case .ready: .init("service", "bluetoothd is running", .good)
    }
  }

  private var agentFact: FactsReport.Fact {
    if let agentError = pairing.agentError { return .init("agent", agentError, .bad) }
    return pairing.agent.isRegistered
      ? .init("agent", "registered", .good) : .init("agent", "not registered")
  }

  private var windowFact: FactsReport.Fact {
    guard let until = pairing.policy.until else { return .init("pairing", "closed") }
    return .init(
      "pairing",
      "open for \(until.wholeTime(since: clock()).components.seconds) s"
        + (pairing.discovery.isRequested ? ", \(pairing.found.count) devices found so far" : ""))
  }

  private func adapterSection(_ adapter: BluezAdapter) -> FactsReport.Section {
    let id = adapter.id
    var facts: [FactsReport.Fact] = [
      .init("address", adapter.address), .init("name", adapter.name),
      .init("power", adapter.isPowered ? "on" : "off", adapter.isPowered ? .good : .bad),
      .init("discoverable", adapter.isDiscoverable ? "yes" : "no"),
      .init("pairable", adapter.isPairable ? "yes" : "no"),
      .init("searches for devices", adapter.isDiscovering ? "yes" : "no"),
    ]
    facts += controllerFacts(id)
    guard let adapterPlayer = player.adapterPlayers[id] else {
      return .init(id, facts + [.init("player", "BlueZ accepts no player on this adapter", .bad)])
    }
    switch adapterPlayer.registration {
    case .registered:
      facts.append(
        .init("player", "registered, \(adapterPlayer.registrations) times so far", .good))
    case .none: facts.append(.init("player", "removed by BlueZ; the unit adds it again", .note))
    case .pending: facts.append(.init("player", "waits for the answer of BlueZ", .note))
    case .refused(let reason): facts.append(.init("player", reason, .bad))
    }
    facts.append(.init("signals sent", "\(adapterPlayer.signalCount)"))
    let shown = adapterPlayer.confirmed.playerProperties
    facts.append(
      .init(
        "BlueZ received",
        "\(shown.status.rawValue), \(shown.track?.title ?? "no track"), "
          + "repeat \(shown.loop.rawValue), shuffle \(shown.isShuffled ? "on" : "off")"))
    return .init(id, facts)
  }

  private func controllerFacts(_ id: String) -> [FactsReport.Fact] {
    guard let details = adapterMonitor.readings[id]?.details else {
      return [
        .init("controller", adapterMonitor.failures[id].map { "unknown: \($0)" } ?? "unknown")
      ]
    }
    let features = ControllerDetails.Feature.allCases.filter(details.features.contains)
    return [
      .init("controller", "\(details.manufacturer), Bluetooth \(details.version)"),
      .init(
        "features",
        features.isEmpty
          ? "none of the features that a car needs"
          : features.map(\.label).joined(separator: ", ")),
    ]
  }

  private var guardSection: FactsReport.Section {
    let surface = player.center.inspection(at: clock()).surfaces.first { $0.id == Self.surface }
    guard let surface else { return .init("guard", [.init("surface", "not connected")]) }
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
        + log.presses.reversed().enumerated().map { index, press in
          let name = press.phone.flatMap { address in
            client.devices.first { $0.address == address }?.name ?? address
          }
          let seconds = now.wholeTime(since: press.at).components.seconds
          return .init(
            index == 0 ? "last" : "\(index + 1)",
            "\(press.request), \(seconds) s ago, by \(name ?? "one of several phones")"
              + (press.wasIgnored ? "; ignored, because it followed the connection" : ""))
        })
  }

  // MARK: Findings of `diagnose` about Bluetooth

  package typealias Finding = DiagnosisReport.Finding

  /// The findings in the order in which a person searches for a fault, from the bus to the phone.
  package var findings: [Finding] {
    switch state.service {
    case .off:
      [unavailable("bluetooth.starting", "Bluetooth was not started yet", "ask again")]
    case .noBus:
      [
        unavailable(
          "bluetooth.no-bus", "no connection to the system bus",
          "'service dbus' shows why; 'reboot' starts it again")
      ]
    case .noService:
      [
        unavailable(
          "bluetooth.no-service", "bluetoothd is not running",
          "'service log bluetooth' shows why; 'service restart bluetooth' starts it again")
      ]
    case .noAdapter:
      [
        unavailable(
          "bluetooth.no-adapter", "the unit has no adapter",
          "connect an adapter; 'bluetooth = no' switches Bluetooth off")
      ]
    case .ready: agent + state.adapters.flatMap(adapter) + phones + channel
    }
  }

  private func unavailable(_ code: String, _ found: String, _ remedy: String) -> Finding {
    Finding(
      code, "bluetooth", .note, found, meaning: "no phone can control the unit", remedy: remedy)
  }

  private var agent: [Finding] {
    guard let agentError = pairing.agentError else { return [] }
    return [
      Finding(
        "bluetooth.no-agent", "pairing", .bad, agentError,
        meaning: "another program is the pairing agent of bluetoothd",
        remedy:
          "'service restart bluetooth'; if it happens again, another program registers an agent")
    ]
  }

  private func adapter(_ adapter: PhonesState.Adapter) -> [Finding] {
    let id = adapter.id
    if !adapter.isPowered {
      return [
        Finding(
          "bluetooth.radio-off", id, .bad, "the controller is off", meaning: "no phone can connect",
          remedy:
            "'service restart bluetooth'; if it stays off, 'reboot' ends a block of the kernel (rfkill)"
        )
      ]
    }
    var findings: [Finding] = []
    if let details = adapterMonitor.readings[id]?.details,
      !details.features.contains(.simplePairing)
    {
      findings.append(
        Finding(
          "bluetooth.no-simple-pairing", id, .note,
          "the controller cannot pair with a number",
          meaning: "pairing does not prove which phone is paired",
          remedy: "use another controller"))
    }
    guard case .refused(let reason)? = player.adapterPlayers[id]?.registration else {
      return findings
        + (adapter.hasPlayer
          ? []
          : [
            Finding(
              "bluetooth.player-pending", id, .note, "the player is not registered at BlueZ yet")
          ])
    }
    return findings + [
      Finding(
        "bluetooth.player-refused", id, .bad, "BlueZ refuses the player: \(reason)",
        meaning: "keys of phones do nothing, and phones show no title; the unit tries again",
        remedy: "stop other player programs; check that main.conf does not switch AVRCP off")
    ]
  }

  private var phones: [Finding] {
    let phones = state.phones
    if phones.isEmpty {
      return [
        Finding(
          "bluetooth.no-phone", "phones", .note, "no phone is paired",
          remedy: "'bt pair on', then pair on the phone")
      ]
    }
    let names = state.connected.map(\.name).joined(separator: ", ")
    var findings = [
      names.isEmpty
        ? Finding(
          "bluetooth.none-connected", "phones", .note, "paired: \(phones.count), connected: none")
        : Finding("bluetooth.connected", "phones", .good, "\(names) connected")
    ]
    for phone in phones where connections.plan.candidates[phone.address]?.refusals ?? 0 > 0 {
      findings.append(
        Finding(
          "bluetooth.phone-refuses", "phones", .note, "\(phone.name) refuses the connection",
          meaning: "the phone may have lost its pairing",
          remedy: "'bt forget' the phone, remove the unit on the phone, and pair them again"
        ))
    }
    return findings
  }

  private var channel: [Finding] {
    guard let port = player.port, !port.channel.hasPassed else { return [] }
    if port.channel.toSurface == .failed {
      return [
        Finding(
          "bluetooth.signals-lost", "phone's channel", .bad,
          "the bus did not pass on a signal of the player",
          meaning: "phones do not show what plays",
          remedy: Finding.rebootOrWriteImage)
      ]
    }
    return [
      Finding(
        "bluetooth.channel-untested", "phone's channel", .note, "\(port.channel)",
        meaning: "no key of a phone has arrived yet",
        remedy: "press a key on the phone; 'bt' counts the presses")
    ]
  }
}

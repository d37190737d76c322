internal import BluetoothRadio
internal import NowPlaying
package import Reports

// Findings of `diagnose` about Bluetooth.
extension AVRCPTarget {
  package typealias Finding = DiagnosisReport.Finding

  /// In the order of a search for a fault: from the bus to the phone.
  package var findings: [Finding] {
    switch state.service {
    case .off: []
    case .noBus: [absent("there is no system bus yet", "look at 'log', and at dbus.service")]
    case .noService:
      [
        absent(
          "bluetoothd is not running",
          "look at bluetooth.service; 'bluetooth = no' if none is wanted")
      ]
    case .noAdapter:
      [absent("there is no adapter", "plug one in; 'bluetooth = no' if none is wanted")]
    case .ready: agent + state.adapters.flatMap(adapter) + phones + channel
    }
  }

  private func absent(_ found: String, _ remedy: String) -> Finding {
    Finding(
      "bluetooth", .note, found, meaning: "no phone can control the unit", remedy: remedy)
  }

  private var agent: [Finding] {
    guard let agentRefusal = pairing.agentRefusal else { return [] }
    return [
      Finding(
        "pairing", .bad, agentRefusal, meaning: "bluetoothd asks somebody else about pairing",
        remedy: "end the other agent, and start bluetooth.service again")
    ]
  }

  private func adapter(_ adapter: PhonesState.Adapter) -> [Finding] {
    let id = adapter.id
    if !adapter.isPowered {
      return [
        Finding(
          id, .bad, "the radio is off", meaning: "no phone can come",
          remedy: "look for a switch: 'rfkill list' in a shell")
      ]
    }
    var findings: [Finding] = []
    if let details = radio.readings[id]?.details, !details.features.contains(.simplePairing) {
      findings.append(
        Finding(
          id, .note, "the controller is too old to pair by number",
          meaning: "a phone that is paired with it is not proved to be the one that was meant",
          remedy: "take another controller"))
    }
    guard case .refused(let words)? = player.adapterPlayers[id]?.registration else {
      return findings
        + (adapter.hasPlayer ? [] : [Finding(id, .note, "BlueZ has no player there yet")])
    }
    return findings + [
      Finding(
        id, .bad, "BlueZ does not take the player: \(words)",
        meaning: "keys of phones do nothing, and they show no title; it is tried again",
        remedy: "is another program a player, or is AVRCP switched off in main.conf?")
    ]
  }

  private var phones: [Finding] {
    let phones = state.phones
    if phones.isEmpty {
      return [Finding("phones", .note, "none is known", remedy: "'bt pair on' lets one be paired")]
    }
    let names = state.connected.map(\.name).joined(separator: ", ")
    var findings = [
      names.isEmpty
        ? Finding("phones", .note, "none of \(phones.count) is connected")
        : Finding("phones", .good, "\(names) connected")
    ]
    for phone in phones where connections.plan.prospects[phone.address]?.refusals ?? 0 > 0 {
      findings.append(
        Finding(
          "phones", .note, "\(phone.name) has refused to be connected",
          meaning: "its own pairing may be gone",
          remedy: "'bt forget' it, forget the unit at the phone, and pair them again"))
    }
    return findings
  }

  private var channel: [Finding] {
    guard let port = player.port, !port.channel.hasPassed else { return [] }
    return [
      Finding(
        "phone's channel", .note, "\(port.channel)",
        meaning: "that a phone's key gets here was not proved yet",
        remedy: "press one; 'bt' counts them")
    ]
  }
}

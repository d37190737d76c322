internal import BluetoothController
internal import NowPlaying
package import Reports

// Findings of `diagnose` about Bluetooth.
extension AVRCPTarget {
  package typealias Finding = DiagnosisReport.Finding

  /// The findings in the order in which a person searches for a fault, from the bus to the phone.
  package var findings: [Finding] {
    switch state.service {
    case .off: []
    case .noBus:
      [
        unavailable(
          "bluetooth.no-bus", "no connection to the system bus", "see 'log' and dbus.service")
      ]
    case .noService:
      [
        unavailable(
          "bluetooth.no-service", "bluetoothd is not running",
          "see bluetooth.service; 'bluetooth = no' switches Bluetooth off")
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
        remedy: "stop the other program, then restart bluetooth.service")
    ]
  }

  private func adapter(_ adapter: PhonesState.Adapter) -> [Finding] {
    let id = adapter.id
    if !adapter.isPowered {
      return [
        Finding(
          "bluetooth.radio-off", id, .bad, "the controller is off", meaning: "no phone can connect",
          remedy: "run 'rfkill list' in a shell; it shows what blocks the controller")
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
          remedy: "run 'bt forget' for the phone, remove the unit on the phone, and pair them again"
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
          remedy: "look for a file in /etc/dbus-1/system.d that denies the signals of the daemon")
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

/// What a driver complains about, in a driver's words. A client sends it in place of a symptom of Now Playing.
package enum Complaint: String, Hashable, Sendable, CaseIterable {
  case sound
  case screen
  case touch
  case stick
  /// A list is empty, or songs are missing in it.
  case lists
  case keys
  case phone
  case bluetooth
  /// The unit reacts late.
  case slow
  /// After a start, the position, the settings or the favourites are not those of the last run.
  case forgets

  /// True if the finding can explain the complaint, or shows that this part works.
  package func concerns(_ finding: DiagnosisReport.Finding) -> Bool {
    codes.contains { finding.code.hasPrefix($0) } || finding.code == "part.silent"
  }

  /// The beginnings of the codes of the findings.
  private var codes: [String] {
    switch self {
    case .sound:
      [
        "amplifier.", "card.", "medium.", "music.", "output.", "playback.", "real-time.",
        "session.", "sound.", "volume.",
      ]
    case .screen: ["screen.", "surface.", "surfaces.", "unit.display-modules.", "unit.screen."]
    case .touch: ["screen.", "touch.", "unit.screen."]
    case .stick:
      [
        "folders.", "library.", "medium.", "music.", "stick.", "sticks.", "unit.stick.",
        "unit.udev",
      ]
    case .lists:
      [
        "folders.", "library.", "memory.", "music.", "playlists.", "stick.", "sticks.", "storage.",
        "unit.library.",
      ]
    case .keys: ["car.", "keys."]
    case .phone: ["bluetooth.", "phone."]
    case .bluetooth:
      [
        "bluetooth.", "controller.", "unit.bluetooth.", "unit.btattach.", "unit.dbus.",
        "unit.late-modules.", "unit.radio-address.",
      ]
    case .slow:
      [
        "kernel.", "library.", "medium.", "memory.", "storage.", "supply.", "temperature.", "unit.",
        "units.",
      ]
    case .forgets:
      [
        "boot.", "config.", "data.", "ends.", "playlists.", "positions.", "queue.", "settings.",
        "starts.", "state.", "storage.",
      ]
    }
  }
}

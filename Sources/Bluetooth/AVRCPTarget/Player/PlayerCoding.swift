internal import EventLoop

/// Converts the player's properties to D-Bus values and back. The types of the values must be the types that BlueZ
/// expects: after a wrong type BlueZ ignores the rest of the dictionary.
enum PlayerCoding {
  static let interface = "org.mpris.MediaPlayer2.Player"
  /// The track identifier of MPRIS if there is no track. The bluetoothd of the image then tells phones that no track is
  /// selected. Other versions of bluetoothd ignore the identifier, and phones get a track without a title.
  static let noTrack = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

  static func values(of properties: [PlayerProperty]) -> [(String, BusValue)] {
    properties.map { property in
      switch property {
      case .metadata(let track): ("Metadata", value(of: track))
      case .position(let position): ("Position", .int64(microseconds(position)))
      case .status(let status, .plain): ("PlaybackStatus", .string(status.rawValue))
      case .status(let status, .capitals):
        ("PlaybackStatus", .string(status.rawValue.uppercased()))
      case .shuffle(let isOn): ("Shuffle", .boolean(isOn))
      case .loop(let loop): ("LoopStatus", .string(loop.rawValue))
      case .flag(let flag, let isOn): (flag.rawValue, .boolean(isOn))
      }
    }
  }

  static func value(of track: PlayerProperties.Track?) -> BusValue {
    guard let track else {
      return .properties([
        ("mpris:trackid", .objectPath(noTrack)), ("xesam:title", .string("")),
        ("mpris:length", .int64(0)),
      ])
    }
    var entries: [(String, BusValue)] = [("xesam:title", .string(track.title))]
    if !track.artist.isEmpty { entries.append(("xesam:artist", .strings([track.artist]))) }
    if !track.album.isEmpty { entries.append(("xesam:album", .string(track.album))) }
    if !track.genre.isEmpty { entries.append(("xesam:genre", .strings([track.genre]))) }
    // The length is always sent, because otherwise BlueZ keeps the length of the previous track.
    entries.append(("mpris:length", .int64(microseconds(track.length ?? .zero))))
    if let number = track.number {
      entries.append(("xesam:trackNumber", .int32(Int32(clamping: number))))
    }
    return .properties(entries)
  }

  static func microseconds(_ time: Duration) -> Int64 {
    let (seconds, attoseconds) = max(.zero, time).components
    // BlueZ stores milliseconds in 32 bits, so the time is limited to 4,000,000 s.
    return min(seconds, 4_000_000) * 1_000_000 + attoseconds / 1_000_000_000_000
  }

  // MARK: Reading, with BlueZ's rules

  /// Reads properties as BlueZ does: if BlueZ cannot read a property, BlueZ ignores this property and all later
  /// properties.
  static func properties(_ value: BusValue) -> [PlayerProperty] {
    var properties: [PlayerProperty] = []
    for entry in value.entries ?? [] {
      guard let name = entry.key.text, case .variant(let value) = entry.value,
        let property = property(name, value)
      else { break }
      properties.append(property)
    }
    return properties
  }

  private static func property(_ name: String, _ value: BusValue) -> PlayerProperty? {
    switch (name, value) {
    case ("Metadata", _): metadata(value)
    case ("Position", .int64(let time)): .position(.microseconds(time))
    case ("PlaybackStatus", .string(let word)):
      PlayerProperties.Status.allCases.first { $0.rawValue.lowercased() == word.lowercased() }
        .map { .status($0, word == $0.rawValue ? .plain : .capitals) }
    case ("Shuffle", .boolean(let isOn)): .shuffle(isOn)
    case ("LoopStatus", .string(let word)): PlayerProperties.Loop(rawValue: word).map { .loop($0) }
    case (_, .boolean(let isOn)): PlayerProperties.Flag(rawValue: name).map { .flag($0, isOn) }
    default: nil
    }
  }

  private static func metadata(_ value: BusValue) -> PlayerProperty? {
    let isNone = value.entries?.contains { entry in
      entry.key.text == "mpris:trackid" && entry.value.unwrapped == .objectPath(noTrack)
    }
    return isNone == true ? .metadata(nil) : track(value).map { .metadata($0) }
  }

  private static func track(_ value: BusValue) -> PlayerProperties.Track? {
    guard case .dictionary(_, _, let entries) = value else { return nil }
    var track = PlayerProperties.Track(title: "")
    for entry in entries {
      guard let key = entry.key.text, case .variant(let value) = entry.value else { return nil }
      switch (key, value) {
      case ("xesam:title", .string(let text)): track.title = text
      case ("xesam:album", .string(let text)): track.album = text
      case ("xesam:artist", .array(of: "s", let names)): track.artist = names.first?.text ?? ""
      case ("xesam:genre", .array(of: "s", let names)): track.genre = names.first?.text ?? ""
      case ("mpris:length", .int64(let time)):
        track.length = time == 0 ? nil : .microseconds(time)
      case ("xesam:trackNumber", .int32(let number)): track.number = Int(number)
      default: return nil
      }
    }
    return track
  }
}

internal import EventLoop

/// A player that is registered with BlueZ. It has the values that BlueZ would report to a phone, and the notifications
/// that the phone would get. It behaves like media.c of BlueZ, which has some traps: new metadata resets the position,
/// the order of the properties matters, and after a property of a wrong type BlueZ ignores all further properties.
public final class FakePlayer {
  /// The unique name of the connection that registered the player.
  public let sender: String
  /// The path of the player's object.
  public let path: String

  /// The fields Title, Artist, Album, Genre, Duration and TrackNumber. Nil before the first metadata, and if the
  /// metadata says that there is no track.
  public private(set) var track: [String: String]?
  /// The duration in milliseconds. If the next track has no length, the duration stays the same.
  public private(set) var duration: UInt32 = 0
  /// The status exactly as the player has written it; nil before the first status. A new status that differs only in
  /// the case of its letters also counts as a change (see `setStatus`).
  private var writtenStatus: String?
  /// The status, such as `Playing`; nil before the first status.
  public var status: String? {
    writtenStatus.map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
  }
  /// The settings Shuffle and Repeat. Their names and values are the same as in BlueZ.
  public private(set) var settings: [String: String] = [:]
  /// The names of the properties, such as CanPlay, that are true. At first, none of these properties is true in BlueZ.
  public private(set) var flags: Set<String> = []
  /// The notifications that the phone got, oldest first. After each notification, a phone must register for this kind
  /// of notification again, and this takes some time. So if one dictionary of properties causes several notifications
  /// of one kind, the phone gets only the first of these notifications.
  public var events: [String] = []
  /// The kinds of notification that the current dictionary of properties has caused so far.
  private var notifiedKinds: Set<Substring> = []
  /// The number of dictionaries of properties that BlueZ has read only up to a property of a wrong type.
  public private(set) var lostDictionaries = 0
  /// The names of the properties and metadata fields that the player has sent and BlueZ does not read.
  public private(set) var ignored: [String] = []

  private var anchor: UInt32 = 0
  private var anchoredAt: Int64 = 0

  /// True for a player of the image's bluetoothd, which recognises the track identifier `NoTrack`.
  private let readsNoTrack: Bool

  init(sender: String, path: String, readsNoTrack: Bool) {
    self.sender = sender
    self.path = path
    self.readsNoTrack = readsNoTrack
  }

  /// The position that GetPlayStatus would return, in milliseconds.
  public var position: UInt32 {
    guard status?.lowercased() == "playing" else { return anchor }
    let passed = (EventClock.monotonic.now - anchoredAt) / 1_000_000
    return anchor &+ UInt32(clamping: passed)
  }

  /// The duration that GetPlayStatus would return. If the duration is unknown, all bits are 1.
  public var reportedDuration: UInt32 { duration == 0 ? .max : duration }

  /// The title that GetElementAttributes would return.
  public var title: String { track?["Title"] ?? "" }

  // MARK: Messages of the player

  /// Reads the properties of a dictionary in their order. Stops at a property of a wrong type, and returns false.
  func apply(_ properties: BusValue) -> Bool {
    notifiedKinds = []
    for entry in properties.entries ?? [] {
      guard let name = entry.key.text, case .variant(let value) = entry.value, set(name, value)
      else {
        lostDictionaries += 1
        return false
      }
    }
    return true
  }

  /// Handles the signal `Seeked`.
  func seeked(_ value: BusValue?) {
    notifiedKinds = []
    if let value { _ = setPosition(value) }
  }

  private func notify(_ event: String) {
    let kind = event.prefix { $0 != " " }
    if notifiedKinds.insert(kind).inserted { events.append(event) }
  }

  private func set(_ name: String, _ value: BusValue) -> Bool {
    switch (name, value) {
    case ("PlaybackStatus", .string(let text)): setStatus(text)
    case ("Position", _): return setPosition(value)
    case ("Metadata", _): return setMetadata(value)
    case ("Shuffle", .boolean(let flag)): setSetting("Shuffle", flag ? "alltracks" : "off")
    case ("LoopStatus", .string(let text)):
      guard let mode = Self.repeats[text] else { return false }
      setSetting("Repeat", mode)
    case ("CanPlay", .boolean(let flag)), ("CanPause", .boolean(let flag)),
      ("CanGoNext", .boolean(let flag)), ("CanGoPrevious", .boolean(let flag)),
      ("CanControl", .boolean(let flag)):
      if flag { flags.insert(name) } else { flags.remove(name) }
    case ("Identity", .string): break
    case ("PlaybackStatus", _), ("Shuffle", _), ("LoopStatus", _), ("CanPlay", _), ("CanPause", _),
      ("CanGoNext", _), ("CanGoPrevious", _), ("CanControl", _), ("Identity", _):
      return false
    default: ignored.append(name)
    }
    return true
  }

  private static let repeats = ["None": "off", "Track": "singletrack", "Playlist": "alltracks"]

  private func setStatus(_ text: String) {
    guard writtenStatus != text else { return }
    anchor = position
    anchoredAt = EventClock.monotonic.now
    writtenStatus = text
    notify("STATUS_CHANGED \(text.lowercased())")
  }

  private func setPosition(_ value: BusValue) -> Bool {
    guard case .int64(let microseconds) = value else { return false }
    let milliseconds = UInt64(bitPattern: microseconds) / 1000
    let direction = milliseconds > UInt64(position) ? "forward-seek" : "reverse-seek"
    anchor = UInt32(truncatingIfNeeded: milliseconds)
    anchoredAt = EventClock.monotonic.now
    if anchor == 0 {
      notify("TRACK_REACHED_START")
    } else if anchor == .max || anchor >= duration {
      notify("TRACK_REACHED_END")
    } else {
      notify("STATUS_CHANGED \(direction)")
    }
    return true
  }

  private func setSetting(_ name: String, _ value: String) {
    guard settings[name] != value else { return }
    settings[name] = value
    notify("SETTINGS_CHANGED \(name) \(value)")
  }

  private func setMetadata(_ value: BusValue) -> Bool {
    guard case .dictionary(_, _, let entries) = value else { return false }
    track = [:]
    var isNone = false
    for entry in entries {
      guard let key = entry.key.text, case .variant(let value) = entry.value else { return false }
      if key == "mpris:trackid" {
        isNone = readsNoTrack && value == .objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack")
      } else {
        guard setField(key, value) else { return false }
      }
    }
    if track?["Title"] == nil { track?["Title"] = "" }
    if isNone { (track, duration) = (nil, 0) }
    anchor = 0
    anchoredAt = EventClock.monotonic.now
    notify("TRACK_CHANGED")
    notify("TRACK_REACHED_START")
    return true
  }

  private func setField(_ key: String, _ value: BusValue) -> Bool {
    switch (key, value) {
    case ("xesam:title", .string(let text)): track?["Title"] = text
    case ("xesam:album", .string(let text)): track?["Album"] = text
    case ("xesam:artist", .array(of: "s", let names)): track?["Artist"] = names.first?.text
    case ("xesam:genre", .array(of: "s", let names)): track?["Genre"] = names.first?.text
    case ("mpris:length", .int64(let length)):
      duration = UInt32(truncatingIfNeeded: UInt64(bitPattern: length) / 1000)
      track?["Duration"] = "\(duration)"
    case ("xesam:trackNumber", .int32(let number)):
      track?["TrackNumber"] = "\(UInt32(bitPattern: number))"
    case ("xesam:title", _), ("xesam:album", _), ("xesam:artist", _), ("xesam:genre", _),
      ("mpris:length", _), ("xesam:trackNumber", _):
      return false
    default: ignored.append(key)
    }
    return true
  }
}

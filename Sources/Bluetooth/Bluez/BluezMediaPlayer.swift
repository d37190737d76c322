internal import EventLoop

/// The properties of a player of a phone in BlueZ at one moment. A phone has a player for each app, or one for all
/// apps.
package struct BluezMediaPlayer: Equatable {
  /// What the player does.
  package enum Status: String {
    case playing, stopped, paused
    case seekingForward = "forward-seek"
    case seekingBackward = "reverse-seek"
    case error
  }

  /// What repeats.
  package enum Repeat: String {
    case off, singletrack, alltracks, group
  }

  /// In which order tracks play.
  package enum Shuffle: String {
    case off, alltracks, group
  }

  /// The track. Empty fields are nil.
  package struct Track: Equatable {
    package var title: String?
    package var artist: String?
    package var album: String?
    package var genre: String?
    package var number: Int?
    package var count: Int?
    /// In milliseconds; nil if it is unknown.
    package var duration: Int?

    package init(
      title: String? = nil, artist: String? = nil, album: String? = nil, genre: String? = nil,
      number: Int? = nil, count: Int? = nil, duration: Int? = nil
    ) {
      self.title = title
      self.artist = artist
      self.album = album
      self.genre = genre
      self.number = number
      self.count = count
      self.duration = duration
    }
  }

  package let path: String
  /// The name of the app. Nil if the phone does not report it.
  package let name: String?
  /// Nil until the phone has reported a status.
  package let status: Status?
  /// The position in milliseconds that BlueZ has reported last. Nil if it is unknown.
  package let position: Int?
  package let track: Track
  /// Nil if the player has no setting for repeat.
  package let repeats: Repeat?
  package let shuffle: Shuffle?

  /// Returns nil if there is no player with this path.
  init?(_ path: String, in monitor: BluezMonitor?) {
    guard let properties = monitor?[path, BluezNames.mediaPlayer] else { return nil }
    self.path = path
    name = Self.text(properties["Name"])
    status = properties["Status"]?.text.flatMap(Status.init(rawValue:))
    position = Self.number(properties["Position"])
    let track = properties["Track"]
    self.track = Track(
      title: Self.text(track?["Title"]), artist: Self.text(track?["Artist"]),
      album: Self.text(track?["Album"]), genre: Self.text(track?["Genre"]),
      number: Self.number(track?["TrackNumber"]), count: Self.number(track?["NumberOfTracks"]),
      duration: Self.number(track?["Duration"]).flatMap { $0 > 0 ? $0 : nil })
    repeats = properties["Repeat"]?.text.flatMap(Repeat.init(rawValue:))
    shuffle = properties["Shuffle"]?.text.flatMap(Shuffle.init(rawValue:))
  }

  /// Longest text that is kept, in characters. A longer text is cut.
  private static let longestText = 512

  /// A text without spaces at its ends; nil if nothing is left.
  private static func text(_ value: BusValue?) -> String? {
    guard let text = value?.text else { return nil }
    let trimmed = text.drop(while: \.isWhitespace)
    let end = trimmed.lastIndex { !$0.isWhitespace }
    guard let end else { return nil }
    return String(trimmed[...end].prefix(longestText))
  }

  /// A number of 32 bits. Nil if all bits are set, because the phone then does not know the number.
  static func number(_ value: BusValue?) -> Int? {
    guard let number = value?.integer, (0..<Int(UInt32.max)).contains(number) else { return nil }
    return number
  }
}

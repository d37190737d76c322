/// The data that the head unit saves for its next start.
///
/// This type does not use the types of other modules, because the bytes on the medium must not change if a case is
/// renamed in those modules.
public struct UnitState: Hashable, Sendable {
  /// The part of the queue that repeats.
  public enum Repeat: UInt8, Hashable, Sendable, CaseIterable {
    case off, one, all
  }

  /// The order of playback.
  public enum Shuffle: UInt8, Hashable, Sendable, CaseIterable {
    case off, items, collections
  }

  /// The file that was playing. Nil if there was none.
  public var file: FileLocation?
  /// The saved queue that has the file. Nil if the file belongs to no saved queue.
  public var queue: CurrentEntry?
  /// The file to which *previous* goes. Nil if the order of the files tells it, or if the path is longer than
  /// ``maximumPrecedingBytes``.
  public var preceding: FileLocation?
  /// The position in the file.
  public var elapsed = SongTime.zero
  /// True if playback was intended, even if a call interrupted playback.
  public var wasPlaying = false
  /// The part of the queue that repeats.
  public var repeatMode = Repeat.off
  /// The order of playback.
  public var shuffleMode = Shuffle.off
  /// The volume in thousandths, 0 … 1000. Nil if it was never set.
  public var volume: Int?
  /// True if the sound is muted. The volume is saved separately.
  public var isMuted = false
  /// Addresses of phones, the last used phone first; at most ``maximumPhones``, each of at most
  /// ``maximumAddressBytes``.
  public var phones: [String] = []
  /// Addresses of the devices that have pressed a key, the latest first; at most ``maximumControllers``, each of at
  /// most ``maximumAddressBytes``.
  public var controllers: [String] = []
  /// Address of the phone that is dialled first. Nil if people have chosen none.
  public var firstChoice: String?
  /// Addresses of devices whose pairing no person has confirmed yet; at most ``maximumUnconfirmed``, each of at most
  /// ``maximumAddressBytes``. If they are bonded at the next start, their bonds are removed.
  public var unconfirmed: [String] = []
  /// The phone that was the last source. Nil if it was the unit's own music.
  public var phoneSource: PhoneSource?
  /// Checksums of the notices about media that were shown, the latest first; at most ``maximumShownNotices``. See
  /// ``checksum(ofNotice:)``.
  public var shownNotices: [UInt64] = []
  /// The sound cards that were tested, the latest first; at most ``maximumCardTests``.
  public var cardTests: [CardTest] = []
  /// The latest starts of the daemon, oldest first.
  public var starts = StartHistory()

  /// A phone as the last source.
  public struct PhoneSource: Hashable, Sendable {
    /// The address, at most ``maximumAddressBytes``.
    public var address: String
    /// The name, for people; at most ``maximumNameBytes``, cut if it is longer.
    public var name: String
    /// True if it played, or was meant to play.
    public var wasPlaying: Bool

    public init(address: String, name: String, wasPlaying: Bool) {
      self.address = address
      self.name = name
      self.wasPlaying = wasPlaying
    }
  }

  /// The current entry of a saved queue.
  public struct CurrentEntry: Hashable, Sendable {
    /// See ``SavedQueue/number``.
    public var number: UInt64
    /// See ``SavedQueue/Entry/id``.
    public var entry: EntryID

    public init(number: UInt64, entry: EntryID) {
      self.number = number
      self.entry = entry
    }
  }

  /// The test whether frames that a sound card has got can be taken back.
  public struct CardTest: Hashable, Sendable {
    /// The driver and the name of the card, at most ``maximumCardBytes``.
    public var card: String
    /// The number of frames by which the position of the card moves; 0 if frames cannot be taken back.
    public var step: Int

    public init(card: String, step: Int) {
      self.card = card
      self.step = step
    }
  }

  /// The largest step. No card has so many frames.
  static let maximumStep = 1 << 30
  /// Maximum number of sound cards.
  public static let maximumCardTests = 4
  /// Maximum bytes of the name of a card. Tests of cards with longer names are not saved.
  public static let maximumCardBytes = 120
  /// Maximum number of phones.
  public static let maximumPhones = 8
  /// Maximum number of controllers.
  public static let maximumControllers = 16
  /// Maximum number of devices whose pairing no person has confirmed.
  public static let maximumUnconfirmed = 8
  /// Maximum number of notices.
  public static let maximumShownNotices = 16
  /// Maximum bytes of the path of ``preceding``. It leaves room for the other fields.
  public static let maximumPrecedingBytes = 1024
  /// Maximum bytes of the name of a phone.
  public static let maximumNameBytes = 64
  /// Maximum bytes of an address. This is the length of `AA:BB:CC:DD:EE:FF`.
  public static let maximumAddressBytes = 17

  /// The checksum of a notice about a stick. Two notices have the same checksum only by chance.
  public static func checksum(ofNotice text: String) -> UInt64 { CRC64.of(text.utf8) }

  /// The state of a unit that was never switched on.
  public init() {}
}

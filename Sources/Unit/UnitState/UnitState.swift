/// The data that the head unit saves for its next start.
///
/// This type has its own enums instead of the enums of other modules. So the bytes on the medium do not change if a
/// case in another module is renamed.
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
  /// The saved queue, and the entry in it that is ``file``. Nil if the file does not belong to a saved queue.
  public var queue: CurrentEntry?
  /// The entries of the saved queue that were current before, the latest last; at most ``maximumHeard``, and only as
  /// many of the latest as fit into ``maximumHeardBytes``.
  public var heard: [EntryID] = []
  /// The file that the command *previous* plays, if no queue is saved. Nil if it is the file before ``file`` in the
  /// order of the files. A path longer than ``maximumPrecedingBytes`` is not saved.
  public var preceding: FileLocation?
  /// The position in ``file``.
  public var elapsed = SongTime.zero
  /// True if the unit was playing, also if playback was interrupted at this time, for example by a call.
  public var wasPlaying = false
  /// The part of the queue that repeats.
  public var repeatMode = Repeat.off
  /// The order of playback.
  public var shuffleMode = Shuffle.off
  /// The volume in thousandths, 0 … 1000. Nil if it was never set.
  public var volume: Int?
  /// True if the sound is muted. ``volume`` keeps its value while the sound is muted.
  public var isMuted = false
  /// Addresses of phones, the last used phone first; at most ``maximumPhones``, each of at most
  /// ``maximumAddressBytes``.
  public var phones: [String] = []
  /// Addresses of the devices that have sent a key press, the latest first; at most ``maximumControllers``, each of at
  /// most ``maximumAddressBytes``.
  public var controllers: [String] = []
  /// Address of the phone to which the unit connects first. Nil if the user has not chosen a phone.
  public var firstChoice: String?
  /// Addresses of devices whose pairing the user has not confirmed yet; at most ``maximumUnconfirmed``, each of at most
  /// ``maximumAddressBytes``. If such a device is bonded at the next start, its bond is removed.
  public var unconfirmed: [String] = []
  /// The phone that was the last source. Nil if the unit's own music was the last source.
  public var phoneSource: PhoneSource?
  /// The program that is to play when it connects again. Nil if there is none.
  public var wantedApp: WantedApp?
  /// Checksums of the notices about media that were already shown, the latest first; at most ``maximumShownNotices``.
  /// See ``checksum(ofNotice:)``.
  public var shownNotices: [UInt64] = []
  /// The results of the rewind tests of sound cards, the latest first; at most ``maximumCardTests``.
  public var cardTests: [CardTest] = []
  /// The latest starts of the daemon, oldest first.
  public var starts = StartHistory()

  /// The phone that was the last source.
  public struct PhoneSource: Hashable, Sendable {
    /// The address, at most ``maximumAddressBytes``.
    public var address: String
    /// The name of the phone, for display. It is cut to ``maximumNameBytes``.
    public var name: String
    /// True if the phone was playing, also if its playback was interrupted at this time.
    public var wasPlaying: Bool

    public init(address: String, name: String, wasPlaying: Bool) {
      self.address = address
      self.name = name
      self.wasPlaying = wasPlaying
    }
  }

  /// A program that is a source, and that is to play when it connects again.
  public struct WantedApp: Hashable, Sendable {
    /// The identity of its session. A session with an identity longer than ``maximumSessionBytes`` is not saved.
    public var session: String
    /// The name of the program, for display. It is cut to ``maximumAppNameBytes``.
    public var name: String

    public init(session: String, name: String) {
      self.session = session
      self.name = name
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

  /// The result of the test whether a sound card can take back frames that were written to it (ALSA: rewind).
  public struct CardTest: Hashable, Sendable {
    /// The driver and the name of the sound card; at most ``maximumCardBytes``.
    public var card: String
    /// The number of frames by which the position of the card advances at once. 0 if frames cannot be taken back.
    public var step: Int

    public init(card: String, step: Int) {
      self.card = card
      self.step = step
    }
  }

  /// Maximum number of elements in ``heard``.
  public static let maximumHeard = 100
  /// Maximum length in bytes of the encoded ``heard``. A hundred numbers below 16 384 need 200 bytes.
  static let maximumHeardBytes = 285
  /// The largest value of ``CardTest/step``. No sound card has such a large buffer.
  static let maximumStep = 1 << 30
  /// Maximum number of elements in ``cardTests``.
  public static let maximumCardTests = 4
  /// Maximum length in bytes of ``CardTest/card``. Tests of cards with longer names are not saved.
  public static let maximumCardBytes = 120
  /// Maximum number of elements in ``phones``.
  public static let maximumPhones = 8
  /// Maximum number of elements in ``controllers``.
  public static let maximumControllers = 16
  /// Maximum number of elements in ``unconfirmed``.
  public static let maximumUnconfirmed = 8
  /// Maximum number of elements in ``shownNotices``.
  public static let maximumShownNotices = 16
  /// Maximum length in bytes of the path of ``preceding``. The limit leaves room for the other fields.
  public static let maximumPrecedingBytes = 941
  /// Maximum length in bytes of the name of a phone.
  public static let maximumNameBytes = 64
  /// Maximum length in bytes of the identity of the session of ``wantedApp``.
  public static let maximumSessionBytes = 48
  /// Maximum length in bytes of the name of ``wantedApp``.
  public static let maximumAppNameBytes = 31
  /// Maximum length in bytes of an address. This is the length of `AA:BB:CC:DD:EE:FF`.
  public static let maximumAddressBytes = 17

  /// The checksum of a notice about a medium, for ``shownNotices``.
  public static func checksum(ofNotice text: String) -> UInt64 { CRC64.of(text.utf8) }

  /// Creates the state of a unit at its first start.
  public init() {}
}

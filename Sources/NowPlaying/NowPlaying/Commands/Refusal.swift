/// The reason why a request is not carried out. The type is the same in the model, on the control socket, on the
/// console and on the screen.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// A word for programs. Its meaning is the same in all versions.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// Maximum length of a code in bytes.
    public static let limit = 64

    /// 1 to ``limit`` lower-case letters, digits and hyphens. The first character is a letter, and the last character
    /// is not a hyphen.
    public let rawValue: String

    /// Creates a code from a received text. A code for which this version has no constant is accepted too. Nil if the
    /// text is not a valid code.
    public init?(rawValue: String) {
      let bytes = rawValue.utf8
      guard let first = bytes.first, Self.letters.contains(first), bytes.count <= Self.limit,
        bytes.last != UInt8(ascii: "-"),
        bytes.allSatisfy({
          Self.letters.contains($0) || Self.digits.contains($0) || $0 == UInt8(ascii: "-")
        })
      else { return nil }
      self.rawValue = rawValue
    }

    /// Creates a constant of this program. An invalid text is a mistake of the programmer, so it ends the program.
    public init(_ word: StaticString) {
      guard let code = Self(rawValue: "\(word)") else {
        preconditionFailure("'\(word)' is not a valid code")
      }
      self = code
    }

    /// The code.
    public var description: String { rawValue }

    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  }

  /// The reason, for programs.
  public let code: Code
  /// The reason, for people.
  public let sentence: String
  /// A remedy for people. Nil if the sentence is enough.
  public let remedy: String?

  public init(_ code: Code, _ sentence: String, remedy: String? = nil) {
    self.code = code
    self.sentence = sentence
    self.remedy = remedy
  }

  /// The sentence and the remedy, for logs.
  public var description: String { remedy.map { "\(sentence); \($0)" } ?? sentence }
}

// The codes of the model. A module that uses this module adds its own codes in the same way.
extension Refusal.Code {
  /// All codes of the model.
  public static let ofCommands: [Self] = [
    .nothingPlaying, .noSuchContent, .notOffered, .fixedSpeed, .disabled, .liveContent, .noInterval,
    .unsupportedValue, .noSuchOption, .keyRepeat, .surfaceNotConnected, .noSuchButton,
    .buttonDisabled, .noObserver, .sourceSilent, .sourceTooLate, .sessionEnded, .failed,
    .noSuchItem, .queueChanged, .nothingToUndo, .sourceAbsent,
  ]

  /// No session is primary, so the command has no receiver.
  public static let nothingPlaying = Self("nothing-playing")
  /// The requested content does not exist, for example the next track.
  public static let noSuchContent = Self("no-such-content")
  /// The source has no handler for the command.
  public static let notOffered = Self("not-offered")
  /// The source plays at one speed only.
  public static let fixedSpeed = Self("fixed-speed")
  /// The source has disabled the command.
  public static let disabled = Self("disabled")
  /// Live content has no position to which a command could move.
  public static let liveContent = Self("live-content")
  /// The skip has no interval, and the source has no preferred interval.
  public static let noInterval = Self("no-interval")
  /// The value is not one of the offered values.
  public static let unsupportedValue = Self("unsupported-value")
  /// No language option has this identity.
  public static let noSuchOption = Self("no-such-option")
  /// A held key sends the same command again.
  public static let keyRepeat = Self("key-repeat")
  /// The surface that sent the command is not connected.
  public static let surfaceNotConnected = Self("surface-not-connected")
  /// The template has no button with this number.
  public static let noSuchButton = Self("no-such-button")
  /// The button is disabled.
  public static let buttonDisabled = Self("button-disabled")
  /// The template does not enable the tapped button (*Up Next*, or album and artist), or no
  /// ``NowPlayingTemplateObserver`` is registered.
  public static let noObserver = Self("nobody-observes")
  /// The source released the reply without an answer.
  public static let sourceSilent = Self("source-silent")
  /// The source did not answer in time.
  public static let sourceTooLate = Self("source-too-late")
  /// The session ended before the source answered.
  public static let sessionEnded = Self("session-ended")
  /// The source tried to carry out the command and failed.
  public static let failed = Self("failed")
  /// There is no item with this identity.
  public static let noSuchItem = Self("no-such-item")
  /// The queue has changed since the sender read it.
  public static let queueChanged = Self("queue-changed")
  /// The medium with the content is not connected.
  public static let sourceAbsent = Self("source-absent")
  /// There is no edit of the queue to undo.
  public static let nothingToUndo = Self("nothing-to-undo")
}

/// Why something that was asked for is not done. It has one shape from the model over the control socket
/// to console and screen.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// A word for programs. It means the same in each version.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// Bytes of the longest one.
    public static let limit = 64

    /// 1 to ``limit`` lower-case letters, digits and hyphens; the first is a letter, the last no hyphen.
    public let rawValue: String

    /// A code that was received, also one that this version does not know. Nil for a text that is no code.
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

    /// A code of the program. A text that is no code is a mistake of the programmer.
    public init(_ word: StaticString) {
      guard let code = Self(rawValue: "\(word)") else {
        preconditionFailure("'\(word)' is no code")
      }
      self = code
    }

    /// The code.
    public var description: String { rawValue }

    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  }

  /// For programs: the reason.
  public let code: Code
  /// For people: the reason.
  public let sentence: String
  /// For people: what to do. Nil if the sentence says enough.
  public let remedy: String?

  /// See the fields.
  public init(_ code: Code, _ sentence: String, remedy: String? = nil) {
    self.code = code
    self.sentence = sentence
    self.remedy = remedy
  }

  /// For people: the sentence, then the remedy. For logs.
  public var description: String { remedy.map { "\(sentence); \($0)" } ?? sentence }
}

// The codes of the model. A module above adds its own in the same way.
extension Refusal.Code {
  /// All of the model.
  public static let ofCommands: [Self] = [
    .nothingPlaying, .noSuchContent, .notOffered, .disabled, .liveContent, .noInterval,
    .unsupportedValue, .noSuchOption, .keyRepeat, .surfaceNotConnected, .noSuchButton,
    .buttonDisabled, .nobodyObserves, .sourceSilent, .sourceTooLate, .sessionEnded, .failed,
  ]

  /// There is nothing that the command could be for.
  public static let nothingPlaying = Self("nothing-playing")
  /// What was asked for is not there: no next track.
  public static let noSuchContent = Self("no-such-content")
  /// The source has no handler for the command.
  public static let notOffered = Self("not-offered")
  /// The source has disabled the command.
  public static let disabled = Self("disabled")
  /// Live content has no positions.
  public static let liveContent = Self("live-content")
  /// A skip without an interval, and the source prefers none.
  public static let noInterval = Self("no-interval")
  /// The value is not among those that are offered.
  public static let unsupportedValue = Self("unsupported-value")
  /// There is no language option of that identity.
  public static let noSuchOption = Self("no-such-option")
  /// A held key sends the same again.
  public static let keyRepeat = Self("key-repeat")
  /// The surface that sent the command is not connected.
  public static let surfaceNotConnected = Self("surface-not-connected")
  /// The template has no button at that place.
  public static let noSuchButton = Self("no-such-button")
  /// The button is disabled.
  public static let buttonDisabled = Self("button-disabled")
  /// Nobody observes the button.
  public static let nobodyObserves = Self("nobody-observes")
  /// The source dropped the command without an answer.
  public static let sourceSilent = Self("source-silent")
  /// The source did not answer in time.
  public static let sourceTooLate = Self("source-too-late")
  /// The session ended before it answered.
  public static let sessionEnded = Self("session-ended")
  /// It was tried and did not work.
  public static let failed = Self("failed")
}

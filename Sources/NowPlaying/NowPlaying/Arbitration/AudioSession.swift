/// Defines how the sound of a session combines with the sound of other sessions (E1, E2, E3).
public struct AudioSession: Hashable, Sendable {
  /// The purpose of the sound.
  public enum Category: String, Hashable, Sendable {
    /// Music or radio that people listen to. The sound plays alone if no option permits mixing.
    case playback
    /// Sound that plays together with music. Such a session always mixes, so it is never Now Playing.
    case ambient
  }

  /// Defines how the sound shares the output with other sessions.
  public struct Options: OptionSet, Hashable, Sendable {
    /// One bit per option.
    public let rawValue: Int
    /// See `OptionSet`.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The session sounds at the same time as other sessions.
    public static let mixWithOthers = Options(rawValue: 1)
    /// Other sessions play at a lower volume while this session sounds. This option implies mixing.
    public static let duckOthers = Options(rawValue: 2)
  }

  /// The purpose of the sound.
  public var category: Category
  /// Defines how the sound shares the output with other sessions.
  public var options: Options

  /// Creates the definition for a session. By default the session plays alone.
  public init(category: Category = .playback, options: Options = []) {
    self.category = category
    self.options = options
  }

  /// True if the session sounds at the same time as other sessions. Such a session is never Now Playing (E3).
  public var isMixable: Bool { category == .ambient || !options.isEmpty }
  /// True if other sessions play at a lower volume while this session sounds (E3).
  public var ducksOthers: Bool { options.contains(.duckOthers) }
}

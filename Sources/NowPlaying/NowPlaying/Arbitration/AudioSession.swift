/// How a session's sound lives with the others' (E1, E2, E3).
public struct AudioSession: Hashable, Sendable {
  /// What the sound is for.
  public enum Category: String, Hashable, Sendable {
    /// Music, radio: what people listen to. Alone, unless an option says otherwise.
    case playback
    /// Sounds beside it. Always mixes, so it never becomes Now Playing.
    case ambient
  }

  /// What else it agrees to.
  public struct Options: OptionSet, Hashable, Sendable {
    /// One bit per option.
    public let rawValue: Int
    /// See `OptionSet`.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Sounds beside others.
    public static let mixWithOthers = Options(rawValue: 1)
    /// Others are turned down while it sounds; implies mixing.
    public static let duckOthers = Options(rawValue: 2)
  }

  /// What the sound is for.
  public var category: Category
  /// What else it agrees to.
  public var options: Options

  /// Alone unless said otherwise.
  public init(category: Category = .playback, options: Options = []) {
    self.category = category
    self.options = options
  }

  /// Whether it sounds beside others; such a session is never Now Playing (E3).
  public var isMixable: Bool { category == .ambient || !options.isEmpty }
  /// Whether others are turned down while it sounds (E3).
  public var ducksOthers: Bool { options.contains(.duckOthers) }
}

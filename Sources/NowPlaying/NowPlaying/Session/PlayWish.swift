/// What people wanted of a source last.
public enum PlayWish: Hashable, Sendable {
  /// The source is to play.
  case play
  /// A person has paused or stopped the source, or its content has ended.
  case pause
  /// Another source was started, so this source is not to resume after a restart.
  case replaced(by: SessionID)
}

/// What people wanted of each source last. A wish belongs to the identity of a session. So it outlives the session, the
/// connection of the source, and, if the daemon saves it, a restart of the daemon. It decides whether a source that
/// comes back plays by itself.
public struct PlayWishes: Hashable, Sendable {
  /// The wish for one source.
  public struct Entry: Hashable, Sendable {
    /// The identity of the sessions of the source.
    public let id: SessionID
    /// The wish.
    public var wish: PlayWish

    /// Creates an entry.
    public init(_ id: SessionID, _ wish: PlayWish) {
      self.id = id
      self.wish = wish
    }
  }

  /// Maximum number of sources. If there are more, the wish that is the longest time unchanged is forgotten.
  public static let limit = 32

  /// The wishes, the last changed one at the end.
  public private(set) var entries: [Entry]
  /// The sources that have come back since their wish was set. Each of them has had its answer.
  private var answered: Set<SessionID> = []

  /// - Parameter saved: the wishes of an earlier run, the last changed one at the end.
  public init(_ saved: [Entry] = []) { entries = saved.suffix(Self.limit) }

  /// The wish for a source. Nil if people have never wanted anything of this source.
  public subscript(id: SessionID) -> PlayWish? { entries.last { $0.id == id }?.wish }

  /// Call this when the source is to play. The wish to play another source ends.
  public mutating func started(_ id: SessionID) {
    for index in entries.indices where entries[index].id != id && entries[index].wish == .play {
      entries[index].wish = .replaced(by: id)
    }
    set(id, .play)
  }

  /// Call this when a person has paused or stopped the source, or when the source has stopped by itself.
  public mutating func stopped(_ id: SessionID) {
    if self[id] == .play { set(id, .pause) }
  }

  private mutating func set(_ id: SessionID, _ wish: PlayWish) {
    answered.remove(id)
    entries.removeAll { $0.id == id }
    entries.append(Entry(id, wish))
    if entries.count > Self.limit { answered.remove(entries.removeFirst().id) }
  }

  /// Call this when a source has come back. Returns true if it is to play by itself. Returns true only once, until the
  /// wish for this source is set again.
  public mutating func takePlay(of id: SessionID) -> Bool {
    self[id] == .play && answered.insert(id).inserted
  }
}

/// Whether a source becomes Now Playing because it starts to play.
public enum StartRule: Hashable, Sendable {
  /// Always: the sources of the unit start only if a person or the unit wants it (E5).
  case always
  /// Only if a person wanted it in the last ``window``, after an instruction to resume, or if nothing else is to play.
  /// Otherwise the source is held.
  case ifWanted

  /// A program needs some time from the request of a person until it plays.
  static let window = Duration.seconds(10)
}

/// A request to the owner of a list. It does not go to the primary session, because the unit itself plays its lists,
/// also while the session of a phone is primary.
public enum ListRequest: Hashable, Sendable, CustomStringConvertible {
  /// Plays a list.
  /// - list: the identity of the list.
  /// - row: the identity of the row with which playback begins. Nil if no row was chosen.
  /// - mode: a word that the owner defines, such as `now` or `next`.
  case play(list: String, row: String?, mode: String)
  /// Plays a source of music, such as a stick, from the position at which it stopped last.
  case playSource(String)
  /// Plays the next or previous album, folder or playlist.
  case jump(ListJump)

  /// The owner of the list, as text. See ``owner(of:)``.
  public var owner: String {
    switch self {
    case .play(let list, _, _): Self.owner(of: list)
    case .playSource(let source): Self.owner(of: source)
    case .jump: ""
    }
  }

  /// The owner of a list, a source or an item with this identity. If the identity begins with `app:`, the owner is the
  /// text before the first `/`. Otherwise the owner is the unit, and the result is empty.
  public static func owner(of identity: String) -> String {
    guard identity.hasPrefix("app:"), let end = identity.firstIndex(of: "/") else { return "" }
    return String(identity[..<end])
  }

  /// The name without values. Statistics use it as their key.
  var name: String {
    switch self {
    case .play: "playList"
    case .playSource: "playSource"
    case .jump(let jump): jump.rawValue
    }
  }

  /// Text for traces.
  public var description: String {
    switch self {
    case .play(let list, let row, let mode):
      "playList \(list)\(row.map { " \($0)" } ?? "") \(mode)"
    case .playSource(let source): "playSource \(source)"
    case .jump(let jump): jump.rawValue
    }
  }
}

extension MediaRequest {
  /// The owner of the queue on which a command acts. See ``ListRequest/owner(of:)``.
  var queueOwner: String {
    switch self {
    case .playQueueItem(let id), .moveQueueItem(let id, _, _), .removeQueueItem(let id, _):
      ListRequest.owner(of: id)
    default: ""
    }
  }
}

/// A jump to the next or previous album, folder or playlist. Messages on the control socket contain the raw values.
public enum ListJump: String, Hashable, Sendable, CaseIterable {
  case nextAlbum, previousAlbum, nextFolder, previousFolder, nextPlaylist, previousPlaylist

  /// False for a jump backwards.
  public var isNext: Bool {
    switch self {
    case .nextAlbum, .nextFolder, .nextPlaylist: true
    case .previousAlbum, .previousFolder, .previousPlaylist: false
    }
  }
}

/// An owner of lists. It finds the songs of its lists, and its session plays these songs.
public protocol ListOwner: AnyObject {
  /// The session that plays the lists.
  var listSession: SessionID { get }
  /// Carries out a request. Answers the request exactly once, at once or later.
  func perform(_ request: ListRequest, _ reply: CommandReply)
}

/// A weak reference to an owner of lists.
struct WeakListOwner {
  weak var owner: (any ListOwner)?
}

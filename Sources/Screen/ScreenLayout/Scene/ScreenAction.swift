public import NowPlaying

/// What a tap asks for.
public enum ScreenAction: Hashable, Sendable {
  /// Of the head unit, over the surface's port.
  case command(CommandRequest)
  /// Jump to a row of a list, by its identity.
  case chooseRow(String)
  /// Show a list from this row on.
  case showRows(from: Int)
  /// Show all custom buttons in the transport's place, or the transport again.
  case showButtons(Bool)
  /// Close a list.
  case back
  /// Answer a phone that wants to pair.
  case answerPairing(isAccepted: Bool)
  /// Become visible to phones for a while.
  case pairPhone
  /// The notice that stands has been read.
  case dismissNotice

  static func media(_ request: MediaRequest) -> ScreenAction { .command(.media(request)) }
}

/// A part of the screen that fingers find.
public struct HitArea: Hashable, Sendable {
  /// Requests for as long as a finger stays.
  public struct Hold: Hashable, Sendable {
    /// After half a second.
    public let begin: MediaRequest
    /// When it is lifted, or leaves.
    public let end: MediaRequest
  }

  /// The element that it is for.
  public let id: ElementID
  /// Where; at least 9 mm on either side, on the screen, and in no other's.
  public internal(set) var frame: PixelRect
  /// What is drawn of it: the pressed state and the focus have its shape.
  public internal(set) var face: PixelRect
  /// Of the face's corners, in pixels.
  public let faceRadius: Int
  /// Nil: greyed, and inert. It is there, so that a tap on it does nothing else either.
  public let action: ScreenAction?
  /// What holding it does instead; nil for nothing else.
  public let hold: Hold?
  var block: PixelRect?
}

/// The progress bar as something to drag on.
public struct Scrubber: Hashable, Sendable {
  /// Where a drag may begin; as large as a hit area.
  public internal(set) var frame: PixelRect
  /// The bar itself.
  public internal(set) var track: PixelRect
  /// All of the bar.
  public let duration: Duration
  var block: PixelRect?

  /// The net time under a finger.
  public func position(atX x: Int) -> Duration {
    let offset = min(max(x - track.x, 0), track.width)
    return duration * offset / max(track.width, 1)
  }
}

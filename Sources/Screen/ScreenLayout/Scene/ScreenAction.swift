public import NowPlaying

/// The action that a tap or another gesture requests.
public enum ScreenAction: Hashable, Sendable {
  /// Sends a command to the head unit, through the port of the surface.
  case command(CommandRequest)
  /// Plays the track of the row with this identity.
  case chooseRow(String)
  /// If true, shows all custom buttons instead of the transport. If false, shows the transport.
  case showButtons(Bool)
  /// Closes the list of Now Playing.
  case back
  /// Answers the pairing request of a phone.
  case answerPairing(isAccepted: Bool)
  /// Permits phones to find this unit for some time.
  case pairPhone
  /// Undoes the last change of the queue, if the queue still has this revision.
  case undo(revision: Int)
  /// Removes the standing notice.
  case dismissNotice
  /// Removes the notice about safe mode, and starts the unit normally.
  case endSafeMode
  /// Carries out an action on a page of the menu, or opens the menu.
  case menu(MenuAction)

  static func media(_ request: MediaRequest) -> ScreenAction { .command(.media(request)) }
}

/// A part of the screen that reacts to a touch.
public struct HitArea: Hashable, Sendable {
  /// The commands at the beginning and at the end of a hold.
  public struct Hold: Hashable, Sendable {
    /// Sent when the finger has stayed on the area for half a second.
    public let begin: MediaRequest
    /// Sent when the finger is lifted or leaves the area.
    public let end: MediaRequest
  }

  /// The element to which the area belongs.
  public let id: ElementID
  /// The part of the screen in which a touch counts. Each side has at least 9 mm. The frame is inside the screen and
  /// does not overlap other areas.
  public internal(set) var frame: PixelRect
  /// The visible part of the area. The pressed state and the focus are drawn in the shape of this part.
  public internal(set) var face: PixelRect
  /// The radius of the face's corners, in pixels.
  public let faceRadius: Int
  /// The action of a tap. If it is nil, the element is grey. The area still exists, so that the tap does not reach
  /// another element.
  public let action: ScreenAction?
  /// The action of a tap on a grey element, which only shows why the element is grey. The focus passes over the
  /// element. Nil if the element is not grey, or if a tap does nothing.
  public let greyedAction: ScreenAction?
  /// The commands of a hold. Nil if the area has no hold.
  public let hold: Hold?
  /// The action of a tap, on a grey element too.
  package var tap: ScreenAction? { action ?? greyedAction }
  var block: PixelRect?
}

/// The progress bar, if it can be dragged.
public struct Scrubber: Hashable, Sendable {
  /// The area in which a drag can begin. It is as large as a hit area.
  public internal(set) var frame: PixelRect
  /// The visible bar.
  public internal(set) var track: PixelRect
  /// The length of the content, to which the whole width of the bar corresponds.
  public let duration: Duration
  var block: PixelRect?

  /// The net time at the horizontal position `x` of the screen.
  public func position(atX x: Int) -> Duration {
    let offset = min(max(x - track.x, 0), track.width)
    return duration * offset / max(track.width, 1)
  }
}

/// The parts that a source adds to the Now Playing screen of the head unit.
///
/// The screen itself is part of the head unit, and all sources share it. Title, cover, progress and transport come from
/// the session (T5). A source sets its template when a screen *connects* (T1). The source does this in the closure
/// `didConnect`, which it passed when it opened its session.
public struct NowPlayingTemplate {
  /// Maximum number of buttons. Further buttons are not shown (T2).
  public static let maximumButtons = 5

  /// At most five buttons, from the leading to the trailing end (T2).
  public private(set) var nowPlayingButtons: [NowPlayingButton] = []
  /// Buttons of the head unit itself, if the buttons of the source replace them: at most
  /// ``TemplateState/maximumUnitButtons`` are shown, behind *More*. A tap has the number of the button plus
  /// ``maximumButtons``.
  public var unitButtons: [NowPlayingButton] = []
  /// Number of buttons beyond five in the last update (T2).
  public private(set) var surplusButtons = 0
  /// The pictures of image buttons, by name; see ``setPicture(_:named:)``.
  public private(set) var pictures: [String: ButtonPicture] = [:]
  /// True if the screen has the button *Up Next*. The default is false (T4).
  public var isUpNextButtonEnabled = false
  /// The title of *Up Next*. If it is nil, the surface uses its own title (T4).
  public var upNextTitle: String?
  /// True if album and artist on the screen are a button. The default is false (T4).
  public var isAlbumArtistButtonEnabled = false

  /// Creates a template without buttons.
  public init() {}

  /// The name of the picture of the source itself, which surfaces show beside its name. It is not the name of a button.
  public static let sourcePicture = ".source"

  /// Sets the picture of the image buttons with this name (T3). If `picture` is nil, the picture is removed. A template
  /// has at most 32 pictures: if it has 32 and the name is new, the result is false and nothing changes.
  @discardableResult
  public mutating func setPicture(_ picture: ButtonPicture?, named name: String) -> Bool {
    guard picture == nil || pictures[name] != nil || pictures.count < 32 else { return false }
    pictures[name] = picture
    return true
  }

  /// Sets the buttons, in order. The buttons after the fifth are dropped and counted. More than five buttons are not an
  /// error (T2).
  public mutating func updateNowPlayingButtons(_ buttons: [NowPlayingButton]) {
    nowPlayingButtons = Array(buttons.prefix(Self.maximumButtons))
    surplusButtons = buttons.count - nowPlayingButtons.count
  }
}

/// Observes taps on the two buttons of the template that are off by default (T4).
public protocol NowPlayingTemplateObserver: AnyObject {
  /// Called when a person taps *Up Next* while `session` is Now Playing.
  func nowPlayingTemplateUpNextButtonTapped(_ session: SessionID)
  /// Called when a person taps the album and artist while `session` is Now Playing.
  func nowPlayingTemplateAlbumArtistButtonTapped(_ session: SessionID)
}

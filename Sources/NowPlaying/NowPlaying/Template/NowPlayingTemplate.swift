/// The parts that a source adds to the Now Playing screen of the head unit.
///
/// The screen itself is part of the head unit, and all sources share it. Title, cover, progress and
/// transport come from the session (T5). A source sets its template when a screen *connects* (T1),
/// in the closure that it gave when it opened its session.
public struct NowPlayingTemplate {
  /// Maximum number of buttons; further ones are not shown (T2).
  public static let maximumButtons = 5

  /// At most five buttons, from leading to trailing (T2).
  public private(set) var nowPlayingButtons: [NowPlayingButton] = []
  /// Number of buttons beyond five in the last update (T2).
  public private(set) var surplusButtons = 0
  /// The pictures of image buttons, by name; see ``setPicture(_:named:)``.
  public private(set) var pictures: [String: ButtonPicture] = [:]
  /// Off by default (T4).
  public var isUpNextButtonEnabled = false
  /// The title of *Up Next*. If it is nil, the surface uses its own title (T4).
  public var upNextTitle: String?
  /// Off by default (T4).
  public var isAlbumArtistButtonEnabled = false

  /// No buttons, everything off.
  public init() {}

  /// Sets the picture of the image buttons with this name (T3); nil removes it. Returns false for
  /// a new name if there are 32 pictures already.
  @discardableResult
  public mutating func setPicture(_ picture: ButtonPicture?, named name: String) -> Bool {
    guard picture == nil || pictures[name] != nil || pictures.count < 32 else { return false }
    pictures[name] = picture
    return true
  }

  /// Sets the buttons, in order. The buttons after the fifth are dropped and counted; this is not
  /// an error (T2).
  public mutating func updateNowPlayingButtons(_ buttons: [NowPlayingButton]) {
    nowPlayingButtons = Array(buttons.prefix(Self.maximumButtons))
    surplusButtons = buttons.count - nowPlayingButtons.count
  }
}

/// Observes taps on the two buttons of the template that are off by default (T4).
public protocol NowPlayingTemplateObserver: AnyObject {
  /// *Up Next* was tapped while `session` was Now Playing.
  func nowPlayingTemplateUpNextButtonTapped(_ session: SessionID)
  /// Album and artist were tapped while `session` was Now Playing.
  func nowPlayingTemplateAlbumArtistButtonTapped(_ session: SessionID)
}

/// What a source adds to the head unit's Now Playing screen.
///
/// The screen itself is shared and the head unit's own: title, cover, progress and transport come
/// from the session (T5). A source sets this up when a screen *connects* (T1), in the hook that it
/// gave when it opened its session.
public struct NowPlayingTemplate {
  /// More buttons than this are not shown (T2).
  public static let maximumButtons = 5

  /// At most five, leading to trailing (T2).
  public private(set) var nowPlayingButtons: [NowPlayingButton] = []
  /// How many the source gave beyond five the last time (T2).
  public private(set) var surplusButtons = 0
  /// What buttons with a picture look like, by its name; see ``setPicture(_:named:)``.
  public private(set) var pictures: [String: ButtonPicture] = [:]
  /// Off unless a source turns it on (T4).
  public var isUpNextButtonEnabled = false
  /// Nil: the system's own words (T4).
  public var upNextTitle: String?
  /// Off unless a source turns it on (T4).
  public var isAlbumArtistButtonEnabled = false

  /// Without buttons, all off.
  public init() {}

  /// Says what an image button of this name looks like (T3). False where there are 32 already.
  @discardableResult
  public mutating func setPicture(_ picture: ButtonPicture?, named name: String) -> Bool {
    guard picture == nil || pictures[name] != nil || pictures.count < 32 else { return false }
    pictures[name] = picture
    return true
  }

  /// Sets the buttons, in order. The sixth and all after it are dropped and noted, which is no
  /// error (T2).
  public mutating func updateNowPlayingButtons(_ buttons: [NowPlayingButton]) {
    nowPlayingButtons = Array(buttons.prefix(Self.maximumButtons))
    surplusButtons = buttons.count - nowPlayingButtons.count
  }
}

/// Is told of taps on the two buttons of the template that are off by default (T4).
public protocol NowPlayingTemplateObserver: AnyObject {
  /// *Up Next*, while `session` was Now Playing.
  func nowPlayingTemplateUpNextButtonTapped(_ session: SessionID)
  /// The album and artist, while `session` was Now Playing.
  func nowPlayingTemplateAlbumArtistButtonTapped(_ session: SessionID)
}

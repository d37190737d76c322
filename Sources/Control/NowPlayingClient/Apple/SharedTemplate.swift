public import Control
public import NowPlaying

extension NowPlayingTemplate {
  /// The template of this program, like Apple's `CPNowPlayingTemplate.shared`.
  public static var shared: SharedTemplate { Application.shared.template }
}

/// Configures the template when a screen connects, like Apple's `CPTemplateApplicationSceneDelegate`.
public protocol TemplateSceneDelegate: AnyObject {
  /// A screen that shows templates has connected. Configure the template now: what is set before this method returns
  /// belongs to the connection.
  func templateScene(didConnect screen: ConnectedScreen)
}

/// The parts that an application adds to the Now Playing screen. Changes are sent after the present handler.
public final class SharedTemplate {
  /// Maximum number of pictures.
  public static let maximumPictures = 32

  /// The buttons, from the leading to the trailing end.
  public private(set) var nowPlayingButtons: [NowPlayingButton] = []
  /// True if the screen has the button *Up Next*.
  public var isUpNextButtonEnabled = false { didSet { changed() } }
  /// The title of *Up Next*. If it is nil, the screen uses its own title.
  public var upNextTitle: String? { didSet { changed() } }
  /// True if album and artist on the screen are a button.
  public var isAlbumArtistButtonEnabled = false { didSet { changed() } }
  private(set) var pictures: [String: ButtonPicture] = [:]
  private var observers: [Observer] = []
  weak var application: Application?

  private struct Observer {
    weak var observer: (any NowPlayingTemplateObserver)?
  }

  init() {}

  /// Sets the buttons, in order. A screen shows at most five.
  public func updateNowPlayingButtons(_ buttons: [NowPlayingButton]) {
    nowPlayingButtons = Array(buttons.prefix(PublishedTemplate.maximumButtons))
    changed()
  }

  /// Sets or removes the picture of the image buttons with this name. If there are ``maximumPictures`` pictures and the
  /// name is new, the result is false and nothing changes.
  @discardableResult
  public func setPicture(_ picture: ButtonPicture?, named name: String) -> Bool {
    guard picture == nil || pictures[name] != nil || pictures.count < Self.maximumPictures
    else { return false }
    pictures[name] = picture
    for session in application?.openSessions ?? [] { session.pictureChanged(name) }
    return true
  }

  /// Adds an observer of the buttons *Up Next* and *album and artist*. The observer is not kept alive.
  public func add(_ observer: any NowPlayingTemplateObserver) {
    observers.append(Observer(observer: observer))
  }

  /// Removes an observer.
  public func remove(_ observer: any NowPlayingTemplateObserver) {
    observers.removeAll { $0.observer == nil || $0.observer === observer }
  }

  private func changed() {
    for session in application?.openSessions ?? [] { session.templateChanged() }
  }

  var published: PublishedTemplate {
    var template = PublishedTemplate()
    template.buttons = nowPlayingButtons.map {
      TemplateState.Button(kind: $0.kind, isEnabled: $0.isEnabled, isSelected: $0.isSelected)
    }
    if isUpNextButtonEnabled { template.upNext = upNextTitle.map { .title($0) } ?? .systemTitle }
    template.isAlbumArtistEnabled = isAlbumArtistButtonEnabled
    return template
  }

  func perform(_ request: TemplateRequest, _ reply: CommandReply, in session: SourceSession) {
    let observers = observers.compactMap(\.observer)
    let id = SessionID(session.id)
    switch request {
    case .button(let index):
      guard nowPlayingButtons.indices.contains(index),
        let handler = nowPlayingButtons[index].handler
      else {
        return reply(.failed(Refusal(.noSuchButton, "the app has no button with this number")))
      }
      return handler(reply)
    case .upNext: for observer in observers { observer.nowPlayingTemplateUpNextButtonTapped(id) }
    case .albumArtist:
      for observer in observers { observer.nowPlayingTemplateAlbumArtistButtonTapped(id) }
    }
    reply(
      observers.isEmpty
        ? .failed(Refusal(.noObserver, "the app does not observe this button")) : .success)
  }
}

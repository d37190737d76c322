internal import Control
public import NowPlaying
internal import Observation
internal import SystemClock

/// What a program publishes, as properties that ``MediaSession`` reads. Their documentation is that of
/// ``SessionDescription``.
public protocol MediaSessionRepresentable: AnyObject {
  /// The name of the session within the app: small letters, digits and `-`. The identity of the app for its only or
  /// first session.
  var id: String { get }
  /// The content; nil if nothing plays.
  var content: (any MediaContentRepresentable)? { get }
  /// The position. It is not read if there are ``players``.
  var playbackSnapshot: MediaPlaybackSnapshot? { get }
  /// The commands that the app offers, with their handlers.
  var commands: [MediaCommand] { get }
  /// The streams that the unit plays. The default is none: the app plays its sound in another way.
  var players: [StreamPlayer] { get }
}

extension MediaSessionRepresentable {
  /// No position.
  public var playbackSnapshot: MediaPlaybackSnapshot? { nil }
  /// No streams.
  public var players: [StreamPlayer] { [] }
}

/// A session that publishes the properties of an object. If the class of the object is `@Observable`, each change is
/// published. Otherwise the program calls ``update()`` after a change.
public final class MediaSession<Representable: MediaSessionRepresentable>: SourceSession {
  /// The object. It must not have a strong reference to the session.
  public let representable: Representable

  /// Creates the session. It is opened after the present handler. The players are those of this moment.
  public init(_ representable: Representable, application: Application = .shared) {
    self.representable = representable
    super.init(
      application, name: representable.id == application.id ? nil : representable.id,
      players: representable.players)
    update()
  }

  /// Publishes the properties after the present handler.
  public func update() { setNeedsPublishing() }

  /// True if surfaces show the session.
  public var isSystemPrimary: Bool { status.isPrimary }
  /// True if nothing is missing that a session needs to become Now Playing.
  public var canBecomeApplicationPrimary: Bool { status.missing.isEmpty }

  /// Requests to become Now Playing without starting playback.
  public func requestToBecomeSystemPrimary(
    _ completion: @escaping (PrimaryAnswer) -> Void = { _ in }
  ) { claim(.automatic, completion) }

  override var publishedContent: MediaContent? {
    observed { representable.content.map { MediaContent($0) } }
  }
  override var publishedSnapshot: MediaPlaybackSnapshot? {
    observed { representable.playbackSnapshot }
  }
  override var publishedCommands: [MediaCommand] { observed { representable.commands } }

}

extension SourceSession {
  /// The session, for a handler that is called on the thread of the session only.
  private struct Observer: @unchecked Sendable {
    weak var session: SourceSession?
  }

  /// Reads properties, and publishes again when one of them changes.
  fileprivate func observed<Value>(_ read: () -> Value) -> Value {
    let observer = Observer(session: self)
    return withObservationTracking(read) { observer.session?.setNeedsPublishing() }
  }
}

extension CommandReply {
  /// Answers the command now.
  public func callAsFunction(_ answer: CommandAnswer = .success) { self(answer, at: .now()) }

  /// Answers the command: it failed, for this reason.
  public func callAsFunction(_ error: any Error) {
    self(.failed(error as? Refusal ?? Refusal(.failed, "\(error)")))
  }
}

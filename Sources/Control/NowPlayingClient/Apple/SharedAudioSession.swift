public import Control
public import NowPlaying

extension AudioSession {
  /// The audio session of this program, like Apple's `AVAudioSession.sharedInstance()`.
  public static var shared: SharedAudioSession { Application.shared.audioSession }

  /// The kind of sound.
  public enum Mode: Hashable, Sendable {
    case `default`
    /// Speech, which pauses where music is ducked.
    case spokenAudio
  }
}

/// The audio session of an application: how its sound combines with the sound of others, and whether it is active.
public final class SharedAudioSession {
  /// The beginning and the end of an interruption of the sound.
  public enum Interruption: Equatable, Sendable {
    case began(SessionHold)
    /// The reason has ended, and people want the app to play.
    case ended
  }

  /// See ``setCategory(_:mode:options:)``.
  public private(set) var category = AudioSession.Category.playback
  /// See ``setCategory(_:mode:options:)``.
  public private(set) var mode = AudioSession.Mode.default
  /// See ``setCategory(_:mode:options:)``.
  public private(set) var categoryOptions: AudioSession.Options = []
  /// See ``setActive(_:)``.
  public private(set) var isActive = false
  /// Called when the unit interrupts the sound of a session, and when the sound can resume. The players of the session
  /// pause and resume by themselves.
  public var onInterruption: ((Interruption) -> Void)?
  weak var application: Application?

  init() {}

  /// Defines how the sound combines with the sound of others.
  /// - Throws: if a session is open, because a session keeps its category.
  public func setCategory(
    _ category: AudioSession.Category, mode: AudioSession.Mode = .default,
    options: AudioSession.Options = []
  ) throws(Refusal) {
    if application?.openSessions.contains(where: \.isOpen) == true {
      throw Refusal(
        .failed, "the category cannot change while a session is open",
        remedy: "set it before the session is created")
    }
    self.category = category
    self.mode = mode
    categoryOptions = options
  }

  /// Activates the audio session before playback, or deactivates it after playback.
  /// - Throws: if a player plays while the audio session is deactivated.
  public func setActive(_ isActive: Bool) throws(Refusal) {
    let sessions = application?.openSessions ?? []
    if !isActive, sessions.contains(where: { $0.players.contains(where: \.isPlaying) }) {
      throw Refusal(
        .failed, "the audio session cannot be deactivated while a player plays",
        remedy: "pause the players first")
    }
    self.isActive = isActive
    for session in sessions { session.activeChanged() }
  }

  /// The options for the unit.
  var sharedOptions: AudioSession.Options {
    category == .ambient ? categoryOptions.union(.mixWithOthers) : categoryOptions
  }

  func note(_ instruction: AppInstruction) {
    switch instruction {
    case .pause(let hold): onInterruption?(.began(hold))
    case .resume: onInterruption?(.ended)
    case .duck, .unduck: break
    }
  }
}

internal import EventLoop
internal import LocalPlayer
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock

/// The screen's buttons from the configuration. Created before the head unit, which asks for the buttons when a screen
/// connects. Does not play the chime directly, but collects the presses of the chime button for the next turn of the
/// daemon. The reason is that the center handles a press inside a change of Now Playing, and decides only at the end of
/// this change which sessions can play sound.
final class ConfiguredButtons {
  private var settings: Settings
  /// The pictures of the buttons. They are read before a screen connects, because the medium of a picture can be slow.
  private var pictures: [(name: String, picture: ButtonPicture)] = []
  /// For each press of the chime button, the function that answers the press.
  private var chimes: [(Refusal?) -> Void] = []
  private let turns: Turns
  private let log: UnitLog

  init(_ settings: Settings, _ turns: Turns, log: UnitLog) {
    self.settings = settings
    self.turns = turns
    self.log = log
    use(settings, ButtonPictureFiles(settings))
  }

  /// Uses the buttons of these settings from now on.
  func use(_ new: Settings, _ files: ButtonPictureFiles) {
    settings = new
    pictures = files.pictures
    for problem in files.problems { log(.pictureUnusable, problem, at: .now()) }
  }

  /// Returns the answer functions for the presses of the chime button since the last call. The caller must call each
  /// function, with nil or with the reason why the chime is refused.
  func takeChimes() -> [(Refusal?) -> Void] {
    defer { chimes = [] }
    return chimes
  }

  private func requestChime(_ answer: @escaping (Refusal?) -> Void) {
    chimes.append(answer)
    turns.request()
  }

  /// Configures the template when a screen connects (T1).
  func configure(_ template: inout NowPlayingTemplate) {
    set(settings.buttons.map { button($0) }, in: &template)
  }

  /// Configures the template of a phone: the same buttons at the same positions. A button whose command the phone does
  /// not offer is grey, and so is a jump in the music of the unit.
  func configureForPhone(_ template: inout NowPlayingTemplate) {
    let buttons = settings.buttons.map { button in
      self.button(button).enabled(button.command.map { !Self.isJump($0) } ?? true)
    }
    set(buttons, in: &template)
  }

  /// Configures the template of an app, whose buttons replace those of the configuration. Mute and chime stay, because
  /// they do not depend on the source.
  func configureForApp(_ template: inout NowPlayingTemplate) {
    template.unitButtons = settings.buttons.filter { $0.command == .mute || $0.command == .chime }
      .map { button($0) }
    for (name, picture) in pictures where template.pictures[name] == nil {
      template.setPicture(picture, named: name)
    }
  }

  private func set(_ buttons: [NowPlayingButton], in template: inout NowPlayingTemplate) {
    template.updateNowPlayingButtons(buttons)
    for (name, picture) in pictures { template.setPicture(picture, named: name) }
  }

  private func button(_ button: ScreenButton) -> NowPlayingButton {
    let kind: NowPlayingButton.Kind
    switch button.kind {
    case .shuffle: return .shuffle()
    case .repeat: return .repeat()
    case .rate: return .playbackRate()
    case .stars: return .stars()
    case .add: kind = .addToLibrary
    case .more: kind = .more
    case .image(let name): kind = .image(name)
    }
    // The configuration accepts a button of this kind only with a command, so the default is never used.
    let command = button.command ?? .toggle
    if let request = Self.request(command) { return .performing(request, as: kind) }
    // The chime is the only command without a request, so its button gets a handler.
    let handler: MediaCommand.Handler = { [weak self] reply in
      self?.requestChime { reply($0.map { .failed($0) } ?? .success, at: .now()) }
    }
    return switch kind {
    case .addToLibrary: .addToLibrary(handler)
    case .more: .more(handler)
    case .image(let name): .image(name, handler)
    case .shuffle, .repeat, .playbackRate, .stars: .more(handler)
    }
  }

  /// The request for a command. Nil for the chime, which is not a command of Now Playing.
  private static func request(_ command: ScreenButton.Command) -> CommandRequest? {
    switch command {
    case .play: .media(.play)
    case .pause: .media(.pause)
    case .toggle: .media(.togglePlayPause)
    case .stop: .media(.stop)
    case .next: .media(.next)
    case .previous: .media(.previous)
    case .forward(let time): .media(.skipForward(time))
    case .back(let time): .media(.skipBackward(time))
    case .like: .media(.like(true))
    case .dislike: .media(.dislike(true))
    case .bookmark: .media(.bookmark(true))
    case .volume(let percent): .volume(.change(thousandths: percent * 10))
    case .mute: .volume(.toggleMuted)
    case .nextAlbum: .list(.jump(.nextAlbum))
    case .previousAlbum: .list(.jump(.previousAlbum))
    case .nextFolder: .list(.jump(.nextFolder))
    case .previousFolder: .list(.jump(.previousFolder))
    case .nextPlaylist: .list(.jump(.nextPlaylist))
    case .previousPlaylist: .list(.jump(.previousPlaylist))
    case .chime: nil
    }
  }

  /// True for a jump in the music of the unit.
  private static func isJump(_ command: ScreenButton.Command) -> Bool {
    if case .list? = request(command) { true } else { false }
  }
}

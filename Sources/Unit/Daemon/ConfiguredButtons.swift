internal import Files
internal import Glibc
internal import LocalPlayer
internal import NowPlaying
internal import Settings
internal import SystemClock

/// The screen's buttons from the configuration.
struct ConfiguredButtons {
  /// Receives the reason why a picture file cannot be used.
  typealias ProblemHandler = (_ text: String) -> Void

  private let settings: Settings
  /// Plays the chime. The answer is nil, or the reason why the chime was refused.
  typealias Chime = (_ answer: @escaping (Refusal?) -> Void) -> Void

  private let playChime: Chime
  /// The pictures of the buttons. They are read when this value is created, and not when a screen
  /// connects, because a medium may be slow.
  private let pictures: [(name: String, picture: ButtonPicture)]

  /// Reads the picture files.
  init(_ settings: Settings, playChime: @escaping Chime, onProblem: ProblemHandler) {
    self.settings = settings
    self.playChime = playChime
    pictures = settings.buttonPictures.compactMap { entry in
      switch entry.source {
      case .svgPath(let path):
        return ButtonPicture(.svgPath, Array(path.utf8)).map { (entry.name, $0) }
      case .file(let path):
        guard let bytes = Self.read(path), let picture = ButtonPicture(.png, bytes),
          bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
        else {
          onProblem(
            "button-picture \(entry.name): \(path) is not a PNG file of at most "
              + "\(ButtonPicture.limit >> 10) KiB")
          return nil
        }
        return (entry.name, picture)
      }
    }
  }

  /// Configures the template when a screen connects (T1).
  func configure(_ source: LocalSource, _ template: inout NowPlayingTemplate) {
    template.updateNowPlayingButtons(settings.buttons.map { button($0, source) })
    for (name, picture) in pictures { template.setPicture(picture, named: name) }
  }

  private func button(_ button: ScreenButton, _ source: LocalSource) -> NowPlayingButton {
    let kind: NowPlayingButton.Kind
    switch button.kind {
    case .shuffle: return .shuffle()
    case .repeat: return .repeat()
    case .rate: return .playbackRate()
    case .add: kind = .addToLibrary
    case .more: kind = .more
    case .image(let name): kind = .image(name)
    }
    // The configuration accepts a button of this kind only with a command, so the default is never
    // used.
    let command = button.command ?? .toggle
    if let request = Self.request(command) { return .performing(request, as: kind) }
    let handler: MediaCommand.Handler =
      switch command {
      case .nextFolder: { [weak source] in source?.moveToFolder(.next, $0) }
      case .previousFolder: { [weak source] in source?.moveToFolder(.previous, $0) }
      default:
        { [playChime] reply in
          playChime { reply($0.map { .failed($0) } ?? .success, at: .now()) }
        }
      }
    return switch kind {
    case .addToLibrary: .addToLibrary(handler)
    case .more: .more(handler)
    case .image(let name): .image(name, handler)
    case .shuffle, .repeat, .playbackRate: .more(handler)
    }
  }

  /// The request for a command. Nil for commands that only this unit has.
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
    case .nextFolder, .previousFolder, .chime: nil
    }
  }

  private static func read(_ path: String) -> [UInt8]? {
    // Without O_NONBLOCK, `open` of a pipe would block until a writer opens the pipe too.
    let file = open(FileName.cString(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes = [UInt8](repeating: 0, count: ButtonPicture.limit + 1)
    let count = Glibc.read(file, &bytes, bytes.count)
    return count > 0 ? Array(bytes[..<count]) : nil
  }
}

/// Stores the buttons for a closure that is created before the buttons.
final class ButtonsHolder {
  var buttons: ConfiguredButtons?
}

import Control
import EventLoop
import Files
import Glibc
import NowPlaying
import Reports
import Screen
import ScreenDisplay
import ScreenLayout
import ScreenPainter
import Settings
import SystemClock

/// The time limit for an answer of the unit, in nanoseconds.
private let answerTimeout: Int64 = 10_000_000_000
/// The error message if the daemon is connected but sends no state.
private let silence = "The daemon sent no state."

/// Paints a saved state. A saved state contains no covers, so the placeholder is painted.
func paintSaved(_ options: PreviewOptions, to path: String) -> Int32 {
  guard let bytes = BoundedFile.read(options.state, atMost: SavedState.maximumBytes) else {
    reportError("\(options.state): the file cannot be read")
    return 1
  }
  do throws(SavedState.ReadError) {
    let saved = try SavedState(bytes)
    let panel = panel(options)
    var model = ScreenModel(ScreenPreferences(), panel: panel, at: saved.now)
    model.setPresent()
    model.receive(saved.state, at: saved.now)
    var context = model.context(panel: panel, at: saved.now)
    context.appearance = options.appearance
    if let language = options.language { context.language = LanguageTag(language) }
    context.textScale = options.textScale
    let seed = NowPlayingLayout.placeholderSeed(saved.state, isAway: false)
    context.colors = CoverImage.placeholder(seed: seed, side: 64).colors
    let painter = Painter(
      size: panel.size, fonts: FontFamilies(language: context.language.description))
    painter.show(NowPlayingLayout.scene(saved.state, context, measure: painter.shaper))
    return write(painter, path)
  } catch {
    reportError("\(options.state): \(error.message)")
    return 1
  }
}

private func write(_ painter: Painter, _ path: String) -> Int32 {
  do throws(PNGError) {
    try painter.writePNG(to: path)
    return 0
  } catch {
    reportError("the picture cannot be written: \(error.reason)")
    return 1
  }
}

private func panel(_ options: PreviewOptions) -> Panel {
  Panel(
    size: options.size ?? PixelSize(width: 800, height: 480),
    diagonalInches: options.diagonal ?? 7)
}

/// Paints what the screen of a unit shows. The program does not register as a surface of this unit.
func paintLive(_ running: RunOptions, _ options: PreviewOptions, to path: String) -> Int32 {
  let settings = running.settings
  let loop = EventLoop()
  let client = ControlClient(loop, path: running.socket ?? settings.controlSocket)
  var preferences = ScreenPreferences(settings)
  preferences.diagonalInches = options.diagonal ?? preferences.diagonalInches ?? 7
  preferences.textScale = options.textScale ?? preferences.textScale
  if let language = options.language { preferences.language = LanguageTag(language) }
  let display = MemoryDisplay(size: panel(options).size)
  let unit = ScreenController(loop, client, display, preferences, surface: nil)
  do {
    try unit.start()
    defer { unit.shutDown() }
    let end = EventClock.monotonic.now + answerTimeout
    while !unit.isSettled, EventClock.monotonic.now < end {
      try loop.step(timeout: .milliseconds(200))
    }
    guard unit.isSettled else {
      reportError(
        "\(client.state.finding ?? silence) To paint a sample, use --state NAME.")
      return 1
    }
    try unit.writePNG(to: path)
    return 0
  } catch let error as PNGError {
    reportError("the picture cannot be written: \(error.reason)")
  } catch {
    reportError("\(error)")
  }
  return 1
}

/// Saves the present state of a unit.
func saveState(_ running: RunOptions, to path: String) -> Int32 {
  let loop = EventLoop()
  let client = ControlClient(loop, path: running.socket ?? running.settings.controlSocket)
  var state: NowPlayingState?
  client.onNowPlaying = { state = $0 }
  client.subscribe()
  client.start()
  let end = EventClock.monotonic.now + answerTimeout
  while state == nil, EventClock.monotonic.now < end {
    guard (try? loop.step(timeout: .milliseconds(200))) != nil else { break }
  }
  guard let state else {
    reportError(client.state.finding ?? silence)
    return 1
  }
  let bytes = Array(SavedState(state, at: .now()).text.utf8)
  let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  let written = file < 0 ? -1 : bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
  let code = errno
  if file >= 0 { close(file) }
  guard written == bytes.count else {
    reportError("\(path): \(String(cString: strerror(code)))")
    return 1
  }
  return 0
}

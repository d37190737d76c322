import Control
import EventLoop
import Glibc
import NowPlaying
import Reports
import Screen
import ScreenDisplay
import ScreenLayout
import ScreenOptions
import ScreenPainter
import Settings
import SystemClock

/// The time limit for an answer of the unit, in nanoseconds.
private let answerTimeout: Int64 = 10_000_000_000
/// The error message if the daemon is connected but sends no state.
private let silence = "The daemon sent no state."

/// Paints the picture that the screen of a running unit shows. The program does not register as a surface of this unit.
func paint(_ options: RunOptions, _ picture: PictureOptions, to path: String) -> Int32 {
  let settings = options.settings
  let loop = EventLoop()
  let client = ControlClient(loop, path: options.socket ?? settings.controlSocket)
  var preferences = ScreenPreferences(settings)
  preferences.diagonalInches = picture.diagonal ?? preferences.diagonalInches ?? 7
  preferences.textScale = picture.textScale ?? preferences.textScale
  if let language = picture.language { preferences.language = LanguageTag(language) }
  let display = MemoryDisplay(size: picture.panel.size)
  let unit = ScreenController(loop, client, display, preferences, surface: nil)
  do {
    try unit.start()
    defer { unit.shutDown() }
    let end = EventClock.monotonic.now + answerTimeout
    while !unit.isSettled, EventClock.monotonic.now < end {
      try loop.step(timeout: .milliseconds(200))
    }
    guard unit.isSettled else {
      reportError(client.state.finding ?? silence)
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

/// Saves the present state of Now Playing of a unit in a file.
func saveState(_ options: RunOptions, to path: String) -> Int32 {
  let loop = EventLoop()
  let client = ControlClient(loop, path: options.socket ?? options.settings.controlSocket)
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

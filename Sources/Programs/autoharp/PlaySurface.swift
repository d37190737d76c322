import AudioEngine
import Glibc
import Text
import Threads

/// The output of `play`: a view on a terminal, or one plain line per event.
///
/// A background job does not draw on the terminal: it writes plain lines until the shell brings the job to the
/// foreground.
final class PlaySurface {
  private var canDraw = TerminalEnvironment.canDraw(on: STDOUT_FILENO)
  private let color = TerminalEnvironment.allowsColor
  private var screen: TerminalScreen?
  private var logIsLost = false

  /// True if an error was reported.
  private(set) var hasReportedErrors = false
  /// True if the reader has closed the output. `play` then ends, like any filter (`autoharp play …
  /// | head`).
  private(set) var isOutputClosed = false

  /// True while the view is drawn.
  var isDrawing: Bool { screen != nil }
  /// True if the view is drawn as soon as this job is in the foreground. No signal reports this change, so the session
  /// checks repeatedly whether the job is in the foreground.
  var awaitsForeground: Bool { canDraw && screen == nil }
  /// True if single keys can be read from standard input.
  var hasKeys: Bool { screen != nil && isatty(STDIN_FILENO) == 1 }

  /// Starts to draw on the terminal if the output is a terminal and this job is in the foreground. While this object
  /// does not draw on the terminal, it writes plain lines.
  func enter() {
    guard awaitsForeground else { return }
    // If the terminal is not the controlling terminal, `tcgetpgrp` fails. In this case the view is drawn.
    let foreground = tcgetpgrp(STDOUT_FILENO)
    guard foreground < 0 || foreground == getpgrp() else { return }
    var screen = TerminalScreen()
    do {
      try screen.enter()
      self.screen = screen
    } catch {
      canDraw = false
      StandardStreams.printError("the terminal cannot be set up: \(systemWords(error.number))")
    }
  }

  /// Draws the view, if possible.
  func draw(_ model: @autoclosure () -> NowPlayingView.Model) {
    enter()
    guard let size = screen?.size() else { return }
    let lines = NowPlayingView.lines(
      for: model(), columns: size.columns, rows: size.rows, color: color)
    do {
      try screen?.draw(lines, size: size)
    } catch {
      isOutputClosed = true
    }
  }

  /// Restores the terminal. The view stays visible; a later view is drawn below it.
  func leave() {
    screen?.leave()
    screen = nil
  }

  /// Writes a line of the plain log. Does nothing while the view is drawn, because the view shows the same information.
  func log(_ line: String) {
    guard screen == nil, !logIsLost else { return }
    do {
      try StandardStreams.print(TextWidth.sanitized(line, limit: 2000))
    } catch .readerClosed {
      isOutputClosed = true
    } catch {
      // A full disk must not stop the music.
      logIsLost = true
      hasReportedErrors = true
      StandardStreams.printError(about: error)
    }
  }

  /// Reports an error.
  func reportError(_ line: String) {
    hasReportedErrors = true
    showMessage(line)
  }

  /// Writes a line that the user must see: above the view if the view is drawn, otherwise to standard error.
  func showMessage(_ line: String) {
    guard screen != nil else { return StandardStreams.printError(line) }
    try? screen?.printAbove("autoharp: \(TextWidth.sanitized(line, limit: 2000))")
  }
}

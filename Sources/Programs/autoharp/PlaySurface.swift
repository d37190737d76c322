import AudioEngine
import Glibc
import Text
import Threads

/// Where `play` is seen: a picture on a terminal, or else one plain line per event.
///
/// A job in the background leaves the terminal to others: it gets plain lines, until the shell
/// brings the job to the front.
final class PlaySurface {
  private var canDraw = TerminalEnvironment.canDraw(on: STDOUT_FILENO)
  private let color = TerminalEnvironment.allowsColor
  private var screen: TerminalScreen?
  private var logIsLost = false

  /// Something was complained about.
  private(set) var hasComplained = false
  /// Nobody looks any more. Like any filter, `play` is then over (`autoharp play … | head`).
  private(set) var isGone = false

  /// The picture is there.
  var hasPicture: Bool { screen != nil }
  /// The picture may come, once this job is in the foreground; no signal says when that is.
  var awaitsForeground: Bool { canDraw && screen == nil }
  /// Keys come one by one on standard input.
  var hasKeys: Bool { screen != nil && isatty(STDIN_FILENO) == 1 }

  /// Takes the terminal for the picture, if it is one and this job may. Until then, and after
  /// `leave()`, lines are plain.
  func enter() {
    guard awaitsForeground else { return }
    // Where the terminal is not the one that controls this process, there is no group to ask for.
    let foreground = tcgetpgrp(STDOUT_FILENO)
    guard foreground < 0 || foreground == getpgrp() else { return }
    var screen = TerminalScreen()
    do {
      try screen.enter()
      self.screen = screen
    } catch {
      canDraw = false
      StandardStreams.complain("the terminal cannot be set up: \(systemWords(error.number))")
    }
  }

  /// Draws the picture, if there is one to be.
  func draw(_ model: @autoclosure () -> NowPlayingView.Model) {
    enter()
    guard let size = screen?.size() else { return }
    let lines = NowPlayingView.lines(for: model(), columns: size.columns, color: color)
    do {
      try screen?.draw(Array(lines.prefix(max(1, size.rows - 1))), size: size)
    } catch {
      isGone = true
    }
  }

  /// Gives the terminal back as it was, with the picture on it. The next one is drawn anew.
  func leave() {
    screen?.leave()
    screen = nil
  }

  /// A line of the plain log; the picture shows the same in its own way.
  func say(_ line: String) {
    guard screen == nil, !logIsLost else { return }
    do {
      try StandardStreams.print(TextWidth.sanitized(line, limit: 2000))
    } catch .readerGone {
      isGone = true
    } catch {
      // A full disk is no reason to stop the music.
      logIsLost = true
      hasComplained = true
      StandardStreams.complain(about: error)
    }
  }

  /// A line about something that is wrong.
  func complain(_ line: String) {
    hasComplained = true
    remark(line)
  }

  /// A line that one should have seen, also where there is a picture.
  func remark(_ line: String) {
    guard screen != nil else { return StandardStreams.complain(line) }
    try? screen?.printAbove("autoharp: \(TextWidth.sanitized(line, limit: 2000))")
  }
}

internal import NowPlaying
internal import Text

// Writes replies, events and errors.
extension ConsoleSession {
  // MARK: Showing

  func show(_ reply: ConsoleReply) {
    if options.json {
      var json = JSONWriter(onOneLine: true)
      reply.write(to: &json)
      return show([json.take()])
    }
    let lines = reply.lines(style)
    switch reply {
    case .refused, .unreachable, .question:
      if isInteractive { show(lines) } else { reportError(lines.joined(separator: " ")) }
    case .answer(let answer) where answer != .success:
      if isInteractive { show(lines) } else { reportError(lines.joined(separator: " ")) }
    default: show(lines)
    }
  }

  func show(_ event: ConsoleEvent) {
    // Output for a slow terminal must not fill the memory, so further events are dropped.
    guard !output.isFull else {
      omittedEvents += 1
      return
    }
    if options.json {
      var json = JSONWriter(onOneLine: true)
      event.write(to: &json)
      show([json.take()])
    } else {
      show(event.lines(style))
    }
  }

  func showOmissions() {
    guard omittedEvents > 0, output.isEmpty else { return }
    show(["(\(omittedEvents) \(Self.omissionText))"])
    omittedEvents = 0
  }

  /// Prints lines above the edited line. The lines must be safe for a terminal.
  func show(_ lines: [String]) {
    editor.printAbove(lines)
    output.add(editor.takeOutput())
    if terminal != nil { output.flush() }
  }

  /// Prints an error. On a terminal, the error appears among the replies. Otherwise it is written
  /// to standard error.
  func reportError(_ message: String, _ lines: [String] = []) {
    if isInteractive { return show(lines + [style.sanitized(message)]) }
    var errors = OutputQueue(streams.errors, blocks: true)
    errors.add((["autoharp: \(style.sanitized(message))"] + lines).map { $0 + "\n" }.joined())
  }
}

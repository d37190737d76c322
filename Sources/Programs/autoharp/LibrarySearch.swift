import Console
import Daemon
import Glibc
import LibraryModel
import NowPlaying
import Settings
import Text

/// `autoharp play --library`: finds music by its name. Starts `autoharp-library` for this.
struct LibrarySearch {
  enum Outcome {
    case paths([String])
    /// The user has ended the program.
    case cancelled
    /// The user has chosen none of the offered entries.
    case declined
    case failed(Refusal)
  }

  /// The maximum length of an answer to a question, in bytes.
  private static let longestAnswer = 1024

  private let choice: LibraryChoice
  private let signals: SignalPipe

  init(_ choice: LibraryChoice, signals: SignalPipe) {
    self.choice = choice
    self.signals = signals
  }

  /// Blocks until the paths are known. If the library is still empty, first reads all files.
  func run() -> Outcome {
    var progress = ProgressLine()
    defer { progress.clear() }
    let files = choice.configurationFiles
    let configuration =
      files.isEmpty
      ? Configuration(checks: .standard)
      : Configuration(files: files, isNamed: true, checks: .standard)
    for notice in configuration.notices { StandardStreams.printError("\(notice)") }
    do throws(DesktopLibrary.Failure) {
      let library = try DesktopLibrary(configuration.settings, configurationFiles: files) {
        progress.show(Self.text($1))
        return wait(for: $0)
      }
      let words = choice.words
      if let list = LibraryNode(text: words) {
        return paths(try library.paths(.node(list), row: nil))
      }
      let row: LibraryRow
      switch try library.bestHit(words) {
      case .one(let hit): row = hit
      case .several(let rows):
        progress.clear()
        switch ask(EntryQuestion(words, .ambiguous, rows)) {
        case .row(let chosen): row = chosen
        case .over(let outcome): return outcome
        }
      case .none:
        guard let similar = try library.similar(words) else {
          return .failed(Refusal(.noSuchContent, "nothing was found for '\(words)'"))
        }
        progress.clear()
        switch ask(EntryQuestion(words, .misspelt, [similar])) {
        case .row(let chosen): row = chosen
        case .over(let outcome): return outcome
        }
      }
      let reference = RowReference(kind: row.kind, id: row.id)
      return paths(try library.paths(.words(row.title), row: reference))
    } catch {
      switch error {
      case .cancelled: return .cancelled
      case .refused(let refusal): return .failed(refusal)
      }
    }
  }

  private func paths(_ found: [String]) -> Outcome {
    found.isEmpty
      ? .failed(Refusal(.noSuchContent, "'\(choice.words)' has no songs")) : .paths(found)
  }

  private static func text(_ state: LibraryState.Condition) -> String {
    switch state {
    case .unavailable: "Starting the library…"
    case .ready, .scanning(_, of: 0): "Reading folders…"
    case .scanning(let read, let files): "Reading files… \(read) of \(files)"
    }
  }

  // MARK: Waiting

  /// Waits until the descriptor is readable or a signal arrives. Returns false if the signal must end the program.
  private func wait(for descriptor: Int32) -> Bool {
    var entries = [descriptor, signals.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    _ = poll(&entries, nfds_t(entries.count), -1)
    for number in signals.take() {
      switch number {
      case SIGWINCH: break
      case SIGTSTP: signals.suspend()
      default: return false
      }
    }
    return true
  }

  // MARK: Asking

  private enum Answer {
    case row(LibraryRow)
    case over(Outcome)
  }

  private func ask(_ question: EntryQuestion) -> Answer {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      return .over(.failed(question.refusal))
    }
    let style = ReplyStyle(
      columns: TerminalScreen(output: STDOUT_FILENO).size().columns,
      hasUnicode: TerminalEnvironment.allowsUnicode)
    let lines = question.warning(style).map { $0 + "\n" }.joined()
    try? StandardStreams.write(lines + question.question(style), to: STDOUT_FILENO)
    guard let answer = readLine() else { return .over(.cancelled) }
    return question.row(for: answer).map { .row($0) } ?? .over(.declined)
  }

  /// Reads one line. Nil if the user has ended the program, or if the input has ended.
  private func readLine() -> String? {
    var bytes: [UInt8] = []
    while bytes.count < Self.longestAnswer {
      guard wait(for: STDIN_FILENO) else { return nil }
      var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      // If the wait was ended by a signal that does not end the program, no input is available yet.
      guard poll(&entry, 1, 0) > 0 else { continue }
      var byte: UInt8 = 0
      guard read(STDIN_FILENO, &byte, 1) == 1 else { return nil }
      if byte == UInt8(ascii: "\n") { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

import NowPlaying
import Text

/// Converts the model of the Now Playing view to lines of a terminal. No I/O.
///
/// The number of lines depends only on the size of the terminal, so lines stay in their rows when the view is redrawn.
/// Texts of the model can be from tags, so they are made safe for a terminal here.
struct NowPlayingView {
  /// If the terminal has fewer columns, the view has only one line.
  static let smallestFullWidth = 40
  /// The maximum width. In a wider view, texts that belong together would be too far apart.
  private static let largestWidth = 100
  /// The maximum number of Unicode scalars that are shown of a tag. Tags can be megabytes long.
  private static let textLimit = 400
  private static let indent = 4
  /// If the terminal has fewer rows, the view has only one line. Nine rows are for the view, and one is for the cursor.
  private static let smallestFullHeight = 10

  /// The view for a terminal: nine lines, or one line if the terminal is too small for nine lines.
  ///
  /// No line reaches the last column. After a character in the last column, a terminal delays the line wrap. If the
  /// rest of the line is cleared then, some terminals clear this last character.
  ///
  /// - Parameter color: true to use SGR sequences, false for plain text.
  static func lines(for model: Model, columns: Int, rows: Int = 24, color: Bool) -> [String] {
    let painter = Painter(color: color)
    guard columns >= smallestFullWidth, rows >= smallestFullHeight else {
      return [shortLine(for: model, columns: columns - 1, painter)]
    }
    let width = min(columns - 1, largestWidth) - indent
    let margin = TextWidth.spaces(indent)
    if model.showsKeys { return keys(width, painter).map { withoutTrailingSpaces(margin + $0) } }
    let head =
      " " + painter.paint(TextWidth.padded(glyph(of: model.state), to: 3), glyphStyle(of: model))
    let number = model.trackCount > 1 ? "\(model.trackNumber) of \(model.trackCount)" : ""
    let (first, second) = titleLines(of: model, width - (number.isEmpty ? 0 : number.count + 2))
    let artist = margin + painter.row(artistAndAlbum(of: model), width: width)

    // The second line of a long title uses a row that is otherwise blank, so that the progress bar stays in its row.
    let body = [
      head + painter.row([first], StyledText(number, .faint), width: width),
      second.map { margin + painter.row([$0], width: width) } ?? artist,
      second == nil ? "" : artist,
      margin + progress(of: model, width, painter),
      "",
      margin
        + painter.row(
          [StyledText(clean(model.format), .faint)], StyledText(clean(model.output), .faint),
          width: width, rightLimit: width / 3),
      margin + painter.row(next(of: model), StyledText(marks(of: model), .plain), width: width),
      "",
      margin + lastLine(of: model, width, painter),
    ]
    return body.map(withoutTrailingSpaces)
  }

  // MARK: - Parts

  private static func glyph(of state: State) -> String {
    switch state {
    case .playing: "▶"
    case .paused: "❚❚"
    case .stopped: "■"
    case .buffering: "◌"
    }
  }

  private static func glyphStyle(of model: Model) -> StyledText.Style {
    model.state == .playing ? .accent : .faint
  }

  private static func title(of model: Model) -> StyledText {
    let title = clean(model.title)
    return title.isEmpty ? StyledText("Untitled", .faint) : StyledText(title, .strong)
  }

  /// The title as one or two lines.
  private static func titleLines(of model: Model, _ columns: Int) -> (StyledText, StyledText?) {
    let title = title(of: model)
    let lines = TextWrap.lines(title.text, columns: columns)
    guard lines.count > 1 else { return (title, nil) }
    return (
      StyledText(lines[0], title.style),
      StyledText(lines.dropFirst().joined(separator: " "), title.style)
    )
  }

  private static func keys(_ width: Int, _ painter: Painter) -> [String] {
    let lines = PlayKey.lines.map { TextWidth.truncated($0, to: width) }
    return [painter.paint("Keys", .strong)] + lines + [
      "", painter.paint("? closes this list", .faint),
    ]
  }

  private static func artistAndAlbum(of model: Model) -> [StyledText] {
    let artist = clean(model.artist)
    let album = clean(model.album)
    return [
      StyledText(artist, .plain), StyledText(artist.isEmpty || album.isEmpty ? "" : " · ", .faint),
      StyledText(album, .faint),
    ]
  }

  private static func next(of model: Model) -> [StyledText] {
    guard let next = model.next else { return [] }
    return [StyledText("next  ", .faint), StyledText(clean(next), .plain)]
  }

  private static func marks(of model: Model) -> String {
    var marks: [String] = []
    if model.isMuted { marks.append("muted") }
    if model.volume < .loudest { marks.append("volume \(model.volume.step(of: 100))") }
    switch model.repeatMode {
    case .off: break
    case .one: marks.append("↻ one")
    case .all: marks.append("↻ all")
    }
    if model.shuffle { marks.append("⇄") }
    return marks.joined(separator: "  ")
  }

  /// `1:23 ▕███▌      ▏ 4:56`. The elapsed time has the width of the duration, so that the bar does not
  /// move when the elapsed time gets another digit.
  private static func progress(of model: Model, _ width: Int, _ painter: Painter) -> String {
    let total = model.durationSeconds.map(TimeText.clock)
    let elapsed = TextWidth.rightAligned(
      TimeText.clock(model.elapsedSeconds), to: TextWidth.columns(of: total ?? ""))
    let tail = total.map { " \($0)" } ?? ""
    let cells = width - TextWidth.columns(of: elapsed) - TextWidth.columns(of: tail) - 3
    // If the header of the file is wrong, the duration can be so long that no bar fits.
    guard cells > 0 else { return TextWidth.truncated(elapsed + tail, to: width) }
    let fraction = model.durationSeconds.map { model.elapsedSeconds / $0 } ?? 0
    return elapsed + " " + painter.paint("▕", .faint)
      + painter.paint(ProgressBar.text(fraction: fraction, cells: cells), .accent)
      + painter.paint("▏", .faint) + painter.paint(tail, .faint)
  }

  private static func lastLine(of model: Model, _ width: Int, _ painter: Painter) -> String {
    if let notice = model.notice {
      return painter.paint(TextWidth.truncated(clean(notice), to: width), .notice)
    }
    return painter.paint(keyHints(of: model, width), .faint)
  }

  /// The hints for the keys. If not all hints fit, the least important hints are omitted.
  private static func keyHints(of model: Model, _ width: Int) -> String {
    guard model.hasKeys else { return "Ctrl-C quit" }
    let hints: [(text: String, rank: Int)] = [
      (model.state == .playing || model.state == .buffering ? "space pause" : "space play", 0),
      ("n next", 3), ("p prev", 4), ("←→ 15 s", 5), ("+- vol", 6), ("r repeat", 7),
      ("s shuffle", 8), ("? keys", 2), ("q quit", 1),
    ]
    for lastRank in stride(from: hints.count - 1, through: 0, by: -1) {
      let line = hints.filter { $0.rank <= lastRank }.map(\.text).joined(separator: "  ")
      if TextWidth.columns(of: line) <= width { return line }
    }
    return ""
  }

  /// `▶ 1:23/4:56 Title · Artist`, or the notice in place of title and artist.
  private static func shortLine(for model: Model, columns: Int, _ painter: Painter) -> String {
    var clock = TimeText.clock(model.elapsedSeconds)
    if let total = model.durationSeconds { clock += "/\(TimeText.clock(total))" }
    let text: String
    if let notice = model.notice {
      text = clean(notice)
    } else {
      let artist = clean(model.artist)
      text = title(of: model).text + (artist.isEmpty ? "" : " · \(artist)")
    }
    let parts = [
      StyledText(glyph(of: model.state) + " ", glyphStyle(of: model)),
      StyledText(clock + " ", .faint),
      StyledText(text, model.notice == nil ? .plain : .notice),
    ]
    return withoutTrailingSpaces(painter.row(parts, width: max(0, columns)))
  }

  private static func clean(_ text: String) -> String {
    TextWidth.sanitized(text, limit: textLimit)
  }

  private static func withoutTrailingSpaces(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}

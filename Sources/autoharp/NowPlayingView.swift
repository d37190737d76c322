/// The Now Playing picture as text: a pure function from what is known to lines of a terminal.
///
/// The number of lines depends on the width alone, so nothing jumps while it is redrawn. Texts of
/// the model may come straight from tags; they are made harmless here.
struct NowPlayingView {
  /// What the transport is doing.
  enum State: Equatable {
    case playing
    case paused
    case stopped
    /// Sound was asked for and is not there yet.
    case buffering
  }

  /// What begins again at its end.
  enum Repeat: Equatable {
    case off
    case one
    case all
  }

  /// Everything the picture shows.
  struct Model: Equatable {
    var title: String
    /// Empty where unknown, as is `album`.
    var artist = ""
    var album = ""
    var state: State
    /// Heard so far of this track, 0 or more.
    var elapsedSeconds: Double
    /// nil where the file does not say.
    var durationSeconds: Double?
    /// From the file to the device, as in `FLAC 24/96 stereo → S32 96 kHz`.
    var format = ""
    /// Name of the output.
    var output = ""
    /// Title of the track after this one; nil after the last.
    var next: String?
    /// The user's change of level; shown where it is not 0.
    var gainDecibels: Double = 0
    var repeatMode: Repeat = .off
    var shuffle = false
    /// Place of the track in the queue, from 1.
    var trackNumber = 1
    /// Length of the queue; the place is shown from 2 on.
    var trackCount = 1
    /// Something to know now; takes the place of the key hints.
    var notice: String?
  }

  /// Below this many columns the picture is one line.
  static let smallestFullWidth = 40
  /// Wider pictures only tear apart what belongs together.
  private static let largestWidth = 100
  /// As many scalars of a tag as any line could show; tags may be megabytes long.
  private static let textLimit = 400
  private static let indent = 4

  /// The picture for a terminal of `columns` columns: nine lines, or one below
  /// `smallestFullWidth`.
  ///
  /// No line reaches the last column: a terminal waits there with its line wrap, and some then
  /// clear the last character instead of what follows it.
  ///
  /// - Parameter color: whether to use SGR sequences; without it the lines are plain text.
  static func lines(for model: Model, columns: Int, color: Bool) -> [String] {
    let painter = Painter(color: color)
    guard columns >= smallestFullWidth else {
      return [shortLine(for: model, columns: columns - 1, painter)]
    }
    let width = min(columns - 1, largestWidth) - indent
    let margin = TextWidth.spaces(indent)
    let head =
      " " + painter.paint(TextWidth.padded(glyph(of: model.state), to: 3), glyphStyle(of: model))
    let place = model.trackCount > 1 ? "\(model.trackNumber) of \(model.trackCount)" : ""

    let body = [
      head + row([title(of: model)], Span(place, .faint), width, painter),
      margin + row(artistAndAlbum(of: model), Span("", .plain), width, painter),
      "",
      margin + progress(of: model, width, painter),
      "",
      margin
        + row(
          [Span(clean(model.format), .faint)], Span(clean(model.output), .faint), width, painter,
          rightLimit: width / 3),
      margin + row(next(of: model), Span(marks(of: model), .plain), width, painter),
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

  private static func glyphStyle(of model: Model) -> Style {
    model.state == .playing ? .accent : .faint
  }

  private static func title(of model: Model) -> Span {
    let title = clean(model.title)
    return title.isEmpty ? Span("Untitled", .faint) : Span(title, .strong)
  }

  private static func artistAndAlbum(of model: Model) -> [Span] {
    let artist = clean(model.artist)
    let album = clean(model.album)
    return [
      Span(artist, .plain), Span(artist.isEmpty || album.isEmpty ? "" : " · ", .faint),
      Span(album, .faint),
    ]
  }

  private static func next(of model: Model) -> [Span] {
    guard let next = model.next else { return [] }
    return [Span("next  ", .faint), Span(clean(next), .plain)]
  }

  private static func marks(of model: Model) -> String {
    var marks: [String] = []
    let gain = TimeText.decibels(model.gainDecibels)
    if gain != "0.0 dB" { marks.append(gain) }
    switch model.repeatMode {
    case .off: break
    case .one: marks.append("↻ one")
    case .all: marks.append("↻ all")
    }
    if model.shuffle { marks.append("⇄") }
    return marks.joined(separator: "  ")
  }

  /// `1:23 ▕███▌      ▏ 4:56`. The elapsed time is as wide as the duration, so the bar stands
  /// still when a digit comes in.
  private static func progress(of model: Model, _ width: Int, _ painter: Painter) -> String {
    let total = model.durationSeconds.map(TimeText.clock)
    let elapsed = TextWidth.rightAligned(
      TimeText.clock(model.elapsedSeconds), to: TextWidth.columns(of: total ?? ""))
    let tail = total.map { " \($0)" } ?? ""
    let cells = width - TextWidth.columns(of: elapsed) - TextWidth.columns(of: tail) - 3
    // Only a header that lies claims hours enough to push the bar out.
    guard cells > 0 else { return TextWidth.truncated(elapsed + tail, to: width) }
    let fraction = model.durationSeconds.map { model.elapsedSeconds / $0 } ?? 0
    return elapsed + " " + painter.paint("▕", .faint)
      + painter.paint(bar(fraction: fraction, cells: cells), .accent)
      + painter.paint("▏", .faint) + painter.paint(tail, .faint)
  }

  /// A bar of `cells` columns filled to `fraction`, in steps of an eighth of a column. Fractions
  /// outside 0…1 are brought inside; not-a-number is empty.
  static func bar(fraction: Double, cells: Int) -> String {
    guard cells > 0 else { return "" }
    let fraction = fraction > 0 ? min(fraction, 1) : 0
    let (full, eighths) = Int(fraction * Double(cells * 8)).quotientAndRemainder(dividingBy: 8)
    let edge = eighths == 0 ? "" : ["▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths - 1]
    return TextWidth.padded(String(repeating: "█", count: full) + edge, to: cells)
  }

  private static func lastLine(of model: Model, _ width: Int, _ painter: Painter) -> String {
    if let notice = model.notice {
      return painter.paint(TextWidth.truncated(clean(notice), to: width), .notice)
    }
    return painter.paint(keyHints(of: model, width), .faint)
  }

  /// The hints that fit, in the order of the keyboard's use; the rarest drop out first.
  private static func keyHints(of model: Model, _ width: Int) -> String {
    let hints: [(text: String, rank: Int)] = [
      (model.state == .playing || model.state == .buffering ? "space pause" : "space play", 0),
      ("n next", 2), ("p prev", 3), ("←→ 15 s", 4), ("+- gain", 5), ("r repeat", 6),
      ("s shuffle", 7), ("q quit", 1),
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
      Span(glyph(of: model.state) + " ", glyphStyle(of: model)), Span(clock + " ", .faint),
      Span(text, model.notice == nil ? .plain : .notice),
    ]
    return withoutTrailingSpaces(row(parts, Span("", .plain), max(0, columns), painter))
  }

  // MARK: - Rows

  private static func clean(_ text: String) -> String {
    TextWidth.sanitized(text, limit: textLimit)
  }

  /// `left` and `right` at the two ends of `width` columns, each cut if it must be. The right one
  /// goes first; given a `rightLimit`, it keeps to that and to what the left one leaves free.
  private static func row(
    _ left: [Span], _ right: Span, _ width: Int, _ painter: Painter, rightLimit: Int? = nil
  ) -> String {
    let gap = right.text.isEmpty ? 0 : 2
    let leftColumns = left.reduce(0) { $0 + TextWidth.columns(of: $1.text) }
    let rightColumns = rightLimit.map { max($0, width - leftColumns) } ?? width
    let rightText = TextWidth.truncated(right.text, to: rightColumns - gap)
    var free = width - TextWidth.columns(of: rightText) - gap
    var result = ""
    for span in left where free > 0 {
      let text = TextWidth.truncated(span.text, to: free)
      result += painter.paint(text, span.style)
      free -= TextWidth.columns(of: text)
      if text != span.text { break }
    }
    guard !rightText.isEmpty else { return result }
    return result + TextWidth.spaces(free + gap) + painter.paint(rightText, right.style)
  }

  private static func withoutTrailingSpaces(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }

  private struct Span {
    var text: String
    var style: Style

    init(_ text: String, _ style: Style) {
      self.text = text
      self.style = style
    }
  }

  /// Colours of the terminal's own theme, so that the picture suits light and dark ones.
  private enum Style: String {
    case plain = ""
    case strong = "1"
    case faint = "2"
    case accent = "36"
    case notice = "33"
  }

  private struct Painter {
    var color: Bool

    func paint(_ text: String, _ style: Style) -> String {
      color && style != .plain && !text.isEmpty
        ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
  }
}

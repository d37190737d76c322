internal import NowPlaying

// The progress bar and its times. Only these parts change each second.
extension SceneBuilder {
  /// Adds the progress bar and its times as one block. Mirroring for a language that is written from right to left
  /// keeps the order inside a block. Time runs from left to right in every language, as on other players.
  mutating func progress() {
    let column = column
    let isInline = metrics.timesBelow == nil
    let x = isInline ? margin : column.x
    let width = isInline ? screen.width - 2 * margin : column.width
    let height = u(metrics.barHeight)
    var bar = PixelRect(x: x, y: y(barY), width: width, height: height)
    if state.duration == .live { return livePill(bar) }
    block = PixelRect(x: x, y: bar.y, width: width, height: height)
    defer { block = nil }

    let shown = context.seekPreview ?? state.elapsed(at: context.now)
    let length = state.duration?.length.map(Self.seconds)
    let elapsed = shown.map(Self.seconds).map { min($0, length ?? $0) }
    guard elapsed != nil || length != nil else { return }
    let style = style(metrics.timesSize, .medium, tabular: true)
    let left = elapsed.map(ClockText.text)
    let right = length.map {
      elapsed == nil ? ClockText.text($0) : ClockText.remaining($0 - (elapsed ?? 0))
    }
    let baseline = metrics.timesBelow.map { bar.y + u($0) } ?? self.baseline(bar.midY, style)
    let edge = isInline ? timesEdge(length, style) : 0
    if let left {
      text(
        "elapsed", left, style, Paint(.secondaryText), x: x, baseline: baseline,
        width: isInline ? edge : width / 2)
    }
    if let right {
      text(
        "remaining", right, style, Paint(.secondaryText),
        x: isInline ? x + width - edge : x + width / 2,
        baseline: baseline, width: isInline ? edge : width - width / 2, alignment: .right)
    }
    if let sign, !isInline {
      let signWidth = min(
        self.width(ofSymbolAnd: sign.word, style),
        width - 2 * (timesEdge(length, style) + style.size / 2))
      draw(
        sign.symbol, sign.word, style, at: x + (width - signWidth) / 2, width: signWidth,
        baseline: baseline)
    }
    guard let length else { return }
    if isInline {
      bar.x += edge + u(metrics.timesGap)
      bar.width -= 2 * (edge + u(metrics.timesGap))
    }
    draw(bar, elapsed: elapsed ?? 0, length: length)
    if let sign, isInline { draw(sign, style, on: bar) }
    offerScrubbing(bar)
  }

  /// The width that is reserved for each of the two times beside the bar. This width is enough for the length of the
  /// track with a minus sign. So the bar keeps its position during a track.
  private func timesEdge(_ length: Int?, _ style: TextStyle) -> Int {
    // All digits have the same width. The characters between the digits can have slightly different widths, so some
    // room is added.
    width(ClockText.remaining(length ?? 0), style) + style.size / 5
  }

  /// The greatest time in the computations below: about thirty years, in seconds. Without a limit, products could
  /// overflow.
  private static let longest = 1_000_000_000

  /// Rounds a time down to seconds, because a second counts only after it has passed completely.
  private static func seconds(_ duration: Duration) -> Int {
    min(Int(clamping: max(0, duration.components.seconds)), longest)
  }

  /// The sign for buffering and for seeking. It is needed because in these states the transport button shows the play
  /// symbol, as during a pause.
  private struct Sign {
    let symbol: Symbol
    let word: String
    /// The word on a small panel. If it is empty, only the symbol is shown.
    let shortWord: String
  }

  private var sign: Sign? {
    switch state.status {
    case .buffering: return Sign(symbol: .buffering, word: words.buffering, shortWord: "")
    case .seekingForward, .seekingBackward:
      let rate = state.playback?.rate ?? 1
      let word = (rate < 0 ? "\u{2212}" : "") + ClockText.rate(rate.magnitude)
      let isForward = state.status == .seekingForward
      return Sign(symbol: isForward ? .seekForward : .seekBackward, word: word, shortWord: word)
    default: return nil
    }
  }

  private func width(ofSymbolAnd word: String, _ style: TextStyle) -> Int {
    word.isEmpty ? style.size : style.size + style.size / 3 + width(word, style)
  }

  /// Draws a symbol and, after it, a word. The word can be empty.
  private mutating func draw(
    _ symbol: Symbol, _ word: String, _ style: TextStyle, at x: Int, width: Int, baseline: Int
  ) {
    icon(
      "state.icon", symbol, centerX: x + style.size / 2,
      centerY: baseline - self.baseline(0, style), size: style.size, Paint(.accent))
    let edge = style.size + style.size / 3
    text(
      "state", word, style, Paint(.accent), x: x + edge, baseline: baseline, width: width - edge)
  }

  /// Draws the sign on the middle of the progress bar, because a small panel has no room beside the progress bar.
  private mutating func draw(_ sign: Sign, _ style: TextStyle, on bar: PixelRect) {
    let content = width(ofSymbolAnd: sign.shortWord, style)
    let height = style.size * 3 / 2
    shape(
      "state.pill",
      PixelRect(centerX: bar.midX, centerY: bar.midY, width: content + height, height: height),
      Shape(radius: height / 2, fill: Paint(.card)))
    draw(
      sign.symbol, sign.shortWord, style, at: bar.midX - content / 2, width: content,
      baseline: baseline(bar.midY, style))
  }

  private mutating func draw(_ bar: PixelRect, elapsed: Int, length: Int) {
    let isDragged = context.seekPreview != nil
    var track = bar
    if isDragged {
      let height = u(metrics.barPressedHeight)
      track = PixelRect(
        x: bar.x, y: bar.midY - height / 2, width: bar.width, height: height)
    }
    shape("bar.track", track, Shape(radius: track.height / 2, fill: Paint(.track)))
    var filled = track
    // `elapsed` and `length` are whole seconds, so that the bar and the digits change in the same picture.
    filled.width = length == 0 ? 0 : track.width * elapsed / length
    // The filled part is never narrower than it is high. Otherwise its ends would not be round.
    if elapsed > 0 { filled.width = max(filled.width, track.height) }
    let paint = isHeld ? Paint(.secondaryText, 0.6) : Paint(.accent)
    shape("bar", filled, Shape(radius: track.height / 2, fill: paint))
    if isDragged {
      let side = u(metrics.knob)
      let middle = min(max(filled.maxX, track.x + side / 2), track.maxX - side / 2)
      shape(
        "bar.knob", PixelRect(centerX: middle, centerY: track.midY, width: side, height: side),
        Shape(radius: side / 2, fill: Paint(.accent)))
    }
  }

  private mutating func offerScrubbing(_ bar: PixelRect) {
    guard let length = state.duration?.length, length > .zero, !isHeld,
      state.command(.seekToPosition)?.isEnabled == true
    else { return }
    let above = u(metrics.scrub.above)
    scrubber = Scrubber(
      frame: PixelRect(
        x: max(0, bar.x - u(8)), y: bar.y - above, width: bar.width + u(16),
        height: above + u(metrics.scrub.below)
      ).intersection(screen), track: bar,
      duration: min(length, .seconds(Self.longest)), block: block)
  }

  private mutating func livePill(_ bar: PixelRect) {
    let style = style(metrics.timesSize, .bold)
    let label = width(words.live, style)
    let numbers = metrics.livePill
    let height = max(u(numbers.height), style.capHeight * 2)
    let pill = PixelRect(
      x: bar.x, y: bar.midY - height / 2 + (metrics.timesBelow == nil ? 0 : u(8)),
      width: label + u(2 * numbers.padding + numbers.dot + numbers.gap), height: height)
    let paint = isHeld ? Paint(.fill) : Paint(.accent)
    let ink = isHeld ? Paint(.secondaryText) : Paint(.onAccent)
    shape("live", pill, Shape(radius: height / 2, fill: paint))
    let dot = u(numbers.dot)
    shape(
      "live.dot",
      PixelRect(
        x: pill.x + u(numbers.padding), y: pill.midY - dot / 2, width: dot, height: dot),
      Shape(radius: dot / 2, fill: ink))
    text(
      "live.text", words.live, style, ink,
      x: pill.x + u(numbers.padding + numbers.dot + numbers.gap),
      baseline: baseline(pill.midY, style), width: label)
    if let sign {
      let style = self.style(metrics.timesSize, .medium)
      draw(
        sign.symbol, sign.word, style, at: pill.maxX + u(16), width: bar.maxX - pill.maxX - u(16),
        baseline: baseline(pill.midY, style))
    }
  }
}

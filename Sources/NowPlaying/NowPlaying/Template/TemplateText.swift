/// The Now Playing screen as text. It is used for golden files, for the console, and for people without a screen.
///
/// `[x]` is a button and `(x)` is a disabled button. `*` marks a button that is switched on.
public enum TemplateText {
  /// The screen at a moment.
  public static func dump(_ state: NowPlayingState, at now: MonotonicInstant) -> String {
    var lines: [String] = []
    guard let content = state.content else {
      return "nothing playing\n" + volume(state)
    }
    let text = content.lines(for: state.language)
    lines.append("\(content.kindText)  \(artwork(state))")
    for line in [text.title, text.subtitle].compactMap(\.self) { lines.append("  \(line)") }
    if let detail = text.detail {
      lines.append(state.template.isAlbumArtistEnabled ? "  [\(detail)]" : "  \(detail)")
    }
    lines.append(progress(state, at: now))
    lines.append(transport(state.transport))
    if !state.template.buttons.isEmpty {
      lines.append(state.template.buttons.map(button).joined(separator: " "))
    }
    switch state.template.upNext {
    case .off: break
    case .systemTitle: lines.append(upNext("Up Next", state.upNext))
    case .title(let title): lines.append(upNext(title, state.upNext))
    }
    lines.append(volume(state))
    return lines.joined(separator: "\n")
  }

  private static func artwork(_ state: NowPlayingState) -> String { "{\(state.artwork)}" }

  private static func progress(_ state: NowPlayingState, at now: MonotonicInstant) -> String {
    var parts = [state.status.rawValue]
    let elapsed = state.elapsed(at: now)?.clockText
    switch (elapsed, state.duration) {
    case (_, .live): parts.append("live")
    case (let elapsed?, .finite(let length)): parts.append("\(elapsed) / \(length.clockText)")
    case (let elapsed?, _): parts.append(elapsed)
    case (nil, .finite(let length)): parts.append("- / \(length.clockText)")
    case (nil, _): break
    }
    if let rate = state.playback?.rate, rate != 0, rate != 1 { parts.append("\(rate.shortText)×") }
    if !state.interruptions.isEmpty {
      parts.append("(" + state.interruptions.map(\.description).joined(separator: ", ") + ")")
    }
    return parts.joined(separator: "  ")
  }

  private static func transport(_ transport: TransportState) -> String {
    [transport.back, transport.central, transport.forward].map { button in
      button.map { frame(word(for: $0.request), isEnabled: $0.isEnabled) } ?? "[ ]"
    }.joined(separator: " ")
  }

  private static func word(for request: MediaRequest) -> String {
    switch request {
    case .skipForward(let interval?): "+\(interval.inSeconds.shortText) s"
    case .skipBackward(let interval?): "-\(interval.inSeconds.shortText) s"
    case .togglePlayPause: "play/pause"
    default: request.kind.rawValue
    }
  }

  private static func button(_ button: TemplateState.Button) -> String {
    let name =
      switch button.kind {
      case .image(let name): name
      case .shuffle: "shuffle"
      case .repeat: "repeat"
      case .addToLibrary: "add to library"
      case .more: "more"
      case .playbackRate: "rate"
      case .stars: "stars"
      }
    let text = button.value.map { "\(name) \($0)" } ?? name
    return frame(text + (button.isSelected ? "*" : ""), isEnabled: button.isEnabled)
  }

  private static func frame(_ text: String, isEnabled: Bool) -> String {
    isEnabled ? "[\(text)]" : "(\(text))"
  }

  private static func upNext(_ title: String, _ items: [UpNextItem]) -> String {
    let names = items.prefix(3).map { item in
      item.artist.map { "\(item.title) · \($0)" } ?? item.title
    }
    return "[\(title)]" + (names.isEmpty ? "" : " " + names.joined(separator: ", "))
  }

  private static func volume(_ state: NowPlayingState) -> String {
    "volume \(state.volume.level)" + (state.volume.isMuted ? "  muted" : "")
  }
}

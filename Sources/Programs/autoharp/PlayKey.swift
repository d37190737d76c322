import Text

/// A key on the terminal that controls `autoharp play`.
enum PlayKey: Equatable {
  case space, next, previous, left, right, plus, minus, mute, repeatMode, shuffle, chime, help, quit

  /// Nil for a key without an effect.
  init?(_ key: TerminalKey) {
    switch key {
    case .scalar(" "): self = .space
    case .scalar("n"), .scalar("N"): self = .next
    case .scalar("p"), .scalar("P"): self = .previous
    case .left: self = .left
    case .right: self = .right
    case .scalar("+"), .scalar("="): self = .plus
    case .scalar("-"): self = .minus
    case .scalar("m"), .scalar("M"): self = .mute
    case .scalar("r"), .scalar("R"): self = .repeatMode
    case .scalar("s"), .scalar("S"): self = .shuffle
    case .scalar("c"), .scalar("C"): self = .chime
    case .scalar("?"): self = .help
    case .scalar("q"), .scalar("Q"), .control("D"): self = .quit
    default: return nil
    }
  }

  private static let table = [
    ("space", "pause, continue", "← →", "15 seconds back, ahead"),
    ("n", "next track", "+ -", "louder, quieter"),
    ("p", "previous track", "r", "repeat: off, all, one"),
    ("q", "quit (or Ctrl-C)", "s", "shuffle on, off"),
    ("m", "mute on, off", "c", "chime, with --chime"),
    ("?", "these keys", "", ""),
  ]

  /// The lines about the keys in the help text and in the view. Each line explains up to two keys and has at most 55
  /// columns.
  static let lines = table.map { row in
    let left = TextWidth.padded(row.0, to: 7) + row.1
    return row.2.isEmpty
      ? left : TextWidth.padded(left, to: 27) + TextWidth.padded(row.2, to: 5) + row.3
  }
}

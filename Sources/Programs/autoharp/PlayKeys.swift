import Text

/// The keys of the player, as the help and the view show them.
enum PlayKeys {
  private static let table = [
    ("space", "pause, continue", "← →", "15 seconds back, ahead"),
    ("n", "next track", "+ -", "louder, quieter"),
    ("p", "previous track", "r", "repeat: off, all, one"),
    ("q", "quit (or Ctrl-C)", "s", "shuffle on, off"),
    ("m", "mute on, off", "c", "chime, with --chime"),
    ("?", "these keys", "", ""),
  ]

  /// One line for two keys, at most 55 columns wide.
  static let lines = table.map { row in
    let left = TextWidth.padded(row.0, to: 7) + row.1
    return row.2.isEmpty
      ? left : TextWidth.padded(left, to: 27) + TextWidth.padded(row.2, to: 5) + row.3
  }
}

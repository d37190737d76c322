extension CommandOffer {
  /// What a key that steps through modes asks for: the next one that is supported; nil where this
  /// has no modes.
  public var nextMode: MediaRequest? { NextMode.request(for: self, rate: 1) }
}

/// What a tap on a button without a handler of its own asks for: the next of what is supported.
enum NextMode {
  static func request(for offer: CommandOffer, rate: Double) -> MediaRequest? {
    switch offer.parameters {
    case .repeatMode(let mode, let supported):
      // All before one: who taps once wants the album again.
      next(after: mode, in: [.off, .all, .one].filter(supported.contains))
        .map { .changeRepeatMode($0) }
    case .shuffleMode(let mode, let supported):
      next(after: mode, in: MediaCommand.ShuffleMode.allCases.filter(supported.contains))
        .map { .changeShuffleMode($0) }
    case .rates(let rates):
      next(after: rate, in: rates).map { .changePlaybackRate($0) }
    default:
      nil
    }
  }

  private static func next<Mode: Equatable>(after mode: Mode, in modes: [Mode]) -> Mode? {
    guard let place = modes.firstIndex(of: mode) else { return modes.first }
    return modes[(place + 1) % modes.count]
  }
}

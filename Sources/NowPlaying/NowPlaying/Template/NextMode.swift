extension CommandOffer {
  /// The request that sets the next supported mode, for a key that steps through the modes. Nil if
  /// the command has no modes.
  public var nextMode: MediaRequest? { NextMode.request(for: self, rate: 1) }
}

/// The request that sets the next supported value, for a tap on a button without a handler.
enum NextMode {
  static func request(for offer: CommandOffer, rate: Double) -> MediaRequest? {
    switch offer.parameters {
    case .repeatMode(let mode, let supported):
      // `all` is before `one`, so that the first tap repeats the whole queue.
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

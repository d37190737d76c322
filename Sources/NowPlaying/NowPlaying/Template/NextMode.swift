extension CommandOffer {
  /// The request of a key that steps through the values of this command. The request sets the next mode, rate or number
  /// of stars, or it sets or clears the like, dislike or bookmark. Nil if the command has none of these values.
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
    case .feedback(let isActive, _): mark(offer.kind, !isActive)
    // From a half star, the first step goes to the next whole star.
    case .rating(let maximum, let current):
      .stars((current ?? 0) < maximum ? ((current ?? 0) + 1).rounded(.down) : 0)
    case .none, .intervals, .languages:
      nil
    }
  }

  private static func mark(_ kind: CommandKind, _ isSet: Bool) -> MediaRequest? {
    switch kind {
    case .like: .like(isSet)
    case .dislike: .dislike(isSet)
    case .bookmark: .bookmark(isSet)
    default: nil
    }
  }

  private static func next<Mode: Equatable>(after mode: Mode, in modes: [Mode]) -> Mode? {
    guard let index = modes.firstIndex(of: mode) else { return modes.first }
    return modes[(index + 1) % modes.count]
  }
}

internal import NowPlaying
internal import ScreenLayout
internal import ScreenPainter

/// Tracks which covers were requested, and provides the colours for the shown cover.
struct CoverCache {
  enum Answer {
    case requested, present
    /// There is no cover, or the cover cannot be shown.
    case none
    /// A newer request replaced this request, or this request failed. The cover can be requested again.
    case unknown
  }

  /// The greatest number of stored answers. When this number is reached, all answers are removed.
  private static let limit = 64

  private var answers: [String: Answer] = [:]
  private var placeholder: (seed: String, colors: CoverColors)?
  private var last = CoverColors.neutral

  /// True if the cover must be requested now. In this case, marks the cover as requested.
  mutating func shouldRequest(_ id: String, _ painter: Painter) -> Bool {
    if painter.pictures.colors(of: id) != nil { return false }
    switch answers[id] {
    case .requested, .none?: return false
    case .present, .unknown, nil: break
    }
    note(id, .requested)
    return true
  }

  mutating func note(_ id: String, _ answer: Answer) {
    if answers.count >= Self.limit, answers[id] == nil { answers = [:] }
    answers[id] = answer
  }

  /// The colours of the shown cover, or of its placeholder. While a requested cover is pending, the old colours are
  /// kept. So the colours change only once, when the answer has arrived.
  mutating func colors(_ state: NowPlayingState, isAway: Bool, _ painter: Painter) -> CoverColors {
    if !isAway, case .artwork(let id) = state.artwork {
      if let colors = painter.pictures.colors(of: id) {
        last = colors
        return colors
      }
      if case .requested? = answers[id] { return last }
    }
    let seed = NowPlayingLayout.placeholderSeed(state, isAway: isAway)
    if placeholder?.seed != seed {
      placeholder = (seed, CoverImage.placeholder(seed: seed, side: 64).colors)
    }
    last = placeholder?.colors ?? .neutral
    return last
  }
}

internal import NowPlaying
internal import ScreenLayout
internal import ScreenPainter

/// Which covers were asked for, and the colours that go with what is shown.
struct CoverCache {
  enum Answer {
    case asked, here
    /// There is no picture.
    case none
    /// The question came too late, or could not be asked.
    case unknown
  }

  /// More answers are forgotten.
  private static let limit = 64

  private var answers: [String: Answer] = [:]
  private var placeholder: (seed: String, colors: CoverColors)?
  private var last = CoverColors.neutral

  /// Whether to ask for a cover; then it counts as asked.
  mutating func shouldAsk(_ id: String, _ painter: Painter) -> Bool {
    if painter.pictures.colors(of: id) != nil { return false }
    switch answers[id] {
    case .asked, .none?: return false
    case .here, .unknown, nil: break
    }
    note(id, .asked)
    return true
  }

  mutating func note(_ id: String, _ answer: Answer) {
    if answers.count >= Self.limit, answers[id] == nil { answers = [:] }
    answers[id] = answer
  }

  /// The colours of the cover that is shown, or of what stands for it. While a cover is on its way
  /// they stay as they were: one change is quieter than two.
  mutating func colors(_ state: NowPlayingState, isAway: Bool, _ painter: Painter) -> CoverColors {
    if !isAway, case .artwork(let id) = state.artwork {
      if let colors = painter.pictures.colors(of: id) {
        last = colors
        return colors
      }
      if case .asked? = answers[id] { return last }
    }
    let seed = NowPlayingLayout.placeholderSeed(state, isAway: isAway)
    if placeholder?.seed != seed {
      placeholder = (seed, CoverImage.placeholder(seed: seed, side: 64).colors)
    }
    last = placeholder?.colors ?? .neutral
    return last
  }
}

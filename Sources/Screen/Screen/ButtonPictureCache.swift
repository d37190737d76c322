internal import NowPlaying

/// Tracks which pictures of image buttons were requested. Each picture is requested once for each session and
/// connection.
struct ButtonPictureCache {
  private var session: SessionID?
  private var asked: Set<String> = []

  /// The names of the pictures that were not requested yet. Marks these names as requested.
  mutating func missing(in state: NowPlayingState) -> [String] {
    if state.session != session { self = ButtonPictureCache(session: state.session) }
    let names = state.template.buttons.compactMap { button in
      if case .image(let name) = button.kind { name } else { nil }
    }
    let ofSource = state.session?.rawValue.hasPrefix("app-") == true
    return (names + (ofSource ? [NowPlayingTemplate.sourcePicture] : [])).filter {
      asked.insert($0).inserted
    }
  }

  /// Forgets all requests, so that all pictures are requested again.
  mutating func forget() { asked = [] }
}

extension ButtonPictureCache {
  private init(session: SessionID?) {
    self.init()
    self.session = session
  }
}

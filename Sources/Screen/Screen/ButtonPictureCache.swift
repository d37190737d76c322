internal import NowPlaying
internal import ScreenPainter

/// Which pictures of image buttons were asked for: each name once for a session and a connection.
struct ButtonPictureCache {
  private var session: SessionID?
  private var asked: Set<String> = []

  /// Names that nobody has been asked about; they count as asked.
  mutating func missing(in state: NowPlayingState) -> [String] {
    if state.session != session { self = ButtonPictureCache(session: state.session) }
    let names = state.template.buttons.compactMap { button in
      if case .image(let name) = button.kind { name } else { nil }
    }
    return names.filter { asked.insert($0).inserted }
  }

  /// Everything is to be asked for again.
  mutating func forget() { asked = [] }
}

extension ButtonPictureCache {
  private init(session: SessionID?) {
    self.init()
    self.session = session
  }
}

extension SourcePicture {
  /// From what a source says; throws where it cannot be drawn.
  init(_ picture: ButtonPicture) throws {
    switch picture.format {
    case .svgPath: self = try SourcePicture(svgPath: String(decoding: picture.bytes, as: UTF8.self))
    case .png: self = try SourcePicture(png: picture.bytes)
    }
  }
}

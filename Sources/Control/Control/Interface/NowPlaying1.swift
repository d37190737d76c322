internal import BusMethods
internal import EventLoop
package import NowPlaying
package import Reports

/// The state, the covers and the album of Now Playing.
package enum NowPlaying1 {
  package static let interface = MethodTable(
    "NowPlaying1", state.rows + [getArtwork.row, getButtonPicture.row, getAlbum.row],
    signals: [state.changed.declaration])

  package static let state: FollowedValue<NowPlayingState> = .init(
    "NowPlaying1", .nowPlaying, get: "GetState", changed: "StateChanged", .one("state", .state))

  /// Reads the cover of a content. The timeout is long, because the medium with the cover can be slow.
  package static let getArtwork: ControlMethod<CoverRequest, ArtworkAnswer> = .init(
    "NowPlaying1.GetArtwork", .look, timeout: .seconds(30),
    takes: .record(CoverRequest("")) { field, request in
      var (width, height) =
        request.size == .largest ? (0, 0) : (request.size.width, request.size.height)
      try field("content", &request.content, .text)
      try field("width", &width, .number())
      try field("height", &height, .number())
      request.size =
        width == 0 || height == 0 ? .largest : ArtworkSize(width: width, height: height)
    },
    returns: .record(.placeholder) { field, answer in
      var (word, picture) = AnswerCoding.values(answer)
      try field("answer", &word, .text)
      try field("picture", &picture, .properties)
      if field.isReading { answer = try AnswerCoding.artwork(word, picture) }
    })

  /// Reads the picture of an image button of the current content. Nil if the source has provided no picture.
  package static let getButtonPicture: ControlMethod<String, ButtonPicture?> = .init(
    "NowPlaying1.GetButtonPicture", .look, takes: .one("name", .text),
    returns: .record(nil) { field, picture in
      var (format, bytes) = (picture?.format.rawValue ?? "", picture?.bytes ?? [])
      try field("format", &format, .text)
      try field("bytes", &bytes, .bytes)
      picture = ButtonPicture.Format(rawValue: format).flatMap { ButtonPicture($0, bytes) }
    })

  /// Reads the album that plays. The result has no items if the content belongs to no album.
  package static let getAlbum: ControlMethod<Void, AlbumReport> = .init(
    "NowPlaying1.GetAlbum", .look,
    returns: .record(AlbumReport(title: "", items: [])) { field, album in
      var (title, items) = (album.title, album.items)
      try field("title", &title, .line)
      try field("items", &items, .items)
      album = AlbumReport(title: title, items: items)
    })
}

/// A request for a cover.
package struct CoverRequest: Equatable, Sendable {
  /// The identity of the content.
  package var content: String
  /// The largest size that the caller can use.
  package var size: ArtworkSize

  package init(_ content: String, size: ArtworkSize = .largest) {
    self.content = content
    self.size = size
  }
}

extension WireType<NowPlayingState> {
  fileprivate static var state: Self {
    Self("a{sv}", StateCoding.value(of:), read: StateCoding.state)
  }
}

extension WireType<[UpNextItem]> {
  fileprivate static var items: Self {
    Self("aa{sv}", { .list($0.map { StateCoding.item($0) }) }) { value, _ in
      try (value.elements ?? []).prefix(AlbumReport.limit).map {
        try StateCoding.item(try WireFields($0, "album"))
      }
    }
  }
}

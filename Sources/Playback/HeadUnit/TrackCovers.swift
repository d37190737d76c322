internal import Artwork
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Synchronization
internal import Threads

/// The covers of the local player. An ``ArtworkLoader`` finds the covers. This type passes the covers to the center
/// according to the rules A1 … A4.
///
/// Used on the control thread only. This type is `Sendable` because a provider of artwork must be `Sendable`.
final class TrackCovers: Sendable {
  /// The artwork of a content. The identity of the artwork is decided only once for each content, because another
  /// identity would mean another cover (A5).
  private struct Named {
    let contentID: String
    let file: MusicFile
    var artwork: NowPlaying.Artwork?
    /// True if the cover is assumed to be that of the track before, because both tracks are of one album. The search
    /// that follows can show that the assumption is wrong.
    var isAssumed = false
  }

  private struct State {
    var named: Named?
    /// For each cover that was found only after its content was published: the picture, and the identity that was
    /// published. Oldest first.
    var given: [(key: PictureKey, id: String)] = []
    var asked: [(request: ArtworkRequest, path: String)] = []
    var notices: [CoverNotice] = []

    /// The artwork of a cover that was found. Nil without a cover, or if no surface can read its picture, because there
    /// is no folder for covers.
    func artwork(_ cover: Cover?) -> NowPlaying.Artwork? {
      guard let cover, cover.path != nil else { return nil }
      let id = given.last { $0.key == cover.key }?.id ?? cover.key.hex
      return Artwork(id: id) { request in
        TrackCovers.picture(cover, request.size).map { .ready($0) } ?? .none
      }
    }
  }

  /// Maximum number of entries in ``State/given``. All tracks of an album with one picture share an entry.
  private static let givenLimit = 32

  private let loader: ArtworkLoader
  private let state = Mutex(State())

  init(_ loader: ArtworkLoader) { self.loader = loader }

  /// Signalled when ``deliver(to:at:)`` must be called.
  var wakeUp: WakeUp { loader.wakeUp }

  /// Searches in advance for the cover of the next track. If `file` is nil, there is no next track.
  func prepare(_ file: MusicFile?) { loader.prepare(file.map(Self.request)) }

  /// True if the cover of this path was searched in advance and the search has ended.
  func isPrepared(_ path: String) -> Bool {
    loader.prepared(CoverRequest(contentID: path, path: path)) != nil
  }

  /// A file has the same cover at each playing, so the path identifies the request.
  private static func request(_ file: MusicFile) -> CoverRequest {
    CoverRequest(contentID: file.path, path: file.path, medium: file.medium)
  }

  /// The cover of a content. If the cover was found in advance, its identity is the hash of its bytes. So tracks with
  /// the same picture, such as the tracks of an album, have the same cover. If the cover was not found in advance, its
  /// identity is the identity of the content, and further tracks with the same picture get this identity too. After a
  /// jump to a track of the same album, the identity stays the same until the search shows another picture. So the
  /// cover does not flash between two tracks of an album.
  func artwork(_ contentID: String, _ file: MusicFile) -> NowPlaying.Artwork? {
    if let named = state.withLock({ $0.named }), named.contentID == contentID {
      return named.artwork
    }
    let named = find(contentID, file)
    state.withLock { $0.named = named }
    return named.artwork
  }

  private func find(_ contentID: String, _ file: MusicFile) -> Named {
    let request = Self.request(file)
    if let answer = loader.prepared(request) {
      let artwork = state.withLock { state in
        state.notices += answer.notices
        return state.artwork(answer.cover)
      }
      return Named(contentID: contentID, file: file, artwork: artwork)
    }
    if let last = state.withLock({ $0.named }), let artwork = last.artwork,
      file.sharesCover(with: last.file)
    {
      // The search confirms the assumption, or `deliver` corrects it.
      loader.load(request)
      return Named(
        contentID: contentID, file: file, artwork: search(artwork.id, request), isAssumed: true)
    }
    return Named(contentID: contentID, file: file, artwork: search(contentID, request))
  }

  /// A cover that is searched when a surface asks for it.
  private func search(_ id: String, _ request: CoverRequest) -> NowPlaying.Artwork {
    Artwork(id: id) { [weak self] asked in
      guard let self else { return .none }
      state.withLock { state in
        // Drops requests of earlier contents.
        state.asked.removeAll { $0.request.contentID != asked.contentID }
        state.asked.append((asked, request.path))
      }
      loader.load(request)
      return .later
    }
  }

  /// Passes the answer of the loader to the center. The source must publish its state again afterwards, because the
  /// cover of its content can be another one than it was assumed to be.
  func deliver(to center: NowPlayingCenter, at now: MonotonicInstant) {
    guard let answer = loader.takeAnswer() else { return }
    let asked = state.withLock { state in
      state.notices += answer.notices
      defer { state.asked = [] }
      let asked = state.asked.filter { $0.path == answer.request.path }
      if let named = state.named, named.isAssumed, named.file.path == answer.request.path {
        state.named?.isAssumed = false
        let artwork = state.artwork(answer.cover)
        if artwork?.id != named.artwork?.id { state.named?.artwork = artwork }
      }
      if let key = answer.cover?.key, let named = state.named, named.artwork?.id == named.contentID,
        asked.contains(where: { $0.request.contentID == named.contentID })
      {
        state.given.append((key, named.contentID))
        if state.given.count > Self.givenLimit { state.given.removeFirst() }
      }
      return asked
    }
    for (request, _) in asked {
      let picture = answer.cover.flatMap { Self.picture($0, request.size) }
      center.artworkArrived(request.ticket, picture, at: now)
    }
  }

  /// The notices of the answers that were used since the last call.
  func takeNotices() -> [CoverNotice] {
    state.withLock { state in
      defer { state.notices = [] }
      return state.notices
    }
  }

  func shutDown() { loader.shutDown() }

  /// A representation that refers to the whole picture. A surface scales the picture down to `size` while it decodes
  /// the picture. Nil if no file contains the picture.
  private static func picture(_ cover: Cover, _ size: ArtworkSize) -> ArtworkRepresentation? {
    guard let path = cover.path else { return nil }
    let original = ArtworkSize(width: cover.width, height: cover.height)
    return ArtworkRepresentation(
      reference: path, dataType: cover.kind == .jpeg ? .jpeg : .png,
      size: size.fitted(original: original), originalSize: original)
  }
}

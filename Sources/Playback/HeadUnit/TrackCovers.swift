internal import Artwork
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Synchronization
internal import Threads

/// The covers of the local player: found by the loader of `Artwork`, handed to the center as what
/// its rules ask for (A1 … A4).
///
/// Control thread only; `Sendable` because a provider of artwork must be.
final class TrackCovers: Sendable {
  /// What a content's cover is called, decided once per content: another name would be another
  /// cover (A5).
  private struct Named {
    let contentID: String
    let artwork: NowPlaying.Artwork?
  }

  private struct State {
    var named: Named?
    var asked: [(request: ArtworkRequest, path: String)] = []
  }

  private let loader: ArtworkLoader
  private let state = Mutex(State())

  init(_ loader: ArtworkLoader) { self.loader = loader }

  /// Signalled when ``deliver(to:at:)`` has something to do.
  var wakeUp: WakeUp { loader.wakeUp }

  /// Looks in advance for the cover of what plays next.
  func prepare(_ file: MusicFile?) { loader.prepare(file.map(Self.request)) }

  /// Whether the answer is there.
  func isPrepared(_ path: String) -> Bool {
    loader.prepared(CoverRequest(contentID: path, path: path)) != nil
  }

  /// A file's cover is the same whenever it plays.
  private static func request(_ file: MusicFile) -> CoverRequest {
    CoverRequest(contentID: file.path, path: file.path)
  }

  /// The cover of a content. Where it was found in advance it is known by its bytes, so tracks of
  /// one album have one cover; else by its content.
  func artwork(_ contentID: String, _ file: MusicFile) -> NowPlaying.Artwork? {
    if let named = state.withLock({ $0.named }), named.contentID == contentID {
      return named.artwork
    }
    let named = Named(contentID: contentID, artwork: find(contentID, file))
    state.withLock { $0.named = named }
    return named.artwork
  }

  private func find(_ contentID: String, _ file: MusicFile) -> NowPlaying.Artwork? {
    let request = Self.request(file)
    if let answer = loader.prepared(request) {
      guard let cover = answer.cover else { return nil }
      return Artwork(id: cover.key.hex) { .ready(Self.picture(cover, $0.size)) }
    }
    return Artwork(id: contentID) { [weak self] asked in
      guard let self else { return .none }
      state.withLock { state in
        // What was asked for another content is late by now.
        state.asked.removeAll { $0.request.contentID != asked.contentID }
        state.asked.append((asked, request.path))
      }
      loader.load(request)
      return .later
    }
  }

  /// Hands in what was found, and returns what should be known about it.
  func deliver(to center: NowPlayingCenter, at now: MonotonicInstant) -> [CoverNotice] {
    guard let answer = loader.takeAnswer() else { return [] }
    let asked = state.withLock { state in
      defer { state.asked = [] }
      return state.asked.filter { $0.path == answer.request.path }
    }
    for (request, _) in asked {
      let picture = answer.cover.map { Self.picture($0, request.size) }
      center.artworkArrived(request.ticket, picture, at: now)
    }
    return answer.notices
  }

  func shutDown() { loader.shutDown() }

  /// The reference is to the whole picture: whoever draws it scales it down to the size that goes
  /// with it while decoding.
  private static func picture(_ cover: Cover, _ size: ArtworkSize) -> ArtworkRepresentation {
    let original = ArtworkSize(width: cover.width, height: cover.height)
    return ArtworkRepresentation(
      reference: cover.path ?? cover.key.hex, dataType: cover.kind == .jpeg ? .jpeg : .png,
      size: size.fitted(original: original), originalSize: original)
  }
}

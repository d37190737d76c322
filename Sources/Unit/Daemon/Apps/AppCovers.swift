internal import Artwork
internal import Control
internal import EventLoop
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import Threads

/// Receives the covers that apps write into pipes, and passes them to the center.
final class AppCovers {
  /// A cover that an app writes. The thread reads the pipe until the app closes it or the transfer is released.
  private final class Transfer {
    let cancel = WakeUp()
    var task: BackgroundTask<Result<ArtworkCache.Received, CoverFault>>?

    deinit { cancel.signal() }
  }

  private let loop: EventLoop
  private let center: NowPlayingCenter
  private let cache: ArtworkCache?
  private let turns: Turns
  private let log: UnitLog
  /// The transfers by the tickets of their requests.
  private var transfers: [Int: Transfer] = [:]

  /// The largest picture of an app.
  private static let limits = {
    var limits = CoverLimits()
    limits.bytes = 4 << 20
    return limits
  }()
  /// The time in which an app must write its picture.
  private static let milliseconds = 10_000
  /// The largest number of transfers. Each has a thread.
  private static let most = 4

  init(
    _ loop: EventLoop, _ center: NowPlayingCenter, _ cache: ArtworkCache?, _ turns: Turns,
    log: UnitLog
  ) {
    self.loop = loop
    self.center = center
    self.cache = cache
    self.turns = turns
    self.log = log
  }

  /// Ends the transfers whose content is not current any more (A2).
  func update() {
    transfers = transfers.filter { center.wantedSize(ofArtwork: $0.key) != nil }
  }

  /// Answers a request for a cover.
  /// - Parameters:
  ///   - picture: nil if the app has no picture.
  ///   - app: the name of the app, for the log.
  /// - Returns: the writing end of the pipe. Nil if the app has no picture.
  func give(
    _ ticket: Int, _ picture: MetadataItem.DataType?, of app: String, at now: MonotonicInstant
  ) -> Result<BusDescriptor?, Refusal> {
    guard center.wantedSize(ofArtwork: ticket) != nil, transfers[ticket] == nil else {
      return .failure(Refusal(.failed, "no request for a cover has the number \(ticket)"))
    }
    guard picture != nil else {
      center.artworkArrived(ticket, nil, at: now)
      return .success(nil)
    }
    guard let cache else { return .failure(Refusal(.failed, "this unit does not store covers")) }
    guard transfers.count < Self.most else {
      return .failure(
        Refusal(.tooManyCalls, "\(Self.most) covers are written", remedy: "close their pipes first")
      )
    }
    do {
      return .success(try receive(ticket, of: app, cache))
    } catch {
      return .failure(Refusal(.failed, "\(error)"))
    }
  }

  private func receive(
    _ ticket: Int, of app: String, _ cache: ArtworkCache
  ) throws(SystemError) -> BusDescriptor {
    let (reading, writing) = try BusDescriptor.pipe()
    let transfer = Transfer()
    let cancel = transfer.cancel
    transfer.task = try BackgroundTask(loop, "app-cover") {
      Result { () throws(CoverFault) in
        try cache.receive(
          from: reading.number, limits: Self.limits, milliseconds: Self.milliseconds,
          cancel: cancel)
      }
    } completion: { [weak self] in
      self?.finish(ticket, $0, of: app)
    }
    transfers[ticket] = transfer
    return writing
  }

  private func finish(
    _ ticket: Int, _ result: Result<ArtworkCache.Received, CoverFault>, of app: String
  ) {
    let now = MonotonicInstant.now()
    transfers[ticket] = nil
    guard let size = center.wantedSize(ofArtwork: ticket) else { return }
    switch result {
    case .success(let cover):
      let original = ArtworkSize(width: cover.width, height: cover.height)
      let picture = ArtworkRepresentation(
        reference: cover.path, dataType: cover.kind == .jpeg ? .jpeg : .png,
        size: size.fitted(original: original), originalSize: original)
      center.artworkArrived(ticket, picture, at: now)
    case .failure(let fault):
      log.limited(
        .coverSkipped, "the cover of \(app) \(fault)", reason: app,
        interval: UnitLog.coverInterval, at: now)
      center.artworkArrived(ticket, nil, at: now)
    }
    turns.request()
  }
}

internal import AudioCodecs
public import AudioEngine
internal import MusicFiles
internal import NowPlaying

// Shares the engine, and handles its events.
extension LocalPlayer: EngineUser {
  /// Stores the position, so that ``resume()`` continues from this position.
  public func engineWillBeTaken() {
    defer { tracks.forgetUpcoming() }
    guard !state.isStopped else { return }
    suspendedSeconds = elapsedSeconds
    state.isPaused = true
    starvedSince = nil
  }

  /// True if no other source has the engine.
  public var hasEngine: Bool { !engine.isUsed(besides: self) }

  /// Acquires the engine from another source.
  func acquireEngine() {
    suspendedSeconds = nil
    let wasTaken = !hasEngine
    engine.acquire(for: self)
    // The engine still has the pause state that the other source has set.
    if wasTaken { engine.setPaused(state.isPaused) }
  }

  func unpause() {
    state.isPaused = false
    if hasEngine { engine.setPaused(false) }
  }

  /// Handles the events of the engine. Returns the events for the log.
  public func handleEvents() -> [Event] {
    engine.takeEvents().flatMap { event in
      defer { furtherEvents = [] }
      return (handle(event).map { [$0] } ?? []) + furtherEvents
    }
  }

  /// Handles an event of the engine, even while another source has the engine, because all sources share the output.
  /// Returns the event for the log.
  public func handle(_ event: EngineEvent) -> Event? {
    switch event {
    case .opened(let id, let description):
      tracks.opened(id, description)
      unopened = []
      if id == tracks.currentID { describe(description) }
    case .needsUpcoming(let id):
      // The engine can ask for the successor of a song that could not be opened, and that another song has replaced.
      if hasEngine, id >= tracks.currentID { answerUpcoming(after: id) }
    case .started(let id) where state.isStopped || id < tracks.currentID:
      // The track was stopped, or another request has replaced it meanwhile.
      break
    case .started(let id):
      if id != tracks.currentID { requestedSeconds = 0 }
      let failed = attempt.failed
      attempt = OpeningAttempt()
      guard let (entry, description) = tracks.started(id) else { return nil }
      show(entry)
      for id in failed { queue.passBy(id) }
      describe(description)
      return .started(entry.item, description, index: state.queueIndex)
    case .decoded(let id):
      tracks.decoded(id)
    case .metadataChanged(let id, let metadata):
      guard id == tracks.currentID else { return nil }
      state.metadata = metadata
      return tracks.file(id).map { .metadataChanged($0, metadata) }
    case .formatChanged(let id, let format):
      guard let file = tracks.file(id) else { return nil }
      if id == tracks.currentID { state.description?.format = format }
      return .formatChanged(file, format)
    case .damaged(let id, let error):
      return tracks.file(id).map { .damaged($0, error) }
    case .moreDamage(let id, let count):
      return tracks.file(id).map { .moreDamage($0, count: count) }
    case .failed(let id, let error, let isGone):
      let (file, isOpened) = (tracks.file(id), tracks.isOpened(id))
      tracks.failed(id)
      if !isGone, !isOpened, hasEngine, !state.isStopped {
        if id == tracks.currentID {
          passOverCurrent()
        } else if let entry = tracks.entry(id) {
          attempt.failed.insert(entry.id)
        }
      }
      return file.map { .failed($0, error, isGone: isGone) }
    case .deviceOpened(let device, let conversion):
      state.device = device
      state.conversion = conversion
      return .output(device, conversion: conversion)
    case .deviceFailed(let error):
      return .outputFailed(error)
    case .deviceRegained:
      return .outputRegained
    case .xrun(let nanoseconds):
      return .ranDry(nanoseconds: nanoseconds)
    case .starved(let nanoseconds):
      if hasEngine { starvedSince = nanoseconds }
    case .starvationEnded(let nanoseconds):
      defer { starvedSince = nil }
      return starvedSince.map { .starvationEnded(seconds: Double(nanoseconds - $0) * 1e-9) }
    case .changedOver(let nanoseconds):
      return .changedOver(seconds: Double(nanoseconds) * 1e-9)
    case .realTimeRefused(let refusal):
      return .realTimeRefused(refusal)
    case .applied(let effect, let handedOver, let heard):
      return .applied(effect, handedOver: handedOver, heard: heard)
    case .overlayBegan(let id):
      return .overlayBegan(id: id)
    case .overlayEnded(let id):
      return .overlayEnded(id: id)
    case .overlayFailed(let id, let error):
      return .overlayFailed(id: id, error)
    case .ended where state.isStopped || !hasEngine:
      // A stop was requested, or the track belongs to another source. So no track of this player follows.
      break
    case .ended(let id) where id < tracks.currentID:
      // Another request has replaced the track meanwhile.
      break
    case .ended(let id):
      // Repeat may have been switched on after the last track was decoded, so a track can follow now.
      if let entry = follower(of: id) {
        play(entry)
        return nil
      }
      state.isStopped = true
      // A queue whose last songs could not be read has not ended: its stick can come back.
      if tracks.failuresInARow == 0 { queue.noteEnd() }
      return .ended
    }
    return nil
  }

  private func answerUpcoming(after id: Int) {
    engine.setUpcoming(
      tracks.follow(id, with: follower(of: id), isShuffled: isShufflingSongs))
  }

  /// The entry that follows track `id` automatically. Nil if no entry follows, or if all files have failed in a row.
  private func follower(of id: Int) -> PlayQueue<MusicFile>.Entry? {
    if let entry = tracks.movedEntry(id) { return entry }
    guard let entry = tracks.entry(id), tracks.failuresInARow < count else { return nil }
    return following(entry, isAsked: tracks.failuresInARow > 0)
  }

  /// Changes the order of the queue. The next track changes too, if the decode thread has not taken it yet.
  func changeOrder(_ change: () -> Void) {
    if hasEngine, tracks.upcomingID != nil, engine.withdrawUpcoming() { tracks.withdrawUpcoming() }
    change()
    if hasEngine, tracks.upcomingID == nil, tracks.entry(tracks.decodedID) != nil {
      answerUpcoming(after: tracks.decodedID)
    }
  }
}

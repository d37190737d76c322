internal import EventLoop
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import Text

/// The holds that clients have begun: interruptions and ducks. Used on the control thread.
final class UnitHolds {
  /// Maximum number of holds at once. The state that clients get has room for this number of interruptions.
  private static let limit = 16

  private struct Entry {
    let hold: SoundHold
    /// The number of the interruption in ``NowPlayingCenter``. Nil for a duck.
    let number: Int?
    /// The time at which the hold ends, on the clock ``EventClock/monotonic``. Nil if only the client ends the hold.
    let end: Int64?
    /// True if the hold stays when its client disconnects or the daemon starts again.
    let outlives: Bool
  }

  private let center: NowPlayingCenter
  private var entries: [Entry] = []
  private var timer: TimerSource?
  private let turns: Turns
  private let file: HoldFile?
  /// What the file contains.
  private var written: [HoldFile.Entry] = []

  /// Begins the holds of the file again.
  /// - Parameter file: nil if no restart needs the holds.
  init(_ loop: EventLoop, _ center: NowPlayingCenter, file: HoldFile?, _ turns: Turns) {
    self.center = center
    self.turns = turns
    self.file = file
    timer = TimerSource(loop) { [weak self] in self?.endOverdue() }
    written = file?.read() ?? []
    guard !written.isEmpty else { return }
    let now = EventClock.monotonic.now
    let latest = now + Int64(SoundHold.longestTime / .nanoseconds(1))
    for entry in written where entry.end > now {
      _ = add(entry.hold, end: min(entry.end, latest), outlives: true)
    }
    changed()
  }

  /// True while a client has begun a duck, so that the music plays at a lower volume.
  var isDucked: Bool {
    entries.contains { $0.hold.isDuck }
  }

  /// Begins a hold. Returns a refusal if the same hold exists already, or if too many holds exist.
  /// - Parameters:
  ///   - time: the time after which the hold ends. Nil if the hold has no time limit.
  ///   - outlives: true if the hold must survive a restart of the daemon in this boot. It then needs a time.
  func begin(_ hold: SoundHold, for time: Duration?, outlives: Bool = false) -> Refusal? {
    let end = time.map { EventClock.monotonic.now + Int64($0 / .nanoseconds(1)) }
    let refusal = add(hold, end: end, outlives: outlives)
    if refusal == nil { changed() }
    return refusal
  }

  private func add(_ hold: SoundHold, end: Int64?, outlives: Bool) -> Refusal? {
    guard !entries.contains(where: { $0.hold == hold }) else {
      return Refusal(.interruptionActive, "\(hold.name) is already active")
    }
    guard entries.count < Self.limit else {
      return Refusal(
        .tooManyHolds, "\(Self.limit) interruptions and ducks are active", remedy: "end one")
    }
    var number: Int?
    if case .interruption(let reason) = hold {
      number = center.beginInterruption(reason, at: .now())
    }
    entries.append(Entry(hold: hold, number: number, end: end, outlives: outlives))
    return nil
  }

  /// Ends a hold. Returns a refusal if this hold is not active.
  /// - Parameter shouldResume: see ``NowPlayingCenter/endInterruption(_:shouldResume:at:)``.
  func end(_ hold: SoundHold, shouldResume: Bool) -> Refusal? {
    guard let index = entries.firstIndex(where: { $0.hold == hold }) else {
      return Refusal(.interruptionInactive, "\(hold.name) is not active")
    }
    remove(at: index, shouldResume: shouldResume)
    changed()
    return nil
  }

  private func remove(at index: Int, shouldResume: Bool) {
    guard let number = entries.remove(at: index).number else { return }
    center.endInterruption(number, shouldResume: shouldResume, at: .now())
  }

  private func endOverdue() {
    let now = EventClock.monotonic.now
    while let index = entries.firstIndex(where: { $0.end.map { $0 <= now } ?? false }) {
      remove(at: index, shouldResume: true)
    }
    changed()
  }

  private func changed() {
    save()
    if let next = entries.compactMap(\.end).min() { timer?.set(at: next) } else { timer?.stop() }
    turns.request()
  }

  private func save() {
    let outliving = entries.compactMap { entry in
      entry.outlives ? entry.end.map { HoldFile.Entry(hold: entry.hold, end: $0) } : nil
    }
    guard outliving != written else { return }
    written = outliving
    file?.write(outliving)
  }

  /// A hold that silences or lowers the sound now.
  struct Active {
    let hold: SoundHold
    /// The time until it ends by itself. Nil if only the client ends it.
    let left: Duration?
  }

  /// The holds, in the order in which they began.
  var active: [Active] {
    let now = EventClock.monotonic.now
    return entries.map { Active(hold: $0.hold, left: $0.end.map { .nanoseconds($0 - now) }) }
  }

  /// The holds with their remaining times, for `status`.
  var facts: [FactsReport.Fact] {
    active.map {
      .init(
        $0.hold.isDuck ? "duck" : "interruption",
        $0.hold.name + ($0.leftText.map { ", \($0)" } ?? ""))
    }
  }
}

extension UnitHolds.Active {
  /// The time that is left, in words. Nil if there is no limit.
  var leftText: String? {
    left.map { "\(TimeText.clock(max(0, $0 / .seconds(1)))) left" }
  }
}

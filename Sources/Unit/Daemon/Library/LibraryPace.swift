internal import AudioEngine
internal import EventLoop
internal import HeadUnit
internal import LibraryExchange
internal import LibraryModel
internal import LocalPlayer
internal import NowPlaying

/// Pauses the scan of the library while the music needs the storage: while a track is being opened, and while few
/// decoded frames are left.
///
/// Used on the control thread.
final class LibraryPace {
  private let unit: HeadUnit
  private let library: UnitLibrary
  private let loop: EventLoop
  private var timer: TimerSource?
  private var isHeld = false
  private static let interval = Duration.milliseconds(200)
  /// `lowest` is the filled part of the ring (``FrameRing``) below which the scan is paused. `enough` is the filled
  /// part at which the scan continues.
  private static let lowest = 0.25
  private static let enough = 0.5

  init(_ loop: EventLoop, _ unit: HeadUnit, _ library: UnitLibrary) {
    self.unit = unit
    self.library = library
    self.loop = loop
    timer = TimerSource(loop, clock: .monotonic) { [weak self] in self?.update() }
  }

  /// Decides again whether the scan is paused. Call this after each change of the library, and when a track is chosen.
  func update() {
    guard case .scanning = library.state.condition else {
      timer?.stop()
      return hold(false)
    }
    let isWanted =
      switch unit.center.state.status {
      case .playing, .buffering, .seekingForward, .seekingBackward: true
      case .paused, .stopped, .interrupted: false
      }
    hold(
      isWanted && !unit.player.state.isStopped && unit.player.hasEngine
        && (unit.player.isSeeking
          || unit.engine.isShortOfFrames(below: isHeld ? Self.enough : Self.lowest))
    )
    timer?.set(after: Self.interval)
  }

  private func hold(_ isHeld: Bool) {
    guard isHeld != self.isHeld else { return }
    self.isHeld = isHeld
    library.link.setHeld(isHeld)
  }
}

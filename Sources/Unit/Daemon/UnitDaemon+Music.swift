internal import Control
internal import EventLoop
internal import Files
internal import HeadUnit
internal import NowPlaying
internal import Reports
internal import SystemClock
internal import Threads
internal import UnitState

// Changes of the storage and of the media with music.
extension UnitDaemon {
  /// The pause between a mount and the search for music. Often, the files appear a moment after the
  /// mount.
  private static let settleTime = Duration.milliseconds(300)

  /// A stick whose notice arrives earlier than this was probably plugged in before the start.
  private static let startTime = Duration.seconds(30)

  func storageChanged() {
    let new = storage.takeNew()
    for notice in new { log(notice, at: .now()) }
    // A notice about a stick must not show an old notice about /data again, which the driver may have
    // removed.
    if new.contains(where: { !$0.isAboutStick }), let notice = standingNotice { onNotice?(notice) }
    reportMedia()
  }

  func checkMedium() {
    if let notice = music.checkMedium(at: .now()) { onNotice?(notice) }
    turn()
  }

  /// Sends the notices about media. If no client follows notices, they are sent to the first client
  /// that does.
  func reportMedia() {
    guard let server, server.hasNoticeFollower else { return }
    for notice in takeNotices() { onNotice?(notice) }
  }

  /// The most important notice about sticks that the driver has not seen yet. A stick that stays plugged in has
  /// its notice at the first start only. A stick that is plugged in later has it each time.
  func newStickNotices() -> [UnitNotice] {
    let now = MonotonicInstant.now()
    let isStart = now.awake - began.awake < Self.startTime
    let new = storage.takeUnseen().filter { notice in
      let text = [notice.identifier, notice.stick, notice.sentence].joined(separator: "\n")
      return saver.noteShown(notice: text, at: now) || !isStart
    }
    return new.foremost.map { [$0] } ?? []
  }

  /// The notices about volumes that the driver has not seen yet. A notice about unplayable files is
  /// shown again if their number or their formats change.
  func newVolumeNotices() -> [UnitNotice] {
    let sticks = music.sticks.mounted
    return music.volumes.takeNotices { volume, files in
      let stick = sticks.first { $0.point == FileName.bytes(volume.path) }
      let text =
        ["\(files.count)", stick?.identity ?? volume.path] + files.formats
      return saver.noteShown(notice: text.joined(separator: "\n"), at: .now())
    }
  }

  func mountsChanged() {
    music.mountsChanged()
    rescan?.set(after: Self.settleTime)
  }

  /// Sends a command in the same way as a surface.
  func perform(_ request: MediaRequest) {
    unit.turn().forEach(take)
    // This surface exists only for this command.
    let port = unit.center.connect(SurfaceDescription(id: "start"), at: .now()) { _ in }
    port.send(.media(request), on: .text, at: .now())
    port.disconnect(at: .now())
  }
}

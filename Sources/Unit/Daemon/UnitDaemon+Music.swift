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

  func storageChanged() {
    let new = storage.takeNew()
    for notice in new { log(notice, at: .now()) }
    // A notice about a stick is shown once. It must not show an old notice about /data again, which
    // the driver may have removed.
    let isAboutData = new.contains { !$0.isAboutStick }
    let shown = storage.notices.filter { $0.isAboutStick ? new.contains($0) : isAboutData }
    if let notice = shown.foremost { onNotice?(notice) }
  }

  func checkMedium() {
    if let notice = music.checkMedium(at: .now()) { onNotice?(notice) }
    turn()
  }

  /// Sends the notices about media. If no client follows notices, they are sent to the first client
  /// that does.
  func reportVolumes() {
    guard let server, server.hasNoticeFollower else { return }
    for notice in newVolumeNotices() { onNotice?(notice) }
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

internal import Control
internal import EventLoop
internal import Files
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock
internal import UnitState

/// Collects the notices for the driver about media, the storage and the configuration. Decides which notices are left
/// out because an earlier run has shown them. Changes only the list of shown notices in ``UnitMemory``.
///
/// Used on the control thread. No function blocks.
final class UnitNotices {
  /// A stick whose notice arrives within this time after the start of the daemon was probably plugged in before the
  /// start.
  private static let startTime = Duration.seconds(30)

  private let loop: EventLoop
  private let began = MonotonicInstant.now()
  private let isSafeMode: Bool
  /// The reports of the image about its storage.
  let storage: StorageMonitor
  private let music: MusicFolders
  private let settings: UnitSettings
  private let phones: UnitBluetooth
  private let memory: UnitMemory
  private let outbox: UnitOutbox
  private let turns: Turns
  private let log: UnitLog
  private var source: DescriptorSource?

  init(
    _ loop: EventLoop, isSafeMode: Bool, _ storage: StorageMonitor, _ music: MusicFolders,
    _ settings: UnitSettings, _ phones: UnitBluetooth, _ memory: UnitMemory, _ outbox: UnitOutbox,
    _ turns: Turns, log: UnitLog
  ) {
    self.loop = loop
    self.isSafeMode = isSafeMode
    self.storage = storage
    self.music = music
    self.settings = settings
    self.phones = phones
    self.memory = memory
    self.outbox = outbox
    self.turns = turns
    self.log = log
  }

  /// Starts to handle the reports about the storage.
  func start() throws(SystemError) {
    guard storage.descriptor >= 0 else { return }
    source = try DescriptorSource(loop, descriptor: storage.descriptor) { [weak self] _ in
      self?.storageChanged()
    }
  }

  private func storageChanged() {
    let new = storage.takeNew()
    for notice in new { log(notice, at: .now()) }
    // The driver has perhaps closed the notice about /data, so a new notice about a stick must not show it again.
    if new.contains(where: { !$0.isAboutStick }), let standing { outbox.put(.notice(standing)) }
    turns.request()
  }

  /// The notice that remains until its cause is gone: about safe mode, or about the storage of the unit.
  var standing: UnitNotice? {
    isSafeMode ? UnitNotice(.safeMode) : storage.notices.filter { !$0.isAboutStick }.foremost
  }

  /// The notices that no client has received.
  func take() -> [UnitNotice] {
    ofSticks() + ofVolumes() + ofConfiguration() + (phones.takeNotice().map { [$0] } ?? [])
  }

  /// Must be called when something was mounted or unmounted. A stick that is mounted is not damaged any more. If this
  /// stick is damaged again later, its notice is shown again.
  func mountsChanged() {
    for stick in music.sticks.mounted {
      memory.forgetShown(notice: Self.key("stick.damaged", stick.identity))
    }
  }

  /// A notice about the first wrong line of the configuration, if no earlier run has shown a notice about the same
  /// wrong lines.
  private func ofConfiguration() -> [UnitNotice] {
    let wrong = settings.configuration.notices.filter { $0.kind == .wrong }
    guard let first = wrong.first else { return [] }
    let text = (["config"] + wrong.map(\.description)).joined(separator: "\n")
    guard memory.noteShown(notice: text) else { return [] }
    let name = first.file.split(separator: "/").last.map(String.init) ?? first.file
    return [UnitNotice(.configurationWrong, about: first.line.map { "\(name):\($0)" } ?? name)]
  }

  /// The notices about sticks that the driver has not seen yet. A notice that arrives soon after the start is shown if
  /// no earlier run has shown it. A notice that arrives later is always shown. A notice about a stick that does not
  /// answer is always shown too, because the stick can answer the next time.
  private func ofSticks() -> [UnitNotice] {
    var shown: [UnitNotice] = []
    for (notice, arrival) in storage.takeUnseen() {
      guard let kind = notice.kind else { continue }
      let isNew = memory.noteShown(notice: Self.key(notice.identifier, notice.stick))
      let isEarly = arrival.awake - began.awake < Self.startTime
      let isShown = isNew || !isEarly || kind == .mediumSilent
      let seen = UnitNotice(kind, about: notice.about)
      if isShown, !shown.contains(seen) { shown.append(seen) }
    }
    return shown
  }

  /// The text that identifies a notice about a stick in later runs.
  private static func key(_ identifier: String, _ stick: String) -> String {
    "\(identifier)\n\(stick)"
  }

  /// The notices about volumes that the driver has not seen yet. A notice about unplayable files is shown again if
  /// their number or their formats change.
  private func ofVolumes() -> [UnitNotice] {
    let sticks = music.sticks.mounted
    return music.volumes.takeNotices { volume, files in
      let stick = sticks.first { $0.point == FileName.bytes(volume.path) }
      let text = ["\(files.count)", stick?.identity ?? volume.path] + files.formats
      return memory.noteShown(notice: text.joined(separator: "\n"))
    }
  }
}

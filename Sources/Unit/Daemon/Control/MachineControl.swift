internal import Control
internal import EventLoop
internal import Files
internal import Glibc
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock
internal import Threads

/// Requests actions that need the rights of root: a reboot, a power-off, and the erasing of the personal data.
///
/// - Thread: the control thread; no call blocks.
final class MachineControl {
  private typealias Marking = BackgroundTask<ReplacedFile.Failure?>

  private let loop: EventLoop
  /// Nil if `AUTOHARP_POWER` is not set, as on a desktop.
  private let request: PowerRequest?
  /// The path of the mark, a file that requests the erasing. `mount-data` of the image finds it at the next start
  /// (`board/helpers/erase.c`). Nil if this process does not run on the image.
  private let mark: String?
  private var marking: Marking?
  private let log: UnitLog

  init(_ loop: EventLoop, _ power: PowerRequest?, mark: String?, log: UnitLog) {
    self.loop = loop
    self.log = log
    request = power
    self.mark = mark
  }

  /// The path of the mark, from the environment variable `AUTOHARP_ERASE`.
  static var standardMark: String? { getenv("AUTOHARP_ERASE").map { String(cString: $0) } }

  /// Requests a reboot or a power-off from a service that has the right to do this.
  func power(_ action: PowerAction) -> Refusal? {
    guard let request else {
      return Refusal(
        .noService, "this daemon is not the service of a unit, so it does not control the machine",
        remedy: "run 'systemctl \(action.rawValue)' as root")
    }
    if let refusal = request.submit(action) { return refusal }
    log(.unitPower, "the daemon requested \(action.rawValue) from the service manager", at: .now())
    return nil
  }

  /// Reboots the machine, and erases the personal data before the daemon starts again. `completion` gets nil if the
  /// reboot was requested and the mark was written.
  /// - Parameter storage: the reports about the storage.
  func erasePersonalData(
    _ settings: Settings, _ storage: [StorageNotice], completion: @escaping (Refusal?) -> Void
  ) {
    markPersonalData(settings, storage) { [weak self] refusal in
      guard let self, refusal == nil else { return completion(refusal) }
      log(.unitErase, "the next start erases the personal data", at: .now())
      completion(power(.reboot))
    }
  }

  /// Writes the mark to the storage. `completion` gets nil after the mark was written.
  /// - Parameter storage: the reports about the storage.
  func markPersonalData(
    _ settings: Settings, _ storage: [StorageNotice], completion: @escaping (Refusal?) -> Void
  ) {
    guard let mark, request != nil, let end = mark.lastIndex(of: "/") else {
      return completion(
        Refusal(.noService, "only a unit that runs the image can erase its personal data"))
    }
    let (folder, name) = (String(mark[..<end]), String(mark[mark.index(after: end)...]))
    if let other = Self.foreignFolder(settings, folder) {
      return completion(
        Refusal(
          .eraseFailed, "the unit erases only \(folder), but its settings name \(other)",
          remedy: "set 'state-folder' and 'artwork-folder' to the defaults"))
    }
    if let notice = storage.first(where: { $0.keepsNothing }) {
      return completion(
        Refusal(.eraseFailed, notice.sentence, remedy: "'data check' shows what was tried"))
    }
    guard marking == nil else {
      return completion(Refusal(.tooManyCalls, "the unit is already about to do this"))
    }
    do throws(SystemError) {
      marking = try Marking(loop, "erase") {
        do throws(ReplacedFile.Failure) {
          try ReplacedFile.write([], to: name, in: folder, temporary: ".\(name).new")
          return nil
        } catch {
          return error
        }
      } completion: { [weak self] failure in
        self?.marking = nil
        completion(failure.map { Self.refusal(mark, $0.code) })
      }
    } catch {
      completion(Self.refusal(mark, error.code))
    }
  }

  /// A folder with personal data that `erase.c` does not erase. Nil if there is none.
  private static func foreignFolder(_ settings: Settings, _ folder: String) -> String? {
    if settings.stateFolder != folder { return settings.stateFolder }
    guard let covers = settings.artworkFolder, !covers.hasPrefix("\(folder)/") else { return nil }
    return covers
  }

  private static func refusal(_ mark: String, _ code: Int32) -> Refusal {
    Refusal(
      .eraseFailed, "\(mark): \(systemWords(code))",
      remedy: "'storage' shows the state of the storage")
  }
}

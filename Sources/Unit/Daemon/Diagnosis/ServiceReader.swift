internal import EventLoop
internal import Glibc
internal import NowPlaying
internal import Reports
internal import SystemClock

extension ProcessEnd {
  /// The end of the last process of the daemon, from the file in which the service manager keeps it.
  ///
  /// - Parameter folder: the folder of the control socket.
  static func last(in folder: String) -> ProcessEnd? {
    MachineReadings.firstLine("\(folder)/end").flatMap(ProcessEnd.init(line:))
  }
}

extension SystemUnits.Unit {
  /// The time of the last change of the state. Nil if the state never changed.
  var changed: MonotonicInstant? {
    changedMicroseconds.map { .near(nanoseconds: $0 * 1000) }
  }
}

/// The answer of the service manager.
enum ServiceReadings: Equatable {
  /// This machine does not run the image, so there is no helper that asks the service manager.
  case noImage
  /// The helper or the service manager has not answered in time.
  case silent
  case units(SystemUnits)
}

/// Asks the service manager for its units. The daemon has no right to do this, so it sends a request to a helper of the
/// image (`board/helpers/service.c`).
///
/// - Thread: the control thread. No method blocks.
final class ServiceReader {
  /// The socket of the helper.
  static var standardSocket: String { "\(KernelReadings.standardRoot)/run/service" }
  private static let timeLimit = Duration.milliseconds(2500)

  private let loop: EventLoop
  private let socket: String
  private let isImage: Bool
  private var request: HelperRequest?
  private var completions: [(ServiceReadings) -> Void] = []

  /// - Parameter isImage: true if this machine runs the image, so that the helper should be there.
  init(
    _ loop: EventLoop, socket: String = standardSocket, isImage: Bool = ImageVersions.isImage
  ) {
    self.loop = loop
    self.socket = socket
    self.isImage = isImage
  }

  /// Reads the units. `completion` is called once, within the time limit.
  func read(completion: @escaping (ServiceReadings) -> Void) {
    guard access(socket, F_OK) == 0 else {
      return completion(isImage ? .silent : .noImage)
    }
    completions.append(completion)
    guard request == nil else { return }
    request = HelperRequest(
      loop, socket: socket, request: "list\n", maximumBytes: SystemUnits.maximumBytes,
      timeLimit: Self.timeLimit
    ) { [weak self] answer, isComplete in
      // If the service manager does not answer, the helper sends one line without a unit.
      let list = SystemUnits(String(decoding: answer, as: UTF8.self))
      self?.finish(isComplete && !list.units.isEmpty ? .units(list) : .silent)
    }
    if request == nil { finish(.silent) }
  }

  private func finish(_ readings: ServiceReadings) {
    request = nil
    let waiting = completions
    completions = []
    for completion in waiting { completion(readings) }
  }
}

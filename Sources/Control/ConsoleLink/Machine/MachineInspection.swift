internal import Console
internal import EventLoop
internal import Glibc
internal import NowPlaying
internal import Reports

/// Collects what the diagnosis without the daemon needs: the services and the last errors of the journal.
final class MachineInspection {
  /// The longest time for each of the two answers. It is short, because a person waits.
  private static let timeLimit = Duration.seconds(1)

  private var diagnosis: MachineDiagnosis
  private var request: HelperRequest?
  private var reader: JournalReader?
  private var waiting = 2
  private let completion: (DiagnosisReport) -> Void

  /// - Parameter completion: called once, by the loop or by ``start(_:journal:)``.
  init(
    _ daemon: DaemonState, _ files: MachineFiles, _ storage: StorageFiles,
    _ completion: @escaping (DiagnosisReport) -> Void
  ) {
    diagnosis = MachineDiagnosis(
      daemon: daemon, files: files, storage: storage,
      units: .failure(Refusal(.helperSilent, "")))
    self.completion = completion
  }

  func start(_ loop: EventLoop, journal: [String]) {
    let socket = diagnosis.files.serviceSocket
    request = HelperRequest(loop, socket: socket, line: "list", timeLimit: Self.timeLimit) {
      [weak self] result in
      self?.diagnosis.units = HelperResult.units(result)
      self?.finishOne()
    }
    if request == nil {
      diagnosis.units = .failure(.unreachable(socket, errno))
      finishOne()
    }
    reader = JournalReader(
      loop, journal, .errors(limit: MachineDiagnosis.shownErrors), timeLimit: Self.timeLimit
    ) { [weak self] result in
      if case .success(let report) = result { self?.diagnosis.errors = report.lines }
      self?.finishOne()
    }
    if reader == nil { finishOne() }
  }

  private func finishOne() {
    waiting -= 1
    if waiting == 0 { completion(diagnosis.report) }
  }
}

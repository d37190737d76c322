internal import Control
internal import EventLoop
internal import Files
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock
internal import Threads

/// Handles the driver's changes of settings. A change takes effect at once, and a separate thread stores it.
///
/// - Thread: the control thread. Only ``shutDown(within:)`` blocks.
final class UnitSettings: ControlledSettings {
  typealias Answer = (Result<SettingReport, Refusal>) -> Void
  private typealias Repairing = BackgroundTask<Result<String, ReplacedFile.Failure>>
  private typealias Writing = BackgroundTask<ReplacedFile.Failure?>

  /// The progress of storing changes.
  private enum Saving {
    case idle
    /// A thread writes. The functions in `waiting` are called when this write has ended. The functions in `later`
    /// belong to newer changes, and wait for the next write.
    case writing(Writing, waiting: [() -> Void], later: [() -> Void])
  }

  /// The settings before the first change since the last call of ``takeChange()``. Nil if nothing has changed since.
  private var replaced: Settings?
  /// The present configuration.
  private(set) var configuration: Configuration
  /// The number of changes by the driver. A reload of the configuration compares this number to detect changes that the
  /// driver has made meanwhile.
  private(set) var changeCount = 0

  private let loop: EventLoop
  private let turns: Turns
  private let log: UnitLog
  private let clock: UnitClock
  private(set) var revision = 1
  private var saving = Saving.idle
  /// The running repair of the driver's file. Nil if none is running.
  private var repairing: Repairing?
  /// The failure of the last write. Nil if the write was successful.
  private var failure: ReplacedFile.Failure?

  init(
    _ loop: EventLoop, _ configuration: Configuration, _ clock: UnitClock, _ turns: Turns,
    log: UnitLog
  ) {
    self.loop = loop
    self.turns = turns
    self.log = log
    self.clock = clock
    self.configuration = configuration
    logDamage()
  }

  var state: SettingsState {
    var state = SettingsState()
    state.revision = revision
    state.settings = SettingKey.ofDriver.map { SettingReport($0, configuration) }
    state.clock = clock.keeper
    state.canSetTime = clock.canSet
    return state
  }

  /// Uses a configuration that was read again. If the driver has made a change that is perhaps not in the files yet,
  /// this object keeps the present values of the driver.
  /// - Parameter changeCount: ``changeCount`` before the files were read.
  func use(_ new: Configuration, readAfter changeCount: Int) {
    let driver = configuration.driver
    configuration = new
    if changeCount != self.changeCount || isSaving || failure != nil { configuration.use(driver) }
    logDamage()
    publish()
  }

  private func logDamage() {
    guard configuration.driver.isDamaged else { return }
    log(
      .settingsDamaged,
      "\(configuration.settings.driverFile) has parts that cannot be used; before the next change "
        + "it is copied to \(DriverFile.damagedName)", at: .now())
  }

  // MARK: Changes

  /// Returns the settings before the driver's changes since the last call. Nil if there were no changes.
  func takeChange() -> Settings? {
    defer { replaced = nil }
    return replaced
  }

  func set(_ key: String, to value: String, completion: @escaping Answer) {
    change(key, value, completion)
  }

  func reset(_ key: String, completion: @escaping Answer) { change(key, nil, completion) }

  private func change(_ name: String, _ text: String?, _ answer: @escaping Answer) {
    do throws(DriverRefusal) {
      let old = configuration.settings
      let key = try configuration.setForDriver(name, text)
      log(
        .settingChanged,
        "\(name) = \(key.text(configuration.settings))" + (text == nil ? " (the default)" : ""),
        at: .now())
      changeCount += 1
      if configuration.settings != old { replaced = replaced ?? old }
      publish()
      save(key, answer)
    } catch {
      answer(.failure(Refusal(error, name)))
    }
  }

  private func publish() {
    revision += 1
    turns.request()
  }

  // MARK: Repairing

  func repair(completion: @escaping (Result<String, Refusal>) -> Void) {
    guard configuration.driver.isDamaged else { return completion(.failure(notDamaged)) }
    guard case .idle = saving else {
      return completion(
        .failure(Refusal(.settingsNotSaved, "a change is being saved; try again")))
    }
    var driver = configuration.driver
    driver.keptDamaged()
    let file = DriverFile(folder: configuration.settings.stateFolder)
    do throws(SystemError) {
      repairing = try Repairing(loop, "settings") { [driver] in
        do throws(ReplacedFile.Failure) {
          let name = try file.moveAway()
          try file.write(driver)
          return .success(name)
        } catch {
          return .failure(error)
        }
      } completion: { [weak self] result in
        self?.repaired(result, completion)
      }
    } catch {
      completion(.failure(Refusal(.settingsNotSaved, systemWords(error.code))))
    }
  }

  private func repaired(
    _ result: Result<String, ReplacedFile.Failure>,
    _ completion: (Result<String, Refusal>) -> Void
  ) {
    repairing = nil
    if case .success(let name) = result {
      configuration.replacedDriverFile()
      log(
        .settingsRepaired,
        "\(configuration.settings.driverFile) is new; the damaged file is \(name)",
        at: .now())
      publish()
    }
    completion(
      result.mapError { error in
        Refusal(
          .settingsNotSaved, "the file cannot be moved: \(systemWords(error.code))",
          remedy: "'storage' shows the state of the storage")
      })
  }

  /// The refusal if the driver's file is well. It names the files that only a computer can repair.
  private var notDamaged: Refusal {
    let file = configuration.settings.driverFile
    guard let other = configuration.notices.first(where: { $0.kind == .wrong && $0.file != file })
    else { return Refusal(.nothingToRepair, "\(file) is not damaged, and no other file is wrong") }
    return Refusal(
      .nothingToRepair, "\(file) is not damaged; wrong is \(other)",
      remedy: other.file.hasPrefix("/run/boot/")
        ? "correct autoharp.conf on the boot partition, on a computer"
        : "correct \(other.file) in a root shell, or on a computer")
  }

  // MARK: The clock

  func setTime(_ seconds: Int, completion: @escaping (Refusal?) -> Void) {
    clock.set(seconds) { [weak self] refusal in
      if refusal == nil { self?.publish() }
      completion(refusal)
    }
  }

  // MARK: Storing

  private var isSaving: Bool { if case .writing = saving { true } else { false } }

  private func save(_ key: SettingKey, _ answer: @escaping Answer) {
    let finish = { [weak self] in
      guard let self else { return }
      answer(failure == nil ? .success(SettingReport(key, configuration)) : .failure(notSaved))
    }
    switch saving {
    case .idle: write([finish])
    case .writing(let task, let waiting, let later):
      saving = .writing(task, waiting: waiting, later: later + [finish])
    }
  }

  private func write(_ waiting: [() -> Void]) {
    let driver = configuration.driver
    let file = DriverFile(folder: configuration.settings.stateFolder)
    do throws(SystemError) {
      let task = try Writing(loop, "settings") {
        do throws(ReplacedFile.Failure) {
          try file.write(driver)
          return nil
        } catch {
          return error
        }
      } completion: { [weak self] in
        self?.written($0)
      }
      saving = .writing(task, waiting: waiting, later: [])
    } catch {
      finish(ReplacedFile.Failure(code: error.code), waiting)
    }
  }

  private func written(_ result: ReplacedFile.Failure?) {
    guard case .writing(_, let waiting, let later) = saving else { return }
    saving = .idle
    if result == nil, configuration.driver.isDamaged { configuration.replacedDriverFile() }
    finish(result, waiting)
    if !later.isEmpty { write(later) }
  }

  private func finish(_ result: ReplacedFile.Failure?, _ waiting: [() -> Void]) {
    if let result, result != failure {
      log(
        .settingsNotSaved,
        "\(configuration.settings.driverFile): \(systemWords(result.code)); the changes apply until "
          + "the next start", at: .now())
    }
    failure = result
    for answer in waiting { answer() }
  }

  private var notSaved: Refusal {
    Refusal(
      .settingsNotSaved,
      "the change applies until the next start, because it cannot be saved: "
        + (failure.map { systemWords($0.code) } ?? ""),
      remedy: "'storage' shows the state of the storage")
  }

  /// Waits until all changes are stored, but at most for `milliseconds`.
  func shutDown(within milliseconds: Int32) {
    var rounds = 2
    while case .writing(let task, _, _) = saving, rounds > 0 {
      task.finish(within: milliseconds / 2)
      rounds -= 1
    }
  }
}

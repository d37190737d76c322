internal import EventLoop
internal import Reports
internal import Settings
internal import SystemClock

/// Reads the files of the configuration again, on another thread. The next turn uses the result.
///
/// Used on the control thread. No function blocks.
final class ConfigurationReload {
  /// The result of reading the files of the configuration.
  struct Reading {
    let configuration: Configuration
    let pictures: ButtonPictureFiles
    /// ``UnitSettings/changeCount`` before the files were read.
    let changeCount: Int
  }

  private typealias Task = BackgroundTask<(Configuration, ButtonPictureFiles)>

  private enum Stage {
    case idle
    case reading(Task)
    /// Another request has arrived while the thread reads. The files are read again afterwards.
    case outdated(Task)
  }

  private let loop: EventLoop
  private let read: @Sendable () -> Configuration
  private let settings: UnitSettings
  private let turns: Turns
  private let log: UnitLog
  private var stage = Stage.idle
  private var reading: Reading?

  init(
    _ loop: EventLoop, _ read: @escaping @Sendable () -> Configuration, _ settings: UnitSettings,
    _ turns: Turns, log: UnitLog
  ) {
    self.loop = loop
    self.read = read
    self.settings = settings
    self.turns = turns
    self.log = log
  }

  /// Begins to read the files. If they are being read already, reads them once more afterwards, because they can have
  /// changed meanwhile.
  func begin() {
    switch stage {
    case .idle: break
    case .reading(let task), .outdated(let task):
      stage = .outdated(task)
      return
    }
    ServiceManager.reloading()
    let changeCount = settings.changeCount
    do throws(SystemError) {
      stage = .reading(
        try Task(loop, "configuration") { [read] in
          let configuration = read()
          return (configuration, ButtonPictureFiles(configuration.settings))
        } completion: { [weak self] configuration, pictures in
          guard let self else { return }
          reading = Reading(
            configuration: configuration, pictures: pictures, changeCount: changeCount)
          turns.request()
        })
    } catch {
      log(.configurationWrong, "the configuration cannot be read again: \(error)", at: .now())
      ServiceManager.ready()
    }
  }

  /// Returns the result of reading the files, once. Call ``end()`` after the result was used.
  func take() -> Reading? {
    defer { reading = nil }
    return reading
  }

  /// Tells the service manager that the configuration is in use. Reads the files again if this was requested meanwhile.
  func end() {
    let isOutdated = if case .outdated = stage { true } else { false }
    stage = .idle
    ServiceManager.ready()
    if isOutdated { begin() }
  }
}

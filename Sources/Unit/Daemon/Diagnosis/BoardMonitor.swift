internal import EventLoop
internal import NowPlaying
internal import Reports
internal import SystemClock

/// The power supply and the temperature of the board, as far as the board reports them.
struct BoardState: Equatable {
  /// What the board reports about its power supply.
  enum Supply: Equatable {
    /// The board does not report its power supply.
    case unknown
    case good
    /// The voltage is too low.
    case low
    /// The voltage was too low until this time.
    case wasLow(MonotonicInstant)
  }

  /// At this temperature in degrees Celsius or more, the firmware of a Raspberry Pi makes the processor slower.
  static let tooHot = 80

  var supply = Supply.unknown
  /// The temperature of the processor in degrees Celsius; nil if the board does not report it.
  var temperature: Int?
  /// The highest temperature that was read since the start of the daemon.
  var highest: Int?

  var isTooHot: Bool { temperature.map { $0 >= Self.tooHot } ?? false }
  var wasTooHot: Bool { highest.map { $0 >= Self.tooHot } ?? false }
}

/// Reads the power supply and the temperature of the board at intervals, and remembers their worst values.
///
/// The kernel of a Raspberry Pi (`raspberrypi-hwmon`) asks the firmware every two seconds whether the voltage was too
/// low. A file contains the answer for two seconds. So this object reads the file more often than every two seconds.
/// Other boards do not have this file.
///
/// - Thread: the control thread. The kernel answers a read at once.
final class BoardMonitor {
  private static let intervalOfSupply = Duration.milliseconds(1500)
  private static let interval = Duration.seconds(60)
  /// Maximum number of folders of each class that are examined.
  private static let maximumFolders = 16

  private let folder: String
  private let log: UnitLog
  private(set) var state = BoardState()
  private var timer: TimerSource?
  /// The file that reports low voltage. Nil if no such file was found yet.
  private var alarm: String?

  /// - Parameter folder: the folder that contains the kernel's classes of devices.
  init(
    _ loop: EventLoop, folder: String = "/sys/class",
    at now: @escaping () -> MonotonicInstant = { .now() }, log: UnitLog
  ) {
    self.log = log
    self.folder = folder
    timer = TimerSource(loop) { [weak self] in self?.read(at: now()) }
    timer?.set(after: .zero)
  }

  deinit { timer?.cancel() }

  private func read(at now: MonotonicInstant) {
    readSupply(at: now)
    readTemperature()
    timer?.set(after: alarm == nil ? Self.interval : Self.intervalOfSupply)
  }

  private func readSupply(at now: MonotonicInstant) {
    if alarm == nil { alarm = findAlarm() }
    guard let alarm, let text = MachineReadings.firstLine(alarm) else { return }
    switch (state.supply, text == "0") {
    case (.unknown, true): state.supply = .good
    case (.good, true), (.wasLow, true), (.low, false): break
    case (.low, true): state.supply = .wasLow(now)
    case (.unknown, false), (.good, false), (.wasLow, false):
      state.supply = .low
      log.limited(.lowVoltage, "the voltage of the supply is too low", at: .now())
    }
  }

  private func findAlarm() -> String? {
    (0..<Self.maximumFolders).lazy.map { "\(self.folder)/hwmon/hwmon\($0)" }
      .first { MachineReadings.firstLine("\($0)/name") == "rpi_volt" }
      .map { "\($0)/in0_lcrit_alarm" }
  }

  /// Reads the temperature again, for example for a report.
  func readTemperature() {
    state.temperature = (0..<Self.maximumFolders).compactMap { number in
      let zone = "\(folder)/thermal/thermal_zone\(number)"
      guard MachineReadings.firstLine("\(zone)/type")?.hasPrefix("cpu") == true,
        let text = MachineReadings.firstLine("\(zone)/temp"), let thousandths = Int(text),
        (-100_000...250_000).contains(thousandths)
      else { return nil }
      return thousandths / 1000
    }.max()
    state.highest = [state.highest, state.temperature].compactMap { $0 }.max()
  }
}

internal import AVRCPTarget
internal import Control
internal import EventLoop
internal import HeadUnit
internal import NowPlaying
internal import Reports
internal import SystemClock

// The checks of `diagnose`.
extension UnitControl {
  /// The time between the two readings of the sound. It is longer than a period of any sound card.
  private static let soundTime = Duration.milliseconds(200)

  func findings(completion: @escaping ([DiagnosisReport.Finding]) -> Void) {
    let readings = CheckReadings { [weak self] in
      if let self { completion(findings($0)) }
    }
    readings.sound.append(parts.sound.reading)
    readings.timer = TimerSource(parts.loop) { [weak self] in
      guard let self else { return }
      readings.sound.append(parts.sound.reading)
      readings.timer = nil
      readings.arrived()
    }
    readings.timer?.set(after: Self.soundTime)
    readMachine { _, machine in
      readings.machine = machine
      readings.arrived()
    }
    if let amplifier = parts.sound.amplifier {
      amplifier.read {
        readings.amplifier = $0
        readings.arrived()
      }
    } else {
      readings.arrived()
    }
  }

  private func findings(_ readings: CheckReadings) -> [DiagnosisReport.Finding] {
    let snapshot = UnitSnapshot(
      parts, machine: readings.machine, sound: readings.sound, amplifier: readings.amplifier,
      at: .now())
    return UnitChecks(snapshot).all + parts.car.findings + parts.bluetooth.findings
  }
}

/// The readings of one run of the checks. They arrive one after the other, within a second.
private final class CheckReadings {
  var sound: [SoundReading] = []
  var amplifier: AmplifierReading?
  var machine = MachineSnapshot()
  var timer: TimerSource?
  private var missing = 3
  private let completion: (CheckReadings) -> Void

  init(_ completion: @escaping (CheckReadings) -> Void) { self.completion = completion }

  /// Called when the sound, the machine or the amplifier was read.
  func arrived() {
    missing -= 1
    if missing == 0 { completion(self) }
  }
}

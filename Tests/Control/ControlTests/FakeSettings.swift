import Control
import EventLoop
import NowPlaying
import Reports

/// Fake settings. They record the requests in `done`.
final class FakeSettings: ControlledSettings {
  var state = SettingsState() { didSet { turns.request() } }
  var revision: Int { state.revision }
  private let turns: Turns
  var done: [String] = []
  var refusal: Refusal?

  init(_ turns: Turns) {
    self.turns = turns
    state.revision = 7
    state.clock = .person
    state.canSetTime = true
    state.settings = [
      SettingReport(
        key: "replay-gain", value: "album", standard: "off", source: .driver,
        kind: .choice(["off", "track", "album", "auto"])),
      SettingReport(
        key: "phone-wait", value: "45 s", standard: "30 s", source: .owner,
        location: "/data/autoharp.conf:3",
        kind: .number(
          .init(minimum: 0, maximum: 600, step: 10, unit: "s", current: 45, special: nil))),
      SettingReport(
        key: "screen-text", value: "0", standard: "0",
        kind: .number(
          .init(minimum: 85, maximum: 130, step: 5, unit: "%", current: nil, special: "0"))),
      SettingReport(
        key: "day-begins", value: "7:00", standard: "7:00",
        kind: .timeOfDay(
          .init(minimum: 0, maximum: 1439, step: 15, unit: "", current: 420, special: nil))),
      SettingReport(
        key: "bluetooth-name", value: "", standard: "", source: .shipped, location: "x:1",
        effect: .restart, kind: .text(maximumBytes: 60, mayBeEmpty: true)),
      SettingReport(
        key: "parked", value: "line", standard: "line", isForRoot: true,
        kind: .choice(["line", "always", "never"])),
    ]
  }

  private func perform(
    _ text: String, _ key: String, _ completion: (Result<SettingReport, Refusal>) -> Void
  ) {
    if let refusal { return completion(.failure(refusal)) }
    done.append(text)
    guard let setting = state.setting(key) else {
      return completion(.failure(Refusal(.unknownSetting, "unknown")))
    }
    completion(.success(setting))
  }

  func set(
    _ key: String, to value: String,
    completion: @escaping (Result<SettingReport, Refusal>) -> Void
  ) { perform("set \(key) \(value)", key, completion) }

  func reset(_ key: String, completion: @escaping (Result<SettingReport, Refusal>) -> Void) {
    perform("reset \(key)", key, completion)
  }

  func repair(completion: @escaping (Result<String, Refusal>) -> Void) {
    if let refusal { return completion(.failure(refusal)) }
    done.append("repair")
    completion(.success("settings.conf.wrong-1"))
  }

  func setTime(_ seconds: Int, completion: @escaping (Refusal?) -> Void) {
    if refusal == nil { done.append("time \(seconds)") }
    completion(refusal)
  }
}

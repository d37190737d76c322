internal import Control
internal import NowPlaying
package import Reports
internal import SystemClock

// Settings of the driver, and what the unit tells about itself.
extension ScreenController {
  /// Receives the settings that the daemon has told.
  package func receive(_ settings: SettingsState) {
    model.settings = settings
    paintSoon()
  }

  func send(_ request: ScreenPages.SettingRequest) {
    switch request {
    case .set(let key, let value):
      client.call(Settings1.set, SettingChange(key, to: value)) { [weak self] in
        self?.noteRefusal($0.map { _ in })
      }
    case .changeTime(let seconds): changeTime(by: seconds)
    case .readVersions:
      client.call(Unit1.getFacts, .version) { [weak self] in
        self?.applyAnswer($0) { $0.apply(versions: $1) }
      }
    case .runChecks: runChecks()
    case .erasePersonalData:
      client.call(Unit1.erasePersonalData) { [weak self] in self?.noteRefusal($0) }
    }
  }

  /// Sets the clock. A new minute begins with its first second, so that a person can set the clock by
  /// another one.
  private func changeTime(by seconds: Int) {
    // A press that comes before the answer to the one before continues from the time that was wanted.
    var new = (wantedTime ?? wallClock.secondsToSet) + seconds
    if seconds % 3600 != 0 { new -= new % 60 }
    wantedTime = new
    client.call(Settings1.setTime, new) { [weak self] in
      if self?.wantedTime == new { self?.wantedTime = nil }
      self?.noteRefusal($0)
      // The clock of the picture follows the clock of the machine from here on.
      self?.paintSoon()
    }
  }

  private func runChecks() {
    model.report.findings = nil
    client.call(Unit1.getFacts, .storage) { [weak self] in
      self?.applyAnswer($0) { [folder = self?.model.preferences.stateFolder ?? ""] in
        $0.apply(storage: $1, folder: folder)
      }
    }
    model.report.hasFailed = false
    client.call(Unit1.diagnose, .everything) { [weak self] result in
      if case .failure = result { self?.model.report.hasFailed = true }
      self?.applyAnswer(result) { $0.findings = $1.findings }
    }
  }

  /// Applies a part of the report. Without an answer the page stays as it is.
  private func applyAnswer<Answer>(
    _ result: Result<Answer, ControlError>,
    _ apply: (inout SettingFacts.Report, Answer) -> Void
  ) {
    if case .success(let answer) = result { apply(&model.report, answer) }
    paintSoon()
  }
}

internal import Console
internal import Control
internal import Reports

// Commands for the settings.
extension ControlBackend {
  func perform(
    _ command: ConsoleCommand.Config, _ answer: @escaping (ConsoleReply) -> Void
  ) {
    let done: (Result<SettingReport, ControlError>) -> Void = { result in
      answer(Self.reply(result) { .done(ConsoleMessage("setting-changed", $0.words)) })
    }
    switch command {
    case .show: facts(.config, answer)
    case .set(let key, let value): client.call(Settings1.set, SettingChange(key, to: value), done)
    case .reset(let key): client.call(Settings1.reset, key, done)
    }
  }
}

extension SettingReport {
  /// The value in words, after a change.
  fileprivate var words: String {
    "\(key) = \(value.isEmpty ? "none" : value)" + (source == .driver ? "" : " (the default)")
      + (effect == .restart ? "; takes effect at the next start" : "")
  }
}

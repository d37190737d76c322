internal import EventLoop
internal import NowPlaying
internal import Reports

// Calls about the settings of the driver.
extension ControlServer {
  func settings(_ call: MethodCall, _ client: ServedClient) throws {
    var arguments = call.arguments
    let settings = unit.driverSettings
    let answer: (Result<SettingReport, Refusal>) -> Void = { result in
      switch result {
      case .success(let setting): call.reply([SettingsCoding.value(of: setting)])
      case .failure(let refusal):
        call.fail(RefusalCoding.error(ControlError.refusedName, refusal))
      }
    }
    switch call.member {
    case "GetSettings", "Subscribe":
      if call.member == "Subscribe" { client.receivesSettings = true }
      call.reply([SettingsCoding.value(of: settings.state)])
    case "Unsubscribe":
      client.receivesSettings = false
      call.reply()
    case "Set":
      let key = try key(&arguments, client)
      settings.set(key, to: try arguments.string(), completion: answer)
      turns.request()
    case "Reset":
      let key = try key(&arguments, client)
      settings.reset(key, completion: answer)
      turns.request()
    default: settings.setTime(Int(try arguments.integer()), completion: self.answer(call))
    }
  }

  /// Reads the key of a setting that the client wants to change.
  private func key(_ arguments: inout BodyReader, _ client: ServedClient) throws -> String {
    let key = try arguments.string()
    // The search for a similar key takes time that grows with the length.
    guard key.utf8.count <= WireText.word else {
      throw WireError("key", "expected at most \(WireText.word) bytes")
    }
    if unit.driverSettings.state.setting(key)?.isForRoot == true { try require(.vehicle, client) }
    return key
  }

  func publish(_ state: SettingsState) {
    let values = [SettingsCoding.value(of: state)]
    for client in clients.values where client.receivesSettings { client.emit(.settings, values) }
  }
}

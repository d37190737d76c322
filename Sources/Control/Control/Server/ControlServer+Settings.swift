internal import BusMethods
internal import Reports

// The settings of the driver.
extension ControlServer {
  static func addSettings(to handlers: inout ControlHandlers) {
    handlers.follow(Settings1.state) { $0.unit.driverSettings.state }
    handlers.on(Settings1.set) { server, call in
      let change = call.arguments
      try server.requireRight(to: change.key, call.caller)
      server.unit.driverSettings.set(change.key, to: change.value) { call.finish($0) }
    }
    handlers.on(Settings1.reset) { server, call in
      try server.requireRight(to: call.arguments, call.caller)
      server.unit.driverSettings.reset(call.arguments) { call.finish($0) }
    }
    handlers.on(Settings1.setTime) { server, call in
      server.unit.driverSettings.setTime(call.arguments) { call.finish($0) }
    }
  }

  private func requireRight(to key: String, _ caller: ControlCaller) throws {
    if unit.driverSettings.state.setting(key)?.isForRoot == true { try caller.require(.vehicle) }
  }
}

internal import BusMethods
internal import NowPlaying
internal import Reports

// Phones.
extension ControlServer {
  static func addPhones(to handlers: inout ControlHandlers) {
    handlers.follow(Bluetooth1.phones) { $0.unit.phones?.state ?? PhonesState() }
    handlers.on(Bluetooth1.openPairing) { server, call in
      call.finish(try server.phones().openPairing(for: call.arguments))
    }
    handlers.on(Bluetooth1.closePairing) { server, call in
      try server.phones().closePairing()
      call.finish(nil)
    }
    handlers.on(Bluetooth1.find) { server, call in
      call.finish(try server.phones().find(for: call.arguments))
    }
    handlers.on(Bluetooth1.acceptPairing) { server, call in
      call.finish(try server.phones().answerPairing(call.arguments, accepts: true))
    }
    handlers.on(Bluetooth1.rejectPairing) { server, call in
      call.finish(try server.phones().answerPairing(call.arguments, accepts: false))
    }
    handlers.on(Bluetooth1.setFirstChoice) { server, call in
      call.finish(try server.phones().setFirstChoice(call.arguments))
    }
    // BlueZ sends these results later.
    handlers.on(Bluetooth1.add) { server, call in
      try server.phones().add(call.arguments) { call.finish($0) }
    }
    handlers.on(Bluetooth1.connect) { server, call in
      try server.phones().connect(call.arguments) { call.finish($0) }
    }
    handlers.on(Bluetooth1.disconnect) { server, call in
      try server.phones().disconnect(call.arguments) { call.finish($0) }
    }
    handlers.on(Bluetooth1.rename) { server, call in
      try server.phones().rename(call.arguments.subject, to: call.arguments.name) {
        call.finish($0)
      }
    }
    handlers.on(Bluetooth1.forget) { server, call in
      try server.phones().forget(call.arguments) { call.finish($0) }
    }
  }

  private func phones() throws(Refusal) -> any ControlledPhones {
    if let phones = unit.phones { return phones }
    throw Refusal(.noBluetooth, "this unit runs without Bluetooth")
  }
}

internal import EventLoop
internal import NowPlaying
internal import Reports

// Phones.
extension ControlServer {
  /// A day: whoever wants a longer window does not want a window.
  private static let longestWindow = 86_400
  /// Meanwhile nobody is called well.
  private static let longestSearch = 600

  func bluetooth(_ call: MethodCall, _ client: ServedClient) throws {
    switch call.member {
    case "Unsubscribe":
      client.wantsPhones = false
      return call.reply()
    case "GetState", "Subscribe":
      // What is broadcast on a bus, nobody needs twice.
      if call.member == "Subscribe", call.bus?.credentials != nil { client.wantsPhones = true }
      return call.reply([PhonesCoding.value(of: unit.phones?.state ?? PhonesState())])
    default: break
    }
    try demandCommand(client)
    guard let phones = unit.phones else {
      throw Refusal(.noBluetooth, "this unit is built without Bluetooth")
    }
    var arguments = call.arguments
    switch call.member {
    case "OpenPairing":
      let time = try time(&arguments, longest: Self.longestWindow)
      try finish(call, phones.openPairing(for: time))
    case "Find":
      let time = try time(&arguments, longest: Self.longestSearch)
      try finish(call, phones.find(for: time))
    case "ClosePairing":
      phones.closePairing()
      try finish(call, nil)
    case "AcceptPairing", "RejectPairing":
      let number = try arguments.integer()
      try finish(call, phones.answerPairing(number, accepts: call.member == "AcceptPairing"))
    default: try phone(call, phones, &arguments)
    }
  }

  /// Seconds; 0 is what the configuration says, and nil here.
  private func time(_ arguments: inout BodyReader, longest: Int) throws -> Duration? {
    let seconds = try arguments.integer()
    guard seconds <= longest else {
      throw WireError("seconds", "\(seconds) are more than \(longest)")
    }
    return seconds == 0 ? nil : .seconds(seconds)
  }

  /// What BlueZ has to be asked for, and so is answered later.
  private func phone(
    _ call: MethodCall, _ phones: any ControlledPhones, _ arguments: inout BodyReader
  ) throws {
    let phone = try arguments.string()
    let answer: (Refusal?) -> Void = { refusal in
      if let refusal {
        call.fail(RefusalCoding.error(ControlError.refusedName, refusal))
      } else {
        call.reply()
      }
    }
    let tell: (Result<String, Refusal>) -> Void = { result in
      switch result {
      case .success(let words): call.reply([WireText.line(words)])
      case .failure(let refusal): answer(refusal)
      }
    }
    switch call.member {
    case "Add": phones.add(phone, answer: tell)
    case "Connect": phones.connect(phone, answer: tell)
    case "Disconnect": phones.disconnect(phone, answer: answer)
    case "Rename":
      let name = try arguments.string()
      guard name.utf8.count <= WireText.word else {
        throw WireError("name", "has more than \(WireText.word) bytes")
      }
      phones.rename(phone, to: name, answer: answer)
    case "Forget": phones.forget(phone, answer: answer)
    default: throw BusErrorReply(BusErrorName.unknownMethod, call.member)
    }
    onActivity?()
  }
}

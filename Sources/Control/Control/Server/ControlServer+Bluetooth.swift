internal import EventLoop
internal import NowPlaying
internal import Reports

// Calls about phones.
extension ControlServer {
  /// The maximum pairing time: one day, in seconds. A longer time would have the same effect as a
  /// permanent permission.
  private static let longestWindow = 86_400
  /// The maximum time of a search, in seconds. A search slows down the connection of phones.
  private static let longestSearch = 600

  func bluetooth(_ call: MethodCall, _ client: ServedClient) throws {
    switch call.member {
    case "Unsubscribe":
      client.receivesPhones = false
      return call.reply()
    case "GetState", "Subscribe":
      if call.member == "Subscribe" { client.receivesPhones = true }
      return call.reply([PhonesCoding.value(of: unit.phones?.state ?? PhonesState())])
    default: break
    }
    guard let phones = unit.phones else {
      throw Refusal(.noBluetooth, "this unit runs without Bluetooth")
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
    case "SetFirstChoice": try finish(call, phones.setFirstChoice(try arguments.string()))
    case "AcceptPairing", "RejectPairing":
      let number = try arguments.integer()
      try finish(call, phones.answerPairing(number, accepts: call.member == "AcceptPairing"))
    default: try phone(call, phones, &arguments)
    }
  }

  /// Reads a time in seconds. Nil if the time is 0, which stands for the configured time.
  private func time(_ arguments: inout BodyReader, longest: Int) throws -> Duration? {
    let seconds = try arguments.integer()
    guard seconds <= longest else {
      throw WireError("seconds", "\(seconds) is above the maximum of \(longest)")
    }
    return seconds == 0 ? nil : .seconds(seconds)
  }

  /// Handles calls whose result BlueZ sends later.
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
    let replyWithText: (Result<String, Refusal>) -> Void = { result in
      switch result {
      case .success(let text): call.reply([WireText.line(text)])
      case .failure(let refusal): answer(refusal)
      }
    }
    switch call.member {
    case "Add": phones.add(phone, answer: replyWithText)
    case "Connect": phones.connect(phone, answer: replyWithText)
    case "Disconnect": phones.disconnect(phone, answer: answer)
    case "Rename":
      let name = try arguments.string()
      guard name.utf8.count <= WireText.word else {
        throw WireError("name", "expected at most \(WireText.word) bytes")
      }
      phones.rename(phone, to: name, answer: answer)
    case "Forget": phones.forget(phone, answer: answer)
    default: throw BusErrorReply(BusErrorName.unknownMethod, call.member)
    }
    turns.request()
  }
}

internal import BusMethods
internal import EventLoop
package import Reports

/// Phones, pairing and pairing requests.
package enum Bluetooth1 {
  package static let interface = MethodTable(
    "Bluetooth1",
    phones.rows + [
      openPairing.row, closePairing.row, find.row, add.row, acceptPairing.row, rejectPairing.row,
      connect.row, disconnect.row, rename.row, setFirstChoice.row, forget.row,
    ], signals: [phones.changed.declaration])

  package static let phones: FollowedValue<PhonesState> = .init(
    "Bluetooth1", .phones, get: "GetState", changed: "StateChanged", .one("state", .phones))

  /// Permits pairing for a limited time. Nil means the configured time. The maximum is one day, because a longer time
  /// would be like a permanent permission.
  package static let openPairing: ControlMethod<Duration?, Void> = .init(
    "Bluetooth1.OpenPairing", .pair, takes: .one("seconds", .seconds(atMost: 86_400)))
  /// Ends the permission to pair.
  package static let closePairing: ControlMethod<Void, Void> = .init(
    "Bluetooth1.ClosePairing", .pair)

  /// Permits pairing and searches for devices that can be added, for a limited time. Nil means the configured time.
  /// During a search, phones connect more slowly.
  package static let find: ControlMethod<Duration?, Void> = .init(
    "Bluetooth1.Find", .phones, takes: .one("seconds", .seconds(atMost: 600)))
  /// Pairs with a device that was found. The result is a text for the user.
  package static let add: ControlMethod<String, String> = .init(
    "Bluetooth1.Add", .phones, takes: .one("device", .text), returns: .one("words", .line))

  /// Accepts the pairing request with this number.
  package static let acceptPairing: ControlMethod<Int, Void> = .init(
    "Bluetooth1.AcceptPairing", .pair, takes: .one("request", .count))
  /// Rejects the pairing request with this number.
  package static let rejectPairing: ControlMethod<Int, Void> = .init(
    "Bluetooth1.RejectPairing", .pair, takes: .one("request", .count))

  /// Connects a phone. The result is a text for the user.
  package static let connect: ControlMethod<String, String> = .init(
    "Bluetooth1.Connect", .phones, takes: .one("phone", .text), returns: .one("words", .line))
  package static let disconnect: ControlMethod<String, Void> = .init(
    "Bluetooth1.Disconnect", .phones, takes: .one("phone", .text))
  /// Sets the displayed name of a phone. An empty name restores the phone's own name.
  package static let rename: ControlMethod<Renaming, Void> = .init(
    "Bluetooth1.Rename", .phones,
    takes: .record(Renaming("", to: "")) { field, renaming in
      try field("phone", &renaming.subject, .text)
      try field("name", &renaming.name, .typedName)
    })
  /// Makes a phone the first choice: the unit connects to it first. With an empty text, no phone is the first choice.
  package static let setFirstChoice: ControlMethod<String, Void> = .init(
    "Bluetooth1.SetFirstChoice", .phones, takes: .one("phone", .text))
  /// Removes a phone and its bond.
  package static let forget: ControlMethod<String, Void> = .init(
    "Bluetooth1.Forget", .phones, takes: .one("phone", .text))
}

extension WireType<PhonesState> {
  fileprivate static var phones: Self {
    Self("a{sv}", PhonesCoding.value(of:), read: PhonesCoding.state)
  }
}

extension WireType<Duration?> {
  /// Whole seconds. 0 means nil.
  fileprivate static func seconds(atMost longest: Int) -> Self {
    Self("u", { .uint32(UInt32(clamping: ($0 ?? .zero).components.seconds)) }) { value, name in
      let seconds = value.integer ?? 0
      guard seconds <= longest else {
        throw WireError(name, "\(seconds) is above the maximum of \(longest)")
      }
      return seconds == 0 ? nil : .seconds(seconds)
    }
  }
}

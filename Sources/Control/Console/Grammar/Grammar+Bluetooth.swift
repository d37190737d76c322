extension Grammar {
  /// The command for phones and Bluetooth.
  static let bluetooth = CommandSyntax(
    name: "bt", group: .information, summary: "phones and Bluetooth",
    details: """
      Without an argument, shows controllers, phones, the player at BlueZ, and what phones sent. Phones
      can pair while 'bt pair on' is active; compare the numbers on both devices, then 'bt accept'.
      Most remotes do not connect by themselves: 'bt find' opens pairing and searches for them, 'bt
      phones' lists them, 'bt add' pairs one. ADDRESS is an address or a name from 'bt phones'.
      """,
    examples: [
      ("bt", "the state of Bluetooth"), ("bt pair on 120", "allow pairing for two minutes"),
      ("bt accept", "accept the pairing request"),
      ("bt find", "search for remotes"), ("bt add 'Ring Remote'", "pair with one of them"),
      ("bt rename Pixel 'Ann'", "set its name on the unit"),
      ("bt first Pixel", "connect to it first ('none': to the last used)"),
      ("bt forget AA:BB:CC:DD:EE:FF", "remove its bond"),
    ],
    forms: [
      .init(.command(.bluetooth(.show))),
      .init([
        .required(.words(["pair"])), .required(.words(["on"])),
        .optional(.number(name: "SECONDS", 10...86_400, unit: "s")),
      ]) {
        .command(.bluetooth(.pair(seconds: seconds($0.dropFirst(2)))))
      },
      .init([.required(.words(["pair"])), .required(.words(["off"]))]) { _ in
        .command(.bluetooth(.endPairing))
      },
      .init([
        .required(.words(["find"])), .optional(.number(name: "SECONDS", 10...600, unit: "s")),
      ]) {
        .command(.bluetooth(.find(seconds: seconds($0.dropFirst()))))
      },
      .init([.required(.words(["accept", "reject"]))]) {
        .command(.bluetooth(.answer(accepts: $0.first == .word("accept"))))
      },
      .init([.required(.words(["phones"]))]) { _ in .command(.bluetooth(.phones)) },
      .init([
        .required(.words(["rename"])), .required(.name("ADDRESS"), names: .of(.phones)),
        .required(.name("NAME")),
      ]) { values in
        guard case .text(let phone) = values[1], case .text(let name) = values[2] else {
          return .nothing
        }
        return .command(.bluetooth(.rename(phone, name)))
      },
      .init([
        .required(.words(["forget", "connect", "disconnect", "add", "first"])),
        .required(.name("ADDRESS"), names: .of(.phones)),
      ]) { values in
        guard case .text(let phone) = values[1] else { return .nothing }
        return switch values[0] {
        case .word("add"): .command(.bluetooth(.add(phone)))
        case .word("first"): .command(.bluetooth(.first(phone == "none" ? nil : phone)))
        case .word("forget"): .command(.bluetooth(.forget(phone)))
        case .word("connect"): .command(.bluetooth(.connect(phone)))
        default: .command(.bluetooth(.disconnect(phone)))
        }
      },
    ])

  private static func seconds(_ values: ArraySlice<CommandSyntax.Value>) -> Int? {
    if case .number(let seconds)? = values.first { return Int(seconds) }
    return nil
  }
}

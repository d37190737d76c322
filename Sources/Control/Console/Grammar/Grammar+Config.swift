extension Grammar {
  /// The command for the settings.
  static let config = CommandSyntax(
    name: "config", group: .information, summary: "settings and their sources",
    details: """
      Without an argument, lists the settings. The source of a value is the default, the driver (set
      on the unit), the shipped file, or the file of the owner. 'set' changes a setting as the driver
      does on the screen; a setting that a file fixes cannot be changed. 'reset' removes the value of
      the driver.
      """,
    examples: [
      ("config", "all settings"), ("config set replay-gain album", "play albums equally loud"),
      ("config set phone-wait 45 s", "a number with its unit"),
      ("config reset phone-wait", "the default again"),
    ],
    forms: [
      .init(.command(.config(.show))),
      .init([
        .required(.words(["set"])), .required(.name("KEY"), names: .of(.settings)),
        .required(.phrase("VALUE"), names: .valuesOfSetting),
      ]) { values in
        guard case .text(let key) = values[1], case .text(let value) = values[2] else {
          return .nothing
        }
        return .command(.config(.set(key, to: value)))
      },
      .init([.required(.words(["reset"])), .required(.name("KEY"), names: .of(.settings))]) {
        guard case .text(let key) = $0[1] else { return .nothing }
        return .command(.config(.reset(key)))
      },
    ])
}

internal import NowPlaying

// Commands with which a technician finds and repairs a fault.
extension Grammar {
  /// The command for the settings.
  static let config = CommandSyntax(
    name: "config", group: .information, summary: "settings and their sources",
    details: """
      Without an argument, lists the settings. The source of a value is the default, the driver (set
      on the unit), the shipped file, or the file of the owner. 'set' changes a setting as the driver
      does on the screen; a setting that a file fixes cannot be changed. 'reset' removes the value of
      the driver. 'repair' moves a damaged file of the driver's settings away and keeps it.
      """,
    examples: [
      ("config", "all settings"), ("config replay-gain", "one setting, and its permitted values"),
      ("config set replay-gain album", "play albums equally loud"),
      ("config set phone-wait 45 s", "a number with its unit"),
      ("config reset phone-wait", "the default again"),
      ("config repair", "if settings.conf is damaged"),
    ],
    forms: [
      .init(.command(.config(.show))),
      .init([.required(.name("KEY"), names: .of(.allSettings))]) {
        guard case .text(let key) = $0[0] else { return .nothing }
        return .command(.config(.one(key)))
      },
      .init([.required(.words(["repair"]))]) { _ in .command(.config(.repair)) },
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

extension Grammar {
  static let log = CommandSyntax(
    name: "log", group: .information, summary: "what the unit has logged",
    details: """
      Shows the last lines of this run of the machine: of all parts, or of one part. --grep shows only
      lines with the text WORDS; case does not count. With -f, shows each new line of the daemon, until
      Ctrl-C. --previous lists the kept logs of crashes and failed services, and shows the log with the
      number N of this list; 1 is the newest.
      """,
    examples: [
      ("log", "the last 200 lines"), ("log 50", "the last 50 lines"),
      ("log -f", "the last lines and new ones"), ("log sticks", "of sticks and USB"),
      ("log --grep underrun", "the lines with this word"),
      ("log --previous", "what was kept of earlier runs"),
    ],
    forms: [
      .init([.optional(.number(name: "N", 1...1000, unit: ""))]) { lines($0[...], nil) },
      .init([.required(.words(["-f"]))]) { _ in .command(.log(.follow)) },
      .init([
        .required(.words(topics)), .optional(.number(name: "N", 1...1000, unit: "")),
      ]) { lines($0.dropFirst(), topic($0)) },
      .init([.required(.words(["--grep"])), .required(.phrase("WORDS"))]) { search($0.last, nil) },
      .init([
        .required(.words(topics)), .required(.words(["--grep"])), .required(.phrase("WORDS")),
      ]) { search($0.last, topic($0)) },
      .init([
        .required(.words(["--previous"])), .optional(.number(name: "N", 1...200, unit: "")),
      ]) { values in
        guard case .number(let number)? = values.dropFirst().first else {
          return .command(.log(.kept(1)))
        }
        return .command(.log(.kept(Int(number))))
      },
    ])

  private static let topics = ConsoleCommand.Log.Topic.allCases.map(\.rawValue)

  private static func topic(_ values: [CommandSyntax.Value]) -> ConsoleCommand.Log.Topic? {
    if case .word(let word)? = values.first { .init(rawValue: word) } else { nil }
  }

  private static func lines(
    _ values: ArraySlice<CommandSyntax.Value>, _ topic: ConsoleCommand.Log.Topic?
  ) -> ConsoleLine {
    guard case .number(let count)? = values.first else {
      return .command(.log(.last(ConsoleCommand.Log.usualLines, topic)))
    }
    return .command(.log(.last(Int(count), topic)))
  }

  private static func search(
    _ value: CommandSyntax.Value?, _ topic: ConsoleCommand.Log.Topic?
  ) -> ConsoleLine {
    guard case .text(let words)? = value else { return .nothing }
    return .command(.log(.search(words, topic)))
  }

  static let report = CommandSyntax(
    name: "report", group: .information, needsFullName: true,
    summary: "all of this for a developer",
    details: """
      Prints the pages of the unit, the log, the kernel and the kept logs between two marks, with a
      checksum in the last line. Record it with the terminal program, and send it with the description
      of the fault. Names and addresses of phones are replaced; titles of music and names of sticks are
      not. It takes up to a minute and needs no daemon; Ctrl-C ends it. 'report stick' asks, and then
      writes the report to a new file on a stick with FAT or exFAT. NAME is the name of the stick or
      its device, such as sda1; without NAME, it is the only stick. In a script, use --yes.
      """,
    examples: [
      ("report", "prints up to 4000 lines"), ("report stick", "writes them to the stick"),
      ("report stick --yes sda1", "writes them to sda1, without asking"),
    ],
    forms: [
      .init(.command(.report)),
      .init([
        .required(.words(["stick"])), .required(.words(["--yes"])),
        .optional(.phrase("NAME"), names: .of(.sticks)),
      ]) { .command(.stick(.report(stickName($0[2...]))), isConfirmed: true) },
      .init([.required(.words(["stick"])), .optional(.phrase("NAME"), names: .of(.sticks))]) {
        .command(.stick(.report(stickName($0[1...]))))
      },
    ])

  private static func stickName(_ values: ArraySlice<CommandSyntax.Value>) -> String? {
    if case .text(let name)? = values.first { name } else { nil }
  }

  static let service = CommandSyntax(
    name: "service", group: .information, summary: "the programs of the unit",
    details: """
      Lists the services of the unit, failed ones first: what they do, for how long, and how often they
      were restarted. With NAME, shows one service and its last lines. 'log' shows only the lines.
      'restart' ends a service and starts it again; some services may not be restarted, and the reply
      says why. It works without the daemon. NAME is a name of the list, or its beginning.
      """,
    examples: [
      ("service", "which services failed?"), ("service screen", "what is wrong with the screen?"),
      ("service restart screen", "start the screen again"),
      ("service log bluetooth", "the last lines of bluetoothd"),
    ],
    forms: [
      .init(.command(.service(.list))),
      .init([.required(.name("NAME"), names: .of(.services))]) {
        guard case .text(let name) = $0[0] else { return .nothing }
        return .command(.service(.one(name)))
      },
      .init([
        .required(.words(["restart", "log"])), .required(.name("NAME"), names: .of(.services)),
      ]) {
        guard case .text(let name) = $0[1] else { return .nothing }
        return .command(.service($0[0] == .word("log") ? .log(name) : .restart(name)))
      },
    ])

  static let clock = CommandSyntax(
    name: "clock", group: .information, summary: "show or set the time of day",
    details: """
      Shows the time, its time zone, and what keeps it. 'set' sets it, and a clock chip too, in the time
      zone of the setting 'time-zone'. A time that the network keeps cannot be set.
      """,
    examples: [
      ("clock", "the time, and what keeps it"), ("clock set 14:05", "the time of today"),
      ("clock set 2026-11-30 14:05", "the date and the time"),
    ],
    forms: [
      .init(.command(.clock(.show))),
      .init([.required(.words(["set"])), .required(.phrase("TIME"))]) {
        guard case .text(let text) = $0[1] else { return .nothing }
        return .command(.clock(.set(text)))
      },
    ])

  static let storage = CommandSyntax(
    name: "storage", group: .information, summary: "music folders, sticks, space",
    details: """
      Without an argument, lists music folders and sticks. 'free' shows how much the folders of the
      unit's storage use, and asks before it deletes what the unit can make again; in a script only
      --yes deletes. 'test' reads files of a stick for at most ten seconds, and shows how fast they arrive;
      Ctrl-C ends it. NAME is the name of a stick or its device, such as sda1; without NAME, it is the
      only stick.
      """,
    examples: [
      ("storage", "what is plugged in"), ("storage free", "what uses the space?"),
      ("storage test", "is the stick too slow?"),
    ],
    forms: [
      .init(.command(.storage)),
      .init([.required(.words(["free"])), .optional(.words(["--yes"]))]) {
        .command(.freeSpace(deletes: $0.count > 1), isConfirmed: $0.count > 1)
      },
      .init([.required(.words(["test"])), .optional(.phrase("NAME"), names: .of(.sticks))]) {
        .command(.stick(.test(stickName($0[1...]))))
      },
    ])

  static let stick = CommandSyntax(
    name: "stick", group: .information, summary: "mount a stick again",
    details: """
      'remount' does what pulling the stick out and plugging it in again does. NAME is the name of the
      stick or its device, such as sda1; without NAME, it is the only stick.
      """,
    examples: [
      ("stick remount", "read the stick again"), ("stick remount sda1", "one of several sticks"),
    ],
    forms: [
      .init([.required(.words(["remount"])), .optional(.phrase("NAME"), names: .of(.sticks))]) {
        .command(.stick(.remount(stickName($0[1...]))))
      }
    ])
}

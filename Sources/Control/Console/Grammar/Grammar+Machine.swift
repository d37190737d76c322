internal import NowPlaying
internal import Reports

extension Grammar {
  /// All commands of the head unit.
  package static let autoharp = Grammar(playing + library + playlists + information + machine)

  /// Commands that show the state of the head unit.
  static let information: [CommandSyntax] = [
    plain(
      "status", "overview of the unit", .status, details: "Exit status 1 if a line shows a fault."),
    CommandSyntax(
      name: "diagnose", group: .information, summary: "find faults and their causes",
      details: """
        Runs all checks, and shows the fault to repair first; --details shows all results. With a
        complaint of the driver, shows all that is known about it. 'never-appears' to 'stops' ask about
        the display of what plays. Exit status 0 if no fault is found.
        """,
      examples: [
        ("diagnose sound", "nothing is heard, or it stutters"),
        ("diagnose screen", "the screen is dark, or does not change"),
        ("diagnose touch", "a touch does nothing"),
        ("diagnose stick", "the music of a stick is missing"),
        ("diagnose lists", "a list is empty, or songs are missing in it"),
        ("diagnose keys", "a key does nothing, or does too much"),
        ("diagnose phone", "a phone stutters"),
        ("diagnose bluetooth", "no phone connects"),
        ("diagnose slow", "the unit reacts late"),
        ("diagnose forgets", "it begins with an old song, or with old settings"),
        ("diagnose stops by itself", "the music stops"),
        ("diagnose artwork", "the cover is missing"),
      ],
      forms: [
        .init([.optional(.words(["--details"]))]) {
          .command(.diagnose($0.isEmpty ? .summary : .details))
        },
        // Several lines of the help, because one line would be too long.
        diagnosis(of: Complaint.allCases.prefix(6).map { ($0.rawValue, .complaint($0)) }),
        diagnosis(of: Complaint.allCases.dropFirst(6).map { ($0.rawValue, .complaint($0)) }),
        diagnosis(of: symptoms.prefix(5).map { ($0.word, .symptom($0.symptom)) }),
        diagnosis(of: symptoms.dropFirst(5).map { ($0.word, .symptom($0.symptom)) }),
        // The words of the complaint without quotes.
        .init(
          ["stops", "by", "itself"].map { .required(.words([$0])) }, isListed: false
        ) { _ in .command(.diagnose(.symptom(.stopsByItself))) },
      ]),
    plain("audio", "the sound output", .audio),
    CommandSyntax(
      name: "sound", group: .information, summary: "a tone on each channel",
      details: """
        Plays a tone on the left channel, then a higher tone on the right channel, over the music.
        Not while the car drives.
        """,
      examples: [("sound test", "left, then right")],
      forms: [.init([.required(.words(["test"]))]) { _ in .command(.testSound) }]),
    bluetooth,
    CommandSyntax(
      name: "latency", group: .information, summary: "delay of commands",
      details: """
        For each surface and command: the time from its arrival until it was accepted, passed to the
        sound output, and heard.
        """,
      examples: [("latency", "figures and a histogram for each")],
      forms: [.init(.command(.latency))]),
    CommandSyntax(
      name: "trace", group: .information, summary: "show commands as they arrive",
      details: """
        Without an argument, shows the last commands. 'on' shows each new command above your line.
        """,
      examples: [
        ("trace", "the last commands"), ("trace on", "show new commands"),
        ("trace off", "do not show new commands"),
      ],
      forms: [
        .init([.optional(.words(["on", "off"]))]) { values in
          switch values.first {
          case .word("on"): .command(.trace(.on))
          case .word: .command(.trace(.off))
          default: .command(.trace(.show))
          }
        }
      ]),
    log,
    report,
    service,
    plain("screen", "the display and touch", .screen),
    plain("devices", "what is plugged in", .devices),
    plain("top", "memory and load", .top),
    CommandSyntax(
      name: "keys", group: .information, summary: "keys and knobs",
      details: """
        The devices with keys, the last press, and the keys without an action, with their names for
        the configuration. After 'trace on', the console shows such a key when it is pressed.
        """,
      examples: [("keys", "first press a key of the steering wheel")],
      forms: [.init(.command(.keys))]),
    CommandSyntax(
      name: "boot", group: .information, summary: "starts, end of safe mode",
      details: """
        After three failed starts in a row the unit is in safe mode: it plays nothing by itself, and starts \
        neither the library nor the lists. 'boot retry' starts it normally.
        """,
      examples: [("boot", "the last starts"), ("boot retry", "a normal start after safe mode")],
      forms: [
        .init([.optional(.words(["retry"]))]) { .command($0.isEmpty ? .boot : .retry) }
      ]),
    storage,
    stick,
    clock,
    plain("version", "versions of all parts", .version),
    config,
  ]

  /// Commands for the machine and for the console itself.
  static let machine: [CommandSyntax] = [
    CommandSyntax(
      name: "data", group: .machine, needsFullName: true, summary: "check or erase the storage",
      details: """
        'data check' shows the condition of the unit's storage and the result of the last repair. 'data \
        format' erases the storage: it lists what is lost, and asks for the word 'format'; in a script it \
        needs --yes. If the storage has no fault, 'data format' needs --force too. 'data erase' erases only \
        personal data, such as phones and likes, and asks for the word 'erase'.
        """,
      examples: [
        ("data check", "its condition"), ("data format", "asks, then erases the storage"),
        ("data format --force", "also if the storage has no fault"),
        ("data erase", "asks, then erases personal data"),
      ],
      forms: [
        .init([.optional(.words(["check"]))]) { _ in .command(.data(.check)) },
        .init([.required(.words(["erase"])), .optional(.words(["--yes"]))]) { values in
          .command(.data(.erase), isConfirmed: values.contains(.word("--yes")))
        },
        .init([
          .required(.words(["format"])), .optional(.words(["--force", "--yes"])),
          .optional(.words(["--force", "--yes"])),
        ]) { values in
          .command(
            .data(.format(isForced: values.contains(.word("--force")))),
            isConfirmed: values.contains(.word("--yes")))
        },
      ]),
    confirmed("reboot", ["restart"], "restart the machine", .reboot),
    confirmed("poweroff", ["shutdown"], "switch the machine off", .poweroff),
    CommandSyntax(
      name: "shell", group: .machine, summary: "open a shell, if allowed",
      details: "When the shell ends, the console continues.",
      examples: [("shell", "a shell on this terminal")],
      forms: [.init(.command(.shell))]),
    CommandSyntax(
      name: "help", aliases: ["?"], group: .machine, summary: "this list, or one command",
      examples: [("help", "all commands"), ("help seek", "one command, with examples")],
      forms: [
        .init([.optional(.command)]) { values in
          guard case .text(let name)? = values.first else { return .help(command: nil) }
          return .help(command: name)
        }
      ]),
    CommandSyntax(
      name: "quit", aliases: ["exit", "bye", "logout"], group: .machine,
      summary: "leave the console",
      details: "Ctrl-D on an empty line does the same. The music continues.",
      examples: [("quit", "end the console")], forms: [.init(.quit)]),
  ]

  private static func diagnosis(
    of subjects: [(word: String, diagnosis: ConsoleCommand.Diagnosis)]
  ) -> CommandSyntax.Form {
    .init([.required(.words(subjects.map(\.word)))]) { values in
      subjects.first { .word($0.word) == values[0] }
        .map { .command(.diagnose($0.diagnosis)) } ?? .nothing
    }
  }

  /// The symptoms of the decision tree, and the words for them on the command line.
  private static let symptoms: [(word: String, symptom: DecisionTree.Symptom)] = [
    ("never-appears", .neverAppears), ("disappears", .appearsThenDisappears),
    ("commands", .commandsDead), ("artwork", .artwork), ("state", .outOfStep),
    ("buttons", .customButtons), ("stops", .stopsByItself), ("stops by itself", .stopsByItself),
  ]

  private static func plain(
    _ name: String, _ summary: String, _ command: ConsoleCommand, details: String = ""
  ) -> CommandSyntax {
    CommandSyntax(
      name: name, group: .information, summary: summary, details: details,
      examples: [(name, summary)], forms: [.init(.command(command))])
  }

  /// A command that must be written in full and asks for confirmation unless `--yes` is given.
  private static func confirmed(
    _ name: String, _ aliases: [String], _ summary: String, _ command: ConsoleCommand
  ) -> CommandSyntax {
    CommandSyntax(
      name: name, aliases: aliases, group: .machine, needsFullName: true, summary: summary,
      details: "Asks for confirmation; in a script it needs --yes. Write the name in full.",
      examples: [(name, "asks first"), ("\(name) --yes", "does not ask")],
      forms: [
        .init([.optional(.words(["--yes"]))]) { .command(command, isConfirmed: !$0.isEmpty) }
      ])
  }
}

// Interruptions and ducks.
extension Grammar {
  static let interrupt = CommandSyntax(
    name: "interrupt", group: .playing, summary: "begin or end an interruption",
    details: """
      Begins or ends an interruption, as other parts of the car do. It ends by itself after 30
      minutes, or after TIME. Playback continues by itself after the last interruption has ended;
      with --pause, it stays paused. 'status' shows the interruptions.
      """,
    examples: [
      ("interrupt begin call", "a call begins"), ("interrupt end call", "the call ends"),
      ("interrupt begin alarm --for 0:20", "it lasts 20 seconds"),
      ("interrupt end call --pause", "the music stays paused"),
    ],
    forms: forms { .interruption(.init($0)) } + [
      .init([
        .required(.words(["end"])), .required(.name("NAME")), .required(.words(["--pause"])),
      ]) { values in
        change(values, .end(shouldResume: false)) { .interruption(.init($0)) }
      }
    ])

  static let duck = CommandSyntax(
    name: "duck", group: .playing, summary: "begin or end quieter music",
    details: """
      Lowers what plays, as a navigation prompt needs. It ends by itself after 30 minutes, or after
      TIME. 'status' shows what lowers the music.
      """,
    examples: [
      ("duck begin prompt", "the music becomes quieter"),
      ("duck end prompt", "the earlier volume again"),
      ("duck begin prompt --for 0:10", "for 10 seconds"),
    ],
    forms: forms { .duck($0) })

  /// The forms `begin NAME`, `begin NAME --for TIME` and `end NAME`.
  private static func forms(
    _ hold: @escaping @Sendable (String) -> SoundHold
  ) -> [CommandSyntax.Form] {
    [
      .init([.required(.words(["begin"])), .required(.name("NAME"))]) { values in
        change(values, .begin(for: nil), hold)
      },
      .init([
        .required(.words(["begin"])), .required(.name("NAME")), .required(.words(["--for"])),
        .required(.time(signed: false)),
      ]) { values in
        guard case .time(let time, _)? = values.last else { return .nothing }
        return change(values, .begin(for: time), hold)
      },
      .init([.required(.words(["end"])), .required(.name("NAME"))]) { values in
        change(values, .end(shouldResume: true), hold)
      },
    ]
  }

  private static func change(
    _ values: [CommandSyntax.Value], _ change: ConsoleCommand.HoldChange,
    _ hold: (String) -> SoundHold
  ) -> ConsoleLine {
    guard values.count > 1, case .text(let name) = values[1] else { return .nothing }
    return .command(.hold(hold(name), change))
  }
}

internal import NowPlaying

extension Grammar {
  /// All commands of the head unit.
  package static let autoharp = Grammar(playing + looking + machine)

  /// Commands that show the state of the head unit.
  static let looking: [CommandSyntax] = [
    plain("status", "everything on one screen", .status),
    CommandSyntax(
      name: "diagnose", group: .looking, summary: "what is wrong, and why",
      details: """
        Runs every check and, where a symptom is named, asks the questions that lead from it to its
        cause. Exit status 0 only if all is well.
        """,
      examples: [
        ("diagnose", "all checks, all questions"),
        ("diagnose artwork", "why is the cover missing?"),
      ],
      forms: [
        .init([.optional(.words(symptoms.map(\.word)))]) { values in
          guard case .word(let word)? = values.first else { return .command(.diagnose(nil)) }
          return .command(.diagnose(symptoms.first { $0.word == word }?.symptom))
        }
      ]),
    plain("audio", "the sound device", .audio),
    bluetooth,
    CommandSyntax(
      name: "latency", group: .looking, summary: "how fast commands are heard",
      details: """
        For each surface and command: how long from its arrival until it was accepted, handed over
        to the sound, and heard.
        """,
      examples: [("latency", "a line of figures and a picture each")],
      forms: [.init(.command(.latency))]),
    CommandSyntax(
      name: "trace", group: .looking, summary: "commands as they come",
      details: "Without a word, the last ones are told. On: each from now on, above your line.",
      examples: [
        ("trace", "the last commands"), ("trace on", "tell them live"), ("trace off", "no more"),
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
    CommandSyntax(
      name: "log", group: .looking, summary: "what the daemon said",
      details: "With -f also what it says from now on, until Ctrl-C.",
      examples: [("log", "the last lines"), ("log -f", "and those to come")],
      forms: [
        .init([.optional(.words(["-f"]))]) { .command(.log(follows: !$0.isEmpty)) }
      ]),
    CommandSyntax(
      name: "keys", group: .looking, summary: "keys, knobs, unknown presses",
      details: """
        Which devices have keys, what was pressed last, and which keys mean nothing so far, with the
        names that the configuration wants. After 'trace on', such a key is told as it is pressed.
        """,
      examples: [("keys", "press a key of the steering wheel before")],
      forms: [.init(.command(.keys))]),
    plain("boot", "how it started", .boot),
    plain("storage", "music folders and sticks", .storage),
    plain("version", "versions of every part", .version),
    plain("config", "settings, and where from", .config),
  ]

  /// Commands for the machine and for the console itself.
  static let machine: [CommandSyntax] = [
    CommandSyntax(
      name: "data", group: .machine, isWhole: true, summary: "check or empty the storage",
      details: """
        'data check' tells how the unit's storage is, and what the last repair did. 'data format' makes it \
        empty: it says what is lost, and asks for the word 'format'; from a script it needs --yes. Where \
        nothing is wrong with the storage it needs --force too.
        """,
      examples: [
        ("data check", "how it is"), ("data format", "asks, then makes it empty"),
        ("data format --force", "also where nothing is wrong"),
      ],
      forms: [
        .init([.required(.words(["check"]))]) { _ in .command(.data(.check)) },
        .init([
          .required(.words(["format"])), .optional(.words(["--force", "--yes"])),
          .optional(.words(["--force", "--yes"])),
        ]) { values in
          .command(
            .data(.format(isForced: values.contains(.word("--force")))),
            isConfirmed: values.contains(.word("--yes")))
        },
      ]),
    whole("reboot", "start the machine again", .reboot),
    whole("poweroff", "switch the machine off", .poweroff),
    CommandSyntax(
      name: "shell", group: .machine, summary: "a shell, where allowed",
      details: "Its end leads back here.", examples: [("shell", "a shell on this terminal")],
      forms: [.init(.command(.shell))]),
    CommandSyntax(
      name: "help", aliases: ["?"], group: .machine, summary: "this list, or one command",
      examples: [("help", "all commands"), ("help seek", "one of them, with examples")],
      forms: [
        .init([.optional(.command)]) { values in
          guard case .text(let name)? = values.first else { return .help(command: nil) }
          return .help(command: name)
        }
      ]),
    CommandSyntax(
      name: "quit", aliases: ["exit"], group: .machine, summary: "leave the console",
      details: "Ctrl-D on an empty line does the same. The music goes on.",
      examples: [("quit", "back to where you came from")], forms: [.init(.quit)]),
  ]

  /// The symptoms of the decision tree, as words of the command line.
  static let symptoms: [(word: String, symptom: DecisionTree.Symptom)] = [
    ("never-appears", .neverAppears), ("disappears", .appearsThenDisappears),
    ("commands", .commandsDead), ("artwork", .artwork), ("state", .outOfStep),
    ("buttons", .customButtons),
  ]

  private static func plain(_ name: String, _ summary: String, _ command: ConsoleCommand)
    -> CommandSyntax
  {
    CommandSyntax(
      name: name, group: .looking, summary: summary, examples: [(name, summary)],
      forms: [.init(.command(command))])
  }

  /// A command that must be written in full and asks for confirmation unless `--yes` is given.
  private static func whole(_ name: String, _ summary: String, _ command: ConsoleCommand)
    -> CommandSyntax
  {
    CommandSyntax(
      name: name, group: .machine, isWhole: true, summary: summary,
      details: "Asks first; from a script it needs --yes. It cannot be abbreviated.",
      examples: [(name, "asks, then does it"), ("\(name) --yes", "does it")],
      forms: [
        .init([.optional(.words(["--yes"]))]) { .command(command, isConfirmed: !$0.isEmpty) }
      ])
  }
}

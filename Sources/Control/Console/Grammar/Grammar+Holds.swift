internal import NowPlaying
internal import Reports

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
    name: "duck", group: .playing, summary: "lower the music, or not",
    details: """
      Lowers what plays, as a navigation prompt needs. It ends by itself after 30 minutes, or after
      TIME. 'status' shows what lowers the music.
      """,
    examples: [
      ("duck begin prompt", "the music becomes quieter"),
      ("duck end prompt", "the volume of before"),
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

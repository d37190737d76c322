internal import LibraryModel
internal import NowPlaying

extension Grammar {
  /// Commands for playback.
  static let playing: [CommandSyntax] = [
    CommandSyntax(
      name: "now", group: .playing, summary: "what plays now",
      examples: [("now", "title, time, state")],
      forms: [.init(.command(.now))]),
    queue,
    CommandSyntax(
      name: "jump", group: .playing, summary: "play an entry of the queue",
      details: "The same as 'queue play N'. 'queue' shows the numbers.",
      examples: [("jump 3", "play entry 3")],
      forms: [
        .init([.required(entryNumber)]) { values in
          guard case .number(let number)? = values.first else { return .nothing }
          return .command(.queue(.play(Int(number))))
        }
      ]),
    CommandSyntax(
      name: "play", aliases: ["resume", "continue"], group: .playing,
      summary: "continue, or play music",
      details: """
        Without an argument, starts or continues playback. WORDS is a list of the library, such as
        songs, or the name of music. --shuffle shuffles it, --next inserts it into the queue, --last
        adds it at the end.
        """,
      examples: [
        ("play", "start or continue"), ("play moon safari", "the best hit for these words"),
        ("play --next sexy boy", "after the current track"),
        ("play --shuffle songs", "all songs, shuffled"),
      ],
      forms: [
        .init(media(.play)),
        .init([
          .required(.words(["--shuffle", "--next", "--last"])),
          .required(.phrase("WORDS"), names: .of(.music)),
        ]) { values in
          guard case .text(let words)? = values.last, case .word(let option)? = values.first
          else { return .nothing }
          return .command(.library(.play(words, modes[option] ?? .now)))
        },
        .init([.required(.phrase("WORDS"), names: .of(.music))]) { values in
          guard case .text(let words)? = values.first else { return .nothing }
          return .command(.library(play(words)))
        },
      ]),
    plain("pause", "pause playback", .pause),
    plain("toggle", "play or pause", .togglePlayPause),
    plain("stop", "stop playback", .stop),
    plain("next", "go to the next track", .next),
    plain("previous", "start of track, or previous", .previous),
    CommandSyntax(
      name: "seek", group: .playing, summary: "go to a time in the track",
      details: "With a sign, jumps by this time ahead or back, as skip does.",
      examples: [
        ("seek 1:23", "one minute and 23 seconds from the start"), ("seek 90s", "the same as 1:30"),
        ("seek +15", "15 seconds ahead"), ("seek -1:00", "one minute back"),
      ],
      forms: [
        .init([.required(.time(signed: true))]) { values in
          guard case .time(let time, let sign)? = values.first else { return .nothing }
          return media(sign == nil ? .seekToPosition(time) : skip(time, sign))
        }
      ]),
    CommandSyntax(
      name: "skip", group: .playing, summary: "jump ahead or back",
      details: "Without a time, jumps by the interval that the source prefers.",
      examples: [
        ("skip", "ahead"), ("skip back", "back"), ("skip 30", "30 seconds ahead"),
        ("skip -10", "10 seconds back"),
      ],
      forms: [
        .init([.optional(.words(["ahead", "back"]))]) { values in
          media(values == [.word("back")] ? .skipBackward(nil) : .skipForward(nil))
        },
        .init([.required(.time(signed: true))]) { values in
          guard case .time(let time, let sign)? = values.first else { return .nothing }
          return media(skip(time, sign))
        },
      ]),
    CommandSyntax(
      name: "rate", group: .playing, summary: "playback speed",
      details: """
        Accepts the rates that the source offers. The music of the unit has one rate only. Without an
        argument, shows the rate.
        """,
      examples: [("rate", "the present rate"), ("rate 1.5", "1.5 times the normal speed")],
      forms: [
        .init([.optional(.number(name: "RATE", 0.1...10, unit: "x"))]) { values in
          guard case .number(let rate)? = values.first else { return .command(.part(.rate)) }
          return media(.changePlaybackRate(rate))
        }
      ]),
    CommandSyntax(
      name: "volume", group: .playing, summary: "volume in per cent",
      details: """
        In per cent of the maximum volume. A value with a sign changes the volume by this value; up
        and down change it by one step.
        """,
      examples: [
        ("volume", "the present volume"), ("volume 40", "40 per cent"),
        ("volume +5", "5 per cent louder"),
        ("volume down", "one step quieter"),
      ],
      forms: [
        .init([.required(.words(["up", "down"]))]) { values in
          let isUp = values == [.word("up")]
          return request(
            .volume(.change(thousandths: isUp ? Volume.keyStep : -Volume.keyStep)))
        },
        .init([.optional(.level)]) { values in
          guard case .level(let level, let isChange)? = values.first else {
            return .command(.part(.volume))
          }
          return request(
            .volume(
              isChange ? .change(thousandths: level) : .set(VolumeLevel(thousandths: level))))
        },
      ]),
    CommandSyntax(
      name: "mute", group: .playing, summary: "sound off or on",
      details: "Without an argument, changes to the other state.",
      examples: [("mute", "switch the sound off, or on again"), ("mute off", "sound on")],
      forms: [
        .init([.optional(.words(["on", "off"]))]) { values in
          guard let value = values.first else { return request(.volume(.toggleMuted)) }
          return request(.volume(.setMuted(value == .word("on"))))
        }
      ]),
    CommandSyntax(
      name: "like", group: .playing, summary: "add to the favourites",
      details: "Adds what plays to the playlist Favourites. With off, removes it.",
      examples: [("like", "add what plays"), ("like off", "remove it")],
      forms: [markForm { .like($0) }]),
    CommandSyntax(
      name: "dislike", group: .playing, summary: "leave out of shuffle",
      details: "Shuffle then leaves out what plays. With off, shuffle plays it again.",
      examples: [("dislike", "leave out what plays"), ("dislike off", "play it again")],
      forms: [markForm { .dislike($0) }]),
    CommandSyntax(
      name: "bookmark", group: .playing, summary: "mark this position",
      details: """
        Adds the track and the position in it to the playlist Bookmarks. With off, removes it.
        """,
      examples: [("bookmark", "mark this position"), ("bookmark off", "remove it")],
      forms: [markForm { .bookmark($0) }]),
    CommandSyntax(
      name: "stars", group: .playing, summary: "rate what plays",
      details: "From 0 to 5, also with halves. Without a number, shows the stars.",
      examples: [("stars 4", "four stars"), ("stars 3.5", "three and a half")],
      forms: [
        .init([.optional(.number(name: "STARS", 0...5, unit: ""))]) { values in
          guard case .number(let stars)? = values.first else { return .command(.part(.stars)) }
          return media(.stars(stars))
        }
      ]),
    CommandSyntax(
      name: "repeat", group: .playing, summary: "repeat mode",
      details: "Without an argument, shows the mode.",
      examples: [
        ("repeat all", "repeat the queue"), ("repeat one", "repeat this track"),
        ("repeat off", "repeat nothing"),
      ],
      forms: [
        .init([.optional(.words(MediaCommand.RepeatMode.allCases.map(\.rawValue)))]) { values in
          guard case .word(let word)? = values.first,
            let mode = MediaCommand.RepeatMode(rawValue: word)
          else { return .command(.part(.repeatMode)) }
          return media(.changeRepeatMode(mode))
        }
      ]),
    CommandSyntax(
      name: "shuffle", group: .playing, summary: "shuffle mode",
      details: "Without an argument, shows the mode. Items are tracks, collections are albums.",
      examples: [
        ("shuffle on", "tracks in random order"), ("shuffle collections", "albums in random order"),
      ],
      forms: [
        .init([.optional(.words(["on", "off", "items", "collections"]))]) { values in
          switch values.first {
          case .word("off"): media(.changeShuffleMode(.off))
          case .word("collections"): media(.changeShuffleMode(.collections))
          case .word: media(.changeShuffleMode(.items))
          default: .command(.part(.shuffleMode))
          }
        }
      ]),
    CommandSyntax(
      name: "chime", group: .playing, summary: "play the test sound",
      details: "Plays over the music, also if the music is paused, to test the loudspeaker.",
      examples: [("chime", "one chime")], forms: [.init(.command(.chime))]),
    interrupt, duck,
  ]

  private static func plain(_ name: String, _ summary: String, _ meaning: MediaRequest)
    -> CommandSyntax
  {
    CommandSyntax(
      name: name, group: .playing, summary: summary, examples: [(name, summary)],
      forms: [.init(media(meaning))])
  }

  private static let modes: [String: PlayMode] = [
    "--shuffle": .shuffled, "--next": .next, "--last": .last,
  ]

  /// Parses the words of `play`. An option after the words is accepted too: `play moon safari --next`.
  private static func play(_ text: String) -> ConsoleCommand.Library {
    for (option, mode) in modes where text.hasSuffix(" " + option) {
      let words = text.dropLast(option.count + 1)
      return .play(String(words.reversed().drop { $0 == " " }.reversed()), mode)
    }
    return .play(text, .now)
  }

  private static let entryNumber = CommandSyntax.Kind.number(name: "N", 1...10_000, unit: "")

  private static func entryNumber(_ value: CommandSyntax.Value?) -> Int {
    if case .number(let number)? = value { Int(number) } else { 1 }
  }

  private static let queue = CommandSyntax(
    name: "queue", group: .playing, summary: "show or edit the queue",
    details: """
      Shows the queue from the current track on, or from entry N on. 'play N' jumps to a track,
      'remove N' and 'move N M' edit the queue, 'clear' keeps only the current track, 'undo' undoes
      the last edit, 'save' makes a playlist of the queue.
      """,
    examples: [
      ("queue", "from the current track on"), ("queue 1", "from the beginning"),
      ("queue move 7 2", "track 7 to position 2"), ("queue undo", "undo the last change"),
      ("queue save road trip", "make a playlist"),
    ],
    forms: [
      .init([.optional(entryNumber)]) { values in
        .command(.queue(.show(from: values.isEmpty ? nil : entryNumber(values[0]))))
      },
      .init([.required(.words(["play", "remove"])), .required(entryNumber)]) { values in
        let number = entryNumber(values.last)
        return .command(.queue(values[0] == .word("play") ? .play(number) : .remove(number)))
      },
      .init([.required(.words(["move"])), .required(entryNumber), .required(entryNumber)]) {
        values in
        .command(.queue(.move(entryNumber(values[1]), to: entryNumber(values[2]))))
      },
      .init([.required(.words(["clear", "undo"]))]) { values in
        .command(.queue(values[0] == .word("clear") ? .clear : .undo))
      },
      .init([.required(.words(["save"])), .required(.phrase("NAME"), names: .of(.ownPlaylists))]) {
        values in
        text(values.dropFirst()).map { .command(.queue(.save($0))) } ?? .nothing
      },
    ])

  private static func media(_ meaning: MediaRequest) -> ConsoleLine { request(.media(meaning)) }
  private static func request(_ request: CommandRequest) -> ConsoleLine {
    .command(.request(request))
  }

  /// The form of a command that marks what plays. With the argument `off`, the command removes the mark.
  private static func markForm(
    _ meaning: @escaping @Sendable (_ isSet: Bool) -> MediaRequest
  ) -> CommandSyntax.Form {
    .init([.optional(.words(["on", "off"]))]) { media(meaning($0.first != .word("off"))) }
  }

  private static func skip(_ time: Duration, _ sign: Int?) -> MediaRequest {
    sign == -1 ? .skipBackward(time) : .skipForward(time)
  }
}

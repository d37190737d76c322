internal import NowPlaying

extension Grammar {
  /// Commands for playback.
  static let playing: [CommandSyntax] = [
    CommandSyntax(
      name: "now", group: .playing, summary: "what plays",
      examples: [("now", "title, time, state")],
      forms: [.init(.command(.now))]),
    CommandSyntax(
      name: "queue", group: .playing, summary: "what comes next",
      details: "The first \(NowPlayingState.upNextLimit) are listed.",
      examples: [("queue", "the next tracks in their order")], forms: [.init(.command(.queue))]),
    plain("play", "play, or go on", .play),
    plain("pause", "hold", .pause),
    plain("toggle", "play or hold", .togglePlayPause),
    plain("stop", "end playback", .stop),
    plain("next", "the next track", .next),
    plain("previous", "the track before, or start", .previous),
    CommandSyntax(
      name: "seek", group: .playing, summary: "to a place in the track",
      details: "With a sign it goes so far ahead or back, as skip does.",
      examples: [
        ("seek 1:23", "one minute and 23 seconds from the start"), ("seek 90s", "the same as 1:30"),
        ("seek +15", "15 seconds ahead"), ("seek -1:00", "a minute back"),
      ],
      forms: [
        .init([.required(.time(signed: true))]) { values in
          guard case .time(let time, let sign)? = values.first else { return .nothing }
          return media(sign == nil ? .seekToPosition(time) : skip(time, sign))
        }
      ]),
    CommandSyntax(
      name: "skip", group: .playing, summary: "ahead or back",
      details: "Without a time it goes as far as the source prefers.",
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
      name: "rate", group: .playing, summary: "how fast it plays",
      details: "Only rates that the source offers are taken; without one, the rate is told.",
      examples: [("rate", "as it is now"), ("rate 1.5", "half as fast again")],
      forms: [
        .init([.optional(.number(name: "RATE", 0.1...10, unit: "x"))]) { values in
          guard case .number(let rate)? = values.first else { return .command(.part(.rate)) }
          return media(.changePlaybackRate(rate))
        }
      ]),
    CommandSyntax(
      name: "volume", group: .playing, summary: "how loud it is",
      details:
        "In per cent of the loudest. A sign makes it a change; up and down are steps of a key.",
      examples: [
        ("volume", "as it is now"), ("volume 40", "40 per cent"),
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
      name: "mute", group: .playing, summary: "silence, and back",
      details: "Without a word it is the other of the two.",
      examples: [("mute", "silence, or sound again"), ("mute off", "sound, whatever it was")],
      forms: [
        .init([.optional(.words(["on", "off"]))]) { values in
          guard let value = values.first else { return request(.volume(.toggleMuted)) }
          return request(.volume(.setMuted(value == .word("on"))))
        }
      ]),
    CommandSyntax(
      name: "repeat", group: .playing, summary: "what begins again",
      details: "Without a word, the mode is told.",
      examples: [
        ("repeat all", "the queue"), ("repeat one", "this track"), ("repeat off", "nothing"),
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
      name: "shuffle", group: .playing, summary: "in which order it plays",
      details: "Without a word, the mode is told. Items are tracks, collections albums.",
      examples: [
        ("shuffle on", "tracks in random order"), ("shuffle collections", "albums, whole"),
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
      name: "chime", group: .playing, summary: "sound over the music",
      details: "Plays the test sound, also while the music is held: is the loudspeaker connected?",
      examples: [("chime", "one chime")], forms: [.init(.command(.chime))]),
    CommandSyntax(
      name: "interrupt", group: .playing, summary: "hold for a call or alarm",
      details: """
        Begins or ends an interruption, as other parts of the car do. Playback goes on by itself when
        the last one has ended.
        """,
      examples: [("interrupt begin call", "a call comes"), ("interrupt end call", "it is over")],
      forms: [
        .init([.required(.words(["begin", "end"])), .required(.name("NAME"))]) { values in
          guard case .text(let name)? = values.last else { return .nothing }
          return .command(.interrupt(begins: values.first == .word("begin"), reason(name)))
        }
      ]),
  ]

  private static func plain(_ name: String, _ summary: String, _ meaning: MediaRequest)
    -> CommandSyntax
  {
    CommandSyntax(
      name: name, group: .playing, summary: summary, examples: [(name, summary)],
      forms: [.init(media(meaning))])
  }

  private static func media(_ meaning: MediaRequest) -> ConsoleLine { request(.media(meaning)) }
  private static func request(_ request: CommandRequest) -> ConsoleLine {
    .command(.request(request))
  }

  private static func skip(_ time: Duration, _ sign: Int?) -> MediaRequest {
    sign == -1 ? .skipBackward(time) : .skipForward(time)
  }

  private static func reason(_ name: String) -> Interruption.Reason {
    switch name {
    case "call": .call
    case "reversing": .reversing
    case "alarm": .alarm
    default: .other(name)
    }
  }
}

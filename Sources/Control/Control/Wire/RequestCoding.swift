package import BusMethods
package import EventLoop
package import NowPlaying

/// Encodes a command as a word and its arguments: `seekToPosition`, `{position: 90000000000}`.
package enum RequestCoding {
  /// A command and its arguments as texts. A test compares these texts with `docs/control.md`.
  package struct Shape: Hashable, Sendable {
    /// The word of the command.
    package let command: String
    /// The names and types of the arguments. Optional arguments are in brackets.
    package let arguments: String
  }

  /// All commands.
  package static let shapes: [Shape] = [
    Shape(command: "play", arguments: ""), Shape(command: "pause", arguments: ""),
    Shape(command: "togglePlayPause", arguments: ""), Shape(command: "stop", arguments: ""),
    Shape(command: "next", arguments: ""), Shape(command: "previous", arguments: ""),
    Shape(command: "skipForward", arguments: "[interval x]"),
    Shape(command: "skipBackward", arguments: "[interval x]"),
    Shape(command: "seekForward", arguments: "phase s"),
    Shape(command: "seekBackward", arguments: "phase s"),
    Shape(command: "seekToPosition", arguments: "position x"),
    Shape(command: "changePlaybackRate", arguments: "rate d"),
    Shape(command: "changeRepeatMode", arguments: "mode s"),
    Shape(command: "changeShuffleMode", arguments: "mode s"),
    Shape(command: "stars", arguments: "stars d"), Shape(command: "like", arguments: "on b"),
    Shape(command: "dislike", arguments: "on b"), Shape(command: "bookmark", arguments: "on b"),
    Shape(command: "enableLanguageOption", arguments: "id s"),
    Shape(command: "disableLanguageOption", arguments: "id s"),
    Shape(command: "playQueueItem", arguments: "id s"),
    Shape(command: "moveQueueItem", arguments: "id s, [before s], revision t"),
    Shape(command: "removeQueueItem", arguments: "id s, revision t"),
    Shape(command: "clearQueue", arguments: "revision t"),
    Shape(command: "undoQueue", arguments: "revision t"),
    Shape(command: "setVolume", arguments: "level i"),
    Shape(command: "changeVolume", arguments: "by i"), Shape(command: "mute", arguments: "on b"),
    Shape(command: "toggleMute", arguments: ""), Shape(command: "tapButton", arguments: "index i"),
    Shape(command: "tapUpNext", arguments: ""), Shape(command: "tapAlbumArtist", arguments: ""),
    Shape(command: "playList", arguments: "list s, [row s], mode s"),
    Shape(command: "playSource", arguments: "source s"), Shape(command: "jump", arguments: "to s"),
  ]

  /// Encodes a command.
  package static func value(of request: CommandRequest) -> (command: String, arguments: BusValue) {
    var fields = WireBuilder()
    let command: String
    switch request {
    case .media(let request):
      command = request.kind.rawValue
      add(request, to: &fields)
    case .volume(.set(let level)):
      command = "setVolume"
      fields.add("level", .int32(Int32(clamping: level.thousandths)))
    case .volume(.change(let thousandths)):
      command = "changeVolume"
      fields.add("by", .int32(Int32(clamping: thousandths)))
    case .volume(.setMuted(let isMuted)):
      command = "mute"
      fields.add("on", .boolean(isMuted))
    case .volume(.toggleMuted): command = "toggleMute"
    case .template(.button(let index)):
      command = "tapButton"
      fields.add("index", .int32(Int32(clamping: index)))
    case .template(.upNext): command = "tapUpNext"
    case .template(.albumArtist): command = "tapAlbumArtist"
    case .list(.play(let list, let row, let mode)):
      command = "playList"
      fields.add("list", WireText.identity(list))
      fields.add("row", row.map { WireText.word($0) })
      fields.add("mode", WireText.word(mode))
    case .list(.playSource(let source)):
      command = "playSource"
      fields.add("source", WireText.identity(source))
    case .list(.jump(let jump)):
      command = "jump"
      fields.add("to", .string(jump.rawValue))
    }
    return (command, fields.value)
  }

  private static func add(_ request: MediaRequest, to fields: inout WireBuilder) {
    switch request {
    case .skipForward(let interval), .skipBackward(let interval):
      fields.add("interval", interval.map { .time($0) })
    case .seekForward(let phase), .seekBackward(let phase):
      fields.add("phase", .string(phase.rawValue))
    case .seekToPosition(let position): fields.add("position", .time(position))
    case .changePlaybackRate(let rate): fields.add("rate", .double(rate))
    case .changeRepeatMode(let mode): fields.add("mode", .string(mode.rawValue))
    case .changeShuffleMode(let mode): fields.add("mode", .string(mode.rawValue))
    case .stars(let stars): fields.add("stars", .double(stars))
    case .like(let isOn), .dislike(let isOn), .bookmark(let isOn):
      fields.add("on", .boolean(isOn))
    case .enableLanguageOption(let id), .disableLanguageOption(let id):
      fields.add("id", WireText.word(id))
    case .playQueueItem(let id): fields.add("id", WireText.identity(id))
    case .moveQueueItem(let id, let other, let revision):
      fields.add("id", WireText.identity(id))
      fields.add("before", other.map { WireText.identity($0) })
      fields.add("revision", .count(revision))
    case .removeQueueItem(let id, let revision):
      fields.add("id", WireText.identity(id))
      fields.add("revision", .count(revision))
    case .clearQueue(let revision), .undoQueue(let revision):
      fields.add("revision", .count(revision))
    case .play, .pause, .togglePlayPause, .stop, .next, .previous: break
    }
  }

  /// Decodes a command.
  /// - Throws: if the word is unknown, or if an argument is missing or has the wrong type.
  package static func request(_ command: String, _ arguments: BusValue) throws(WireError)
    -> CommandRequest
  {
    let fields = try WireFields(arguments, command)
    switch command {
    case "setVolume":
      let level = try fields.required("level", fields.integer("level"))
      return .volume(.set(VolumeLevel(thousandths: level)))
    case "changeVolume":
      return .volume(.change(thousandths: try fields.required("by", fields.integer("by"))))
    case "mute": return .volume(.setMuted(try fields.required("on", fields.flag("on"))))
    case "toggleMute": return .volume(.toggleMuted)
    case "tapButton":
      return .template(.button(try fields.required("index", fields.integer("index"))))
    case "tapUpNext": return .template(.upNext)
    case "tapAlbumArtist": return .template(.albumArtist)
    case "playList":
      return .list(
        .play(
          list: try fields.required("list", fields.text("list")), row: try fields.text("row"),
          mode: try fields.required("mode", fields.text("mode"))))
    case "playSource":
      return .list(.playSource(try fields.required("source", fields.text("source"))))
    case "jump": return .list(.jump(try fields.choice("to")))
    default:
      guard let kind = CommandKind(rawValue: command) else {
        throw WireError("command", "unknown command '\(BusText.harmless(command, limit: 100))'")
      }
      return .media(try media(kind, fields))
    }
  }

  private static func media(_ kind: CommandKind, _ fields: WireFields) throws(WireError)
    -> MediaRequest
  {
    switch kind {
    case .play: .play
    case .pause: .pause
    case .togglePlayPause: .togglePlayPause
    case .stop: .stop
    case .next: .next
    case .previous: .previous
    case .skipForward: .skipForward(try fields.duration("interval"))
    case .skipBackward: .skipBackward(try fields.duration("interval"))
    case .seekForward: .seekForward(try fields.choice("phase"))
    case .seekBackward: .seekBackward(try fields.choice("phase"))
    case .seekToPosition:
      .seekToPosition(try fields.required("position", fields.duration("position")))
    case .changePlaybackRate:
      .changePlaybackRate(try fields.required("rate", fields.number("rate")))
    case .changeRepeatMode: .changeRepeatMode(try fields.choice("mode"))
    case .changeShuffleMode: .changeShuffleMode(try fields.choice("mode"))
    case .stars: .stars(try fields.required("stars", fields.number("stars")))
    case .like: .like(try fields.required("on", fields.flag("on")))
    case .dislike: .dislike(try fields.required("on", fields.flag("on")))
    case .bookmark: .bookmark(try fields.required("on", fields.flag("on")))
    case .enableLanguageOption:
      .enableLanguageOption(try fields.required("id", fields.text("id")))
    case .disableLanguageOption:
      .disableLanguageOption(try fields.required("id", fields.text("id")))
    case .playQueueItem: .playQueueItem(try fields.required("id", fields.text("id")))
    case .moveQueueItem:
      .moveQueueItem(
        try fields.required("id", fields.text("id")), before: try fields.text("before"),
        revision: try revision(fields))
    case .removeQueueItem:
      .removeQueueItem(
        try fields.required("id", fields.text("id")), revision: try revision(fields))
    case .clearQueue: .clearQueue(revision: try revision(fields))
    case .undoQueue: .undoQueue(revision: try revision(fields))
    }
  }
}

private func revision(_ fields: WireFields) throws(WireError) -> Int {
  try fields.required("revision", fields.integer("revision"))
}

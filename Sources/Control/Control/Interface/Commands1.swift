internal import BusMethods
internal import EventLoop
package import NowPlaying

/// Commands to the source that plays.
package enum Commands1 {
  package static let interface = MethodTable(
    "Commands1",
    [
      send.row, play.row, pause.row, toggle.row, stop.row, next.row, previous.row, seek.row,
      skip.row, setVolume.row, changeVolume.row, mute.row, setRepeat.row, setShuffle.row, like.row,
      dislike.row, bookmark.row, setStars.row, playQueueItem.row,
    ])

  /// Sends any command. The answer of an older daemon contains neither the code nor the remedy of a refusal.
  package static let send: ControlMethod<SentCommand, CommandOutcome> = .init(
    "Commands1.Send", .play,
    takes: .record(SentCommand(.media(.play))) { field, sent in
      var (command, arguments) = RequestCoding.value(of: sent.request)
      try field("command", &command, .text)
      try field("arguments", &arguments, .properties)
      if field.isReading { sent.request = try RequestCoding.request(command, arguments) }
      try field.options("options")
      try field.flag("isRepeat", &sent.isRepeat)
      try field.option("from", &sent.surface, .text)
    },
    returns: .record(CommandOutcome()) { field, outcome in
      var texts = AnswerCoding.texts(of: outcome.answer)
      try field("number", &outcome.number, .count)
      try field("answer", &texts[0], .text)
      try field("words", &texts[1], .text)
      try field("code", &texts[2], .text, isOptional: true)
      try field("remedy", &texts[3], .text, isOptional: true)
      if field.isReading { outcome.answer = AnswerCoding.answer(texts) }
    })

  // Short commands. These methods have at most one argument, so they are easy to type: `busctl call … Seek d 90`.
  static let play = short("Play"), pause = short("Pause"), toggle = short("Toggle")
  static let stop = short("Stop"), next = short("Next"), previous = short("Previous")
  static let seek = short("Seek", "seconds", .seconds)
  static let skip = short("Skip", "seconds", .seconds)
  static let setVolume = short("SetVolume", "percent", .thousandths)
  static let changeVolume = short("ChangeVolume", "percent", .thousandths)
  static let mute = short("Mute", "on", .flag)
  static let setRepeat = short("SetRepeat", "mode", WireType<MediaCommand.RepeatMode>.listedWord)
  static let setShuffle = short("SetShuffle", "mode", WireType<MediaCommand.ShuffleMode>.listedWord)
  static let like = short("Like", "on", .flag)
  static let dislike = short("Dislike", "on", .flag)
  static let bookmark = short("Bookmark", "on", .flag)
  static let setStars = short("SetStars", "stars", .finite)

  /// Jumps to an item of up next or of the album.
  package static let playQueueItem = short("PlayQueueItem", "id", .text)

  private static func short(_ name: String) -> ControlMethod<Void, Void> {
    .init("Commands1.\(name)", .play)
  }

  private static func short<Value: Sendable>(
    _ name: String, _ argument: String, _ type: WireType<Value>
  ) -> ControlMethod<Value, Void> {
    .init("Commands1.\(name)", .play, takes: .one(argument, type))
  }
}

/// A command that a client sends.
package struct SentCommand: Equatable, Sendable {
  package var request: CommandRequest
  /// True if a held key repeats the command.
  package var isRepeat = false
  /// The name of the surface from which the daemon sends the command to the source. Several clients can share this
  /// surface. Has no effect if the client is a surface itself.
  package var surface: String?

  package init(_ request: CommandRequest, isRepeat: Bool = false, from surface: String? = nil) {
    self.request = request
    self.isRepeat = isRepeat
    self.surface = surface
  }
}

/// The result of a command.
package struct CommandOutcome: Hashable, Sendable {
  /// The number of the command in the daemon's trace.
  package var number = 0
  package var answer = CommandAnswer.success
}

extension WireType<Double> {
  /// A finite number.
  fileprivate static var finite: Self {
    Self("d", { .double($0) }) { value, name in
      guard let number = value.number, number.isFinite else {
        throw WireError(name, "not a finite number")
      }
      return number
    }
  }
}

extension WireType<Duration> {
  /// The maximum time in seconds. It is longer than any content.
  private static var longest: Double { 1e7 }

  fileprivate static var seconds: Self {
    Self("d", { .double($0 / .seconds(1)) }) { value, name in
      .seconds(min(max(try WireType<Double>.finite.decode(value, name), -longest), longest))
    }
  }
}

extension WireType<Int> {
  /// Thousandths of the maximum, which are sent as a percentage.
  fileprivate static var thousandths: Self {
    Self("d", { .double(Double($0) / 10) }) { value, name in
      let percent = try WireType<Double>.finite.decode(value, name)
      return Int((min(max(percent, -100), 100) * 10).rounded())
    }
  }
}

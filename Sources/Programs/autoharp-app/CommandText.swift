import NowPlayingClient
import Text

/// A command as the line that PROGRAM reads from its standard input. Times are in seconds.
func commandLine(_ request: MediaRequest, number: Int) -> [UInt8] {
  var json = JSONWriter(onOneLine: true)
  json.beginObject()
  json.member("number", number)
  json.member("command", request.kind.rawValue)
  switch request {
  case .skipForward(let interval), .skipBackward(let interval):
    json.member("interval", interval.map { $0 / .seconds(1) })
  case .seekForward(let phase), .seekBackward(let phase): json.member("phase", phase.rawValue)
  case .seekToPosition(let position): json.member("position", position / .seconds(1))
  case .changeRepeatMode(let mode): json.member("mode", mode.rawValue)
  case .changeShuffleMode(let mode): json.member("mode", mode.rawValue)
  case .stars(let stars): json.member("stars", stars)
  case .like(let isSet), .dislike(let isSet), .bookmark(let isSet): json.member("on", isSet)
  default: break
  }
  json.endObject()
  return Array("\(json.take())\n".utf8)
}

extension CommandOffer {
  /// The offer of a command that PROGRAM understands, with the parameters that it needs.
  init(ofProgram kind: CommandKind) {
    let parameters: Parameters =
      switch kind {
      case .skipForward, .skipBackward: .intervals([.seconds(10)])
      case .changeRepeatMode: .repeatMode(.off, supported: MediaCommand.RepeatMode.allCases)
      case .changeShuffleMode: .shuffleMode(.off, supported: MediaCommand.ShuffleMode.allCases)
      case .stars: .rating(maximum: 5, current: nil)
      case .like, .dislike, .bookmark: .feedback(isActive: false, title: nil)
      default: .none
      }
    self.init(kind, parameters: parameters)
  }
}

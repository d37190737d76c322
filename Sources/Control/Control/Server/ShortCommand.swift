internal import EventLoop
internal import NowPlaying

/// Methods with few arguments, which are easy to type: `busctl call … Seek d 90`.
enum ShortCommand {
  /// The maximum time in seconds. It is longer than any content.
  private static let longest = 1e7

  static func request(_ member: String, _ arguments: inout BodyReader) throws -> CommandRequest {
    switch member {
    case "Play": return .media(.play)
    case "Pause": return .media(.pause)
    case "Toggle": return .media(.togglePlayPause)
    case "Stop": return .media(.stop)
    case "Next": return .media(.next)
    case "Previous": return .media(.previous)
    case "Seek": return .media(.seekToPosition(try seconds(&arguments)))
    case "Skip":
      let time = try seconds(&arguments)
      return .media(time < .zero ? .skipBackward(.zero - time) : .skipForward(time))
    case "SetVolume":
      return .volume(.set(VolumeLevel(thousandths: try thousandths(&arguments))))
    case "ChangeVolume": return .volume(.change(thousandths: try thousandths(&arguments)))
    case "Mute": return .volume(.setMuted(try arguments.boolean()))
    case "Like": return .media(.like(try arguments.boolean()))
    case "Dislike": return .media(.dislike(try arguments.boolean()))
    case "Bookmark": return .media(.bookmark(try arguments.boolean()))
    case "SetStars": return .media(.stars(try number(&arguments)))
    case "SetRepeat":
      return try RequestCoding.request(
        "changeRepeatMode", .properties(["mode": .string(try arguments.string())]))
    case "SetShuffle":
      return try RequestCoding.request(
        "changeShuffleMode", .properties(["mode": .string(try arguments.string())]))
    default: throw BusErrorReply(BusErrorName.unknownMethod, member)
    }
  }

  private static func seconds(_ arguments: inout BodyReader) throws -> Duration {
    .seconds(min(max(try number(&arguments), -longest), longest))
  }

  private static func thousandths(_ arguments: inout BodyReader) throws -> Int {
    Int((min(max(try number(&arguments), -100), 100) * 10).rounded())
  }

  private static func number(_ arguments: inout BodyReader) throws -> Double {
    let number = try arguments.double()
    guard number.isFinite else { throw WireError("number", "\(number) is not a finite number") }
    return number
  }
}

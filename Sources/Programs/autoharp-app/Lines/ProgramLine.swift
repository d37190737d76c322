import Text

/// A line that PROGRAM writes to descriptor 3: an object of JSON. Unknown members are ignored.
struct ProgramLine: Equatable {
  /// What is heard from a frame on. Texts are truncated.
  struct Title: Equatable {
    var title: String?
    var artist: String?
    var album: String?
    /// Seconds.
    var duration: Double?
    /// The path of a picture.
    var artwork: String?
    /// The position in the content, in seconds. Nil for its beginning.
    var time: Double?

    /// The largest number of Unicode scalars of a text.
    static let textLimit = 1024
  }

  /// What PROGRAM throws away after a seek.
  enum Flush: Equatable {
    /// The frames below this number.
    case below(Int)
    /// All frames that are in the pipe.
    case pipe
  }

  struct Answer: Equatable {
    var number: Int
    /// Why the command could not be carried out. Nil for success.
    var failure: String?
  }

  enum Condition: Equatable {
    case ready
    case waiting(String, remedy: String?)
    case failed(String, remedy: String?)
  }

  /// Why a line is skipped.
  struct Fault: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
  }

  /// The largest number of a frame, as on the control socket.
  static let frameLimit = 1 << 52
  private static let longestTime = 1e9
  private static let longestPath = 4096

  var title: Title?
  /// The first frame of the title, counted by PROGRAM from its start.
  var frame: Int?
  var flush: Flush?
  /// The position after a seek, in seconds.
  var time: Double?
  /// True if a person has started playback at the sender.
  var isClaimedByPerson = false
  var answer: Answer?
  var condition: Condition?

  /// - Throws: if the line is no such object, or if a member has a wrong value.
  init(_ line: [UInt8]) throws(Fault) {
    let members: Members
    do { members = try Members(JSONValue(line)) } catch is JSONValue.ParseError {
      throw Fault("it is not JSON")
    } catch let fault as Fault { throw fault } catch { throw Fault("\(error)") }
    time = try members.number("time", below: Self.longestTime)
    frame = try members.count("frame", below: Self.frameLimit)
    title = try Self.title(members)
    title?.time = time
    flush = try Self.flush(members)
    switch try members.text("claim") {
    case nil: break
    case "person": isClaimedByPerson = true
    default: throw Fault("'claim' is not \"person\"")
    }
    if let number = try members.count("answer", below: .max) {
      answer = Answer(number: number, failure: try members.text("failed"))
    }
    condition = try Self.condition(members)
    guard title != nil || flush != nil || isClaimedByPerson || answer != nil || condition != nil
    else { throw Fault("it has no known member") }
  }

  private static func title(_ members: Members) throws(Fault) -> Title? {
    let title = Title(
      title: try members.text("title"), artist: try members.text("artist"),
      album: try members.text("album"),
      duration: try members.number("duration", below: longestTime),
      artwork: try members.text("artwork", limit: longestPath))
    if let path = title.artwork,
      path.isEmpty || path.utf8.count > longestPath || path.contains("\0")
    {
      throw Fault("'artwork' is not a path")
    }
    return title == Title() ? nil : title
  }

  private static func flush(_ members: Members) throws(Fault) -> Flush? {
    if members.isTrue("flush") { return .pipe }
    return try members.count("flush", below: frameLimit).map { .below($0) }
  }

  private static func condition(_ members: Members) throws(Fault) -> Condition? {
    guard let kind = try members.text("condition") else { return nil }
    if kind == "ready" { return .ready }
    guard kind == "waiting" || kind == "failed" else {
      throw Fault("'condition' is not \"ready\", \"waiting\" or \"failed\"")
    }
    guard let sentence = try members.text("sentence") else {
      throw Fault("'condition' needs a 'sentence'")
    }
    let remedy = try members.text("remedy")
    return kind == "waiting"
      ? .waiting(sentence, remedy: remedy) : .failed(sentence, remedy: remedy)
  }

  /// The members of an object. A member that is null counts as missing.
  private struct Members {
    private let object: JSONValue

    init(_ value: JSONValue) throws(Fault) {
      guard case .object = value else { throw Fault("it is not an object") }
      object = value
    }

    private func value(_ name: String) -> JSONValue? {
      object[name].flatMap { $0 == .null ? nil : $0 }
    }

    func isTrue(_ name: String) -> Bool { value(name) == .bool(true) }

    func text(_ name: String, limit: Int = Title.textLimit) throws(Fault) -> String? {
      guard let value = value(name) else { return nil }
      guard case .string(let text) = value else { throw Fault("'\(name)' is not a text") }
      guard text.utf8.count > limit else { return text }
      return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    }

    func number(_ name: String, below limit: Double) throws(Fault) -> Double? {
      let number: Double
      switch value(name) {
      case nil: return nil
      case .integer(let integer): number = Double(integer)
      case .number(let given): number = given
      default: throw Fault("'\(name)' is not a number")
      }
      guard number >= 0, number < limit else { throw Fault("'\(name)' is out of range") }
      return number
    }

    func count(_ name: String, below limit: Int) throws(Fault) -> Int? {
      guard let value = value(name) else { return nil }
      guard case .integer(let integer) = value, integer >= 0, integer < limit else {
        throw Fault("'\(name)' is not a number of at least 0")
      }
      return Int(integer)
    }
  }
}

package import NowPlaying

/// One event in the output of `trace`.
package enum TraceEntry: Hashable, Sendable {
  /// A command, with the steps that are recorded so far.
  case command(Command)
  /// A state of Now Playing was published.
  case publication(revision: Int, reasons: [String], at: Duration)
  /// A key without a function was pressed. The text describes the key.
  case key(String, at: Duration)
  /// An event of the sound, in words.
  case sink(String, at: Duration)

  /// A change that explains why music started or stopped.
  package init(_ change: SoundChange) {
    self = .sink("now-playing: \(change.event)", at: change.at.sinceOrigin)
  }

  /// A command. All times except `at` are measured from the arrival of the command.
  package struct Command: Hashable, Sendable {
    package var number: Int
    package var surface: String
    /// The name of the device on which a person pressed a key; nil if the surface cannot name the device.
    package var origin: String?
    package var inputPath: String
    /// The request with its values.
    package var request: String
    /// The decision whether the command is carried out, in words; nil until the decision is made.
    package var verdict: String?
    package var answer: String?
    /// The reason why the command was refused or failed; nil otherwise.
    package var code: Refusal.Code?
    /// The time at which the command arrived, on the machine's clock.
    package var at: Duration
    package var answeredAfter: Duration?
    package var heardAfter: Duration?

    package init(
      number: Int, surface: String, origin: String? = nil, inputPath: String, request: String,
      verdict: String? = nil, answer: String? = nil, code: Refusal.Code? = nil, at: Duration,
      answeredAfter: Duration? = nil,
      heardAfter: Duration? = nil
    ) {
      self.number = number
      self.surface = surface
      self.origin = origin
      self.inputPath = inputPath
      self.request = request
      self.verdict = verdict
      self.answer = answer
      self.code = code
      self.at = at
      self.answeredAfter = answeredAfter
      self.heardAfter = heardAfter
    }

    /// Creates the entry from a record of the center's trace.
    package init(_ record: CommandRecord) {
      let verdict: String? =
        switch record.verdict {
        case nil: nil
        case .accepted(let session): "accepted by \(session?.rawValue ?? "head unit")"
        case .unchanged: "no change"
        case .deferred: "deferred"
        case .merged(let other): "same press as #\(other)"
        case .refused(let refusal): "refused: \(refusal)"
        }
      self.init(
        number: record.number, surface: record.surface.rawValue, origin: record.origin?.name,
        inputPath: record.inputPath.description, request: record.request.description,
        verdict: verdict,
        answer: record.answer?.description, code: record.refusal?.code,
        at: record.received.sinceOrigin,
        answeredAfter: record.performed?.wholeTime(since: record.received),
        heardAfter: record.heard?.wholeTime(since: record.received))
    }

    /// The name of the request without its values.
    package var name: String { String(request.prefix { $0 != " " && $0 != "(" }) }
  }
}

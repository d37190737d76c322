package import NowPlaying

/// One thing that happened, for `trace`.
package enum TraceEntry: Hashable, Sendable {
  /// What became of a command, as far as is known.
  case command(Command)
  /// A state was published.
  case publication(revision: Int, moments: [String], at: Duration)
  /// A key that means nothing was pressed, in words.
  case key(String, at: Duration)
  /// Something about the sound, in words.
  case sink(String, at: Duration)

  /// A command. All times but the first count from when it came.
  package struct Command: Hashable, Sendable {
    package var number: Int
    package var surface: String
    /// The device, where the surface knows.
    package var origin: String?
    package var inputPath: String
    /// What was asked, with what goes with it.
    package var request: String
    /// In words; nil where none was reached yet.
    package var verdict: String?
    package var answer: String?
    /// Why it was refused, or failed; nil where it was not.
    package var code: Refusal.Code?
    /// When it came, on the machine's clock.
    package var at: Duration
    package var answeredAfter: Duration?
    package var heardAfter: Duration?

    /// See the fields.
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

    /// From the trace of NowPlaying.
    package init(_ record: CommandRecord) {
      let verdict: String? =
        switch record.verdict {
        case nil: nil
        case .accepted(let session): "accepted by \(session?.rawValue ?? "head unit")"
        case .unchanged: "already so"
        case .deferred: "kept for later"
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

    /// What was asked, without what goes with it.
    package var name: String { String(request.prefix { $0 != " " && $0 != "(" }) }
  }
}

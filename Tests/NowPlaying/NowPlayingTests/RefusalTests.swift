import NowPlaying
import Testing

@Suite struct RefusalTests {
  @Test(arguments: [
    "", "-", "a-", "-a", "1a", "Not", "not_now", "not now", "n\u{0}", "ä",
    String(repeating: "a", count: 65),
  ])
  func invalidText_isNoCode(_ text: String) {
    #expect(Refusal.Code(rawValue: text) == nil)
  }

  @Test(arguments: ["a", "no-2-codes", String(repeating: "a", count: 64)])
  func codeOfAnotherVersion_isKept(_ text: String) {
    #expect(Refusal.Code(rawValue: text)?.rawValue == text)
  }

  @Test func description_isTheSentence_andTheRemedyIfPresent() {
    #expect("\(Refusal(.failed, "no card"))" == "no card")
    #expect("\(Refusal(.failed, "no card", remedy: "plug one in"))" == "no card; plug one in")
  }

  @Test func everyRefusalOfTheModel_hasItsOwnCode() {
    let reasons: [CommandRefusal] = [
      .nothingPlaying, .notOffered(.next), .disabled(.next), .liveContent(.next),
      .noPreferredInterval(.skipForward), .unsupported("rate 3"), .noSuchOption("xx"), .keyRepeat,
      .notConnected, .noButton(3), .buttonDisabled(3), .noObserver,
    ]
    let codes = reasons.map(\.refusal.code)
    #expect(Set(codes).count == reasons.count)
    #expect(Set(codes).isSubset(of: Refusal.Code.ofCommands))
    for reason in reasons { #expect(reason.refusal.sentence == reason.description) }
    #expect(
      CommandRefusal.notPossible(.next).refusal.code == .disabled, "surfaces see no difference")
  }

  /// A driver reads these sentences, and does not know the names of the commands in the protocol.
  @Test(arguments: CommandKind.allCases)
  func sentence_hasNoNameOfTheProtocol(_ kind: CommandKind) {
    let refusals: [CommandRefusal] = [
      .notOffered(kind), .disabled(kind), .notPossible(kind), .liveContent(kind),
      .noPreferredInterval(kind),
    ]
    for refusal in refusals {
      #expect(!refusal.description.contains(kind.rawValue), "\(refusal)")
      #expect(!refusal.description.hasProtocolName, "\(refusal)")
    }
  }

  /// Each mode that a surface can name is set, or refused in words.
  @Test func valueThatASourceDoesNotOffer_isRefusedInWords() {
    let bench = Bench(playing: true)
    let values: [MediaRequest] =
      [.changePlaybackRate(7), .stars(9), .skipForward(.zero), .enableLanguageOption("xx")]
      + MediaCommand.RepeatMode.allCases.map { .changeRepeatMode($0) }
      + MediaCommand.ShuffleMode.allCases.map { .changeShuffleMode($0) }
    for value in values { bench.screen.send(value) }
    #expect(bench.screen.answers.count == values.count)
    let sentences = bench.screen.answers.compactMap(\.refusal?.sentence)
    #expect(sentences.count >= 4)
    #expect(sentences.filter { $0.isEmpty || $0.hasProtocolName } == [])
  }

  @Test func rateOfASourceWithoutRates_hasItsOwnCode() {
    #expect(CommandRefusal.notOffered(.changePlaybackRate).refusal.code == .fixedSpeed)
    #expect(CommandRefusal.disabled(.changePlaybackRate).refusal.code == .disabled)
  }

  @Test func answer_hasARefusal_unlessItIsSuccess() {
    #expect(CommandAnswer.success.refusal == nil)
    #expect(CommandAnswer.noSuchContent().refusal?.code == .noSuchContent)
    #expect(CommandRefusal.noButton(9).answer.refusal?.code == .noSuchButton)
    #expect(CommandAnswer.nothingPlaying.refusal?.code == .nothingPlaying)
    let refusal = Refusal(.sessionEnded, "over", remedy: "ask again")
    #expect(CommandAnswer.failed(refusal).refusal == refusal)
  }
}

extension String {
  /// True if the text contains a word with a capital inside it, such as `changePlaybackRate`.
  fileprivate var hasProtocolName: Bool {
    zip(self, dropFirst()).contains { $0.isLowercase && $1.isUppercase }
  }
}

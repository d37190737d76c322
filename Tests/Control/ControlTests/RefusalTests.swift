import Control
import EventLoop
import NowPlaying
import Reports
import TestKit
import Testing

/// Tests refusals over a real socket.
@Suite struct RefusalTests {
  private static let sentence = "not today"

  @Test func codes_areDistinct() {
    #expect(Set(Refusal.Code.all).count == Refusal.Code.all.count)
  }

  @Test(arguments: [nil, "try tomorrow"])
  func everyRefusalOfTheUnit_arrivesUnchanged(_ remedy: String?) throws {
    let bench = try Bench()
    let client = try bench.client()
    for code in Refusal.Code.all {
      let refusal = Refusal(code, Self.sentence, remedy: remedy)
      bench.unit.refusal = refusal
      #expect(try bench.answer { client.call(Unit1.playChime, $0) }.error == .refused(refusal))
      bench.unit.fakePhones?.refusal = refusal
      #expect(
        try bench.answer { client.call(Bluetooth1.forget, "x", $0) }.error == .refused(refusal))
    }
  }

  @Test(arguments: [nil, "try tomorrow"])
  func everyRefusalOfASource_arrivesUnchanged(_ remedy: String?) throws {
    let bench = try Bench()
    let client = try bench.client()
    for code in Refusal.Code.all {
      let answer = CommandAnswer.failed(Refusal(code, Self.sentence, remedy: remedy))
      bench.source.failure = answer
      #expect(
        try bench.answer { client.call(Commands1.send, SentCommand(.media(.next)), $0) }.get()
          .answer == answer)
    }
  }

  @Test func trace_hasACode_ifTheCommandWasRefused() throws {
    let bench = try Bench()
    let client = try bench.client()
    var numbers: [Int] = []
    for failure in [nil, CommandAnswer.failed(Refusal(.liveContent, Self.sentence))] {
      bench.source.failure = failure
      numbers.append(
        try bench.answer { client.call(Commands1.send, SentCommand(.media(.next)), $0) }.get()
          .number)
    }
    bench.source.failure = nil
    numbers.append(
      try bench.answer { client.call(Commands1.send, SentCommand(.template(.button(99))), $0) }
        .get().number)
    var codes: [Int: Refusal.Code] = [:]
    for case .command(let command) in try bench.answer({ client.call(Unit1.getTrace, 100, $0) })
      .get()
    {
      codes[command.number] = command.code
    }
    #expect(numbers.map { codes[$0] } == [nil, .liveContent, .noSuchButton])
  }

  @Test func refusalOfASource_isAnErrorOfAShortMethod() throws {
    let bench = try Bench()
    let failure = CommandAnswer.failed(Refusal(.liveContent, Self.sentence, remedy: "wait"))
    bench.source.failure = failure
    let (result, details) = try bench.callForDetails(Commands1.interface.name, "Next")
    #expect(
      result
        == .failure(
          .remote(name: "org.autoharp.Error.Failed", message: "\(failure)")))
    #expect(details == ["live-content", "wait"])
  }

  /// Clients that do not read codes use the name of the error and its first argument, which is the sentence. So the
  /// name and the sentence must not change.
  @Test func refusalOfTheUnit_isAnErrorWithNameSentenceAndCode() throws {
    let bench = try Bench()
    bench.unit.refusal = Refusal(.noChime, Self.sentence)
    let (result, details) = try bench.callForDetails(Unit1.interface.name, "PlayChime")
    #expect(
      result == .failure(.remote(name: "org.autoharp.Error.Refused", message: Self.sentence)))
    #expect(details == ["no-chime", ""])
  }

  @Test func errorOfTheCaller_hasACode() throws {
    let bench = try Bench()
    let names: [(interface: BusInterface, member: String, [BusValue], Refusal.Code)] = [
      (Unit1.interface.declaration, "GetFacts", [.string("weather")], .invalidArguments),
      (
        Surface1.interface.declaration, "Register", [.string("two words"), .boolean(true)],
        .invalidArguments
      ),
      (Surface1.interface.declaration, "Unregister", [], .notRegistered),
    ]
    for (interface, member, arguments, code) in names {
      let details = try bench.callForDetails(interface.name, member, arguments).details
      #expect(details.first == code.rawValue, "\(member)")
    }
  }

  // MARK: Other daemons

  /// Returns the error that `ControlClient` reports if a daemon answers each call with this D-Bus error.
  private func error(_ name: String, _ details: [String], sentence: String = sentence) throws
    -> ControlError?
  {
    let bench = try Bench(isListening: false)
    let listener = try PeerListener(bench.loop, path: bench.path)
    let tree = ObjectTree()
    try tree.add(
      BusObject(
        path: ControlInterface.path, interfaces: ControlInterface.all.map(\.declaration),
        onCall: { $0.fail(BusErrorReply(name, sentence, details: details)) }))
    var peers: [Bus] = []
    listener.onPeer = {
      $0.objects = tree
      peers.append($0)
    }
    let client = try bench.client()
    return try withExtendedLifetime(listener) {
      try bench.answer { client.call(Unit1.playChime, $0) }.error
    }
  }

  @Test(arguments: [
    ("org.autoharp.Error.Refused", Refusal.Code.unspecified),
    ("org.autoharp.Error.Failed", .failed),
    ("org.autoharp.Error.NoSuchContent", .noSuchContent),
    ("org.autoharp.Error.NothingPlaying", .nothingPlaying),
    (BusErrorName.accessDenied, .notAllowed),
    (BusErrorName.invalidArguments, .invalidArguments),
    (BusErrorName.unknownMethod, .unknownMethod),
    (BusErrorName.limitsExceeded, .tooManyCalls),
  ])
  func errorWithoutACode_getsTheCodeOfItsName(_ name: String, _ code: Refusal.Code) throws {
    let expected = Refusal(code, Self.sentence)
    #expect(try error(name, [])?.refusal == expected)
    #expect(try error(name, ["", ""])?.refusal == expected)
  }

  @Test func codeOfANewerDaemon_isKept() throws {
    let refusal = try error("org.autoharp.Error.Refused", ["not-in-the-rain", "wait", "more"])?
      .refusal
    #expect(refusal?.code.rawValue == "not-in-the-rain")
    #expect(refusal?.remedy == "wait")
  }

  @Test(arguments: ["No Code", "a\nb", "\u{1B}[2J", String(repeating: "a", count: 100_000)])
  func invalidCode_isReadAsUnspecified(_ code: String) throws {
    let refusal = try error("org.autoharp.Error.Refused", [code, "wait"])?.refusal
    #expect(refusal == Refusal(.unspecified, Self.sentence, remedy: "wait"))
  }

  @Test func overlongTexts_areTruncated() throws {
    let text = String(repeating: "ä", count: 100_000)
    let refusal = try error("org.autoharp.Error.Refused", ["no-chime", text], sentence: text)?
      .refusal
    #expect(refusal?.code == .noChime)
    #expect(refusal?.sentence.utf8.count == 4096)
    #expect(refusal?.remedy?.utf8.count == 4096)
  }

  @Test func errorWithoutASentence_showsItsName() throws {
    #expect(
      try error("org.autoharp.Error.Refused", [], sentence: "")?.refusal.sentence
        == "org.autoharp.Error.Refused")
  }

  /// A daemon of a version without refusal codes answers `Send` with a number, a word and a text.
  @Test func answerOfAnOlderDaemon_isDecoded() throws {
    let bench = try Bench(isListening: false)
    let listener = try PeerListener(bench.loop, path: bench.path)
    let tree = ObjectTree()
    let old = BusInterface(
      Commands1.interface.name,
      methods: [
        .init(
          "Send", [.init("command", "s"), .init("arguments", "a{sv}"), .init("options", "a{sv}")],
          returns: [.init("number", "t"), .init("answer", "s"), .init("words", "s")])
      ])
    try tree.add(
      BusObject(path: ControlInterface.path, interfaces: [old]) {
        $0.reply([.uint64(7), .string("failed"), .string(Self.sentence)])
      })
    var peers: [Bus] = []
    listener.onPeer = {
      $0.objects = tree
      peers.append($0)
    }
    let client = try bench.client()
    let outcome = try bench.answer { client.call(Commands1.send, SentCommand(.media(.next)), $0) }
      .get()
    #expect(outcome.number == 7)
    #expect(outcome.answer == .failed(Refusal(.failed, Self.sentence)))
    withExtendedLifetime(listener) {}
  }

  // MARK: Errors of the client

  @Test func everyErrorOfTheClient_hasACode() {
    let errors: [(ControlError, Refusal.Code)] = [
      (.unreachable(.dead(reason: nil)), .unreachable), (.unreachable(.connected), .unreachable),
      (.noAnswer, .noAnswer), (.unreadable("x"), .unreadableAnswer),
      (.notAllowed(Refusal(.notAllowed, "x")), .notAllowed),
    ]
    for (error, code) in errors { #expect(error.refusal.code == code) }
  }
}

extension Bench {
  /// Calls a method. If the answer is an error, also returns the arguments that follow its message.
  fileprivate func callForDetails(
    _ interface: String, _ member: String, _ arguments: [BusValue] = []
  ) throws -> (result: Result<[BusValue], BusError>, details: [String]) {
    let peer = try peer()
    var answer: (Result<[BusValue], BusError>, [String])?
    peer.callForDetails(nil, ControlInterface.path, interface, member, arguments) {
      answer = ($0.map(\.values), $1)
    }
    try loop.turn { answer != nil }
    return try #require(answer)
  }
}

extension Result {
  fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

import Console
import LibraryModel
import NowPlaying
import Reports
import TestKit
import Testing

private func parse(_ line: String) throws -> ConsoleLine { try Grammar.autoharp.parse(line) }

private func media(_ request: MediaRequest) -> ConsoleLine { .command(.request(.media(request))) }
private func volume(_ request: VolumeRequest) -> ConsoleLine {
  .command(.request(.volume(request)))
}

@Suite struct GrammarTests {
  @Test(
    arguments: [
      ("play", .play), ("pause", .pause), ("toggle", .togglePlayPause), ("stop", .stop),
      ("next", .next), ("previous", .previous), ("prev", .previous), ("n", nil), ("ne", .next),
      ("seek 1:23", .seekToPosition(.seconds(83))), ("seek 90", .seekToPosition(.seconds(90))),
      ("seek 90s", .seekToPosition(.seconds(90))), ("seek 0", .seekToPosition(.zero)),
      ("seek 1:02:03.5", .seekToPosition(.milliseconds(3_723_500))),
      ("seek 1m30s", .seekToPosition(.seconds(90))), ("seek 2m", .seekToPosition(.seconds(120))),
      ("seek 1h", .seekToPosition(.seconds(3600))), ("seek +15", .skipForward(.seconds(15))),
      ("seek -1:00", .skipBackward(.seconds(60))), ("skip", .skipForward(nil)),
      ("skip back", .skipBackward(nil)), ("skip b", .skipBackward(nil)),
      ("skip 30", .skipForward(.seconds(30))), ("skip -10", .skipBackward(.seconds(10))),
      ("rate 1.5", .changePlaybackRate(1.5)), ("rate 2x", .changePlaybackRate(2)),
      ("repeat all", .changeRepeatMode(.all)), ("repeat one", .changeRepeatMode(.one)),
      ("rep off", .changeRepeatMode(.off)), ("shuffle on", .changeShuffleMode(.items)),
      ("shuffle items", .changeShuffleMode(.items)), ("shuffle off", .changeShuffleMode(.off)),
      ("shuffle c", .changeShuffleMode(.collections)),
      ("'seek' \"1:23\"", .seekToPosition(.seconds(83))),
      ("  seek\t1:23  ", .seekToPosition(.seconds(83))),
    ] as [(String, MediaRequest?)])
  func parse_mediaCommand_returnsItsRequest(_ line: String, _ request: MediaRequest?) throws {
    if let request {
      #expect(try parse(line) == media(request))
    } else {
      #expect(throws: (any Error).self) { try parse(line) }
    }
  }

  @Test(arguments: [
    ("volume 40", volume(.set(VolumeLevel(thousandths: 400)))),
    ("volume 40%", volume(.set(VolumeLevel(thousandths: 400)))),
    ("vol 42.5", volume(.set(VolumeLevel(thousandths: 425)))),
    ("volume 0", volume(.set(.silent))), ("volume 100", volume(.set(.loudest))),
    ("volume +5", volume(.change(thousandths: 50))),
    ("volume -5%", volume(.change(thousandths: -50))),
    ("volume up", volume(.change(thousandths: 25))),
    ("volume down", volume(.change(thousandths: -25))),
    ("mute", volume(.toggleMuted)), ("mute on", volume(.setMuted(true))),
    ("mute off", volume(.setMuted(false))), ("volume", .command(.part(.volume))),
    ("rate", .command(.part(.rate))), ("repeat", .command(.part(.repeatMode))),
    ("shuffle", .command(.part(.shuffleMode))),
  ])
  func parse_volumeOrSetting_returnsItsMeaning(_ line: String, _ meaning: ConsoleLine) throws {
    #expect(try parse(line) == meaning)
  }

  @Test(
    arguments: [
      ("", .nothing), ("   ", .nothing), ("status", .command(.status)), ("now", .command(.now)),
      ("queue", .command(.queue(.show(from: nil)))), ("queue 3", .command(.queue(.show(from: 3)))),
      ("queue remove 12", .command(.queue(.remove(12)))),
      ("queue play 2", .command(.queue(.play(2)))),
      ("queue move 7 2", .command(.queue(.move(7, to: 2)))),
      ("queue clear", .command(.queue(.clear))), ("queue undo", .command(.queue(.undo))),
      ("play", .command(.request(.media(.play)))),
      ("play moon  safari", .command(.library(.play("moon safari", .now)))),
      ("play --next moon", .command(.library(.play("moon", .next)))),
      ("play moon safari --shuffle", .command(.library(.play("moon safari", .shuffled)))),
      ("library check", .command(.library(.check))),
      ("diagnose", .command(.diagnose(.summary))),
      ("diagnose --details", .command(.diagnose(.details))),
      ("diagnose phone", .command(.diagnose(.complaint(.phone)))),
      ("diagnose sound", .command(.diagnose(.complaint(.sound)))),
      ("diagnose stops", .command(.diagnose(.symptom(.stopsByItself)))),
      ("diagnose stops by itself", .command(.diagnose(.symptom(.stopsByItself)))),
      ("diagnose \"stops by itself\"", .command(.diagnose(.symptom(.stopsByItself)))),
      ("diagnose artwork", .command(.diagnose(.symptom(.artwork)))),
      ("diag never", .command(.diagnose(.symptom(.neverAppears)))),
      ("diagnose disappears", .command(.diagnose(.symptom(.appearsThenDisappears)))),
      ("diagnose commands", .command(.diagnose(.symptom(.commandsDead)))),
      ("diagnose state", .command(.diagnose(.symptom(.outOfStep)))),
      ("diagnose buttons", .command(.diagnose(.symptom(.customButtons)))),
      ("audio", .command(.audio)), ("latency", .command(.latency)),
      ("trace", .command(.trace(.show))), ("trace on", .command(.trace(.on))),
      ("trace off", .command(.trace(.off))), ("log", .command(.log(.last(200, nil)))),
      ("log 50", .command(.log(.last(50, nil)))),
      ("log kernel", .command(.log(.last(200, .kernel)))),
      ("log sticks 9", .command(.log(.last(9, .sticks)))),
      ("log --grep Under run", .command(.log(.search("Under run", nil)))),
      ("log library --grep x", .command(.log(.search("x", .library)))),
      ("log --previous", .command(.log(.kept(1)))),
      ("log --previous 3", .command(.log(.kept(3)))),
      ("service", .command(.service(.list))), ("screen", .command(.screen)),
      ("devices", .command(.devices)), ("top", .command(.top)), ("report", .command(.report)),
      ("report stick", .command(.stick(.report(nil)))),
      ("report stick MY STICK", .command(.stick(.report("MY STICK")))),
      ("report stick --yes", .command(.stick(.report(nil)), isConfirmed: true)),
      ("report stick --yes sda1", .command(.stick(.report("sda1")), isConfirmed: true)),
      ("service restart daemon", .command(.service(.restart("daemon")))),
      ("SERVICE RESTART daemon", .command(.service(.restart("daemon")))),
      ("service screen", .command(.service(.one("screen")))),
      ("service log stick@sda1.service", .command(.service(.log("stick@sda1.service")))),
      ("clock", .command(.clock(.show))),
      ("clock set 2026-11-30 14:05", .command(.clock(.set("2026-11-30 14:05")))),
      ("storage free", .command(.freeSpace(deletes: false))),
      ("storage free --yes", .command(.freeSpace(deletes: true), isConfirmed: true)),
      ("storage test MY STICK", .command(.stick(.test("MY STICK")))),
      ("stick remount sda1", .command(.stick(.remount("sda1")))),
      ("storage test", .command(.stick(.test(nil)))),
      ("stick remount", .command(.stick(.remount(nil)))),
      ("config phone-wait", .command(.config(.one("phone-wait")))),
      ("config repair", .command(.config(.repair))),
      ("HELP", .help(command: nil)), ("STATUS", .command(.status)),
      ("Log KERNEL", .command(.log(.last(200, .kernel)))),
      ("log -f", .command(.log(.follow))), ("boot", .command(.boot)),
      ("keys", .command(.keys)),
      ("storage", .command(.storage)), ("version", .command(.version)),
      ("config", .command(.config(.show))), ("chime", .command(.chime)),
      ("interrupt begin call", .command(.hold(.interruption(.call), .begin(for: nil)))),
      (
        "interrupt begin alarm --for 0:20",
        .command(.hold(.interruption(.alarm), .begin(for: .seconds(20))))
      ),
      (
        "interrupt end 'my app'",
        .command(.hold(.interruption(.other("my app")), .end(shouldResume: true)))
      ),
      (
        "interrupt end call --pause",
        .command(.hold(.interruption(.call), .end(shouldResume: false)))
      ),
      ("duck begin prompt", .command(.hold(.duck("prompt"), .begin(for: nil)))),
      ("duck begin prompt --for 10", .command(.hold(.duck("prompt"), .begin(for: .seconds(10))))),
      ("duck end prompt", .command(.hold(.duck("prompt"), .end(shouldResume: true)))),
      ("data check", .command(.data(.check))),
      ("data erase", .command(.data(.erase))),
      ("data erase --yes", .command(.data(.erase), isConfirmed: true)),
      ("data format", .command(.data(.format(isForced: false)))),
      ("data format --yes", .command(.data(.format(isForced: false)), isConfirmed: true)),
      ("data format --force", .command(.data(.format(isForced: true)))),
      (
        "data format --force --yes",
        .command(.data(.format(isForced: true)), isConfirmed: true)
      ),
      ("reboot", .command(.reboot)), ("reboot --yes", .command(.reboot, isConfirmed: true)),
      ("poweroff --yes", .command(.poweroff, isConfirmed: true)), ("shell", .command(.shell)),
      ("help", .help(command: nil)), ("?", .help(command: nil)),
      ("help vol", .help(command: "volume")),
      ("quit", .quit), ("exit", .quit), ("bye", .quit), ("logout", .quit),
      ("restart", .command(.reboot)), ("shutdown --yes", .command(.poweroff, isConfirmed: true)),
      ("jump 3", .command(.queue(.play(3)))), ("j 3", .command(.queue(.play(3)))),
      ("resume", .command(.request(.media(.play)))),
      ("continue moon", .command(.library(.play("moon", .now)))),
      ("search moon", .command(.library(.find("moon")))),
    ] as [(String, ConsoleLine)])
  func parse_otherCommand_returnsItsMeaning(_ line: String, _ meaning: ConsoleLine) throws {
    #expect(try parse(line) == meaning)
  }

  /// Invalid lines, each with the kind of its error and the marker below the wrong part.
  private static let wrongLines: [(line: String, kind: GrammarError.Kind, carets: String)] = [
    ("paly", .unknownCommand, "^^^^"),
    ("qqqqq", .unknownCommand, "^^^^^"),
    ("p", .ambiguous, "^"),
    ("reb", .abbreviated, "^^^"),
    ("po", .abbreviated, "^^"),
    ("seek", .missingArgument, "     ^"),
    ("seek soon", .wrongArgument, "     ^^^^"),
    ("seek 1:60", .wrongArgument, "     ^^^^"),
    ("seek 9999:00:00", .wrongArgument, "     ^^^^^^^^^^"),
    ("seek 1 2", .tooManyArguments, "       ^"),
    ("play --json", .unknownOption, "     ^^^^^^"),
    ("volume 101", .wrongArgument, "       ^^^"),
    ("volume upp", .wrongArgument, "       ^^^"),
    ("rate 99", .wrongArgument, "     ^^"),
    ("repeat some", .wrongArgument, "       ^^^^"),
    ("diagnose artwrok", .wrongArgument, "         ^^^^^^^"),
    ("trace o", .ambiguous, "      ^"),
    ("interrupt", .missingArgument, "          ^"),
    ("interrupt begin", .missingArgument, "                ^"),
    ("interrupt begin ''", .wrongArgument, "                ^^"),
    ("help qqq", .unknownCommand, "     ^^^"), ("log 0", .wrongArgument, "    ^"),
    ("log 1001", .wrongArgument, "    ^^^^"),
    ("log --previous 0", .wrongArgument, "               ^"),
    ("service stop x", .tooManyArguments, "             ^"),
    ("play 'x", .openQuote, "     ^"),
    ("日本 x", .unknownCommand, "^^^^"),
  ]

  @Test func parse_wrongLine_throwsKindAndRange() {
    for (line, kind, carets) in Self.wrongLines {
      let error = #expect(throws: GrammarError.self) { try parse(line) }
      #expect(error?.kind == kind, "\(line)")
      #expect(error?.carets(indent: 0, columns: 80) == carets, "\(line)")
    }
  }

  @Test func parse_wrongLine_hasTheMessageOfTheGoldenFile() throws {
    let lines = Self.wrongLines.map { wrong in
      do throws(GrammarError) {
        _ = try Grammar.autoharp.parse(wrong.line)
        return "\(wrong.line): valid"
      } catch {
        return "\(wrong.line): \(error.message)"
      }
    }
    try Golden.check(lines, "errors.txt")
  }

  @Test func parse_hostileWord_throwsASafeShortMessage() {
    let word = "\u{1B}[2J" + String(repeating: "x", count: 5000)
    for line in [word, "seek \(word)", "interrupt begin \(word)", "help \(word)"] {
      let error = #expect(throws: GrammarError.self) { try parse(line) }
      #expect((error?.message.count ?? 999) < 200)
      #expect(error?.message.contains("\u{1B}") == false)
      #expect(error?.carets(indent: 0, columns: 80) == nil)
    }
  }

  @Test func parse_wordsFromAShell_keepsThemUnchanged() throws {
    let grammar = Grammar.autoharp
    #expect(
      try grammar.parse(words: ["interrupt", "begin", "my \"app"])
        == .command(.hold(.interruption(.other("my \"app")), .begin(for: nil))))
    let error = #expect(throws: GrammarError.self) { try grammar.parse(words: ["seek", "a b"]) }
    #expect(error?.line == "seek 'a b'")
    #expect(throws: GrammarError.self) { try grammar.parse(words: [""]) }
  }

  @Test func everyCommand_acceptsItsFullName_andDangerousOnesNoAbbreviation() throws {
    for syntax in Grammar.autoharp.commands {
      for example in syntax.examples {
        let line = try parse(example.line)
        #expect(line != .nothing)
        // The first word of an example is the command's name.
        #expect(example.line.split(separator: " ")[0] == syntax.name)
      }
      for length in 1..<syntax.name.count where syntax.needsFullName {
        if case .command(let command, _)? = try? parse(String(syntax.name.prefix(length))) {
          #expect(command.confirmation == nil)
        }
      }
    }
    let names = Grammar.autoharp.commands.map(\.name)
    #expect(Set(names).count == names.count)
  }

  /// A command is added to the grammar as data. No other code is necessary.
  @Test func grammar_commandWithSeveralForms_isDefinedByData() throws {
    let bt = CommandSyntax(
      name: "bt", group: .information, summary: "phones",
      examples: [("bt pair on 60", "for a minute")],
      forms: [
        .init(.command(.version)),
        .init([
          .required(.words(["pair"])), .required(.words(["on", "off"])),
          .optional(.number(name: "SECONDS", 10...600, unit: "s")),
        ]) { .help(command: $0 == [.word("pair"), .word("on"), .number(60)] ? "bt" : nil) },
        .init([.required(.words(["forget"])), .required(.name("ADDRESS"))]) { _ in .quit },
      ])
    let grammar = Grammar([bt])
    #expect(try grammar.parse("bt") == .command(.version))
    #expect(try grammar.parse("bt forget 00:11") == .quit)
    #expect(grammar.complete("bt ").candidates == ["pair", "forget"])
    #expect(grammar.complete("bt pair o").insertion == "")
    #expect(bt.usages == ["bt", "bt pair on|off [SECONDS]", "bt forget ADDRESS"])
    let error = #expect(throws: GrammarError.self) { try grammar.parse("bt pair on 5") }
    #expect(error?.kind == .wrongArgument && error?.message.contains("10 to 600 s") == true)
    let missing = #expect(throws: GrammarError.self) { try grammar.parse("bt forget") }
    #expect(missing?.kind == .missingArgument && missing?.message.contains("ADDRESS") == true)
  }
}

@Suite struct CompletionTests {
  @Test(
    arguments: [
      ("stat", "us ", ["status"]), ("sta", "", ["stars", "status"]),
      ("st", "", ["stop", "stars", "status", "storage", "stick"]),
      ("reb", "oot ", ["reboot"]), ("diagnose a", "rtwork ", ["artwork"]),
      ("trace ", "o", ["on", "off"]), ("trace on", " ", ["on"]), ("help vol", "ume ", ["volume"]),
      ("vol u", "p ", ["up"]), ("reboot ", "--yes ", ["--yes"]),
      ("log -", "", ["-f", "--grep", "--previous"]), ("log s", "", ["screen", "sticks"]),
      ("log k", "ernel ", ["kernel"]), ("service r", "estart ", ["restart"]),
      ("storage f", "ree ", ["free"]), ("storage free ", "--yes ", ["--yes"]),
      ("config rep", "air ", ["repair"]), ("stick ", "remount ", ["remount"]),
      ("clock ", "set ", ["set"]),
      ("skip ", "", ["ahead", "back"]), ("nonsense ", "", []), ("seek ", "", []),
      ("'sta", "", []), ("interrupt begin ", "", []),
    ] as [(String, String, [String])])
  func complete_head_returnsCandidatesAndInsertion(
    _ head: String, _ insertion: String, _ candidates: [String]
  ) {
    let completion = Grammar.autoharp.complete(head)
    #expect(completion.candidates == candidates && completion.insertion == insertion)
  }

  @Test(
    arguments: [
      ("play ", NameRequest(.music, "")), ("play moon s", NameRequest(.music, "moon s")),
      ("play moon ", NameRequest(.music, "moon ")), ("play --next mo", NameRequest(.music, "mo")),
      ("play --n", nil), ("find 'b c", nil), ("find b\\ c", NameRequest(.music, "b c")),
      ("artists ai", NameRequest(.entries(.artists), "ai")), ("artists --all ", nil),
      ("albums ", NameRequest(.entries(.albums), "")),
      ("folders car/r", NameRequest(.folders, "car/r")),
      ("browse folders c", NameRequest(.folders, "c")),
      ("br gen ja", NameRequest(.entries(.genres), "ja")), ("browse nonsense x", nil),
      ("playlist road", NameRequest(.entries(.playlists), "road")),
      ("playlist add ro", NameRequest(.ownPlaylists, "ro", isOneWord: true)),
      ("playlist add Road moon", NameRequest(.music, "moon")),
      ("playlist add --again Road moon", NameRequest(.music, "moon")),
      ("playlist remove 3 road tr", NameRequest(.ownPlaylists, "road tr")),
      ("playlist rename Road ", nil), ("queue save ro", NameRequest(.ownPlaylists, "ro")),
      ("library scan c", NameRequest(.sources, "c")),
      ("source my st", NameRequest(.sources, "my st")),
      ("service restart sc", NameRequest(.services, "sc", isOneWord: true)),
      ("service log ", NameRequest(.services, "", isOneWord: true)),
      ("service sc", NameRequest(.services, "sc", isOneWord: true)),
      ("storage test s", NameRequest(.sticks, "s")), ("stick remount ", NameRequest(.sticks, "")),
      ("config pho", NameRequest(.allSettings, "pho", isOneWord: true)),
      ("bt forget a", NameRequest(.phones, "a", isOneWord: true)),
      ("seek 1", nil), ("bt rename x y", nil),
    ] as [(String, NameRequest?)])
  func complete_nameOfTheLibrary_isRequested(_ head: String, _ request: NameRequest?) {
    #expect(Grammar.autoharp.complete(head).names == request)
  }

  @Test(
    arguments: [
      ("moon s", ["Moon Safari"], "afari "), ("moon", ["Moon", "Moon Safari", "moon River"], ""),
      ("mo", ["Moon Safari", "MOON River"], "on "), ("bjo", ["Björk", "BJÖRN"], "r"),
      ("sigur r", ["Sigur Ro\u{301}s"], "o\u{301}s "),
      ("don", ["Don't \"Stop\""], "\\'t \\\"Stop\\\" "),
      ("x", ["\u{1B}[2J", "y"], ""), ("car/", ["car/Rock/"], "Rock/"), ("日", ["日本"], "本 "),
      ("be", ["日本", "Bébé"], "bé "), ("", ["Air"], "Air "),
    ] as [(String, [String], String)])
  func names_areAppended_withTheirSpecialCharactersEscaped(
    _ written: String, _ names: [String], _ insertion: String
  ) {
    let request = NameRequest(.music, written)
    let completion = Completion().adding(NameAnswer(names: names), request)
    #expect(completion.insertion == insertion)
    let unsure = Completion().adding(NameAnswer(names: names, isComplete: false), request)
    #expect(unsure.insertion == "")
    #expect(unsure.candidates.last == (completion.candidates.isEmpty ? nil : "..."))
  }

  @Test func nameOfOneWord_hasItsSpacesEscaped() {
    let request = NameRequest(.ownPlaylists, "ro", isOneWord: true)
    let completion = Completion().adding(NameAnswer(names: ["Road trip"]), request)
    #expect(completion.insertion == "ad\\ trip ")
  }

  @Test func complete_emptyLine_returnsAllCommands() {
    #expect(
      Grammar.autoharp.complete("").candidates == Grammar.autoharp.commands.map(\.name))
  }
}

@Suite struct TokenTests {
  @Test(
    arguments: [
      ("a b", ["a", "b"]), ("", []), (" a  b ", ["a", "b"]), ("'a b'c \"d'e\"", ["a bc", "d'e"]),
      ("a\\ b", ["a b"]), ("''", [""]), ("\"a\\\"b\"", ["a\"b"]), ("'a\\b'", ["a\\b"]),
      ("\\", ["\\"]),
    ] as [(String, [String])])
  func split_line_returnsItsWords(_ line: String, _ words: [String]) throws {
    #expect(try Token.split(line).map(\.text) == words)
  }
}

import EventLoop
import NowPlaying
import Reports
import TestKit
import Testing

@testable import Daemon

/// Interruptions and ducks that clients request (``SoundHold``), without the daemon.
@Suite struct UnitHoldsTests {
  private let context: PartContext
  private let center = NowPlayingCenter(volume: Volume(level: .loudest))
  private let holds: UnitHolds

  init() throws {
    context = try PartContext()
    holds = UnitHolds(context.loop, center, file: nil, context.turns)
  }

  private func begin(_ hold: SoundHold, for time: Duration? = nil) -> Refusal.Code? {
    holds.begin(hold, for: time)?.code
  }

  private func expectTurn(_ body: () -> Void) throws {
    let isRequested = try context.isTurnRequested(by: body)
    #expect(isRequested)
  }

  private func end(_ hold: SoundHold) -> Refusal.Code? {
    holds.end(hold, shouldResume: true)?.code
  }

  @Test func duck_lowersTheSoundUntilItEnds_andIsNoInterruption() throws {
    try expectTurn { #expect(begin(.duck("a")) == nil) }
    #expect(holds.isDucked && center.interruptions.current.isEmpty)
    try expectTurn { #expect(end(.duck("a")) == nil) }
    #expect(!holds.isDucked)
  }

  @Test func interruption_isOneOfTheCenterUntilItEnds_andLowersNothing() throws {
    try expectTurn { #expect(begin(.interruption(.call)) == nil) }
    #expect(center.interruptions.current.map(\.reason) == [.call] && !holds.isDucked)
    try expectTurn { #expect(end(.interruption(.call)) == nil) }
    #expect(center.interruptions.current.isEmpty)
  }

  @Test func equalHold_andAHoldThatDoesNotExist_areRefusedWithoutATurn() throws {
    #expect(begin(.duck("a")) == nil)
    let isRequested = try context.isTurnRequested {
      #expect(begin(.duck("a")) == .interruptionActive)
      #expect(end(.interruption(.other("a"))) == .interruptionInactive)
      #expect(end(.duck("b")) == .interruptionInactive)
    }
    #expect(!isRequested && holds.isDucked)
    // Holds of different kinds can have the same name.
    #expect(begin(.interruption(.other("a"))) == nil)
  }

  @Test func sixteenHolds_areTheLimit() {
    for number in 1...16 { #expect(begin(.duck("\(number)")) == nil) }
    #expect(begin(.interruption(.call)) == .tooManyHolds)
    #expect(center.interruptions.current.isEmpty)
    #expect(end(.duck("7")) == nil && begin(.interruption(.call)) == nil)
  }

  /// A daemon that starts again in the same boot begins the holds that outlive their clients again. A name can contain
  /// each byte.
  @Test func holdsOfTheFile_beginAgain_withTheSameEnds() throws {
    let file = HoldFile(folder: context.folder.path("."), boot: "boot")
    let names = ["a", "ends with \r", "\u{301} begins with a mark"]
    let first = UnitHolds(context.loop, center, file: file, context.turns)
    for name in names {
      #expect(first.begin(.duck(name), for: .seconds(3600), outlives: true) == nil)
    }
    #expect(first.begin(.duck("of a client"), for: .seconds(3600)) == nil)
    let written = file.read()
    #expect(written.map(\.hold) == names.map { .duck($0) })

    let second = UnitHolds(context.loop, center, file: file, context.turns)
    #expect(second.facts.map(\.label) == ["duck", "duck", "duck"])
    #expect(file.read() == written)
    #expect(HoldFile(folder: context.folder.path("."), boot: "another").read() == [])
  }

  /// The hold that begins last has the shortest time, so it ends first.
  @Test func holdWithATime_endsByItself_andTheOthersStay() throws {
    #expect(begin(.interruption(.call)) == nil)
    #expect(begin(.interruption(.alarm), for: .seconds(3600)) == nil)
    #expect(begin(.duck("soon"), for: .milliseconds(50)) == nil)
    #expect(holds.facts.map(\.label) == ["interruption", "interruption", "duck"])
    let count = context.turnCount
    try context.loop.turn { !holds.isDucked }
    try context.loop.turn { context.turnCount > count }
    #expect(center.interruptions.current.map(\.reason) == [.call, .alarm])
    #expect(end(.duck("soon")) == .interruptionInactive)
  }
}

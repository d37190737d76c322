import Control
import EventLoop
import Foundation
import HeadUnit
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

@testable import Daemon

/// The requests of clients to the unit, with all parts of the daemon and without a server.
@Suite struct UnitControlTests {
  private func facts(_ topic: FactsTopic, _ bench: PartsBench) throws -> FactsReport {
    var reports: [FactsReport] = []
    bench.control.facts(topic) { reports.append($0) }
    try bench.context.loop.turn { !reports.isEmpty }
    #expect(reports.count == 1)
    return try #require(reports.first)
  }

  @Test(arguments: FactsTopic.allCases)
  func facts_ofEachTopic_areAnsweredOnce(_ topic: FactsTopic) throws {
    let bench = try PartsBench()
    try bench.parts.storage.start()
    #expect(!(try facts(topic, bench)).sections.flatMap(\.facts).isEmpty)
  }

  /// A medium that does not answer must not keep the console waiting.
  @Test func facts_ofTheStorage_sayWhichFoldersArePresent() throws {
    func grades(isRead: Bool) throws -> [Grade?] {
      let bench = try PartsBench(
        ["music-folder = /missing"], storageLimit: isRead ? Hang.limit : .milliseconds(50))
      if isRead { try bench.parts.storage.start() }
      let music = try #require(try facts(.storage, bench).sections.first)
      return ["/missing", "files"].map { label in
        music.facts.first { $0.label == label }?.grade
      }
    }
    #expect(try grades(isRead: true) == [.note, .bad])
    // The reader was not started, so no reading arrives.
    #expect(try grades(isRead: false) == [.bad, .bad])
  }

  @Test func facts_ofTheStatus_haveTheHoldsThatWereRequested() throws {
    let bench = try PartsBench()
    try bench.parts.storage.start()
    func isRequested() throws -> Bool {
      try facts(.status, bench).sections.map(\.title).contains("requested")
    }
    #expect(try !isRequested())
    #expect(bench.control.begin(.duck("a"), for: nil, outlives: false) == nil)
    #expect(try isRequested())
  }

  @Test func holds_areThoseOfTheirPart() throws {
    let bench = try PartsBench()
    let isRequested = try bench.context.isTurnRequested {
      #expect(bench.control.begin(.duck("a"), for: nil, outlives: false) == nil)
    }
    #expect(isRequested && bench.parts.holds.isDucked)
    #expect(bench.control.end(.duck("a"), shouldResume: true) == nil)
    #expect(!bench.parts.holds.isDucked)
  }

  @Test func chime_playsIfOneIsConfigured_andAsksForATurn() throws {
    let without = try PartsBench()
    #expect(without.control.playChime()?.code == .noChime)
    let bench = try PartsBench(["chime = /missing.flac"])
    let isRequested = try bench.context.isTurnRequested {
      #expect(bench.control.playChime() == nil)
    }
    #expect(isRequested && bench.unit.isChiming)
  }

  @Test func testSound_isATonePerChannel_andWaitsUntilTheCarIsParked() throws {
    let bench = try PartsBench()
    #expect(bench.control.setParked(false) == nil)
    #expect(bench.control.testSound()?.code == .notParked && !bench.unit.isChiming)
    #expect(bench.control.setParked(true) == nil)
    #expect(bench.control.testSound() == nil && bench.unit.isChiming)
    let frames = TestTone.toneFrames + TestTone.pauseFrames
    let samples = TestTone.wav.dropFirst(44).map(Int.init)
    #expect(samples.count == frames * 8)
    // True if a channel has a sound in the first or in the second half.
    func sounds(_ channel: Int, inSecondHalf: Bool) -> Bool {
      (0..<frames).contains { frame in
        let at = samples.startIndex + (frame + (inSecondHalf ? frames : 0)) * 4 + channel * 2
        return samples[at] != 0 || samples[at + 1] != 0
      }
    }
    #expect(sounds(0, inSecondHalf: false) && !sounds(1, inSecondHalf: false))
    #expect(!sounds(0, inSecondHalf: true) && sounds(1, inSecondHalf: true))
  }

  @Test func endSafeMode_endsTheRunOnlyIfSomethingStartsItAgain() throws {
    let normal = try PartsBench()
    #expect(normal.control.endSafeMode()?.code == .noSafeMode)
    #expect(!normal.parts.run.takeEndRequest())
    let bench = try PartsBench(plan: .safeMode(failures: 3))
    let isPresent = ServiceManager.isPresent
    #expect(bench.control.endSafeMode()?.code == (isPresent ? nil : .noService))
    #expect(bench.parts.run.takeEndRequest() == isPresent)
  }

  @Test func unitWithoutBluetoothAndLibrary_offersNoPhones_andSaysWhyThereIsNoLibrary() throws {
    let bench = try PartsBench()
    #expect(bench.control.phones == nil && bench.control.album() == nil)
    #expect(bench.control.library?.rescan("")?.code == .noLibrary)
    let careful = try PartsBench(
      ["bluetooth = yes", "console-shell = yes"], plan: .safeMode(failures: 3))
    #expect(careful.control.phones != nil && careful.control.isShellAllowed)
    #expect(careful.control.library?.rescan("")?.code == .safeMode)
    #expect(careful.control.standingNotice == UnitNotice(.safeMode))
    #expect(!bench.control.isShellAllowed && bench.control.standingNotice == nil)
  }

  @Test func recentLog_hasTheLastLines() throws {
    let bench = try PartsBench()
    for number in 1...3 { bench.context.log(.unitStarted, "\(number)", at: .now()) }
    let texts = bench.control.recentLog(limit: 2).map(\.text)
    #expect(texts == ["unit.started: 2", "unit.started: 3"])
    #expect(bench.control.recentLog(limit: -1).isEmpty)
  }

  @Test func erase_knowsTheReportsAboutTheStorage() throws {
    func code(_ report: String) throws -> Refusal.Code? {
      let bench = try PartsBench { start, context in
        start.powerRequest = PowerRequest(folder: context.folder.path("reports"))
        start.erasureMark = context.folder.path("data/erase")
        try? context.report("reports/notice", report)
      }
      var answer: Refusal??
      bench.control.erasePersonalData { answer = .some($0) }
      try bench.context.loop.turn { answer != nil }
      return answer??.code
    }
    #expect(try code("data.repaired It is.\n") == nil)
    #expect(try code("data.checking It is checked.\n") == .eraseFailed)
  }

  @Test func findings_areAnsweredOnce_withTheReadingsOfTheMachine() throws {
    let bench = try PartsBench()
    try bench.parts.storage.start()
    var answers: [[String]] = []
    bench.control.findings { answers.append($0.map(\.code)) }
    try bench.context.loop.turn { !answers.isEmpty }
    #expect(answers.count == 1 && answers[0].contains("folders.present"))
  }
}

import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

@testable import Daemon

/// The request to set the time of day. A socket of the test replaces the helper.
@Suite struct UnitClockTests {
  private let loop = EventLoop()
  private let folder: TemporaryFolder
  private let time = 1_800_000_000

  init() throws { folder = try TemporaryFolder() }

  private var socket: String { folder.path("clock") }

  private func clock(_ keeper: SettingsState.Clock = .unknown) -> UnitClock {
    UnitClock(loop, socket: socket, keeper: { keeper })
  }

  /// Sets the time, and answers the request with `text`. Returns the refusal of the clock, and the request.
  private func set(answering text: String) throws -> (refusal: Refusal?, request: String) {
    let listener = try #require(UnixSocket.bound(to: socket))
    defer {
      close(listener)
      unlink(socket)
    }
    #expect(listen(listener, 1) == 0)
    let clock = clock()
    var answer: Refusal??
    clock.set(time) { answer = .some($0) }
    let helper = accept(listener, nil, nil)
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = read(helper, &buffer, buffer.count)
    write(helper, text, text.utf8.count)
    close(helper)
    try loop.turn { answer != nil }
    return (answer ?? nil, String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self))
  }

  private func refusal(_ clock: UnitClock, _ seconds: Int) -> Refusal.Code? {
    var answer: Refusal??
    clock.set(seconds) { answer = .some($0) }
    return answer.flatMap { $0?.code }
  }

  @Test func helper_getsTheTime() throws {
    let done = try set(answering: "done set The time is set.\n")
    #expect(done.request == "set \(time)\n" && done.refusal == nil)
  }

  @Test func timesThatAreWantedMeanwhile_areSetWithTheLatestOne() throws {
    let listener = try #require(UnixSocket.bound(to: socket))
    defer { close(listener) }
    #expect(listen(listener, 4) == 0)
    let clock = clock()
    var answers: [Refusal?] = []
    for minute in 0...3 { clock.set(time + minute * 60) { answers.append($0) } }
    var requests: [String] = []
    for count in [1, 4] {
      let helper = accept(listener, nil, nil)
      var buffer = [UInt8](repeating: 0, count: 64)
      let length = read(helper, &buffer, buffer.count)
      requests.append(String(decoding: buffer.prefix(max(length, 0)), as: UTF8.self))
      write(helper, "done\n", 5)
      close(helper)
      try loop.turn { answers.count == count }
    }
    #expect(requests == ["set \(time)\n", "set \(time + 180)\n"])
    #expect(answers.allSatisfy { $0 == nil })
  }

  @Test func refusalsOfTheHelper_haveCodes() throws {
    for (text, code) in [
      ("refused kept The network keeps the time.\n", Refusal.Code.timeKept),
      ("refused implausible No.\n", .invalidTime), ("failed system Not permitted\n", .timeNotSet),
      ("refused unknown No.\n", .timeNotSet), ("", .timeNotSet), ("nonsense\n", .timeNotSet),
      (String(repeating: "x", count: 600), .timeNotSet),
    ] {
      #expect(try set(answering: text).refusal?.code == code, "\(text)")
    }
  }

  @Test func implausibleTime_isRefused() throws {
    for seconds in [0, -1, Int.min, Int.max, 1_735_689_599, 4_102_444_800] {
      #expect(refusal(clock(), seconds) == .invalidTime)
    }
  }

  @Test func timeOfTheNetwork_isNotChanged() {
    #expect(refusal(clock(.network), time) == .timeKept)
    #expect(!clock(.network).canSet && clock(.network).keeper == .network)
  }

  @Test func machineWithoutTheHelper_refuses() throws {
    #expect(refusal(clock(), time) == .noService && !clock().canSet)
    // The helper has ended, but its socket still exists.
    let listener = try #require(UnixSocket.bound(to: socket))
    close(listener)
    #expect(clock().canSet)
    #expect(refusal(clock(), time) == .timeNotSet)
  }

  @Test func helperThatDoesNotAnswer_isGivenUp() throws {
    let listener = try #require(UnixSocket.bound(to: socket))
    defer { close(listener) }
    #expect(listen(listener, 1) == 0)
    let clock = clock()
    var answers: [Refusal.Code?] = []
    clock.set(time) { answers.append($0?.code) }
    clock.set(time) { answers.append($0?.code) }
    #expect(answers.isEmpty, "one request at a time")
    try loop.turn { answers.count == 2 }
    #expect(answers == [.timeNotSet, .timeNotSet])
  }
}

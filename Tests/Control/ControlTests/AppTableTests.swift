import NowPlaying
import Reports
import TestKit
import Testing

@testable import Control

@Suite struct AppTableTests {
  private typealias Table = AppTable<Int>
  private let limits = AppLimits.standard

  private func code(_ body: () throws -> Void) -> Refusal.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? Refusal)?.code }
  }

  @Test func sessions_areLimitedForAnApp_andForAll() throws {
    var table = Table()
    var numbers: [Int] = []
    for app in 0..<4 {
      for _ in 0..<4 { numbers.append(try table.openSession("a", .user(UInt32(app)), app)) }
      #expect(code { _ = try table.openSession("a", .user(UInt32(app)), app) } == .tooManySessions)
    }
    #expect(code { _ = try table.openSession("a", .user(9), 9) } == .tooManySessions)
    table.endSession(numbers[0])
    let last = try table.openSession("a", .user(9), 9)
    #expect(Set(numbers + [last]).count == 17)
  }

  @Test func streams_areLimitedForAnApp_andForAll_andEndWithTheirSession() throws {
    var table = Table()
    let sessions = try (0..<5).map { try table.openSession("a", .connection($0), $0) }
    let other = try table.openSession("b", .connection(0), 0)
    for index in 0..<4 {
      for _ in 0..<4 { _ = try table.openStream(of: sessions[index]) }
      #expect(code { _ = try table.openStream(of: sessions[index]) } == .tooManyStreams)
    }
    #expect(code { _ = try table.openStream(of: other) } == .tooManyStreams)
    #expect(code { _ = try table.openStream(of: sessions[4]) } == .tooManyStreams)
    table.endSession(sessions[0])
    let stream = try table.openStream(of: other)
    #expect(try table.session(ofStream: stream, of: 0) == other)
    #expect(code { _ = try table.session(ofStream: stream, of: 1) } == .noSuchStream)
    #expect(code { _ = try table.session(ofStream: 1, of: 0) } == .noSuchStream)
    #expect(code { try table.requireStreams([stream], of: other) } == nil)
    #expect(code { try table.requireStreams([stream, 5], of: other) } == .noSuchStream)
    table.endStream(stream)
    #expect(code { try table.requireStreams([stream], of: other) } == .noSuchStream)
  }

  @Test func sessionOfAnotherConnection_isUnknown() throws {
    var table = Table()
    let session = try table.openSession("a", .user(1), 1)
    let other = try table.openSession("b", .user(1), 2)
    #expect(code { try table.requireSession(session, of: 1) } == nil)
    for (number, connection) in [(session, 2), (other, 1), (0, 1), (99, 1)] {
      #expect(code { try table.requireSession(number, of: connection) } == .noSuchSession)
    }
    #expect(table.sessions(of: 1) == [session] && table.session(named: "b") == other)
    table.endSession(session)
    #expect(table.sessions(of: 1) == [] && table.session(named: "a") == nil)
  }

  @Test func pictures_areLimitedByNumberAndBytes() throws {
    var table = Table()
    let session = try table.openSession("a", .user(1), 1)
    for number in 0..<limits.pictures {
      try table.setPicture("\(number)", bytes: 1, of: session)
    }
    #expect(code { try table.setPicture("more", bytes: 1, of: session) } == .tooManyPictures)
    try table.setPicture("0", bytes: 2, of: session)
    try table.setPicture("0", bytes: nil, of: session)
    let rest = limits.pictureBytes - limits.pictures + 1
    #expect(code { try table.setPicture("more", bytes: rest + 1, of: session) } == .tooManyPictures)
    try table.setPicture("more", bytes: rest, of: session)
  }

  @Test func calls_areLimitedPerSecond_withABurst() throws {
    var table = Table()
    func accepted(_ app: UInt32, at seconds: Double, _ kind: Table.Paced = .change) -> Int {
      (0..<100).count { _ in
        code {
          try table.count(kind, of: .user(app), at: MonotonicInstant(awake: .seconds(seconds)))
        } == nil
      }
    }
    #expect(accepted(1, at: 0) == 40 && accepted(1, at: 0) == 0)
    #expect(accepted(1, at: 0.049) == 0 && accepted(1, at: 0.05) == 1)
    #expect(accepted(1, at: 1.05) == 20)
    #expect(accepted(1, at: 1000) == 40)
    // Apps, and the kinds of calls, do not influence each other. An earlier time changes nothing.
    #expect(accepted(2, at: 1000) == 40 && accepted(1, at: 1000, .sound) == 80)
    #expect(accepted(1, at: 3) == 0)
    for app in 0..<1000 as Range<UInt32> { _ = accepted(app, at: 2000 + Double(app) * 10) }
    #expect(table.countedApps == 1)
  }

  /// A connection can have the identity of one that has ended.
  @Test func paceOfAConnection_endsWithIt() {
    var table = Table()
    func calls() -> Int {
      (0..<100).count { _ in
        code { try table.count(.change, of: .connection(1), at: MonotonicInstant(awake: .zero)) }
          == nil
      }
    }
    #expect(calls() == 40 && calls() == 0)
    table.forgetPace(of: 1)
    #expect(calls() == 40)
  }

  @Test func identity_belongsToOneUser() {
    let radio = AppAccess(id: "radio", user: 804, name: "Radio")
    let rule = AccessRule(user: 800, console: nil, screen: nil, apps: [radio])
    #expect(rule.app("radio", ofUser: 804) == radio)
    #expect(rule.app("radio", ofUser: 805) == nil && rule.app("other", ofUser: 804) == nil)
    for user: UInt32 in [0, 800] {
      let own = rule.app("radio", ofUser: user)
      #expect(own?.name == "Radio" && own?.mayPrompt == true && own?.mayClaimForPerson == true)
      #expect(rule.app("other", ofUser: user)?.id == "other")
    }
  }
}

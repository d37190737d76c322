import AppPlayer
import AppStream
import AudioEngine
import EventLoop
import Foundation
import HeadUnit
import LocalPlayer
import NowPlaying
import SystemClock
import TestKit
import Testing

/// Apps, phones and the music of the unit in random order, with the real engine and a fast sound card. The environment
/// variable `AUTOHARP_STEPS` is the number of steps (default 200).
@Suite(.enabled(if: PacedPCM.obstacle == nil, Comment(rawValue: PacedPCM.obstacle ?? "")))
struct SourceWalkTests {
  @Test func E5_P5_randomSources_oneSounds_underItsOwnTitle_andTheLastPersonWins() throws {
    let steps = ProcessInfo.processInfo.environment["AUTOHARP_STEPS"].flatMap { Int($0) } ?? 200
    let walk = try SourceWalk(seed: 63)
    for _ in 0..<steps where !walk.hasFailed { try walk.step() }
    print("walk: \(walk.summary)")
    #expect(steps < 200 || walk.heardSteps > steps / 10)
  }
}

/// A phone whose stream is ``TaggedFrames``. A phone starts only if a person wants it (``StartRule/always``).
private final class WalkPhone: EngineUser {
  let id: SessionID
  let frames: TaggedFrames
  private let unit: AppUnit
  private var session: MediaSession?
  private(set) var plays = false
  private var stream: TrackStream?
  private var socket: BusDescriptor?
  private var next: Int64 = 0
  private var track: Int

  init(_ unit: AppUnit, _ name: String, tag: Int16) {
    (self.unit, id, frames) = (unit, SessionID("phone-\(name)"), TaggedFrames(tag: tag))
    track = 1_000_000_000 + Int(tag) * 1_000_000
  }

  var isConnected: Bool { session != nil }

  func connect() {
    session = unit.unit.center.openSession(
      id,
      instruct: { [weak self] in
        switch $0 {
        case .pause: self?.set(false)
        case .resume: self?.set(true)
        case .duck, .unduck: break
        }
      }, at: .now())
    session?.activate(at: .now())
    publish()
  }

  func disconnect() {
    plays = false
    session?.end(at: .now())
    session = nil
    update()
  }

  /// A person starts or pauses the phone, or the unit tells it to.
  func set(_ plays: Bool) {
    self.plays = plays
    publish()
    update()
  }

  private func publish() {
    session?.publish(
      SessionDescription(
        content: TestApp.song(id.rawValue),
        playback: .snapshot(
          MediaPlaybackSnapshot(
            state: plays ? .playing() : .paused, elapsedTime: .zero, timestamp: .now())),
        commands: [
          .play { [unowned self] in
            set(true)
            $0(.success, at: .now())
          },
          .pause { [unowned self] in
            set(false)
            $0(.success, at: .now())
          },
        ]), at: .now())
  }

  func update() {
    let mayPlay = plays && session?.isPrimary == true && session?.sound.hold == nil
    if mayPlay, stream == nil {
      guard let (own, app) = try? BusDescriptor.packetPair(),
        let format = try? AppStreamFormat(rate: 44_100, channels: 2, samples: "s16")
      else { return }
      unit.unit.engine.acquire(for: self)
      (socket, next, track) = (app, 0, track + 1)
      let stream = TrackStream(format, own)
      self.stream = stream
      unit.unit.engine.play(stream.track(id: track))
      unit.unit.engine.setPaused(false)
    } else if !mayPlay, stream != nil {
      stream = nil
      unit.unit.engine.stop()
    }
  }

  func engineWillBeTaken() { stream = nil }

  func pump() {
    guard stream != nil, let socket else { return }
    while true {
      let packet = frames.packet(next..<next + 480)
      guard
        send(socket.number, packet, packet.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) > 0
      else { return }
      next += 480
    }
  }
}

/// The walk. After each step it checks that at most one source sounds, that no frame of one source is heard under the
/// title of another, that the source that a person chose last is Now Playing, and that no automatic start takes over.
private final class SourceWalk {
  private let unit: AppUnit
  private var random: SeededRandom
  private var apps: [TestApp?] = [nil, nil, nil]
  private let phones: [WalkPhone]
  private let own = TaggedFrames(tag: 100)
  private var calls: [Int] = []
  /// The source that a person has chosen last, and that has not ended or been paused.
  private var chosen: SessionID?
  /// The app that a person has wanted last. For some time, its start is that of the person (``StartRule``).
  private var wanted: SessionID?
  private var read = 0
  private var number = 0
  private var log: [String] = []
  private(set) var hasFailed = false
  /// The number of steps after which a source was heard.
  private(set) var heardSteps = 0
  private var counts: [String: Int] = [:]

  init(seed: UInt64) throws {
    random = SeededRandom(seed)
    unit = try AppUnit(speed: 8, music: own.wave(frames: 44_100 * 60))
    phones = [WalkPhone(unit, "ann", tag: 11), WalkPhone(unit, "bob", tag: 12)]
    unit.unit.player.setRepeat(.all)
    unit.extraTurn = { [unowned self] in for phone in phones { phone.update() } }
    unit.extraPump = { [unowned self] in for phone in phones { phone.pump() } }
  }

  var summary: String { "\(number) steps, \(heardSteps) heard, \(counts.sorted { $0 < $1 })" }

  private func note(_ text: String) {
    log.append("\(number) \(text)")
    counts[String(text.split(separator: " ")[0]), default: 0] += 1
  }

  private func expect(_ condition: Bool, _ rule: String) {
    guard !condition, !hasFailed else { return }
    hasFailed = true
    let state = unit.state
    Issue.record(
      """
      step \(number): \(rule); \(String(describing: state.session)) \(state.status), chosen \
      \(String(describing: chosen)), \(log.suffix(14).joined(separator: "\n"))
      """)
  }

  // MARK: Steps

  /// What a step is for the rules.
  private enum Cause {
    case person, automatic
    case time
    /// The end of a source, or an interruption.
    case other
  }

  func step() throws {
    number += 1
    let before = unit.state
    let wasPlaying = before.intendsToPlay
    let cause = try act()
    unit.player.update()
    for phone in phones { phone.update() }
    let state = unit.state
    switch cause {
    case .person: wanted = chosen
    case .time: wanted = nil
    case .automatic, .other: break
    }
    if let id = chosen, !unit.unit.center.arbitration.verdicts.contains(where: { $0.id == id }) {
      chosen = nil
    }
    if cause == .automatic, wasPlaying, wanted != state.session {
      expect(
        state.session == before.session, "an automatic start took over from \(before.session!)")
    }
    if let chosen { expect(state.session == chosen, "the choice of a person is not shown") }
    checkTitle()
    try listen(before.session)
  }

  private func tag(_ id: SessionID?) -> Int16? {
    guard let id else { return nil }
    if let app = id.app { return Int16(app.dropFirst(3)).map { $0 + 1 } }
    if let phone = phones.first(where: { $0.id == id }) { return phone.frames.tag }
    return own.tag
  }

  private func checkTitle() {
    guard let id = unit.state.session, let title = unit.state.content?.lines().title else { return }
    let wanted = id == "local" ? "Song" : id.app ?? id.rawValue
    expect(title == wanted, "\(title) is shown for \(id)")
    let sounding = unit.unit.center.inspection(at: .now()).sessions.filter {
      $0.verdict.sound.hold == nil && $0.reported?.status.isAdvancing == true
    }
    expect(sounding.count <= 1, "\(sounding.map(\.id)) sound")
  }

  /// Waits for the sound of the source that plays. New frames are those of the source before the step, and then those
  /// of the source after it.
  private func listen(_ before: SessionID?) throws {
    let state = unit.state
    let tags = (tag(before), tag(state.session))
    var last: Int16?
    func check() throws {
      for heard in try newTags() {
        expect(heard == tags.0 || heard == tags.1, "frames of \(heard)")
        if tags.0 != tags.1, last == tags.1 {
          expect(heard != tags.0, "frames of \(heard) after those of \(tags.1 ?? 0)")
        }
        last = heard
      }
    }
    let isHeard = state.status == .playing || state.status == .buffering
    let app = apps.first { $0?.session.id == state.session } ?? nil
    let isFed = app.map { $0.wanted == .max } ?? true
    guard isHeard, isFed, !isWaiting(state.session), random.chance(60) else {
      try unit.turn(for: .milliseconds(5))
      return try check()
    }
    heardSteps += 1
    let revision = unit.state.session
    try unit.turn {
      try? check()
      return hasFailed || last == tags.1 || unit.state.session != revision
        || !unit.state.intendsToPlay
    }
    expect(unit.state.session == revision, "another source after the step")
  }

  private func isWaiting(_ id: SessionID?) -> Bool {
    id?.app != nil && !apps.contains { $0?.session.id == id }
  }

  /// The tags of the frames that were captured since the last call, without repetitions.
  private func newTags() throws -> [Int16] {
    let bytes = try unit.card.captured(from: read)
    let count = bytes.count / 8
    read += count * 8
    var tags: [Int16] = []
    var run: (next: Int64, tag: Int16, count: Int)?
    bytes.withUnsafeBytes {
      let samples = $0.bindMemory(to: Int32.self)
      for index in 0..<count {
        let (left, right) = (samples[index * 2], samples[index * 2 + 1])
        guard left & 0xFFFF == 0, right & 0xFFFF == 0, left >= 0, right > 0 else {
          run = nil
          continue
        }
        let (tag, frame) = (Int16(right >> 24), Int64(left >> 16) | Int64(right >> 16 & 0xFF) << 15)
        let length = run?.tag == tag && run?.next == frame ? run!.count + 1 : 1
        run = (frame + 1, tag, length)
        // A faded frame can look like another frame. It never looks like a long run.
        if length == 64, tags.last != tag { tags.append(tag) }
      }
    }
    return tags
  }

  private func openApp(_ index: Int) throws {
    let app = try TestApp(unit, "app\(index)", tag: Int16(index + 1))
    app.content = TestApp.song("app\(index)")
    app.publish(.paused)
    apps[index] = app
    if app.plays { app.publish(.playing()) }
  }

  private func act() throws -> Cause {
    let index = random.below(3)
    let phone = phones[random.below(2)]
    let primary = unit.state.session
    switch random.below(18) {
    case 0, 1:
      guard let app = apps[index] else { return .other }
      note("person-chooses app\(index)")
      app.answers = true
      app.wanted = .max
      if case .refused = app.session.claim(isPerson: true) { app.session.tellToPlay() }
      unit.send(.play)
      chosen = app.session.id
      return .person
    case 2, 3:
      guard primary != nil, !isWaiting(primary) else { return .other }
      note("person-plays")
      unit.send(.play)
      chosen = unit.state.session
      return .person
    case 4:
      note("person-pauses")
      chosen = nil
      unit.send(.pause)
      return .person
    case 5:
      note("person-stops")
      chosen = nil
      unit.send(.stop)
      return .person
    case 6, 7:
      note("person-plays-own-music")
      unit.unit.player.resume()
      try unit.turn(for: .milliseconds(1))
      chosen = "local"
      return .person
    case 8:
      guard phone.isConnected else {
        note("phone-connects")
        phone.connect()
        return .automatic
      }
      note("person-plays \(phone.id)")
      phone.set(true)
      chosen = phone.id
      return .person
    case 9:
      note("phone-leaves")
      phone.disconnect()
      return .other
    case 10, 11:
      guard let app = apps[index] else {
        note("app-comes app\(index)")
        try openApp(index)
        return .automatic
      }
      note("app-starts app\(index)")
      app.publish(.playing())
      return .automatic
    case 12:
      guard let app = apps[index] else { return .other }
      note("app-stops app\(index)")
      if chosen == app.session.id { chosen = nil }
      app.publish(random.chance(50) ? .paused : .stopped)
      return .other
    case 13:
      guard let app = apps[index] else { return .other }
      note("app-dies app\(index)")
      app.die()
      apps[index] = nil
      return .other
    case 14:
      guard let app = apps[index] else { return .other }
      note("app-claims app\(index)")
      _ = app.session.claim(isPerson: false)
      return .automatic
    case 15:
      if calls.isEmpty {
        note("call-begins")
        calls.append(unit.unit.center.beginInterruption(.call, at: .now()))
      } else {
        note("call-ends")
        let resumes = random.chance(70)
        if !resumes { chosen = nil }
        unit.unit.center.endInterruption(calls.removeLast(), shouldResume: resumes, at: .now())
      }
      return .other
    case 16:
      note("time-passes")
      unit.ahead += .seconds(11)
      unit.player.update()
      return .time
    default:
      guard let app = apps[index] else { return .other }
      note("app-starves app\(index)")
      app.wanted = app.wanted == .max ? app.streams[0].next : .max
      return .other
    }
  }
}

extension NowPlayingState {
  /// True if *pause* is offered in place of *play*, so that the source is to play.
  fileprivate var intendsToPlay: Bool { status.isAdvancing || status == .buffering }
}

import CInput
import Control
import EventLoop
import Foundation
import Glibc
import Input
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

@testable import Daemon
@testable import Settings

/// The daemon turns key events of a node into commands of the center. Here the node is a pipe.
@Suite struct UnitKeysTests {
  private struct Pipes: NodeSource {
    func open(_ path: String) -> NodeAnswer {
      var description = DeviceDescription(name: "Steering Wheel")
      description.keys = [163, 183, 410]
      let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      return descriptor >= 0 ? .opened(descriptor, description) : .removed
    }

    func down(_ descriptor: Int32) -> Set<UInt16>? { [] }
  }

  @Test func key_isSentAsCommandWithItsDevice_andRefusedWithAReason() throws {
    let folder = try TemporaryFolder()
    try #require(mkfifo(folder.path("event0"), 0o600) == 0)
    let writer = open(folder.path("event0"), O_RDWR | O_CLOEXEC)
    defer { close(writer) }
    let loop = EventLoop()
    let center = NowPlayingCenter(volume: Volume(level: VolumeLevel(thousandths: 400)))
    var settings = Settings()
    settings.keyHold = nil
    settings.keys = ["KEY_F13 volume-up on Steering Wheel"]
    let turns = Turns(loop)
    let outbox = UnitOutbox(turns)
    let log = UnitLog(level: .info) { _ in }
    let keys = UnitKeys(
      loop, center, folder: folder.url.path, source: Pipes(), outbox, turns, log: log)
    keys.open(settings, at: .now())
    var messages: [UnitOutbox.Message] = []
    turns.begin { messages += outbox.take() }
    var presses: Int { keys.report?.devices.first?.presses ?? 0 }
    func press(_ code: UInt16) {
      let bytes = KeyEvents.stroke(code)
      #expect(write(writer, bytes, bytes.count) == bytes.count)
    }
    func turn(until condition: () -> Bool) throws {
      let deadline = EventClock.monotonic.now + 20_000_000_000
      while !condition() {
        try #require(EventClock.monotonic.now < deadline)
        try loop.step(timeout: .milliseconds(100))
      }
    }
    for code: UInt16 in [163, 183, 410] { press(code) }
    try turn { presses == 3 }
    let records = center.trace.records
    let requests: [CommandRequest] = [
      .media(.next), .volume(.change(thousandths: Volume.keyStep)),
      .media(.changeShuffleMode(.items)),
    ]
    #expect(records.map(\.request) == requests)
    #expect(records.allSatisfy { $0.surface == "keys" && $0.origin?.name == "Steering Wheel" })
    let codes: [Refusal.Code?] = [.nothingPlaying, nil, .nothingPlaying]
    #expect(records.map { $0.refusal?.code } == codes)
    #expect(center.volume.level.thousandths == 425)

    // A key with a focus action moves the focus of the screen. It is not a command.
    settings.keys = ["KEY_F13 select"]
    keys.configure(settings)
    press(183)
    try turn { !messages.isEmpty }
    #expect(messages == [.focus(FocusMove(.activate))])
    #expect(center.trace.records.count == 3)

    // If a command is not offered, it is refused, and the trace contains the original command.
    let marks: [(action: String, request: MediaRequest)] = [
      ("like", .like(true)), ("dislike", .dislike(true)), ("bookmark", .bookmark(true)),
      ("stars", .stars(1)), ("repeat", .changeRepeatMode(.all)),
    ]
    for (number, mark) in marks.enumerated() {
      settings.keys = ["KEY_F13 \(mark.action)"]
      keys.configure(settings)
      press(183)
      try turn { presses == 5 + number }
      #expect(center.trace.records.last?.request == .media(mark.request))
      #expect(center.trace.records.last?.refusal?.code == .nothingPlaying)
    }

    // After the configuration is read again, the key has no action. The trace and the log name this key.
    settings.keys = []
    keys.configure(settings)
    press(183)
    try turn { messages.count > 1 }
    guard case .trace(.key(let text, _)) = messages[1] else {
      Issue.record("\(messages)")
      return
    }
    #expect(text == "KEY_F13 (183) of Steering Wheel has no action")
    #expect(log.lines.last?.text.hasPrefix("keys.unknown: KEY_F13 (183)") == true)
    #expect(keys.report?.devices.map(\.presses) == [10])

    settings.keys = ["KEY_F13 next-album"]
    keys.configure(settings)
    press(183)
    try turn { presses == 11 }
    #expect(center.trace.records.last?.request == .list(.jump(.nextAlbum)))
    #expect(center.trace.records.last?.verdict == .refused(.noListOwner))
    keys.shutDown()
    #expect(keys.report?.devices.isEmpty == true)
  }

  @Test func keysThatCannotBeOpened_areNone_andTheLogSaysWhy() throws {
    let loop = EventLoop()
    let turns = Turns(loop)
    let log = UnitLog(level: .info) { _ in }
    let folder = try TemporaryFolder()
    try folder.write("file", [])
    let center = NowPlayingCenter(volume: Volume(level: VolumeLevel(thousandths: 400)))
    let keys = UnitKeys(
      loop, center, folder: folder.path("file/none"), source: Pipes(), UnitOutbox(turns), turns,
      log: log)
    #expect(keys.report == nil)
    keys.configure(Settings())
    #expect(keys.facts.map(\.grade) == [.note])
    keys.shutDown()
  }
}

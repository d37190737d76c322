import EventLoop
import Foundation
import Glibc
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

@testable import Daemon

/// The daemon receives the times of presses through a socket, and finds the command of each press.
@Suite struct PressTimesTests {
  private func at(_ milliseconds: Int) -> MonotonicInstant {
    MonotonicInstant(awake: .milliseconds(milliseconds))
  }

  /// The records of commands that arrived in this order. Each arrival has a time in milliseconds,
  /// an input path and an origin.
  private func records(_ arrivals: [(Int, InputPath, PressOrigin?)]) -> [CommandRecord] {
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let port = center.connect(SurfaceDescription(id: "phone"), at: at(0)) { _ in }
    for (time, inputPath, origin) in arrivals {
      port.send(.volume(.change(thousandths: -25)), on: inputPath, of: origin, at: at(time))
    }
    defer { port.disconnect(at: at(1_000_000)) }
    return center.trace.records
  }

  private let phone = PressOrigin.bluetooth("Phone")

  @Test func matched_presses_areAssignedInOrder_onEitherInputPath() {
    let found = PressTimes.matched(
      [at(1000), at(1200), at(1210), at(1220)],
      records([(1010, .dbus, phone), (1212, .keys(deviceNumber: 3), phone), (1230, .dbus, nil)]))
    #expect(found == [1: at(1000), 2: at(1200), 3: at(1210)])
  }

  @Test func matched_otherDeviceOrNoPressShortlyBefore_hasNoTime() {
    let wheel = PressOrigin(name: "Wheel", id: "event3")
    let found = PressTimes.matched(
      [at(1000), at(2000), at(3000)],
      records([
        (1005, .keys(deviceNumber: 1), wheel), (1251, .dbus, phone), (1999, .dbus, phone),
        (2250, .dbus, phone), (2900, .dbus, phone),
      ]))
    #expect(found == [4: at(2000)])
  }

  @Test func times_receivedOnTheSocket_areInTheTable() throws {
    let folder = try TemporaryFolder()
    let loop = EventLoop()
    let path = folder.path("radio")
    // A killed daemon has left a file at this path. The file is replaced.
    try folder.write("radio", [1])
    var times: PressTimes? = try PressTimes(loop, path: path)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600)

    let sender = try #require(UnixSocket.connected(to: path, datagrams: true))
    defer { close(sender) }
    let now = MonotonicInstant.now()
    func sendBytes(_ bytes: [UInt8]) { #expect(send(sender, bytes, bytes.count, 0) == bytes.count) }
    sendBytes([1, 2, 3])
    sendBytes([UInt8](repeating: 0, count: 9))
    let (seconds, attoseconds) = now.awake.components
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    sendBytes(withUnsafeBytes(of: nanoseconds.littleEndian) { Array($0) })
    let deadline = EventClock.monotonic.now + 20_000_000_000
    while times?.moments.isEmpty == true, EventClock.monotonic.now < deadline {
      try loop.step(timeout: .milliseconds(100))
    }
    #expect(times?.moments == [now])

    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let port = center.connect(SurfaceDescription(id: "phone"), at: now) { _ in }
    port.send(
      .volume(.change(thousandths: -25)), on: .dbus, of: phone,
      at: now.advanced(by: .milliseconds(12)))
    var table = LatencyTable()
    times?.add(center.trace.records, to: &table)
    #expect(table.rows.count == 1)
    #expect(table.rows.first?.stages.keys.map(\.rawValue) == ["from the radio"])
    #expect(table.rows.first?.stages[.fromRadio]?.longest == .milliseconds(12))

    // Releasing `times` closes the socket. A process that still sends gets an error.
    times = nil
    #expect(access(path, F_OK) != 0)
    var byte: UInt8 = 0
    #expect(send(sender, &byte, 1, 0) < 0 && errno == ECONNREFUSED)
  }

  /// Thousands of presses without effect do not displace the accepted commands.
  @Test func pressesWithoutEffect_keepTheAcceptedCommands() {
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let port = center.connect(SurfaceDescription(id: "phone"), at: at(0)) { _ in }
    var finished = FinishedCommands()
    for number in 0..<5000 {
      // The second press sets the volume to the maximum. All later presses have no effect.
      let change = number == 0 ? -25 : 50
      port.send(
        .volume(.change(thousandths: change)), on: .dbus, of: phone, at: at(1000 * number))
      if let record = center.trace.records.last { finished.add(record) }
    }
    #expect(finished.accepted.map(\.number) == [1, 2])
    #expect(finished.ofPhones.count <= FinishedCommands.capacity)
    #expect(finished.ofPhones.last?.number == 5000)
  }

  /// `autoharp-radio` was taken over, and sends impossible times as fast as it can.
  @Test func endlessTimes_areLimited_andDelayNothing() throws {
    let folder = try TemporaryFolder()
    let loop = EventLoop()
    let times = try PressTimes(loop, path: folder.path("radio"))
    let sender = try #require(UnixSocket.connected(to: folder.path("radio"), datagrams: true))
    defer { close(sender) }
    var random = SeededRandom(7)
    var ticks = 0
    let timer = TimerSource(loop) { ticks += 1 }
    for round in 0..<2000 {
      for _ in 0..<8 {
        let extremes = [Int64.min, .max, -1, 0, Int64(bitPattern: random.next())]
        var bytes = withUnsafeBytes(of: extremes[random.below(5)].littleEndian) { Array($0) }
        bytes += [UInt8](repeating: 0, count: random.chance(20) ? random.below(9000) : 0)
        _ = send(sender, bytes, bytes.count, Int32(MSG_DONTWAIT))
      }
      timer.set(after: .zero)
      while ticks <= round { try loop.step(timeout: .milliseconds(100)) }
    }
    #expect(times.moments.count > 100 && times.moments.count <= PressTimes.capacity)
    var table = LatencyTable()
    times.add(records([(1010, .dbus, phone), (1_000_000_000, .dbus, phone)]), to: &table)
    #expect(table.rows.isEmpty)
  }

  @Test func impossiblePath_isAnError() {
    let loop = EventLoop()
    #expect(throws: SystemError.self) {
      try PressTimes(loop, path: "/nowhere/" + String(repeating: "x", count: 200))
    }
    #expect(throws: SystemError.self) { try PressTimes(loop, path: "/nowhere/radio") }
  }
}

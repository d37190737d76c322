import AudioEngine
import EventLoop
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Daemon

@Suite struct AmplifierReaderTests {
  /// An amplifier whose device answers only when the test calls `permit`.
  private final class SlowAmplifier: Amplifier {
    private let permission = DispatchSemaphore(value: 0)
    private let count = Mutex(0)

    var readings: Int { count.withLock { $0 } }

    func permit() { permission.signal() }

    func setMuted(_ muted: Bool) {}

    func isMuted() throws(SinkError) -> Bool {
      count.withLock { $0 += 1 }
      permission.wait()
      return true
    }
  }

  @Test func deviceThatDoesNotAnswer_isUnreadable_andKeepsOneThread() throws {
    let loop = EventLoop()
    let amplifier = SlowAmplifier()
    let reader = DeviceReader<AmplifierReading>(loop, amplifier)
    var readings: [AmplifierReading] = []
    for _ in 0..<2 { reader.read { readings.append($0) } }
    try loop.turn { readings.count == 2 }
    reader.read { readings.append($0) }
    try loop.turn { readings.count == 3 }
    #expect(
      readings.allSatisfy {
        guard case .unreadable = $0 else { return false }
        return true
      })
    #expect(amplifier.readings == 1)
    // The device answers again.
    amplifier.permit()
    reader.read { readings.append($0) }
    try loop.turn { readings.count == 4 }
    #expect(readings.last == .muted)
    amplifier.permit()
  }
}

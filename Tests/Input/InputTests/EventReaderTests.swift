import CInput
import TestKit
import Testing

@testable import Input

@Suite struct EventReaderTests {
  @Test func take_eventsInPieces_returnsEachEventOnce() {
    let all =
      KeyEvents.bytes(EV_KEY, 163, 1, at: 1_500_000_000)
      + KeyEvents.bytes(EV_REL, 7, -3, at: 2_000_001_000)
    for cut in 0...all.count {
      var reader = EventReader()
      let events = reader.read(all[..<cut]) + reader.read(all[cut...])
      #expect(
        events == [
          InputEvent(type: 1, code: 163, value: 1, nanoseconds: 1_500_000_000),
          InputEvent(type: 2, code: 7, value: -3, nanoseconds: 2_000_001_000),
        ])
    }
  }

  @Test func moment_invalidTime_isClamped() {
    var reader = EventReader()
    var event = input_event()
    event.time.tv_sec = .max
    event.time.tv_usec = .min
    let raw = withUnsafeBytes(of: &event) { Array($0) }
    #expect(reader.read(raw).map(\.nanoseconds) == [(1 << 32) * 1_000_000_000])
  }

  /// For any sequence of events, ``KeyTracker`` reports a release between two presses of a key.
  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func take_anyEvents_alternatesPressAndRelease(seed: UInt64) {
    var random = Noise(seed)
    var tracker = KeyTracker()
    var down: Set<UInt16> = []
    for _ in 0..<2000 {
      let roll = random.next()
      let event = InputEvent(
        type: UInt16(roll & 3), code: UInt16(truncatingIfNeeded: roll >> 8) & 0x303,
        value: Int32(truncatingIfNeeded: roll >> 32) % 4, nanoseconds: 0)
      switch tracker.update(event) {
      case .pressed(let code, _): #expect(down.insert(code).inserted)
      case .released(let code, _): #expect(down.remove(code) != nil)
      case .repeated(let code, _): #expect(down.contains(code))
      case .lost:
        for case .released(let code, _) in tracker.reconcile(down: [1], at: 0) {
          #expect(down.remove(code) != nil)
        }
        down = [1]
      case .turned, nil: break
      }
      #expect(tracker.down == down)
    }
  }
}

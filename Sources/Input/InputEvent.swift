internal import CInput

struct InputEvent: Equatable {
  /// Size of an event on this machine, in bytes.
  static let size = MemoryLayout<input_event>.size

  let type: UInt16
  let code: UInt16
  let value: Int32
  /// Time of the event in nanoseconds, on the clock that was selected for the device.
  let nanoseconds: Int64
}

/// A value that splits the bytes of a device into events. If an event is incomplete, its bytes are kept until the
/// remaining bytes arrive. Any sequence of bytes is accepted.
struct EventReader {
  private var rest: [UInt8] = []

  /// Returns the events that are complete.
  mutating func read(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    rest += bytes
    let count = rest.count / InputEvent.size
    let events = rest.withUnsafeBytes { raw in
      (0..<count).map { number in
        let offset = number * InputEvent.size
        return Self.event(raw.loadUnaligned(fromByteOffset: offset, as: input_event.self))
      }
    }
    rest.removeFirst(count * InputEvent.size)
    return events
  }

  private static func event(_ raw: input_event) -> InputEvent {
    var raw = raw
    // No clock reaches 2^32 s. The limit prevents an overflow of the multiplication below.
    let seconds = min(max(cinput_seconds(&raw), 0), 1 << 32)
    let microseconds = min(max(cinput_microseconds(&raw), 0), 999_999)
    return InputEvent(
      type: raw.type, code: raw.code, value: raw.value,
      nanoseconds: seconds * 1_000_000_000 + microseconds * 1000)
  }
}

internal import CInput

/// An event as the kernel writes it.
struct InputEvent: Equatable {
  /// Bytes of one on this machine.
  static let size = MemoryLayout<input_event>.size

  let type: UInt16
  let code: UInt16
  let value: Int32
  /// Since the origin of the clock that the device was told to use.
  let nanoseconds: Int64
}

/// Cuts a device's bytes into events, as a value. Whatever comes is taken: what is half of an event
/// waits for the other half.
struct EventReader {
  private var rest: [UInt8] = []

  /// The events that are whole by now.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    rest += bytes
    let count = rest.count / InputEvent.size
    let events = rest.withUnsafeBytes { raw in
      (0..<count).map { number in
        let place = number * InputEvent.size
        return Self.event(raw.loadUnaligned(fromByteOffset: place, as: input_event.self))
      }
    }
    rest.removeFirst(count * InputEvent.size)
    return events
  }

  private static func event(_ raw: input_event) -> InputEvent {
    var raw = raw
    // No clock is that far; only noise would make the product overflow.
    let seconds = min(max(cinput_seconds(&raw), 0), 1 << 32)
    let microseconds = min(max(cinput_microseconds(&raw), 0), 999_999)
    return InputEvent(
      type: raw.type, code: raw.code, value: raw.value,
      nanoseconds: seconds * 1_000_000_000 + microseconds * 1000)
  }
}

internal import CInput
internal import EventLoop

/// Input events, as the bytes that a program reads from the node of an input device.
public enum KeyEvents {
  /// The bytes of an event. `nanoseconds` is the time of the event on CLOCK_MONOTONIC. Nil means the current time.
  public static func bytes(
    _ type: Int32, _ code: UInt16, _ value: Int32, at nanoseconds: Int64? = nil
  ) -> [UInt8] {
    let time = nanoseconds ?? EventClock.monotonic.now
    var event = input_event()
    event.time.tv_sec = Int(time / 1_000_000_000)
    event.time.tv_usec = Int(time % 1_000_000_000 / 1000)
    event.type = UInt16(type)
    event.code = code
    event.value = value
    return withUnsafeBytes(of: &event) { Array($0) }
  }

  /// A press of a key and its release, each with a SYN_REPORT.
  public static func stroke(_ code: UInt16) -> [UInt8] {
    bytes(EV_KEY, code, 1) + bytes(EV_SYN, 0, 0) + bytes(EV_KEY, code, 0) + bytes(EV_SYN, 0, 0)
  }
}

internal import CInput
package import EventLoop
internal import Glibc
internal import Threads

/// Carries the events of a device that the unit decodes itself, such as a rotary encoder at GPIO lines. The events are
/// handled like events of the kernel, so bindings, held keys and reports work in the same way.
///
/// - Thread: any. No method blocks. The events pass through a pipe. If the pipe is full, further events are dropped.
package final class InputFeed: Sendable {
  private let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Writes turns of a knob. `steps` is negative for turns to the left.
  ///
  /// - Parameter time: nanoseconds of CLOCK_MONOTONIC.
  package func turn(_ axis: UInt16, steps: Int, time: Int64) {
    write(UInt16(EV_REL), axis, Int32(clamping: steps), time)
  }

  /// Writes that a key is pressed or released.
  package func key(_ code: UInt16, isDown: Bool, time: Int64) {
    write(UInt16(EV_KEY), code, isDown ? 1 : 0, time)
  }

  private func write(_ type: UInt16, _ code: UInt16, _ value: Int32, _ time: Int64) {
    var events = [input_event(), input_event()]
    for index in events.indices {
      events[index].time.tv_sec = Int(time / 1_000_000_000)
      events[index].time.tv_usec = Int(time % 1_000_000_000 / 1000)
    }
    (events[0].type, events[0].code, events[0].value) = (type, code, value)
    // The second event contains only zeros, so it is an EV_SYN. A pipe takes both events or neither of them.
    _ = events.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}

extension InputDevices {
  /// Adds a device whose events the caller writes. The device stays until the result is released.
  ///
  /// - Parameter node: the name of the device, used like the name of a node in `/dev/input`.
  package func attach(
    _ description: DeviceDescription, node: String
  ) throws(SystemError) -> InputFeed {
    var ends: [Int32] = [-1, -1]
    guard cinput_pipe(&ends) == 0 else { throw SystemError("pipe2", errno) }
    let feed = InputFeed(descriptor: ends[1])
    guard add(ends[0], description, node: node) else { throw SystemError(node, EMFILE) }
    return feed
  }
}

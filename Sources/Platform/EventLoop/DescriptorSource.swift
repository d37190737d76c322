internal import CSystemd

/// Calls a handler while a descriptor is readable or writable.
///
/// The owner of the descriptor must end this source before it closes the descriptor. The kernel identifies a descriptor
/// by its number. After the descriptor is closed, its number can belong to another file.
public final class DescriptorSource: EventSource {
  /// Conditions of a descriptor: the conditions for which the source waits, or the conditions that are true now.
  public struct Events: OptionSet, Sendable {
    /// The bits that epoll defines.
    public let rawValue: UInt32
    /// Creates conditions from the bits of epoll.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Bytes can be read, or the stream has ended.
    public static let readable = Events(rawValue: UInt32(csd_readable))
    /// Bytes can be written.
    public static let writable = Events(rawValue: UInt32(csd_writable))
    /// The other end was closed, or the device was removed. This condition is always reported, even if it is not
    /// requested.
    public static let hungUp = Events(rawValue: UInt32(csd_hung_up))
  }

  private var onEvents: ((Events) -> Void)?

  /// Calls `handler` repeatedly as long as one of `events` is true (level-triggered).
  /// - Throws: `EPERM` for a regular file, which is always ready; `EEXIST` if the loop already watches the descriptor.
  public init(
    _ loop: EventLoop, descriptor: Int32, events: Events = .readable,
    priority: EventPriority = .normal, _ handler: @escaping (Events) -> Void
  ) throws(SystemError) {
    super.init(loop)
    onEvents = handler
    let event = self.loop
    try tryAttach("sd_event_add_io") { userdata, source in
      sd_event_add_io(event, &source, descriptor, events.rawValue, descriptorFired, userdata)
    }
    self.priority = priority
  }

  public override func cancel() {
    super.cancel()
    onEvents = nil
  }

  /// Replaces the conditions for which the source waits. If `events` is empty, only ``Events/hungUp`` is reported.
  public func wait(for events: Events) {
    if let source { sd_event_source_set_io_events(source, events.rawValue) }
  }

  fileprivate func fire(_ events: UInt32) {
    var seen = Events(rawValue: events).intersection([.readable, .writable])
    if events & Events.hungUp.rawValue != 0 { seen.insert(.hungUp) }
    onEvents?(seen)
  }
}

private let descriptorFired:
  @convention(c) (OpaquePointer?, Int32, UInt32, UnsafeMutableRawPointer?) -> Int32 = {
    _, _, events, userdata in
    if let userdata {
      Unmanaged<DescriptorSource>.fromOpaque(userdata).takeUnretainedValue().fire(events)
    }
    return 0
  }

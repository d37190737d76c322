internal import CSystemd

/// Calls while a descriptor can be read or written.
///
/// The descriptor stays its owner's, who closes it after this source has ended: the kernel knows a
/// descriptor by its number, and the number may be another's by then.
public final class DescriptorSource: EventSource {
  /// What to wait for, and what there is.
  public struct Events: OptionSet, Sendable {
    /// Bits of our own.
    public let rawValue: UInt32
    /// From such bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// There are bytes, or the end of them.
    public static let readable = Events(rawValue: UInt32(csd_readable))
    /// There is room.
    public static let writable = Events(rawValue: UInt32(csd_writable))
    /// The other end has gone, or the device has; told whether or not it was asked for.
    public static let hungUp = Events(rawValue: UInt32(csd_hung_up))
  }

  private var onEvents: ((Events) -> Void)?

  /// Calls `handler` as long as, not as soon as, one of `events` holds.
  /// - Throws: `EPERM` for a file that is always ready, `EEXIST` for a descriptor that the loop
  ///   watches already.
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

  /// See ``EventSource/cancel()``.
  public override func cancel() {
    super.cancel()
    onEvents = nil
  }

  /// Waits for something else from now on; for nothing but ``Events/hungUp`` where empty.
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

internal import CSystemd
internal import Threads

/// Something that the loop waits for. Lives as long as this object: forgetting it, or ``cancel()``,
/// ends it at once, also in its own handler and in that of another source.
///
/// The handler is kept by the source. One that refers to the source's owner should do so weakly,
/// or the owner calls ``cancel()``, which lets go of the handler.
///
/// Why the pointer that C keeps is safe: `userdata` is this object, not retained. sd-event calls
/// only while the source is enabled, on the loop's thread, and `deinit` disables it on that thread
/// first. While a handler runs, `eventSourceFired` and its like hold a reference, and sd-event one
/// to its own source, so a source that is forgotten in its own handler is freed after it.
public class EventSource {
  fileprivate(set) var source: OpaquePointer?
  var handler: (() -> Void)?
  let loop: OpaquePointer

  init(_ loop: EventLoop) { self.loop = loop.handle }

  deinit { sd_event_source_disable_unref(source) }

  /// For what cannot fail but for want of memory.
  func attach(
    _ call: String, _ add: (UnsafeMutableRawPointer, inout OpaquePointer?) -> Int32
  ) {
    let status = add(Unmanaged.passUnretained(self).toOpaque(), &source)
    precondition(status >= 0, "\(call): \(systemWords(status))")
  }

  /// For what the system may refuse.
  func tryAttach(
    _ call: String, _ add: (UnsafeMutableRawPointer, inout OpaquePointer?) -> Int32
  ) throws(SystemError) {
    let status = add(Unmanaged.passUnretained(self).toOpaque(), &source)
    if status < 0 { throw SystemError(call, status) }
  }

  /// Whether it was not cancelled.
  public var isAlive: Bool { source != nil }

  /// Ends it for good and lets go of the handler. Again does nothing.
  public func cancel() {
    sd_event_source_disable_unref(source)
    source = nil
    handler = nil
  }

  /// Whether it calls when it is ready. Off, it waits.
  public var isEnabled: Bool {
    get {
      var state: Int32 = 0
      return source != nil && sd_event_source_get_enabled(source, &state) > 0
    }
    set {
      if source != nil {
        sd_event_source_set_enabled(source, Int32(newValue ? SD_EVENT_ON : SD_EVENT_OFF))
      }
    }
  }

  /// Its place among those that are ready.
  public var priority: EventPriority {
    get {
      var value: Int64 = 0
      if source != nil { sd_event_source_get_priority(source, &value) }
      return EventPriority(rawValue: value)
    }
    set { if source != nil { sd_event_source_set_priority(source, newValue.rawValue) } }
  }

  func fireOnce() {
    if source != nil { sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT)) }
  }

  fileprivate static func fire(_ userdata: UnsafeMutableRawPointer?) -> Int32 {
    if let userdata {
      Unmanaged<EventSource>.fromOpaque(userdata).takeUnretainedValue().handler?()
    }
    // A negative number would switch the source off.
    return 0
  }
}

/// What sd-event calls; one for each of its types.
let eventSourceFired: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
  EventSource.fire($1)
}
let timerFired: @convention(c) (OpaquePointer?, UInt64, UnsafeMutableRawPointer?) -> Int32 = {
  EventSource.fire($2)
}

internal import CSystemd
internal import Threads

/// An event source of the loop. It ends immediately when this object is deallocated or cancelled, even inside its own
/// handler or the handler of another source.
///
/// The source keeps a reference to the handler. To avoid a reference cycle, either the handler must have only a weak
/// reference to the owner of the source, or the owner must call ``cancel()``, which releases the handler.
///
/// The pointer that C keeps is safe for the following reason. `userdata` is an unretained pointer to this object.
/// sd-event uses the pointer only while the source is enabled, and only on the loop's thread. `deinit` first disables
/// the source on that thread. While a handler runs, `eventSourceFired` and the similar functions hold a reference to
/// this object, and sd-event holds a reference to its own source. A source that is released in its own handler is
/// therefore freed after the handler.
public class EventSource {
  fileprivate(set) var source: OpaquePointer?
  var handler: (() -> Void)?
  let loop: OpaquePointer

  init(_ loop: EventLoop) { self.loop = loop.handle }

  deinit { sd_event_source_disable_unref(source) }

  /// Adds the source with a call that fails only if there is no memory left.
  func attach(
    _ call: String, _ add: (UnsafeMutableRawPointer, inout OpaquePointer?) -> Int32
  ) {
    let status = add(Unmanaged.passUnretained(self).toOpaque(), &source)
    precondition(status >= 0, "\(call): \(systemWords(status))")
  }

  /// Adds the source with a call that the system can refuse.
  func tryAttach(
    _ call: String, _ add: (UnsafeMutableRawPointer, inout OpaquePointer?) -> Int32
  ) throws(SystemError) {
    let status = add(Unmanaged.passUnretained(self).toOpaque(), &source)
    if status < 0 { throw SystemError(call, status) }
  }

  /// True until ``cancel()``.
  public var isAlive: Bool { source != nil }

  /// Ends the source permanently and releases the handler. Calling it again has no effect.
  public func cancel() {
    sd_event_source_disable_unref(source)
    source = nil
    handler = nil
  }

  /// True if the handler is called when the source is ready. While this property is false, events are not lost: the
  /// handler is called after this property is true again.
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

  /// The order among sources that are ready at the same time.
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
    // The result is never negative, because sd-event disables a source whose callback returns a negative number.
    return 0
  }
}

/// The callbacks for sd-event, one for each callback type.
let eventSourceFired: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
  EventSource.fire($1)
}
let timerFired: @convention(c) (OpaquePointer?, UInt64, UnsafeMutableRawPointer?) -> Int32 = {
  EventSource.fire($2)
}

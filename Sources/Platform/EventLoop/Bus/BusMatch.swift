internal import CSystemd

/// Selects signals. A field that is nil matches any value.
public struct MatchRule: Equatable, Sendable {
  /// The sender's name on the bus. If this is a well-known name, only the bus compares it with the sender; this process
  /// does not.
  public var sender: String?
  /// The path of the object.
  public var path: String?
  /// A path. The rule matches signals of the object at this path, and of all objects below it. Use either this field or
  /// ``path``.
  public var pathNamespace: String?
  /// The interface of the signal.
  public var interface: String?
  /// The name of the signal.
  public var member: String?
  /// The first argument of the signal, a string.
  public var argument0: String?

  /// Creates a rule for signals.
  public init(
    sender: String? = nil, path: String? = nil, pathNamespace: String? = nil,
    interface: String? = nil, member: String? = nil, argument0: String? = nil
  ) {
    self.sender = sender
    self.path = path
    self.pathNamespace = pathNamespace
    self.interface = interface
    self.member = member
    self.argument0 = argument0
  }

  /// The rule as text. Nil if a value contains a NUL, a quote or a backslash. Quotes and backslashes are not allowed,
  /// because a bus and sd-bus parse them differently.
  var text: String? {
    let parts = [
      ("sender", sender), ("path", path), ("path_namespace", pathNamespace),
      ("interface", interface), ("member", member), ("arg0", argument0),
    ]
    var text = "type='signal'"
    for case (let key, let value?) in parts {
      if value.utf8.contains(where: { "'\\\0".utf8.contains($0) }) { return nil }
      text += ",\(key)='\(value)'"
    }
    return text
  }
}

/// A subscription to signals. It ends when this object is deallocated or cancelled, which is permitted even in the
/// handler of the subscription.
///
/// The pointer that C keeps is safe for the same reason as in ``EventSource``, with the slot instead of the source.
/// libsystemd holds a reference to the slot while it calls the handler.
public final class BusMatch {
  private var slot: OpaquePointer?
  fileprivate private(set) var handler: ((BusMessage) -> Void)?

  init(_ bus: Bus, _ rule: MatchRule, _ handler: @escaping (BusMessage) -> Void)
    throws(BusError)
  {
    guard bus.isOpen else { throw .disconnected }
    guard let text = rule.text else { throw .notSendable("a match with a quote or a backslash") }
    self.handler = handler
    // sd_bus_add_match is not used, because it blocks until the bus answers. The handler for the answer is nil: in this
    // case libsystemd ends the connection if the bus refuses the rule. If the connection continued, signals would be
    // missed without an error.
    let status = sd_bus_add_match_async(
      bus.handle, &slot, text, signalFired, nil, Unmanaged.passUnretained(self).toOpaque())
    if status < 0 { throw .system(SystemError("sd_bus_add_match_async", status)) }
    bus.update()
  }

  deinit { cancel() }

  /// Ends the subscription and releases the handler.
  public func cancel() {
    if let slot { sd_bus_slot_unref(slot) }
    slot = nil
    handler = nil
  }
}

private let signalFired:
  @convention(c) (
    OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<sd_bus_error>?
  ) -> Int32 = { message, userdata, _ in
    if let message, let userdata {
      Unmanaged<BusMatch>.fromOpaque(userdata).takeUnretainedValue().handler?(BusMessage(message))
    }
    // The result is 0, so that libsystemd also calls other subscribers.
    return 0
  }

extension Bus {
  /// Subscribes to signals. On a bus, this method sends a request to the bus. Signals that are sent before the bus has
  /// handled this request are missed.
  public func match(_ rule: MatchRule, _ handler: @escaping (BusMessage) -> Void)
    throws(BusError) -> BusMatch
  {
    try BusMatch(self, rule, handler)
  }
}

internal import CSystemd

/// Which signals are wanted. What is nil may be anything.
public struct MatchRule: Equatable, Sendable {
  /// A name on the bus. A name that is not unique is checked by the bus alone.
  public var sender: String?
  /// Of the object.
  public var path: String?
  /// Of the object or one of those below it; instead of ``path``.
  public var pathNamespace: String?
  /// Of the signal.
  public var interface: String?
  /// The signal.
  public var member: String?
  /// Its first argument, a string.
  public var argument0: String?

  /// Signals of these.
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

  /// nil where a value has a quote or a backslash: sd-bus and a bus read those differently.
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

/// Signals that are listened for, until this is forgotten or cancelled; also in its own handler.
///
/// Why the pointer that C keeps is safe: as for ``EventSource``, with the slot in the place of the
/// source; libsystemd holds a reference to the slot while it calls.
public final class BusMatch {
  private var slot: OpaquePointer?
  fileprivate private(set) var handler: ((BusMessage) -> Void)?

  init(_ bus: Bus, _ rule: MatchRule, _ handler: @escaping (BusMessage) -> Void)
    throws(BusError)
  {
    guard bus.isOpen else { throw .disconnected }
    guard let text = rule.text else { throw .notSendable("a match with a quote or a backslash") }
    self.handler = handler
    // Not sd_bus_add_match, which waits for the bus. A bus that refuses ends the connection: one
    // that is deaf without knowing would be worse.
    let status = sd_bus_add_match_async(
      bus.handle, &slot, text, signalFired, nil, Unmanaged.passUnretained(self).toOpaque())
    if status < 0 { throw .system(SystemError("sd_bus_add_match_async", status)) }
    bus.update()
  }

  deinit { cancel() }

  /// Listens no more.
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
    // 0: others may want it too.
    return 0
  }

extension Bus {
  /// Listens for signals. On a bus, this tells the bus; what was sent before it knows is missed.
  public func match(_ rule: MatchRule, _ handler: @escaping (BusMessage) -> Void)
    throws(BusError) -> BusMatch
  {
    try BusMatch(self, rule, handler)
  }
}

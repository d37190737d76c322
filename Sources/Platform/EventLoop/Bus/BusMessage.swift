internal import CSystemd

/// A message that came: a call, a signal, an answer. Its contents are read when they are asked
/// for, and can be read again.
public final class BusMessage {
  /// For libsystemd. The reference also keeps its connection allocated, though not open.
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = sd_bus_message_ref(handle) }

  deinit { sd_bus_message_unref(handle) }

  /// Of the object that it is for or from; empty for an answer.
  public var path: String { Self.text(sd_bus_message_get_path(handle)) }
  /// Empty where a call names none.
  public var interface: String { Self.text(sd_bus_message_get_interface(handle)) }
  /// The method or the signal.
  public var member: String { Self.text(sd_bus_message_get_member(handle)) }
  /// The unique name of who sent it, as the broker says; without a broker whatever the peer says,
  /// or nothing.
  public var sender: String { Self.text(sd_bus_message_get_sender(handle)) }
  /// The types of its contents.
  public var signature: String { Self.text(sd_bus_message_get_signature(handle, 1)) }

  /// Its contents. What is malformed is found here.
  public func body() throws(BusError) -> BodyReader {
    BodyReader(try MessageDecoder(message: handle).body())
  }

  var expectsReply: Bool { sd_bus_message_get_expect_reply(handle) > 0 }

  private static func text(_ start: UnsafePointer<CChar>?) -> String {
    start.map { String(cString: $0) } ?? ""
  }
}

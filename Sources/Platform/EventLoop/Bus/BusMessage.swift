internal import CSystemd

/// A received message: a call, a signal or an answer. Its contents are parsed on request and can be read several times.
public final class BusMessage {
  /// The handle for calls of libsystemd. As long as the message exists, libsystemd does not free its connection, even
  /// if the connection is closed.
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = sd_bus_message_ref(handle) }

  deinit { sd_bus_message_unref(handle) }

  /// The path of the called object, or of the object that sent the signal. Empty for an answer.
  public var path: String { Self.text(sd_bus_message_get_path(handle)) }
  /// The interface of the method or signal. Empty if a call names no interface.
  public var interface: String { Self.text(sd_bus_message_get_interface(handle)) }
  /// The name of the method or signal.
  public var member: String { Self.text(sd_bus_message_get_member(handle)) }
  /// The sender's unique name, as the broker sets it. Without a broker, this is the value that the peer chose, or an
  /// empty text.
  public var sender: String { Self.text(sd_bus_message_get_sender(handle)) }
  /// The types of the contents.
  public var signature: String { Self.text(sd_bus_message_get_signature(handle, 1)) }

  /// Parses the contents. Throws if the contents are malformed.
  public func body() throws(BusError) -> BodyReader {
    BodyReader(try MessageDecoder(message: handle).body())
  }

  var expectsReply: Bool { sd_bus_message_get_expect_reply(handle) > 0 }

  private static func text(_ start: UnsafePointer<CChar>?) -> String {
    start.map { String(cString: $0) } ?? ""
  }
}

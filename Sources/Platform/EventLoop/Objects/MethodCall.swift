internal import CSystemd

/// A received call that needs an answer, immediately or later. To answer later, keep a reference to this object. If
/// this object is deallocated without an answer, the caller immediately gets an error.
public final class MethodCall {
  /// The received message.
  public let message: BusMessage
  /// The arguments, checked against the method's types.
  public let arguments: BodyReader
  /// The interface of the method, even if the caller did not name it.
  public let interface: String
  /// The connection of the caller; nil after the connection was released.
  public private(set) weak var bus: Bus?
  private let results: String?
  private var isOpen = true
  /// An estimate of the memory of the message and its arguments: eight times the size of the message. The factor for an
  /// array element with 2 bytes is higher, because it takes up to 40 bytes of memory. But most values are texts, whose
  /// factor is lower.
  private let bytes: Int

  /// - Parameter results: the required signature of the answer. If it is nil, any signature is accepted.
  init(
    _ message: BusMessage, _ arguments: BodyReader, interface: String, results: String?, on bus: Bus
  ) {
    self.message = message
    self.arguments = arguments
    self.interface = interface
    self.results = results
    self.bus = bus
    bytes = bus.messageSize * 8
    bus.openCalls += 1
    bus.openCallBytes += bytes
  }

  deinit { fail(BusErrorName.failed, "the service dropped the call without an answer") }

  /// The name of the method.
  public var member: String { message.member }
  /// The path of the object.
  public var path: String { message.path }
  /// True if the caller expects an answer and no answer was sent yet.
  public var isAnswerable: Bool { isOpen && message.expectsReply && bus?.isOpen == true }

  /// Sends the answer. Does nothing if the call is already answered, if the caller expects no answer, or if the caller
  /// has disconnected. If the values do not match the method's types, the caller gets an error.
  public func reply(_ values: [BusValue] = []) {
    let found = values.map(\.signature).joined()
    if let results, found != results {
      return fail(BusErrorName.failed, "the answer has type '\(found)', not '\(results)'")
    }
    guard let bus = close() else { return }
    do throws(BusError) {
      try bus.withMessage(
        values, { sd_bus_message_new_method_return(message.handle, &$0) }
      ) { message, size throws(BusError) in try bus.send(message, size: size) }
    } catch {
      refuse(bus, BusErrorReply(BusErrorName.failed, error.description))
    }
  }

  /// Answers with an error.
  /// - Parameters:
  ///   - name: the name of the error, such as `org.autoharp.Error.NotPlaying`. ``BusErrorName/failed`` replaces an
  ///     invalid name.
  ///   - text: the message for the user.
  public func fail(_ name: String, _ text: String) { fail(BusErrorReply(name, text)) }

  /// Answers with an error. The arguments of the error are its message and its details. Each argument is a text of at
  /// most 4096 bytes.
  public func fail(_ error: BusErrorReply) {
    if let bus = close() { refuse(bus, error) }
  }

  /// Marks the call as answered, and returns the connection for the answer. Nil if no answer can be sent, or if the
  /// call was already answered.
  private func close() -> Bus? {
    guard isOpen else { return nil }
    isOpen = false
    guard let bus else { return nil }
    bus.openCalls -= 1
    bus.openCallBytes -= bytes
    return bus.isOpen && message.expectsReply ? bus : nil
  }

  private func refuse(_ bus: Bus, _ reply: BusErrorReply) {
    let name =
      sd_bus_interface_name_is_valid(reply.name) > 0 ? reply.name : BusErrorName.failed
    let text = BusText.harmless(reply.message, limit: BusText.errorLimit)
    let details = reply.details.prefix(BusText.errorDetails).map {
      BusValue.string(BusText.harmless($0, limit: BusText.errorLimit))
    }
    // sd-bus does not use the text as a format string. It sends the text as the first argument of the error.
    var error = sd_bus_error()
    name.withCString { name in
      text.withCString { text in
        error.name = name
        error.message = text
        try? bus.withMessage(
          details, { sd_bus_message_new_method_error(message.handle, &$0, &error) }
        ) { message, size throws(BusError) in
          try bus.send(message, size: size + text.count)
        }
      }
    }
  }
}

extension UnsafePointer<CChar> {
  /// The number of bytes before the terminating NUL.
  fileprivate var count: Int { String(cString: self).utf8.count }
}

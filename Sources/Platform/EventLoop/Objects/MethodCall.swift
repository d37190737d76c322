internal import CSystemd

/// A call that wants an answer, now or later. Whoever keeps it can answer later; one that is
/// forgotten without an answer is an error for the caller, who so never waits in vain.
public final class MethodCall {
  /// What came.
  public let message: BusMessage
  /// Its contents, of the method's types.
  public let arguments: BodyReader
  /// Of the method, also where the caller named none.
  public let interface: String
  /// Where it came from; nil when that has ended.
  public private(set) weak var bus: Bus?
  private let results: String?
  private var isOpen = true

  /// - Parameter results: what an answer must be; nil for anything.
  init(
    _ message: BusMessage, _ arguments: BodyReader, interface: String, results: String?, on bus: Bus
  ) {
    self.message = message
    self.arguments = arguments
    self.interface = interface
    self.results = results
    self.bus = bus
    bus.openCalls += 1
  }

  deinit { fail(BusErrorName.failed, "nobody answered") }

  /// The method.
  public var member: String { message.member }
  /// Of the object.
  public var path: String { message.path }
  /// Whether an answer is wanted and was not given.
  public var isAnswerable: Bool { isOpen && message.expectsReply && bus?.isOpen == true }

  /// Answers. A second answer, one to a caller who wants none, and one to a caller who has gone do
  /// nothing. Values that are not of the method's types are an error for the caller.
  public func reply(_ values: [BusValue] = []) {
    let found = values.map(\.signature).joined()
    if let results, found != results {
      return fail(BusErrorName.failed, "the answer is '\(found)' and should be '\(results)'")
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
  ///   - name: `org.autoharp.Error.NotPlaying`; one that is no name becomes `…Failed`.
  ///   - words: for people.
  public func fail(_ name: String, _ words: String) { fail(BusErrorReply(name, words)) }

  /// Answers with an error. Its message and its details are the arguments of the error, each a text of
  /// 4096 bytes at most.
  public func fail(_ error: BusErrorReply) {
    if let bus = close() { refuse(bus, error) }
  }

  /// Where an answer can go; once.
  private func close() -> Bus? {
    guard isOpen else { return nil }
    isOpen = false
    guard let bus else { return nil }
    bus.openCalls -= 1
    return bus.isOpen && message.expectsReply ? bus : nil
  }

  private func refuse(_ bus: Bus, _ reply: BusErrorReply) {
    let name =
      sd_bus_interface_name_is_valid(reply.name) > 0 ? reply.name : BusErrorName.failed
    let words = BusText.harmless(reply.message, limit: BusText.errorLimit)
    let details = reply.details.prefix(BusText.errorDetails).map {
      BusValue.string(BusText.harmless($0, limit: BusText.errorLimit))
    }
    // The text is not taken as a format, and sent as the error's first argument.
    var error = sd_bus_error()
    name.withCString { name in
      words.withCString { words in
        error.name = name
        error.message = words
        try? bus.withMessage(
          details, { sd_bus_message_new_method_error(message.handle, &$0, &error) }
        ) { message, size throws(BusError) in
          try bus.send(message, size: size + words.count)
        }
      }
    }
  }
}

extension UnsafePointer<CChar> {
  /// Bytes before the zero.
  fileprivate var count: Int { String(cString: self).utf8.count }
}

internal import CSystemd

/// A call that is not answered yet. If the caller releases this object, the call continues. ``cancel()`` cancels the
/// call.
///
/// The pointer that C keeps is safe for the following reason. The pointer refers to this object. The connection keeps
/// this object until the answer has arrived or the connection ends. At that moment the slot is released, so C does not
/// use the pointer later.
public final class PendingCall {
  var slot: OpaquePointer?
  private weak var bus: Bus?
  private var completion: Completion?
  private let deadline: Int64

  /// The texts are the details of an error, see ``Bus/callForDetails(_:_:_:_:_:timeout:completion:)``.
  typealias Completion = (Result<BodyReader, BusError>, [String]) -> Void

  init(_ bus: Bus, timeout: Duration, _ completion: @escaping Completion) {
    self.bus = bus
    self.completion = completion
    let wait = timeout.microsecondsRoundedUp.multipliedReportingOverflow(by: 1000)
    let sum = EventClock.monotonic.now.addingReportingOverflow(wait.partialValue)
    deadline = wait.overflow || sum.overflow ? .max : sum.partialValue
  }

  deinit { end() }

  /// Discards the answer. The completion is not called, but the other side still handles the call.
  public func cancel() {
    completion = nil
    end()
    bus?.forget(self)
  }

  func end() {
    if let slot { sd_bus_slot_unref(slot) }
    slot = nil
  }

  func finish(_ result: Result<BodyReader, BusError>, details: [String] = []) {
    let callback = completion
    cancel()
    callback?(result, details)
  }

  fileprivate func receive(_ message: OpaquePointer) {
    // The filter of the connection does not get the answers to calls.
    _ = bus?.peerGuard?.takeMessageSize()
    guard let error = sd_bus_message_get_error(message) else {
      do throws(BusError) {
        finish(.success(try BusMessage(message).body()))
      } catch {
        finish(.failure(error))
      }
      return
    }
    let name = error.pointee.name.map { String(cString: $0) } ?? BusErrorName.failed
    let text = error.pointee.message.map { String(cString: $0) } ?? ""
    // For a lost connection and for a timeout, libsystemd itself creates an error. A bus uses the names of these errors
    // too, so the name alone is not enough to recognise these two cases.
    if let bus, sd_bus_is_open(bus.handle) <= 0 {
      finish(.failure(.disconnected))
    } else if name == BusErrorName.noReply || name == BusErrorName.timeout,
      EventClock.monotonic.now >= deadline
    {
      finish(.failure(.timedOut))
    } else {
      finish(.failure(.remote(name: name, message: text)), details: Self.details(message))
    }
  }

  /// The texts after the message of an error, up to the first argument that is not a text.
  private static func details(_ message: OpaquePointer) -> [String] {
    let message = BusMessage(message)
    // Most errors contain only a message. `ss` means a message and at least one more text. An error without a message
    // can have arguments of any type.
    guard message.signature.hasPrefix("ss"), let values = try? message.body().values else {
      return []
    }
    var details: [String] = []
    for value in values.dropFirst().prefix(BusText.errorDetails) {
      guard case .string(let text) = value else { break }
      details.append(BusText.harmless(text, limit: BusText.errorLimit))
    }
    return details
  }
}

let replyFired:
  @convention(c) (
    OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<sd_bus_error>?
  ) -> Int32 = { message, userdata, _ in
    if let message, let userdata {
      Unmanaged<PendingCall>.fromOpaque(userdata).takeUnretainedValue().receive(message)
    }
    return 1
  }

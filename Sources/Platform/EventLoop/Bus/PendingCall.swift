internal import CSystemd

/// A call that has not been answered. Forgetting this object changes nothing; ``cancel()`` does.
///
/// Why the pointer that C keeps is safe: it is this object, which the connection keeps until the
/// answer has come or it ends, and by then the slot is released.
public final class PendingCall {
  var slot: OpaquePointer?
  private weak var bus: Bus?
  private var completion: ((Result<BodyReader, BusError>) -> Void)?
  private let deadline: Int64

  init(
    _ bus: Bus, timeout: Duration, _ completion: @escaping (Result<BodyReader, BusError>) -> Void
  ) {
    self.bus = bus
    self.completion = completion
    let wait = timeout.microsecondsRoundedUp.multipliedReportingOverflow(by: 1000)
    let sum = EventClock.monotonic.now.addingReportingOverflow(wait.partialValue)
    deadline = wait.overflow || sum.overflow ? .max : sum.partialValue
  }

  deinit { end() }

  /// No answer is wanted any more: the completion is not called. The other side acts all the same.
  public func cancel() {
    completion = nil
    end()
    bus?.forget(self)
  }

  func end() {
    if let slot { sd_bus_slot_unref(slot) }
    slot = nil
  }

  func finish(_ result: Result<BodyReader, BusError>) {
    let tell = completion
    cancel()
    tell?(result)
  }

  fileprivate func take(_ message: OpaquePointer) {
    guard let error = sd_bus_message_get_error(message) else {
      do throws(BusError) {
        finish(.success(try BusMessage(message).body()))
      } catch {
        finish(.failure(error))
      }
      return
    }
    let name = error.pointee.name.map { String(cString: $0) } ?? BusErrorName.failed
    let words = error.pointee.message.map { String(cString: $0) } ?? ""
    // libsystemd makes the answers of a lost connection and of a time that is over itself, under
    // names that a bus uses too.
    if let bus, sd_bus_is_open(bus.handle) <= 0 {
      finish(.failure(.disconnected))
    } else if name == BusErrorName.noReply || name == BusErrorName.timeout,
      EventClock.monotonic.now >= deadline
    {
      finish(.failure(.timedOut))
    } else {
      finish(.failure(.remote(name: name, message: words)))
    }
  }
}

let replyFired:
  @convention(c) (
    OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<sd_bus_error>?
  ) -> Int32 = { message, userdata, _ in
    if let message, let userdata {
      Unmanaged<PendingCall>.fromOpaque(userdata).takeUnretainedValue().take(message)
    }
    return 1
  }

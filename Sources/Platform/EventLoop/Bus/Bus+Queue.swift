internal import CSystemd

// The messages that are sent, and the memory that a connection uses.
extension Bus {
  /// Sends a message. If too many messages wait because the other side does not read, ends the
  /// connection.
  func send(_ message: OpaquePointer, size: Int) throws(BusError) {
    guard isOpen else { throw .disconnected }
    try checkSize(size)
    let status = sd_bus_send(handle, message, nil)
    if status < 0 { throw .disconnected }
    count(size)
  }

  func checkSize(_ size: Int) throws(BusError) {
    if size > limits.messageBytes {
      throw .notSendable("\(size) bytes, more than \(limits.messageBytes)")
    }
  }

  private func count(_ size: Int) {
    queue.add(size)
    queue.keep(queuedMessages)
    settleBudget()
    if queue.bytes > limits.queuedBytes || queuedMessages > limits.queuedMessages { drop(.tooSlow) }
    update()
  }

  /// The number of messages that wait to be sent. Messages in the buffers of the kernel do not count.
  public var queuedMessages: Int {
    var waiting: UInt64 = 0
    return isOpen && sd_bus_get_n_queued_write(handle, &waiting) >= 0 ? Int(waiting) : 0
  }

  func settleQueue() {
    let hadMessages = queue.bytes > 0
    queue.keep(queuedMessages)
    settleBudget()
    if hadMessages, queue.bytes == 0 { onDrained?() }
  }

  /// Reports the memory of an accepted peer to the budget of its listener.
  func settleBudget() {
    guard isOpen, let budget else { return }
    budget.set(queue.bytes + openCallBytes + (peerGuard?.partialBytes ?? 0), for: self)
  }

  /// Sends `message`, and keeps `call` allocated until the answer arrives or the connection ends.
  func start(_ call: PendingCall, _ message: OpaquePointer, size: Int, timeout: Duration)
    throws(BusError)
  {
    guard isOpen else { throw .disconnected }
    try checkSize(size)
    let status = sd_bus_call_async(
      handle, &call.slot, message, replyFired, Unmanaged.passUnretained(call).toOpaque(),
      UInt64(max(1, timeout.microsecondsRoundedUp)))
    if status < 0 { throw .disconnected }
    pending[ObjectIdentifier(call)] = call
    count(size)
  }

  func forget(_ call: PendingCall) { pending[ObjectIdentifier(call)] = nil }
}

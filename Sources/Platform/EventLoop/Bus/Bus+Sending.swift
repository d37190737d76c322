internal import CSystemd
internal import Threads

extension Bus {
  /// Calls a method. The completion is called once, after this function has returned, with the answer or an error. It
  /// is not called after ``close()``.
  /// - Parameters:
  ///   - destination: a name on the bus; nil for a peer.
  ///   - timeout: the maximum time until the answer arrives.
  @discardableResult
  public func call(
    _ destination: String?, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = [], timeout: Duration = .seconds(25),
    completion: @escaping (Result<BodyReader, BusError>) -> Void
  ) -> PendingCall {
    callForDetails(
      destination, path, interface, member, arguments, timeout: timeout
    ) { result, _ in completion(result) }
  }

  /// Like ``call(_:_:_:_:_:timeout:completion:)``, but the completion also gets the details of an error.
  /// - Parameter completion: called with the result and the details of an error. The details are the arguments after
  ///   the message of the error: at most four texts of at most 4096 bytes each. The other side chooses these texts.
  @discardableResult
  public func callForDetails(
    _ destination: String?, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = [], timeout: Duration = .seconds(25),
    completion: @escaping (Result<BodyReader, BusError>, _ details: [String]) -> Void
  ) -> PendingCall {
    let call = PendingCall(self, timeout: timeout, completion)
    do throws(BusError) {
      try withMessage(
        arguments,
        { sd_bus_message_new_method_call(handle, &$0, destination, path, interface, member) }
      ) { message, size throws(BusError) in
        try start(call, message, size: size, timeout: timeout)
      }
    } catch {
      loop.defer { call.finish(.failure(error)) }
    }
    return call
  }

  /// Calls a method without requesting an answer. So an error of the other side is not reported.
  public func post(
    _ destination: String?, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = []
  ) throws(BusError) {
    try withMessage(
      arguments,
      { sd_bus_message_new_method_call(handle, &$0, destination, path, interface, member) }
    ) { message, size throws(BusError) in
      sd_bus_message_set_expect_reply(message, 0)
      try send(message, size: size)
    }
  }

  /// Sends a signal.
  /// - Parameter destination: the only receiver, as a name on the bus. Nil to send to all receivers, or if this is a
  ///   connection to a peer.
  public func emit(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
    to destination: String? = nil
  ) throws(BusError) {
    try withMessage(
      arguments, { sd_bus_message_new_signal(handle, &$0, path, interface, member) }
    ) { message, size throws(BusError) in
      if let destination {
        let status = sd_bus_message_set_destination(message, destination)
        if status < 0 { throw .notSendable("'\(destination)' is not a bus name") }
      }
      try send(message, size: size)
    }
  }

  /// Sends `PropertiesChanged` with exactly these properties and values, in this order. The order matters, because
  /// BlueZ acts on each property as soon as it has read this property.
  public func emitPropertiesChanged(
    _ path: String, _ interface: String, _ changed: [(String, BusValue)],
    invalidated: [String] = [], to destination: String? = nil
  ) throws(BusError) {
    try emit(
      path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
      [.string(interface), .properties(changed), .strings(invalidated)], to: destination)
  }

  func withMessage(
    _ arguments: [BusValue], _ make: (inout OpaquePointer?) -> Int32,
    _ send: (OpaquePointer, Int) throws(BusError) -> Void
  ) throws(BusError) {
    guard isOpen else { throw .disconnected }
    var message: OpaquePointer?
    let status = make(&message)
    guard status >= 0, let message else {
      throw .notSendable("a name or a path is invalid: \(systemWords(status))")
    }
    defer { sd_bus_message_unref(message) }
    var encoder = MessageEncoder(message)
    try encoder.append(arguments)
    // 256 bytes are an estimate for the header, which contains names of at most 255 bytes each, and a path.
    try send(message, encoder.size + 256)
  }

  /// True if the other side has accepted to receive descriptors (`NEGOTIATE_UNIX_FD`).
  public var canSendDescriptors: Bool {
    isReady && sd_bus_can_send(handle, Character("h").type) > 0
  }

  // MARK: The queue, and the memory of a connection

  /// Sends a message. If too many messages wait because the other side does not read, ends the connection.
  func send(_ message: OpaquePointer, size: Int) throws(BusError) {
    guard isOpen else { throw .disconnected }
    try checkSize(size)
    let status = sd_bus_send(handle, message, nil)
    if status < 0 { throw .disconnected }
    count(size)
  }

  private func checkSize(_ size: Int) throws(BusError) {
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

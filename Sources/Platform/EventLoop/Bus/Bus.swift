internal import CSystemd
internal import Glibc

/// A D-Bus connection whose events an ``EventLoop`` handles. This process opens the connection to a bus or to a peer,
/// or it accepts the connection of a peer (see ``PeerListener``).
///
/// Used on the control thread only. No function blocks. Messages that are sent before the connection is established are
/// queued. The connection ends when this object is deallocated, when ``close()`` is called, or after an error. A
/// connection that has ended cannot be opened again. Create a new object instead.
///
/// This class uses its own event sources and not sd_bus_attach_event. sd_bus_attach_event checks every connection in
/// every turn of the loop: with a thousand connections, each turn would cost a thousand checks.
///
/// The pointer that C keeps is safe for the following reason. The `userdata` of the filter is an unretained pointer to
/// this object. sd-bus calls the filter only from ``process()``, and the caller of ``process()`` holds a reference to
/// this object. sd-bus holds a reference to itself while it works, so a connection that is released in its own handler
/// is freed after the handler.
public final class Bus {
  let handle: OpaquePointer
  let loop: EventLoop
  /// The limits of this connection.
  public let limits: Limits
  /// The process at the other end of an accepted connection. Nil if this process opened the connection.
  public let credentials: PeerCredentials?
  /// The objects that the other side can call. If nil, every call gets an error.
  public var objects: ObjectTree?
  /// Called once, when the other side has accepted this connection. From then on, queued messages are sent.
  public var onConnected: (() -> Void)?
  /// Called once when the connection has ended. It is not called after ``close()`` or `deinit`. All handlers are
  /// released when the connection ends.
  public var onDisconnected: ((Ending) -> Void)?
  /// True while the connection is established: the other side has accepted the connection, and the connection has not
  /// ended.
  public private(set) var isReady = false
  /// True until the connection has ended.
  public private(set) var isOpen = true
  /// The unique name that this process gives to an accepted peer. It is empty for other connections.
  var peerName = ""

  private var filter: OpaquePointer?
  private let priority: EventPriority
  /// The input of a connection that this process opened. For an accepted connection, ``PeerGuard`` reads the input and
  /// passes it on.
  private var input: DescriptorSource?
  /// The descriptor of ``input``; −1 if ``input`` is nil or has ended.
  private var inputDescriptor: Int32 = -1
  /// The output to an accepted peer. It is enabled while messages wait to be sent.
  private var output: DescriptorSource?
  private let outputDescriptor: Int32
  private var timer: TimerSource?
  private var isProcessing = false
  /// Calls that wait for an answer. The references here keep these objects allocated until the answer arrives.
  var pending: [ObjectIdentifier: PendingCall] = [:]
  var queue = SendQueue()
  /// Called when the send queue has become empty. The buffers of the kernel can still contain unsent messages.
  public var onDrained: (() -> Void)?
  var openCalls = 0
  /// An estimate of the memory of the calls that are not answered yet.
  var openCallBytes = 0
  /// The size of the message that is handled at present; 0 if it is unknown.
  private(set) var messageSize = 0
  /// The budget of an accepted peer. Nil for other connections.
  var budget: PeerBudget?
  /// The guard of an accepted peer. It limits the message length and the authentication time.
  var peerGuard: PeerGuard?
  /// Called when this connection ends, for any reason. The owner of the connection sets this handler.
  var onEnded: (() -> Void)?

  /// Starts to connect.
  /// - Throws: if no process listens at the address, or if the address is invalid.
  public convenience init(
    _ loop: EventLoop, to address: Address, limits: Limits = Limits(),
    priority: EventPriority = .normal
  ) throws(SystemError) {
    try self.init(loop, limits, priority) { bus throws(SystemError) in
      try systemCall("sd_bus_set_address", sd_bus_set_address(bus, address.text))
      if !address.isPeer {
        try systemCall("sd_bus_set_bus_client", sd_bus_set_bus_client(bus, 1))
      }
    }
  }

  /// Uses a stream socket that is connected to a peer. Takes ownership of the descriptor, even if the initialiser
  /// throws.
  public convenience init(
    _ loop: EventLoop, connected socket: Int32, limits: Limits = Limits()
  ) throws(SystemError) {
    try self.init(loop, limits, .normal) { bus throws(SystemError) in
      do throws(SystemError) {
        try systemCall("sd_bus_set_fd", sd_bus_set_fd(bus, socket, socket))
      } catch {
        Glibc.close(socket)
        throw error
      }
    }
  }

  private convenience init(
    _ loop: EventLoop, _ limits: Limits, _ priority: EventPriority,
    setUp: (OpaquePointer?) throws(SystemError) -> Void
  ) throws(SystemError) {
    var bus: OpaquePointer?
    try systemCall("sd_bus_new", sd_bus_new(&bus))
    do throws(SystemError) {
      try setUp(bus)
      try systemCall("sd_bus_set_connected_signal", sd_bus_set_connected_signal(bus, 1))
      try systemCall("sd_bus_start", sd_bus_start(bus))
    } catch {
      sd_bus_close_unref(bus)
      throw error
    }
    // sd_bus_new succeeded, so `bus` is not nil.
    try self.init(loop, started: bus!, limits: limits, priority: priority, peer: nil)
    // The source uses a duplicate, because sd-bus closes its own descriptor before the source ends. If a program is
    // started between these two moments, the child has a copy of the closed descriptor. So epoll would still report
    // events, for a source that no longer exists.
    inputDescriptor = csd_duplicate(sd_bus_get_fd(bus))
    if inputDescriptor < 0 { throw SystemError("fcntl", errno) }
    input = try DescriptorSource(loop, descriptor: inputDescriptor, priority: priority) {
      [weak self] _ in self?.process()
    }
    update()
  }

  /// Takes ownership of a connection of libsystemd, even if the initialiser throws.
  init(
    _ loop: EventLoop, started bus: OpaquePointer, limits: Limits, priority: EventPriority,
    peer: (output: Int32, credentials: PeerCredentials)?
  ) throws(SystemError) {
    handle = bus
    self.loop = loop
    self.limits = limits
    self.priority = priority
    credentials = peer?.credentials
    outputDescriptor = peer?.output ?? -1
    try systemCall(
      "sd_bus_add_filter",
      sd_bus_add_filter(bus, &filter, filterFired, Unmanaged.passUnretained(self).toOpaque()))
  }

  deinit {
    closeConnection()
    sd_bus_unref(handle)
  }

  /// Ends the connection. No handler and no completion is called after this. Unsent messages are lost.
  public func close() {
    closeConnection()
    releaseHandlers()
  }

  private func closeConnection() {
    isOpen = false
    isReady = false
    budget?.set(0, for: self)
    peerGuard?.cancel()
    peerGuard = nil
    for call in pending.values { call.end() }
    if let filter { sd_bus_slot_unref(filter) }
    filter = nil
    // The sources end before their descriptors are closed. epoll identifies a descriptor by its number, and the number
    // of a closed descriptor can belong to another file.
    input?.cancel()
    output?.cancel()
    timer?.cancel()
    if inputDescriptor >= 0 { Glibc.close(inputDescriptor) }
    inputDescriptor = -1
    sd_bus_close(handle)
  }

  private func releaseHandlers() {
    let ended = onEnded
    onEnded = nil
    defer { ended?() }
    pending = [:]
    onConnected = nil
    onDisconnected = nil
    onDrained = nil
    objects = nil
  }

  /// Ends the connection, and reports the reason after the current handler has returned.
  func drop(_ ending: Ending) {
    guard isOpen else { return }
    closeConnection()
    loop.defer { [self] in
      let (calls, callback) = (pending.values, onDisconnected)
      releaseHandlers()
      for call in calls { call.finish(.failure(.disconnected)) }
      callback?(ending)
    }
  }

  // MARK: Processing by sd-bus

  /// The maximum number of messages in one turn. Because of this limit, a peer that sends without pause does not delay
  /// other sources.
  private static let batchSize = 64

  /// Lets sd-bus read, dispatch and write as much as possible without blocking.
  /// - Returns: true if sd-bus has handled all received messages.
  @discardableResult
  func process() -> Bool {
    guard isOpen, !isProcessing else { return false }
    isProcessing = true
    var batchSize = Self.batchSize
    var status: Int32 = 1
    while isOpen, status > 0, batchSize > 0 {
      status = sd_bus_process(handle, nil)
      if status < 0 { drop(.lost) }
      batchSize -= 1
    }
    isProcessing = false
    if isOpen { settleQueue() }
    update()
    return isOpen && status == 0
  }

  /// Makes the event sources wait for the events and the timeout for which sd-bus waits.
  func update() {
    guard isOpen, !isProcessing else { return }
    let events = sd_bus_get_events(handle)
    if events < 0 { return drop(.lost) }
    // The bits of `poll` have the same values as the bits of `epoll`, so they are not converted.
    let wanted = DescriptorSource.Events(rawValue: UInt32(events))
    if let input {
      input.wait(for: wanted)
    } else if credentials != nil {
      waitForRoom(wanted.contains(.writable))
    }
    var microseconds: UInt64 = .max
    sd_bus_get_timeout(handle, &microseconds)
    // A timeout of 0 means that sd-bus already has work.
    if microseconds == .max { timer?.stop() } else { wake(at: Int64(clamping: microseconds)) }
  }

  private func waitForRoom(_ isNeeded: Bool) {
    if isNeeded, output == nil {
      output = try? DescriptorSource(
        loop, descriptor: outputDescriptor, events: .writable, priority: priority
      ) { [weak self] _ in self?.process() }
      if output == nil { drop(.lost) }
    }
    output?.isEnabled = isNeeded
  }

  private func wake(at microseconds: Int64) {
    let timer =
      self.timer
      ?? TimerSource(loop, priority: priority) { [weak self] in self?.process() }
    self.timer = timer
    timer.set(at: microseconds.multipliedReportingOverflow(by: 1000).partialValue)
  }

  // MARK: Received messages

  fileprivate func handle(_ message: OpaquePointer) -> Int32 {
    // libsystemd itself creates the signals `Connected` and `Disconnected`. A peer that forges such a signal changes
    // the state of its own connection only.
    if !isReady,
      sd_bus_message_is_signal(message, "org.freedesktop.DBus.Local", "Connected") > 0
    {
      isReady = true
      peerGuard?.accepted()
      let callback = onConnected
      onConnected = nil
      callback?()
      return 0
    }
    messageSize = peerGuard?.takeMessageSize() ?? 0
    var type: UInt8 = 0
    sd_bus_message_get_type(message, &type)
    if type == UInt8(SD_BUS_MESSAGE_SIGNAL) {
      if sd_bus_message_is_signal(message, "org.freedesktop.DBus.Local", "Disconnected") > 0 {
        drop(.lost)
      }
      return 0
    }
    guard type == UInt8(SD_BUS_MESSAGE_METHOD_CALL), let objects else { return 0 }
    objects.handle(BusMessage(message), on: self)
    return 1
  }
}

private let filterFired:
  @convention(c) (
    OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<sd_bus_error>?
  ) -> Int32 = { message, userdata, _ in
    guard let message, let userdata else { return 0 }
    return Unmanaged<Bus>.fromOpaque(userdata).takeUnretainedValue().handle(message)
  }

func systemCall(_ call: String, _ status: Int32) throws(SystemError) {
  if status < 0 { throw SystemError(call, status) }
}

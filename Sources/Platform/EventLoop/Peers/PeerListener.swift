internal import CSystemd
internal import Glibc

/// A Unix socket on which each connection is a D-Bus peer. This socket needs no broker, so it is available before a
/// broker runs.
///
/// Each process that can open the socket is accepted. Authentication is anonymous: the mode of the socket file decides
/// who can open the socket, and ``Bus/credentials`` identify the process. `busctl --address=unix:path=… introspect
/// org.autoharp /…` works with this socket. Instead of `org.autoharp`, any well-formed name works, because there is
/// only one server.
public final class PeerListener {
  /// Limits for the peers.
  public struct Limits: Sendable {
    /// The maximum number of peers at the same time. Each peer uses four descriptors of this process.
    public var peers = 1024
    /// The maximum number of peers of one user. So the programs of one user cannot use up the connections for the other
    /// users.
    public var peersOfUser = 512
    /// The maximum time for the authentication of a peer.
    public var authentication = Duration.seconds(5)
    /// The messages of one peer per second, and how many may come at once. A peer that sends more is read later.
    public var messagesPerSecond = 1000, messageBurst = 2000
    /// The limits of each peer's connection.
    public var peer = Bus.Limits()
    /// The maximum memory of all peers together, in bytes: for messages that wait to be sent, that have arrived in
    /// part, or that are not answered yet.
    public var bytes = 8 << 20
    /// The maximum memory of the peers of one user, in bytes.
    public var bytesOfUser = 4 << 20

    /// The default limits. They are sufficient for a thousand peers.
    public init() {
      // Requests are short, so a low limit for received messages is sufficient. The limit for sent messages is not
      // changed, because an answer can contain a picture.
      peer.receivedBytes = 64 << 10
      peer.openCalls = 64
    }
  }

  /// The reason why a connection was rejected. The client receives one line with the reason. Then the stream ends.
  public enum Refusal: Equatable, Sendable {
    /// The maximum number of peers, or of peers of this user, is reached.
    case tooManyPeers(PeerCredentials)
    /// The system has no more descriptors or memory.
    case system(SystemError)
  }

  private let loop: EventLoop
  private let file: SocketFile
  private let limits: Limits
  private let priority: EventPriority
  private var source: DescriptorSource?
  private var peers: [ObjectIdentifier: Bus] = [:]
  private let budget: PeerBudget
  private var count: UInt64 = 0
  private let id: sd_id128_t
  /// A spare descriptor. If the process has no free descriptor, this spare is closed for a moment. A waiting connection
  /// can then be accepted and rejected. If the connection were never accepted, it would wake the loop again and again.
  private var spare: Int32
  /// Called with each new peer, before its first message is handled. The handler must set ``Bus/objects`` and
  /// ``Bus/onDisconnected`` of the peer. The listener keeps a reference to the peer.
  public var onPeer: ((Bus) -> Void)?
  /// Returns the maximum number of peers of a user. It can lower ``Limits/peersOfUser``.
  public var peersOfUser: ((UInt32) -> Int)?
  /// Called for each rejected connection.
  public var onRefused: ((Refusal) -> Void)?

  /// Listens at a path. If an ended process left its socket file at this path, the new socket replaces this file.
  /// - Parameter mode: the permission bits of the socket file. A process needs write permission to connect.
  /// - Parameter lock: the lock of this path. If it is nil, the listener takes the lock.
  public convenience init(
    _ loop: EventLoop, path: String, mode: UInt32 = 0o660, lock: SocketLock? = nil,
    limits: Limits = Limits(), priority: EventPriority = .normal
  ) throws(SocketFileError) {
    let file = try SocketFile(path: path, mode: mode, lock: lock)
    do throws(SystemError) {
      try self.init(loop, file, limits, priority)
    } catch {
      throw .system(error, path: path)
    }
  }

  /// Listens at a socket that the service manager opened (``ServiceManager/takeSockets()``).
  public convenience init(
    _ loop: EventLoop, adopting descriptor: Int32, limits: Limits = Limits(),
    priority: EventPriority = .normal
  ) throws(SystemError) {
    try self.init(loop, SocketFile(adopting: descriptor), limits, priority)
  }

  private init(_ loop: EventLoop, _ file: SocketFile, _ limits: Limits, _ priority: EventPriority)
    throws(SystemError)
  {
    self.loop = loop
    self.file = file
    self.limits = limits
    budget = PeerBudget(limits)
    self.priority = priority
    var id = sd_id128_t()
    sd_id128_randomize(&id)
    self.id = id
    spare = csd_duplicate(file.descriptor)
    source = try DescriptorSource(loop, descriptor: file.descriptor, priority: priority) {
      [weak self] _ in self?.accept()
    }
  }

  /// Removes the path of the socket and accepts no further peers. The present peers stay connected.
  public func stopListening() {
    source?.cancel()
    file.removePath()
  }

  deinit {
    source?.cancel()
    for peer in peers.values { peer.close() }
    if spare >= 0 { Glibc.close(spare) }
  }

  /// The current number of peers.
  public var peerCount: Int { peers.count }

  /// The memory that all peers use now, as it is counted for ``Limits/bytes``.
  public var usedBytes: Int { budget.bytes }

  /// Calls `body` with each authenticated peer.
  public func forEachPeer(_ body: (Bus) -> Void) {
    for peer in peers.values where peer.isReady { body(peer) }
  }

  private func accept() {
    let socket = csd_accept(file.descriptor)
    if socket < 0 {
      let code = errno
      switch code {
      case EAGAIN, EINTR, ECONNABORTED: return
      case EMFILE, ENFILE, ENOBUFS, ENOMEM:
        return rejectWithoutDescriptors(SystemError("accept4", code))
      default: onRefused?(.system(SystemError("accept4", code)))
      }
      return
    }
    do throws(SystemError) {
      let credentials = try PeerCredentials(of: socket)
      let ofUser = peers.values.count { $0.credentials?.user == credentials.user }
      let limit = min(limits.peersOfUser, peersOfUser?(credentials.user) ?? .max)
      if peers.count >= limits.peers || ofUser >= limit {
        refuse(socket, "too many clients")
        onRefused?(.tooManyPeers(credentials))
        return
      }
      try addPeer(socket, credentials)
    } catch {
      onRefused?(.system(error))
    }
  }

  /// Creates a peer for an accepted socket. Takes ownership of the socket, even if the function throws.
  private func addPeer(_ socket: Int32, _ credentials: PeerCredentials) throws(SystemError) {
    var pair: [Int32] = [-1, -1]
    let output = csd_duplicate(socket)
    guard output >= 0, csd_socket_pair(&pair) == 0 else {
      let code = errno
      if output >= 0 { Glibc.close(output) }
      refuse(socket, "out of descriptors")
      throw SystemError("socketpair", code)
    }
    let bus: Bus
    do throws(SystemError) {
      bus = try start(input: pair[0], output: output, credentials)
    } catch {
      Glibc.close(pair[1])
      refuse(socket, "out of memory")
      throw error
    }
    bus.peerGuard = try PeerGuard(
      bus, loop, socket: socket, relay: pair[1],
      pace: CallPace(perSecond: limits.messagesPerSecond, burst: limits.messageBurst),
      timeout: limits.authentication, priority: priority)
    bus.budget = budget
    count += 1
    bus.peerName = ":1.\(count)"
    let key = ObjectIdentifier(bus)
    bus.onEnded = { [weak self] in self?.peers[key] = nil }
    peers[key] = bus
    onPeer?(bus)
  }

  private func start(input: Int32, output: Int32, _ credentials: PeerCredentials)
    throws(SystemError) -> Bus
  {
    var bus: OpaquePointer?
    do throws(SystemError) {
      try systemCall("sd_bus_new", sd_bus_new(&bus))
      try systemCall("sd_bus_set_fd", sd_bus_set_fd(bus, input, output))
    } catch {
      sd_bus_unref(bus)
      Glibc.close(input)
      Glibc.close(output)
      throw error
    }
    do throws(SystemError) {
      try systemCall("sd_bus_set_server", sd_bus_set_server(bus, 1, id))
      try systemCall("sd_bus_set_anonymous", sd_bus_set_anonymous(bus, 1))
      // This process can send descriptors to peers. It receives none: ``PeerGuard`` reads only bytes, so the kernel
      // closes each descriptor that a peer sends.
      try systemCall("sd_bus_negotiate_fds", sd_bus_negotiate_fds(bus, 1))
      sd_bus_set_connected_signal(bus, 1)
      try systemCall("sd_bus_start", sd_bus_start(bus))
      // sd-bus requests a send buffer of 8 MB per connection, so a thousand connections would need 8 GB. A smaller
      // buffer is therefore set. With a smaller buffer, a slow client also receives fewer outdated states. The kernel
      // doubles the value for its own overhead.
      var bytes: Int32 = 32 << 10
      setsockopt(output, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    } catch {
      sd_bus_close_unref(bus)
      throw error
    }
    return try Bus(
      loop, started: bus!, limits: limits.peer, priority: priority, peer: (output, credentials))
  }

  /// Sends an error and closes the socket. The error is a line of the authentication protocol of D-Bus, because a new
  /// client expects this protocol.
  private func refuse(_ socket: Int32, _ text: String) {
    let line = "ERROR \"\(text)\"\r\n"
    _ = send(
      socket, line, line.utf8.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    Glibc.close(socket)
  }

  private func rejectWithoutDescriptors(_ error: SystemError) {
    if spare >= 0 { Glibc.close(spare) }
    let socket = csd_accept(file.descriptor)
    if socket >= 0 { refuse(socket, "out of descriptors") }
    spare = csd_duplicate(file.descriptor)
    onRefused?(.system(error))
  }
}

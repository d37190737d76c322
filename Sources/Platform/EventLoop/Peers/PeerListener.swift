internal import CSystemd
internal import Glibc

/// A Unix socket whose every connection is a D-Bus peer: no broker, so it is there before one is.
///
/// Whoever may open the socket is let in (authentication is anonymous; the file's mode decides), and
/// ``Bus/credentials`` say who it was. `busctl --address=unix:path=… introspect org.autoharp /…`
/// works on it: the name may be any that is well formed, as there is only one to talk to.
public final class PeerListener {
  /// What strangers may cost.
  public struct Limits: Sendable {
    /// Peers at once. Each takes four descriptors here.
    public var peers = 1024
    /// How long a peer may take to say who it is.
    public var authentication = Duration.seconds(5)
    /// Of each peer.
    public var peer = Bus.Limits()

    /// What is ample for a thousand.
    public init() {}
  }

  /// A connection that was not taken, and why. It reads one line that says so, and the end.
  public enum Refusal: Equatable, Sendable {
    /// There are as many as may be.
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
  private var count: UInt64 = 0
  private let id: sd_id128_t
  /// Given up for a moment where there is no descriptor left: a connection that cannot be taken
  /// would keep the loop awake.
  private var spare: Int32
  /// Called with each new peer, before anything that it says: the place for its objects and for
  /// ``Bus/onDisconnected``. The listener keeps the peer.
  public var onPeer: ((Bus) -> Void)?
  /// Called with each connection that was not taken.
  public var onRefused: ((Refusal) -> Void)?

  /// Listens at a path; a socket that a dead process left there is replaced.
  /// - Parameter mode: who may connect, as the bits of a file's mode: to write is to connect.
  public convenience init(
    _ loop: EventLoop, path: String, mode: UInt32 = 0o660, limits: Limits = Limits(),
    priority: EventPriority = .normal
  ) throws(SocketFileError) {
    let file = try SocketFile(path: path, mode: mode)
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
    self.priority = priority
    var id = sd_id128_t()
    sd_id128_randomize(&id)
    self.id = id
    spare = csd_duplicate(file.descriptor)
    source = try DescriptorSource(loop, descriptor: file.descriptor, priority: priority) {
      [weak self] _ in self?.accept()
    }
  }

  deinit {
    source?.cancel()
    for peer in peers.values { peer.close() }
    if spare >= 0 { Glibc.close(spare) }
  }

  /// Peers now.
  public var peerCount: Int { peers.count }

  /// Calls `body` with each peer that has been accepted.
  public func forEachPeer(_ body: (Bus) -> Void) {
    for peer in peers.values where peer.isReady { body(peer) }
  }

  private func accept() {
    let socket = csd_accept(file.descriptor)
    if socket < 0 {
      let code = errno
      switch code {
      case EAGAIN, EINTR, ECONNABORTED: return
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return turnAway(SystemError("accept4", code))
      default: onRefused?(.system(SystemError("accept4", code)))
      }
      return
    }
    do throws(SystemError) {
      let credentials = try PeerCredentials(of: socket)
      if peers.count >= limits.peers {
        refuse(socket, "too many clients")
        onRefused?(.tooManyPeers(credentials))
        return
      }
      try welcome(socket, credentials)
    } catch {
      onRefused?(.system(error))
    }
  }

  /// Takes over the socket, also where it throws.
  private func welcome(_ socket: Int32, _ credentials: PeerCredentials) throws(SystemError) {
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
    bus.guardian = try PeerGuard(
      bus, loop, socket: socket, feed: pair[1], patience: limits.authentication, priority: priority)
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
      // A peer could fill the table of descriptors with its own.
      try systemCall("sd_bus_negotiate_fds", sd_bus_negotiate_fds(bus, 0))
      sd_bus_set_connected_signal(bus, 1)
      try systemCall("sd_bus_start", sd_bus_start(bus))
      // sd-bus asks the kernel for 8 MB for each; for a thousand that would be 8 GB.
      var bytes: Int32 = 256 << 10
      setsockopt(output, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    } catch {
      sd_bus_close_unref(bus)
      throw error
    }
    return try Bus(
      loop, started: bus!, limits: limits.peer, priority: priority, peer: (output, credentials))
  }

  /// In the words of D-Bus' authentication, which is where a client is then.
  private func refuse(_ socket: Int32, _ words: String) {
    let line = "ERROR \"\(words)\"\r\n"
    _ = send(
      socket, line, line.utf8.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    Glibc.close(socket)
  }

  private func turnAway(_ error: SystemError) {
    if spare >= 0 { Glibc.close(spare) }
    let socket = csd_accept(file.descriptor)
    if socket >= 0 { refuse(socket, "out of descriptors") }
    spare = csd_duplicate(file.descriptor)
    onRefused?(.system(error))
  }
}

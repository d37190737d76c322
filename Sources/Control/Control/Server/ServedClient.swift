internal import BusMethods
internal import EventLoop
internal import NowPlaying
internal import Reports

/// The template observer (T4) of a surface that shows the template. When a list is tapped, the surface itself opens the
/// list, in the next picture that it draws. The items of *up next* are part of the state, and the surface requests the
/// items of the album. So the methods of this observer have nothing to do.
final class TemplateLists: NowPlayingTemplateObserver {
  func nowPlayingTemplateUpNextButtonTapped(_ session: SessionID) {}
  func nowPlayingTemplateAlbumArtistButtonTapped(_ session: SessionID) {}
}

/// The server's data about one client of the socket.
final class ServedClient {
  private weak var bus: Bus?
  let role: AccessRole
  /// The number of the user. Nil if the kernel does not know it.
  let user: UInt32?
  /// Identifies the connection.
  let key: ObjectIdentifier
  /// The client's registration as a surface. Nil if the client is not a surface.
  var surface: SurfacePort? { didSet { if surface == nil { lists = nil } } }
  /// Set while the client is a surface that shows the template.
  var lists: TemplateLists?
  /// What the client follows.
  var subjects: Set<Subject> = []
  /// If the client has no surface of its own and holds down a seek key: the request that ends the seek, and the port to
  /// which this request is sent.
  var held: (end: MediaRequest, port: SurfacePort)?
  /// The interruptions and ducks that end when the client disconnects.
  var holds: Set<SoundHold> = []
  /// The searches of the client that have a number.
  let searches = SearchSequence()
  /// The shared surfaces that the client uses. A shared surface exists while a client uses it.
  var sharedPorts: [SurfaceID: SurfacePort] = [:]

  init(_ bus: Bus, role: AccessRole) {
    self.bus = bus
    self.role = role
    user = bus.credentials?.user
    key = ObjectIdentifier(bus)
  }

  /// True if no messages wait to be sent to the client.
  var isReading: Bool { bus?.queuedMessages == 0 }

  /// Throws if no descriptor can be sent to the client now. A descriptor is sent only to a client that reads its
  /// messages. Otherwise the descriptors that wait in messages would use up the descriptors of the daemon.
  func requireDescriptors() throws(Refusal) {
    guard bus?.canSendDescriptors == true else {
      throw Refusal(
        .noDescriptors, "this client has not said that it can receive descriptors",
        remedy: "switch on descriptors (NEGOTIATE_UNIX_FD) in the D-Bus library of the client")
    }
    guard isReading else {
      throw Refusal(.tooManyCalls, "this client has not read its messages")
    }
  }

  /// Sends a signal to this client only. A client that does not read is disconnected when its connection reaches the
  /// limits.
  func emit<Values>(_ signal: BusSignal<Values>, _ values: Values) {
    emit(signal, written: signal.carries.write(values))
  }

  /// Sends a signal whose values are already encoded.
  func emit<Values>(_ signal: BusSignal<Values>, written values: [BusValue]) {
    try? bus?.emit(ControlInterface.path, signal.interface, signal.name, values)
  }

  /// The followed values that have changed while messages waited to be sent to the client.
  private var outdated: Set<Subject> = []

  /// Sends a value that changes often. If messages still wait to be sent to this client, marks the value as outdated
  /// instead. So a client that reads slowly gets only the newest value.
  func emit<Values>(
    _ subject: Subject, _ signal: BusSignal<Values>, _ values: @autoclosure () -> [BusValue]
  ) {
    guard isReading else {
      outdated.insert(subject)
      return
    }
    emit(signal, written: values())
  }

  /// Returns and removes the subjects of the outdated values. Called when all messages to the client have been sent.
  func takeOutdated() -> Set<Subject> {
    defer { outdated = [] }
    return outdated
  }

  /// Ends the seek, the surface and the searches of the client after it has disconnected.
  func end(at now: MonotonicInstant) {
    if let held { held.port.send(.media(held.end), on: .socket, at: now) }
    held = nil
    surface?.disconnect(at: now)
    surface = nil
    sharedPorts = [:]
    searches.end()
  }
}

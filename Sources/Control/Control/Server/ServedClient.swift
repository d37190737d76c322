internal import EventLoop
internal import NowPlaying
internal import Reports

/// The template observer (T4) of a surface that shows the template. The surface itself opens the
/// lists of *up next* and of the album, in the first picture that it draws after the touch. The
/// items of *up next* are part of the state, and the surface requests the items of the album. So
/// these methods have nothing to do.
final class TemplateLists: NowPlayingTemplateObserver {
  func nowPlayingTemplateUpNextButtonTapped(_ session: SessionID) {}
  func nowPlayingTemplateAlbumArtistButtonTapped(_ session: SessionID) {}
}

/// The server's data about one client of the socket.
final class ServedClient {
  private weak var bus: Bus?
  let role: AccessRole
  /// The client's registration as a surface. Nil if the client is not a surface.
  var surface: SurfacePort? { didSet { if surface == nil { lists = nil } } }
  /// Set while the client is a surface that shows the template.
  var lists: TemplateLists?
  var receivesState = false
  var receivesPhones = false
  var receivesLibrary = false
  var receivesSources = false
  var receivesSettings = false
  var receivesLog = false
  var receivesTrace = false
  var receivesNotices = false
  var receivesFocus = false
  var receivesVehicle = false
  /// The seek key that a client without a surface of its own holds down: the request that ends the
  /// seek, and the port of that request.
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
  }

  /// Sends a signal to this client only. A client that does not read is disconnected when its
  /// connection reaches the limits.
  func emit(_ interface: BusInterface, _ member: String, _ values: [BusValue]) {
    try? bus?.emit(ControlInterface.path, interface.name, member, values)
  }

  /// A value that changes often. A client that reads slowly gets only the newest value.
  enum Followed: Hashable { case state, phones, library, sources, settings, vehicle }

  /// The values that have changed while messages waited to be sent to the client.
  private var outdated: Set<Followed> = []

  /// Sends a followed value, or marks it as outdated while messages wait to be sent to this client.
  func emit(_ followed: Followed, _ values: @autoclosure () -> [BusValue]) {
    guard bus?.queuedMessages == 0 else {
      outdated.insert(followed)
      return
    }
    let (interface, member) =
      switch followed {
      case .state: (ControlInterface.nowPlaying, "StateChanged")
      case .phones: (ControlInterface.bluetooth, "StateChanged")
      case .library: (ControlInterface.library, "Changed")
      case .sources: (ControlInterface.sources, "Changed")
      case .settings: (ControlInterface.settings, "Changed")
      case .vehicle: (ControlInterface.unit, "VehicleChanged")
      }
    emit(interface, member, values())
  }

  /// Returns the outdated values and removes them from the list. Called when all messages to the
  /// client have been sent.
  func takeOutdated() -> Set<Followed> {
    defer { outdated = [] }
    return outdated
  }

  /// Releases everything that the client held, after it has disconnected.
  func end(at now: MonotonicInstant) {
    if let held { held.port.send(.media(held.end), on: .socket, at: now) }
    held = nil
    surface?.disconnect(at: now)
    surface = nil
    sharedPorts = [:]
  }
}

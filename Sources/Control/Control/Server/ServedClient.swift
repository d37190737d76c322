internal import EventLoop
internal import NowPlaying

/// The observer (T4) of a surface that shows the template: that one opens both lists by itself, with
/// the first frame after the finger, as it has *Up Next* in the state and asks for the album. So its
/// taps are acted on, and there is nothing left to do here.
final class TemplateLists: NowPlayingTemplateObserver {
  func nowPlayingTemplateUpNextButtonTapped(_ session: SessionID) {}
  func nowPlayingTemplateAlbumArtistButtonTapped(_ session: SessionID) {}
}

/// What the server keeps about one client: a peer of the socket, or a caller on the system's bus.
final class ServedClient {
  private weak var bus: Bus?
  /// Its unique name, on a bus.
  private let name: String?
  let mayCommand: Bool
  /// The surface that it is; nil for none.
  var surface: SurfacePort? { didSet { if surface == nil { lists = nil } } }
  /// Set while it is a surface that shows the template.
  var lists: TemplateLists?
  var wantsState = false
  var wantsPhones = false
  var wantsLog = false
  var wantsTrace = false
  var wantsNotices = false
  var wantsFocus = false
  /// A seek key that it holds down without being a surface, and where its end goes.
  var held: (end: MediaRequest, port: SurfacePort)?
  /// On a bus: tells when it has gone.
  var watch: NameMonitor?
  /// The shared surfaces that it sends from; they are there as long as somebody does.
  var sharedPorts: [SurfaceID: SurfacePort] = [:]

  init(_ bus: Bus, name: String?, mayCommand: Bool) {
    self.bus = bus
    self.name = name
    self.mayCommand = mayCommand
  }

  /// A signal for it alone. A client that does not read is ended by its connection.
  func tell(_ interface: BusInterface, _ member: String, _ values: [BusValue]) {
    try? bus?.emit(ControlInterface.path, interface.name, member, values, to: name)
  }

  /// It has gone: what it held is let go.
  func end(at now: MonotonicInstant) {
    watch?.cancel()
    if let held { held.port.send(.media(held.end), on: .socket, at: now) }
    held = nil
    surface?.disconnect(at: now)
    surface = nil
    sharedPorts = [:]
  }
}

internal import EventLoop
internal import Input
internal import NowPlaying
internal import Reports
internal import Settings

/// The keys of the machine as a surface: what they ask for goes to Now Playing, with its time and its
/// device. Control thread.
final class UnitKeys {
  /// As the trace and the latencies call it.
  static let surface = SurfaceID("keys")

  private let devices: InputDevices
  private let center: NowPlayingCenter
  private let port: SurfacePort
  private let focus: (FocusMove) -> Void

  /// - Parameters:
  ///   - folder: where the nodes are; with their `source`, another one for tests.
  ///   - activity: called after each press.
  ///   - focus: told what is the screen's.
  ///   - notice: told what comes and goes; whether that is trouble.
  ///   - unknown: told of a key that means nothing; whether it is the first time.
  init(
    _ loop: EventLoop, _ center: NowPlayingCenter, _ settings: Settings,
    folder: String = "/dev/input", source: any NodeSource = KernelNodes(),
    at now: MonotonicInstant, activity: @escaping () -> Void,
    focus: @escaping (FocusMove) -> Void,
    notice: @escaping (String, Bool) -> Void,
    unknown: @escaping (InputReport.UnknownKey) -> Void
  ) throws(SystemError) {
    self.center = center
    self.focus = focus
    devices = try InputDevices(
      loop, folder: folder, source: source, table: Self.table(settings), hold: settings.keyHold)
    // It shows nothing: a key has no display.
    port = center.connect(SurfaceDescription(id: Self.surface, isInputOnly: true), at: now) { _ in }
    devices.onPress = { [weak self] press in
      self?.send(press)
      activity()
    }
    devices.onNotice = { notice($0.text, $0.isTrouble) }
    devices.onUnknown = unknown
  }

  /// What the keys are for changes with the next press.
  func configure(_ settings: Settings) {
    devices.table = Self.table(settings)
    devices.hold = settings.keyHold
  }

  func shutDown() { devices.shutDown() }

  var report: InputReport { devices.report }

  /// The configuration was checked: what is no binding there has been named, and is not here.
  private static func table(_ settings: Settings) -> KeyTable {
    KeyTable(settings.keys.compactMap { try? KeyBinding($0) })
  }

  private func send(_ press: InputDevices.Press) {
    let command = press.command
    guard let request = self.request(command.request) else { return }
    port.send(
      request, on: .keys(deviceNumber: press.deviceNumber), of: press.origin,
      isRepeat: command.isRepeat, pressed: command.pressed, at: command.at)
  }

  /// What is asked of Now Playing; nil for what is the screen's, which is told. Where no modes are
  /// offered, any will do to be refused in words.
  private func request(_ request: KeyRequest) -> CommandRequest? {
    switch request {
    case .request(let request): return request
    case .focus(let move):
      focus(move)
      return nil
    case .nextMode(let kind):
      return .media(
        center.state.commands.first { $0.kind == kind }?.nextMode
          ?? (kind == .changeShuffleMode ? .changeShuffleMode(.items) : .changeRepeatMode(.all)))
    }
  }
}

internal import EventLoop
internal import Input
internal import NowPlaying
internal import Reports
internal import Settings

/// The keys of the machine as a surface: sends their commands to Now Playing, with time and device.
/// Control thread.
final class UnitKeys {
  /// The name in the trace and in the latencies.
  static let surface = SurfaceID("keys")

  private let devices: InputDevices
  private let center: NowPlayingCenter
  private let port: SurfacePort
  private let focus: (FocusMove) -> Void

  /// - Parameters:
  ///   - folder: the folder of the device nodes. Tests use another one, with another `source`.
  ///   - activity: called after each press.
  ///   - focus: called with requests to the screen's focus.
  ///   - change: called when a device is added, removed or refused.
  ///   - unknown: called with each press of a key without a meaning; its `count` is 1 for the first
  ///     press.
  init(
    _ loop: EventLoop, _ center: NowPlayingCenter, _ settings: Settings,
    folder: String = "/dev/input", source: any NodeSource = KernelNodes(),
    at now: MonotonicInstant, activity: @escaping () -> Void,
    focus: @escaping (FocusMove) -> Void,
    change: @escaping (InputDevices.Change) -> Void,
    unknown: @escaping (InputReport.UnknownKey) -> Void
  ) throws(SystemError) {
    self.center = center
    self.focus = focus
    devices = try InputDevices(
      loop, folder: folder, source: source, table: Self.table(settings), hold: settings.keyHold)
    // The closure is empty, because a key has no display.
    port = center.connect(SurfaceDescription(id: Self.surface, isInputOnly: true), at: now) { _ in }
    devices.onPress = { [weak self] press in
      self?.send(press)
      activity()
    }
    devices.onChange = change
    devices.onUnknown = unknown
  }

  /// New bindings take effect with the next press.
  func configure(_ settings: Settings) {
    devices.table = Self.table(settings)
    devices.hold = settings.keyHold
  }

  func shutDown() { devices.shutDown() }

  var report: InputReport { devices.report }

  /// The configuration has been checked, and its wrong bindings have been reported. They are
  /// skipped here.
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

  /// The request to Now Playing. Nil for a request to the screen's focus, which is passed to
  /// `focus`. If the source offers no modes, any mode is sent, because Now Playing then refuses it
  /// with a reason.
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

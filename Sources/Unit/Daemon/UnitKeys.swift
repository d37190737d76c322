internal import EventLoop
internal import Input
internal import NowPlaying
internal import Reports
internal import Settings

/// The surface for the keys of the machine. It sends the commands of keys to Now Playing, with the
/// time and the device. The control thread calls all methods.
final class UnitKeys {
  /// The name in the trace and in the latencies.
  static let surface = SurfaceID("keys")

  private let devices: InputDevices
  private let center: NowPlayingCenter
  private let port: SurfacePort
  private let focus: (FocusMove) -> Void
  private let jump: (QueueJump) -> Void

  /// - Parameters:
  ///   - folder: the folder of the device nodes. Tests use another folder and another `source`.
  ///   - activity: called after each press.
  ///   - press: called before each press, with its device.
  ///   - focus: called with moves of the focus on the screen.
  ///   - jump: called with jumps to other music.
  ///   - change: called when a device is added, removed or refused.
  ///   - unknown: called with each press of a key that has no meaning. For the first press of a
  ///     key, the `count` of the argument is 1.
  init(
    _ loop: EventLoop, _ center: NowPlayingCenter, _ settings: Settings,
    folder: String = "/dev/input", source: any NodeSource = KernelNodes(),
    at now: MonotonicInstant, activity: @escaping () -> Void,
    press: @escaping (PressOrigin) -> Void = { _ in },
    focus: @escaping (FocusMove) -> Void, jump: @escaping (QueueJump) -> Void = { _ in },
    change: @escaping (InputDevices.Change) -> Void,
    unknown: @escaping (InputReport.UnknownKey) -> Void
  ) throws(SystemError) {
    self.center = center
    self.focus = focus
    self.jump = jump
    devices = try InputDevices(
      loop, folder: folder, source: source, table: Self.table(settings), hold: settings.keyHold)
    // The closure is empty, because keys show no state.
    port = center.connect(SurfaceDescription(id: Self.surface, isInputOnly: true), at: now) { _ in }
    devices.onPress = { [weak self] pressed in
      press(pressed.origin)
      self?.send(pressed)
      activity()
    }
    devices.onChange = change
    devices.onUnknown = unknown
  }

  /// Sets the bindings. New bindings take effect with the next press.
  func configure(_ settings: Settings) {
    devices.table = Self.table(settings)
    devices.hold = settings.keyHold
  }

  /// Adds a device whose events the caller writes. See ``InputDevices/attach(_:node:)``.
  func attach(_ description: DeviceDescription, node: String) throws(SystemError) -> InputFeed {
    try devices.attach(description, node: node)
  }

  func shutDown() { devices.shutDown() }

  var report: InputReport { devices.report }

  /// The bindings as a table. Wrong bindings are skipped, because they were reported when the
  /// configuration was checked.
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

  /// Returns the request to Now Playing. For a move of the focus or a jump, calls `focus` or `jump` and
  /// returns nil. If the source does not offer the command, returns a request with a fixed value. Now Playing then
  /// refuses this request with a reason.
  private func request(_ request: KeyRequest) -> CommandRequest? {
    switch request {
    case .request(let request): return request
    case .focus(let move):
      focus(move)
      return nil
    case .jump(let kind):
      jump(kind)
      return nil
    case .nextMode(let kind):
      return (center.state.command(kind)?.nextMode ?? Self.fixedRequest(kind)).map { .media($0) }
    }
  }

  private static func fixedRequest(_ kind: CommandKind) -> MediaRequest? {
    switch kind {
    case .changeShuffleMode: .changeShuffleMode(.items)
    case .changeRepeatMode: .changeRepeatMode(.all)
    case .like: .like(true)
    case .dislike: .dislike(true)
    case .bookmark: .bookmark(true)
    case .stars: .stars(1)
    default: nil
    }
  }
}

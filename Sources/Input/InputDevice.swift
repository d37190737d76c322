internal import EventLoop
internal import Glibc
internal import NowPlaying
internal import SystemClock

/// Reads the events of an open node (`/dev/input/eventN`), and reports the commands of its keys. Control thread; never
/// blocks.
///
/// The object owns its descriptor. A callback can call ``end()``.
final class InputDevice {
  /// An event for the owner of this object.
  enum Event {
    /// A command of a key or knob with an action.
    case command(KeyCommand, InputCode)
    /// A press or turn without an action.
    case unknown(InputCode, at: MonotonicInstant)
    /// No further events follow.
    case ended
  }

  /// Maximum number of bytes that are read in one turn of the loop, so that a device with endless events does not delay
  /// other devices.
  private static let bytesPerTurn = 64 * InputEvent.size

  let node: String
  let description: DeviceDescription
  let origin: PressOrigin
  /// Distinguishes devices that have the same origin.
  let deviceNumber: Int
  /// Number of presses and turns so far.
  private(set) var presses = 0

  private let opened = MonotonicInstant.now()
  private let descriptor: Int32
  private let source: any NodeSource
  private let meaning: (InputCode) -> KeyTable.Meaning?
  private let hold: () -> Duration?
  private let report: (InputDevice, Event) -> Void
  private var reader = EventReader()
  private var tracker: KeyTracker
  private var held: HeldKeys
  private var readable: DescriptorSource?
  private var timer: TimerSource?

  /// - Parameters:
  ///   - meaning: returns the action of a key or knob. Called at each press and turn, so that a change of the
  ///     configuration has effect immediately.
  ///   - report: called with each event. The closure can call ``end()``.
  /// - Throws: if the loop cannot watch the descriptor. The caller must then close the descriptor.
  init(
    _ loop: EventLoop, _ descriptor: Int32, node: String, deviceNumber: Int,
    _ description: DeviceDescription, source: any NodeSource,
    meaning: @escaping (InputCode) -> KeyTable.Meaning?, hold: @escaping () -> Duration?,
    report: @escaping (InputDevice, Event) -> Void
  ) throws(SystemError) {
    self.node = node
    self.deviceNumber = deviceNumber
    self.description = description
    self.source = source
    self.meaning = meaning
    self.hold = hold
    self.report = report
    self.descriptor = descriptor
    origin = description.origin(node: node)
    tracker = KeyTracker(down: description.down)
    held = HeldKeys(isPassThrough: description.role == .passThrough)
    timer = TimerSource(loop, clock: .monotonic) { [weak self] in self?.expire() }
    readable = try DescriptorSource(loop, descriptor: descriptor) { [weak self] _ in self?.read() }
  }

  /// True if the node at this path is the open node of this object. While a node is open, no other node can have the
  /// same inode number.
  func isSameNode(at path: String) -> Bool {
    var mine = stat()
    var other = stat()
    return fstat(descriptor, &mine) == 0 && lstat(path, &other) == 0
      && mine.st_ino == other.st_ino && mine.st_dev == other.st_dev
  }

  /// The keys that are held so long that they are possibly stuck, and since when they are held.
  func stuckKeys(at now: MonotonicInstant) -> [InputReport.StuckKey] {
    tracker.down.sorted().map { ($0, held.pressTime(of: $0) ?? opened) }
      .filter { now.awakeTime(since: $0.1) >= HeldKeys.stuckTime }
      .map { .init(code: .key($0.0), device: description.name, since: $0.1) }
  }

  /// Releases the held keys and closes the descriptor. Further calls do nothing.
  func end() {
    guard let readable else { return }
    self.readable = nil
    readable.cancel()
    timer?.cancel()
    timer = nil
    close(descriptor)
    for command in held.releaseAll(at: .now()) { report(self, .command(command, .key(0))) }
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: Self.bytesPerTurn)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else {
      let isTemporary = count < 0 && (errno == EAGAIN || errno == EINTR)
      // ENODEV means that the device is unplugged. Its node disappears too, and ``NodeFolder`` reports the removal of
      // the node.
      if !isTemporary { report(self, .ended) }
      return
    }
    let now = MonotonicInstant.now()
    for event in reader.read(bytes[..<count]) {
      guard readable != nil else { return }
      if let change = tracker.update(event) { handle(change, now) }
    }
    arm()
  }

  private func handle(_ change: KeyTracker.Change, _ now: MonotonicInstant) {
    switch change {
    case .pressed(let code, let at): press(code, Self.moment(at, now))
    case .released(let code, let at):
      perform(held.release(code, at: Self.moment(at, now)), .key(code))
    case .repeated(let code, let at): held.receiveRepeat(of: code, at: Self.moment(at, now))
    case .turned(let axis, let steps, let at): turn(axis, steps, Self.moment(at, now))
    case .lost: reconcile(now)
    }
  }

  private func press(_ number: UInt16, _ at: MonotonicInstant) {
    presses += 1
    let code = InputCode.key(number)
    guard case .key(let action)? = meaning(code) else {
      return report(self, .unknown(code, at: at))
    }
    perform(held.press(number, action, hold: hold(), at: at), code)
  }

  private func turn(_ axis: UInt16, _ steps: Int, _ at: MonotonicInstant) {
    if description.isPointer { return }
    presses += 1
    let code = InputCode.turn(axis)
    guard case .turn(let action)? = meaning(code) else {
      // Only axes with a name are reported. Other axes are, for example, high-resolution copies of the turns of a
      // wheel.
      if InputCode.turns.contains(where: { $0.code == axis }) {
        report(self, .unknown(code, at: at))
      }
      return
    }
    if let request = action.request(steps: steps) { perform([KeyCommand(request, at: at)], code) }
  }

  private func reconcile(_ now: MonotonicInstant) {
    let down = source.down(descriptor) ?? []
    for change in tracker.reconcile(down: down, at: now.awake.wholeNanoseconds) {
      handle(change, now)
    }
  }

  private func expire() {
    perform(held.expire(at: .now()), .key(0))
    arm()
  }

  private func perform(_ commands: [KeyCommand], _ code: InputCode) {
    for command in commands { report(self, .command(command, code)) }
  }

  private func arm() { timer?.set(at: held.nextDeadline?.awake) }

  /// Converts a timestamp of the kernel. If the timestamp is in the future or more than ten seconds old, it is not from
  /// the monotonic clock. The result is then `now`.
  static func moment(_ nanoseconds: Int64, _ now: MonotonicInstant) -> MonotonicInstant {
    let stamp = MonotonicInstant(awake: .nanoseconds(nanoseconds), suspended: now.suspended)
    let isPlausible = stamp <= now && now.wholeTime(since: stamp) <= .seconds(10)
    return isPlausible ? stamp : now
  }
}

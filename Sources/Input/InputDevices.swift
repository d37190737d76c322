package import EventLoop
internal import Files
internal import Glibc
package import NowPlaying
internal import SystemClock
internal import Threads

/// Opens each device with keys or knobs exactly once and keeps it open while it is plugged in. Control thread; only
/// ``shutDown()`` blocks.
///
/// New nodes are found by name without udev (``NodeFolder``), and opened on a separate thread (``NodeOpener``). If the
/// system refuses to open a node, the next attempt follows when the owner or mode of the node changes. Devices are not
/// grabbed, so other programs receive the same events.
package final class InputDevices {
  /// A command of a key or knob.
  package struct Press {
    /// The command.
    package let command: KeyCommand
    /// The device of the key or knob.
    package let origin: PressOrigin
    /// Distinguishes devices that have the same origin.
    package let deviceNumber: Int
  }

  /// Maximum number of open devices. A typical car has five.
  package static let maximumDevices = 64
  /// Maximum number of unknown keys that are stored.
  package static let maximumUnknown = 16

  private struct Node {
    enum State {
      /// The node is being opened. `again` becomes true if the owner or mode of the node changes during this attempt,
      /// or if the folder is listed again. If this attempt then fails, another attempt follows at once.
      case opening(again: Bool)
      case open(InputDevice)
      case unused(DeviceDescription, String)
      case refused(String)
      /// The device was removed. Its node can exist for a moment longer.
      case removed
    }

    var ticket: Int
    var state: State
  }

  /// The actions of the keys and knobs. A change has effect at the next press or turn.
  package var table: KeyTable
  /// The time after which a pressed key for *next* or *previous* counts as held. If nil, no key counts as held.
  package var hold: Duration?
  /// Called with each command of a key or knob: at a press, at a turn, at a repeat, and at the end of a seek.
  package var onPress: ((Press) -> Void)?
  /// Called with each press of a key and each turn of a knob that has no action.
  package var onUnknown: ((InputReport.UnknownKey) -> Void)?
  /// Called when a device is added, removed or refused.
  package var onChange: ((Change) -> Void)?

  /// A change of the devices.
  package enum Change: Equatable {
    case added(name: String, node: String, bus: String)
    case removed(name: String)
    /// The node at this path cannot be read.
    case refused(path: String, reason: String)
  }

  private let loop: EventLoop
  private let source: any NodeSource
  let folder: NodeFolder
  private let opener: NodeOpener
  private var nodes: [String: Node] = [:]
  private var lastTicket = 0
  /// The nodes that ``attach(_:node:)`` has added. They are not in the folder.
  private var attached: Set<String> = []
  private var sources: [EventSource] = []
  /// Refused nodes that are not reported yet.
  private var unreportedRefusals: Set<String> = []
  private let refusalDelay: Duration
  private var refusalTimer: TimerSource?
  var lastPress: InputReport.LastPress?
  var unknown: [InputReport.UnknownKey] = []
  /// The names of the touch screens that were removed and have not returned.
  package private(set) var lostPointers: Set<String> = []
  /// The names of the devices with keys that were removed and have not returned. Bluetooth devices come and go, so they
  /// do not count.
  package private(set) var lostKeys: Set<String> = []
  private static let maximumLost = 8

  /// Lists the folder immediately. Devices are opened in later turns of the loop.
  /// - Parameter refusalDelay: the time between the refusal of a node and its report. Only root can open a node that
  ///   the kernel has just created. Another program changes the owner or mode of the node a moment later. If the unit
  ///   can open the node within this time, no refusal is reported.
  package init(
    _ loop: EventLoop, folder: String = "/dev/input", source: any NodeSource = KernelNodes(),
    table: KeyTable, hold: Duration?, refusalDelay: Duration = .seconds(3)
  ) throws(SystemError) {
    self.refusalDelay = refusalDelay
    self.loop = loop
    self.source = source
    self.table = table
    self.hold = hold
    self.folder = NodeFolder(folder)
    opener = NodeOpener(source)
    sources.append(
      try DescriptorSource(loop, descriptor: opener.wakeUp.descriptor) { [weak self] _ in
        self?.handleAnswers()
      })
    if self.folder.descriptor >= 0 {
      sources.append(
        try DescriptorSource(loop, descriptor: self.folder.descriptor) { [weak self] _ in
          self?.handleChanges()
        })
    }
    refusalTimer = TimerSource(loop) { [weak self] in self?.reportRefusals() }
    rescan()
  }

  deinit { shutDown() }

  /// Closes all devices. No callback follows. If a node is being opened, this method waits until the attempt to open it
  /// has ended.
  package func shutDown() {
    // The owner of the callbacks is possibly being deallocated, so no callback must be called any more.
    (onPress, onUnknown, onChange) = (nil, nil, nil)
    for source in sources { source.cancel() }
    sources = []
    refusalTimer?.cancel()
    for name in Array(nodes.keys) { forget(name) }
    opener.shutDown()
  }

  // MARK: Nodes

  private func handleChanges() {
    for change in folder.takeChanges() {
      switch change {
      case .added(let name): addNode(name)
      case .attributesChanged(let name): retryOpening(of: name)
      case .removed(let name): forget(name)
      case .unknown: rescan()
      }
    }
  }

  private func addNode(_ name: String) {
    if case .open(let device)? = nodes[name]?.state {
      // `device` can already be the reported node: the unit found the node in the list of the folder before inotify
      // reported the node.
      if device.isSameNode(at: "\(folder.path)/\(name)") { return }
      // Otherwise the name belongs to another device now, because the kernel reuses the numbers of nodes.
      forget(name)
    }
    requestOpening(of: name)
  }

  private func rescan() {
    let found = folder.nodes()
    for name in nodes.keys.filter({ !found.contains($0) && !attached.contains($0) }) {
      forget(name)
    }
    for name in found { retryOpening(of: name) }
  }

  private func requestOpening(of name: String) {
    lastTicket += 1
    nodes[name] = Node(ticket: lastTicket, state: .opening(again: false))
    opener.open("\(folder.path)/\(name)", ticket: lastTicket)
  }

  /// Opens the node again if the result can be different now.
  private func retryOpening(of name: String) {
    switch nodes[name]?.state {
    case nil, .refused, .removed: requestOpening(of: name)
    case .opening: nodes[name]?.state = .opening(again: true)
    case .open, .unused: break
    }
  }

  private func forget(_ name: String) {
    guard let node = nodes.removeValue(forKey: name) else { return }
    if case .unused(let description, DeviceDescription.Unused.pointer) = node.state,
      description.isTouchScreen, lostPointers.count < Self.maximumLost
    {
      lostPointers.insert(description.name)
    }
    guard case .open(let device) = node.state else { return }
    end(device)
  }

  private func end(_ device: InputDevice) {
    device.end()
    let description = device.description
    if !description.isBluetooth, !attached.contains(device.node),
      lostKeys.count < Self.maximumLost
    {
      lostKeys.insert(description.name)
    }
    onChange?(.removed(name: device.description.name))
  }

  private func handleAnswers() {
    for (ticket, answer) in opener.takeAnswers() {
      guard let (name, node) = nodes.first(where: { $0.value.ticket == ticket }),
        case .opening(let again) = node.state
      else {
        // The answer is for an old request: after that request, the node disappeared, or the opening of the node was
        // requested again.
        if case .opened(let descriptor, _) = answer { close(descriptor) }
        continue
      }
      handle(answer, name, ticket, again: again)
    }
  }

  private func handle(_ answer: NodeAnswer, _ name: String, _ ticket: Int, again: Bool) {
    switch answer {
    case .opened(let descriptor, let description): open(descriptor, description, name, ticket)
    case .unused(let description, let why):
      nodes[name]?.state = .unused(description, why)
      lostPointers.remove(description.name)
    case .removed, .refused:
      // If `again` is true, something changed while the node was being opened. So a new attempt can succeed.
      if again { return requestOpening(of: name) }
      guard case .refused(let why) = answer else {
        nodes[name]?.state = .removed
        return
      }
      refuse(name, why)
    }
  }

  private func refuse(_ name: String, _ why: String) {
    nodes[name]?.state = .refused(why)
    if unreportedRefusals.isEmpty { refusalTimer?.set(after: refusalDelay) }
    unreportedRefusals.insert(name)
  }

  /// Reports the nodes that are still refused.
  private func reportRefusals() {
    for name in unreportedRefusals.sorted() {
      guard case .refused(let why) = nodes[name]?.state else { continue }
      onChange?(.refused(path: "\(folder.path)/\(name)", reason: why))
    }
    unreportedRefusals = []
  }

  /// Adds an open device that is not in the folder. Returns false if there are too many devices.
  func add(_ descriptor: Int32, _ description: DeviceDescription, node: String) -> Bool {
    forget(node)
    attached.insert(node)
    lastTicket += 1
    nodes[node] = Node(ticket: lastTicket, state: .opening(again: false))
    open(descriptor, description, node, lastTicket)
    if case .open? = nodes[node]?.state { return true }
    return false
  }

  private func open(
    _ descriptor: Int32, _ description: DeviceDescription, _ name: String, _ ticket: Int
  ) {
    guard devices.count < Self.maximumDevices else {
      close(descriptor)
      return refuse(name, "the limit of \(Self.maximumDevices) devices is reached")
    }
    do throws(SystemError) {
      let device = try InputDevice(
        loop, descriptor, node: name, deviceNumber: ticket, description, source: source,
        meaning: { [weak self] in self?.table.meaning(of: $0, on: description.name) },
        hold: { [weak self] in self?.hold },
        report: { [weak self] device, event in self?.handle(event, of: device) })
      nodes[name]?.state = .open(device)
      lostKeys.remove(description.name)
      onChange?(.added(name: description.name, node: name, bus: description.busName))
    } catch {
      close(descriptor)
      refuse(name, error.description)
    }
  }

  private var devices: [InputDevice] {
    nodes.values.compactMap { node in
      if case .open(let device) = node.state { return device }
      return nil
    }
  }

  // MARK: Presses

  private func handle(_ event: InputDevice.Event, of device: InputDevice) {
    switch event {
    case .command(let command, let code):
      if !command.isRepeat, code != .key(0) {
        lastPress = .init(code: code, device: device.description.name, at: command.pressed)
      }
      onPress?(Press(command: command, origin: device.origin, deviceNumber: device.deviceNumber))
    case .unknown(let code, let at): record(code, of: device, at: at)
    case .ended:
      // The node can exist for a moment after its device was removed. So the node is not forgotten yet.
      nodes[device.node]?.state = .removed
      end(device)
    }
  }

  private func record(_ code: InputCode, of device: InputDevice, at now: MonotonicInstant) {
    if device.description.isTyped(code) { return }
    let name = device.description.name
    var key = InputReport.UnknownKey(code: code, device: name, at: now, count: 1)
    if let index = unknown.firstIndex(where: { $0.code == code && $0.device == name }) {
      key.count = unknown.remove(at: index).count + 1
    }
    unknown.append(key)
    if unknown.count > Self.maximumUnknown { unknown.removeFirst() }
    onUnknown?(key)
  }

  // MARK: The report

  /// The devices, their state and the last presses.
  package var report: InputReport {
    var report = InputReport(problem: folder.problem, lastPress: lastPress, unknown: unknown)
    let now = MonotonicInstant.now()
    func number(_ name: String) -> Int { NumberedNames.number(of: name, "event") ?? 0 }
    let order = nodes.keys.sorted { number($0) < number($1) }
    for name in order {
      switch nodes[name]?.state {
      case .open(let device):
        report.devices.append(
          .init(
            node: name, name: device.description.name, bus: device.description.busName,
            isPassThrough: device.description.role == .passThrough, presses: device.presses,
            known: known(device.description)))
        report.stuck += device.stuckKeys(at: now)
      case .unused(let description, let why): report.unused.append((name, description.name, why))
      case .refused(let why): report.refused.append((name, why))
      case .opening, .removed, nil: break
      }
    }
    return report
  }

  private func known(_ description: DeviceDescription) -> Int {
    let turns = description.isPointer ? [] : description.turns.map { InputCode.turn($0) }
    return (description.keys.map { InputCode.key($0) } + turns).count { code in
      switch table.meaning(of: code, on: description.name) {
      case nil, .key(.nothing), .turn(.nothing): false
      default: true
      }
    }
  }
}

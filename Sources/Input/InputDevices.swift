package import EventLoop
internal import Glibc
package import NowPlaying
internal import SystemClock
internal import Threads

/// Every key device of the machine, each exactly once, from when it is plugged until it is pulled.
/// Control thread; nothing blocks but ``shutDown()``.
///
/// Nodes are found by name when they come, without udev (``NodeFolder``), opened on a thread
/// (``NodeOpener``), and read here. One that may not be opened is tried again when its owner or mode
/// changes. None is grabbed.
package final class InputDevices {
  /// A press that means something.
  package struct Press {
    /// What it asks for.
    package let command: KeyCommand
    /// Whose hand it was.
    package let origin: PressOrigin
    /// Tells devices apart that may be of one hand.
    package let deviceNumber: Int
  }

  /// So many may be open. A car has five.
  package static let maximumDevices = 64
  /// So many unknown keys are remembered.
  package static let maximumUnknown = 16

  struct Node {
    enum State {
      /// It is being opened, and asked again after that if something about it has changed.
      case opening(again: Bool)
      case open(InputDevice)
      case unused(DeviceDescription, String)
      case refused(String)
      /// Opened once, and said that it is gone.
      case gone
    }

    var ticket: Int
    var state: State
  }

  /// What keys are for, from the next press on.
  package var table: KeyTable
  /// When a key for *next* or *previous* is held; nil for never.
  package var hold: Duration?
  /// Told of each press that means something.
  package var onPress: ((Press) -> Void)?
  /// Told of a key that means nothing, each time.
  package var onUnknown: ((InputReport.UnknownKey) -> Void)?
  /// Told of what comes and goes, in words.
  package var onNotice: ((Notice) -> Void)?

  /// Something for the log.
  package struct Notice: Equatable {
    /// Something is not as it should be.
    package let isTrouble: Bool
    /// In words.
    package let text: String
  }

  private let loop: EventLoop
  private let source: any NodeSource
  let folder: NodeFolder
  private let opener: NodeOpener
  var nodes: [String: Node] = [:]
  private var lastTicket = 0
  private var sources: [EventSource] = []
  /// Nodes that were refused and of which nothing was told yet.
  private var doubtful: Set<String> = []
  private let patience: Duration
  private var complaint: TimerSource?
  var lastPress: InputReport.LastPress?
  var unknown: [InputReport.UnknownKey] = []

  /// Looks into the folder at once; devices come with the turns of the loop.
  /// - Parameter patience: for so long a node may be refused before that is told. The kernel makes
  ///   nodes for root alone, and who hands them out does so a moment later.
  package init(
    _ loop: EventLoop, folder: String = "/dev/input", source: any NodeSource = KernelNodes(),
    table: KeyTable, hold: Duration?, patience: Duration = .seconds(3)
  ) throws(SystemError) {
    self.patience = patience
    self.loop = loop
    self.source = source
    self.table = table
    self.hold = hold
    self.folder = NodeFolder(folder)
    opener = NodeOpener(source)
    sources.append(
      try DescriptorSource(loop, descriptor: opener.wakeUp.descriptor) { [weak self] _ in
        self?.takeAnswers()
      })
    if self.folder.descriptor >= 0 {
      sources.append(
        try DescriptorSource(loop, descriptor: self.folder.descriptor) { [weak self] _ in
          self?.takeChanges()
        })
    }
    complaint = TimerSource(loop) { [weak self] in self?.complain() }
    rescan()
  }

  deinit { shutDown() }

  /// Closes all, and tells nothing more. Waits for a node that is being opened.
  package func shutDown() {
    // Whoever listens may be on its way out, too.
    (onPress, onUnknown, onNotice) = (nil, nil, nil)
    for source in sources { source.cancel() }
    sources = []
    complaint?.cancel()
    for name in Array(nodes.keys) { forget(name) }
    opener.shutDown()
  }

  // MARK: Nodes

  private func takeChanges() {
    for change in folder.takeChanges() {
      switch change {
      case .appeared(let name): appear(name)
      case .permitted(let name): lookAgain(at: name)
      case .vanished(let name): forget(name)
      case .unknown: rescan()
      }
    }
  }

  private func appear(_ name: String) {
    if case .open(let device)? = nodes[name]?.state {
      // It was found in the folder before its coming was told.
      if device.isStill(at: "\(folder.path)/\(name)") { return }
      // Of the same name, but another device: the kernel gives numbers away again.
      forget(name)
    }
    look(at: name)
  }

  private func rescan() {
    let found = folder.nodes()
    for name in nodes.keys.filter({ !found.contains($0) }) { forget(name) }
    for name in found { lookAgain(at: name) }
  }

  private func look(at name: String) {
    lastTicket += 1
    nodes[name] = Node(ticket: lastTicket, state: .opening(again: false))
    opener.open("\(folder.path)/\(name)", ticket: lastTicket)
  }

  /// Where that can change something.
  private func lookAgain(at name: String) {
    switch nodes[name]?.state {
    case nil, .refused, .gone: look(at: name)
    case .opening: nodes[name]?.state = .opening(again: true)
    case .open, .unused: break
    }
  }

  private func forget(_ name: String) {
    guard let node = nodes.removeValue(forKey: name) else { return }
    guard case .open(let device) = node.state else { return }
    end(device)
  }

  private func end(_ device: InputDevice) {
    device.end()
    onNotice?(Notice(isTrouble: false, text: "keys: \(device.description.name) is gone"))
  }

  private func takeAnswers() {
    for (ticket, answer) in opener.takeAnswers() {
      guard let (name, node) = nodes.first(where: { $0.value.ticket == ticket }),
        case .opening(let again) = node.state
      else {
        // The node has gone meanwhile.
        if case .opened(let descriptor, _) = answer { close(descriptor) }
        continue
      }
      take(answer, name, ticket, again: again)
    }
  }

  private func take(_ answer: NodeAnswer, _ name: String, _ ticket: Int, again: Bool) {
    switch answer {
    case .opened(let descriptor, let description): open(descriptor, description, name, ticket)
    case .unused(let description, let why): nodes[name]?.state = .unused(description, why)
    case .gone, .refused:
      // Its mode changed while it was being opened.
      if again { return look(at: name) }
      guard case .refused(let why) = answer else {
        nodes[name]?.state = .gone
        return
      }
      refuse(name, why)
    }
  }

  private func refuse(_ name: String, _ why: String) {
    nodes[name]?.state = .refused(why)
    if doubtful.isEmpty { complaint?.set(after: patience) }
    doubtful.insert(name)
  }

  /// Of what is refused still.
  private func complain() {
    for name in doubtful.sorted() {
      guard case .refused(let why) = nodes[name]?.state else { continue }
      onNotice?(Notice(isTrouble: true, text: "keys: \(folder.path)/\(name): \(why)"))
    }
    doubtful = []
  }

  private func open(
    _ descriptor: Int32, _ description: DeviceDescription, _ name: String, _ ticket: Int
  ) {
    guard devices.count < Self.maximumDevices else {
      close(descriptor)
      return refuse(name, "there are \(Self.maximumDevices) already, and no more are read")
    }
    do throws(SystemError) {
      let device = try InputDevice(
        loop, descriptor, node: name, deviceNumber: ticket, description, source: source,
        meaning: { [weak self] in self?.table.meaning(of: $0, on: description.name) },
        hold: { [weak self] in self?.hold },
        tell: { [weak self] device, event in self?.take(event, of: device) })
      nodes[name]?.state = .open(device)
      let words = "keys: \(description.name) (\(name), \(description.busName))"
      onNotice?(Notice(isTrouble: false, text: words))
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

  private func take(_ event: InputDevice.Event, of device: InputDevice) {
    switch event {
    case .command(let command, let code):
      if !command.isRepeat, code != .key(0) {
        lastPress = .init(code: code, device: device.description.name, at: command.pressed)
      }
      onPress?(Press(command: command, origin: device.origin, deviceNumber: device.deviceNumber))
    case .unknown(let code, let at): note(code, of: device, at: at)
    case .ended:
      // A node stays a moment longer than its device.
      nodes[device.node]?.state = .gone
      end(device)
    }
  }

  private func note(_ code: InputCode, of device: InputDevice, at now: MonotonicInstant) {
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
}

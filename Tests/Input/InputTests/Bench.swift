import CInput
import EventLoop
import Foundation
import Glibc
import Input
import NowPlaying
import Synchronization
import TestKit
import Testing

/// Input device nodes that are named pipes instead of evdev devices. A test chooses the description of each node.
final class PipeNodes: NodeSource {
  struct State {
    var descriptions: [String: DeviceDescription] = [:]
    var down: Set<UInt16> = []
    var refusal: String?
    var opened: [String] = []
  }

  let state = Mutex(State())

  func open(_ path: String) -> NodeAnswer {
    let name = String(path.split(separator: "/").last ?? "")
    let (description, refusal) = state.withLock { state in
      state.opened.append(name)
      return (state.descriptions[name], state.refusal)
    }
    if let refusal { return .refused(refusal) }
    guard let description else { return .removed }
    if case .none(let why) = description.role { return .unused(description, why) }
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    return descriptor >= 0 ? .opened(descriptor, description) : .removed
  }

  func down(_ descriptor: Int32) -> Set<UInt16>? { state.withLock { $0.down } }
}

/// Input devices whose nodes are in a private folder.
final class Bench {
  let folder: TemporaryFolder
  let loop = EventLoop()
  let source = PipeNodes()
  let devices: InputDevices
  var presses: [InputDevices.Press] = []
  var unknown: [String] = []
  var changes: [InputDevices.Change] = []
  /// True if a node was reported as refused.
  var hasRefusal: Bool {
    changes.contains { if case .refused = $0 { true } else { false } }
  }
  private var writers: [String: Int32] = [:]

  init(
    _ table: KeyTable = KeyTable(), hold: Duration? = nil, inside name: String = "input",
    refusalDelay: Duration = .seconds(60)
  ) throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("input"), withIntermediateDirectories: true)
    devices = try InputDevices(
      loop, folder: folder.path(name), source: source, table: table, hold: hold,
      refusalDelay: refusalDelay)
    devices.onPress = { [unowned self] in presses.append($0) }
    devices.onUnknown = { [unowned self] in unknown.append($0.text) }
    devices.onChange = { [unowned self] in changes.append($0) }
  }

  deinit { for writer in writers.values { close(writer) } }

  /// Names of the requests that arrived.
  var requests: [String] {
    presses.map { press in
      guard case .request(let request) = press.command.request else { return "mode" }
      return "\(request)"
    }
  }

  static func wheel(_ name: String = "Steering Wheel", keys: Set<UInt16> = [163, 165, 115, 208])
    -> DeviceDescription
  {
    var description = DeviceDescription(name: name)
    description.keys = keys
    return description
  }

  func path(_ node: String) -> String { folder.path("input/\(node)") }

  /// Plugs in a device. Returns as soon as ``devices`` reports the device.
  func plug(_ node: String, _ description: DeviceDescription = wheel()) throws {
    let count = devices.report.devices.count
    try make(node, description)
    try loop.turn { devices.report.devices.count > count }
  }

  /// Creates a node. Does not wait until ``devices`` reports the device.
  func make(_ node: String, _ description: DeviceDescription = wheel()) throws {
    source.state.withLock { $0.descriptions[node] = description }
    try #require(mkfifo(path(node), 0o600) == 0)
    // With O_RDWR, `open` does not wait for a reader. While this descriptor is open, the reader of the pipe does not
    // get the end of the file.
    writers[node] = open(path(node), O_RDWR | O_CLOEXEC)
  }

  func send(_ node: String, _ bytes: [UInt8]) throws {
    let writer = try #require(writers[node])
    try #require(write(writer, bytes, bytes.count) == bytes.count)
  }

  /// Unplugs the device: its reader gets the end of the file, and then the node is removed.
  func pull(_ node: String) throws {
    let writer = writers.removeValue(forKey: node)
    close(try #require(writer))
    try #require(unlink(path(node)) == 0)
  }
}

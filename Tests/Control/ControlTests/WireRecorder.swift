import Control
import EventLoop
import LibraryModel
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// Calls methods of a control server without `ControlClient`. Records each answer, and what the unit does for the call.
struct WireRecorder {
  /// A call with arguments of the declared types.
  struct Sample {
    let member: String
    let arguments: [BusValue]
    /// Calls that the same client makes before this call.
    var before: [(interface: BusInterface, member: String, arguments: [BusValue])] = []

    init(_ member: String, _ arguments: [BusValue] = []) {
      self.member = member
      self.arguments = arguments
    }

    func after(_ interface: BusInterface, _ member: String, _ arguments: [BusValue]) -> Sample {
      var sample = self
      sample.before.append((interface, member, arguments))
      return sample
    }
  }

  private(set) var lines: [String] = []
  /// Changes the unit of each new server before the method is called.
  private let change: (FakeUnit) -> Void

  init(_ title: String, _ change: @escaping (FakeUnit) -> Void = { _ in }) {
    self.change = change
    lines = ["== \(title)"]
  }

  /// Calls the method with the arguments of the sample.
  mutating func record(_ interface: BusInterface, _ sample: Sample) throws {
    try call(interface, sample, sample.arguments, showsResults: true)
  }

  /// Calls the method with missing arguments, then with an argument of a wrong type at each position, and then with one
  /// extra argument.
  mutating func recordWrongCalls(_ interface: BusInterface, _ sample: Sample) throws {
    let right = sample.arguments
    for count in right.indices {
      try call(interface, sample, Array(right.prefix(count)), showsResults: false)
    }
    for index in right.indices {
      var wrong = right
      wrong[index] = if case .string = right[index] { .int32(7) } else { .string("wrong") }
      try call(interface, sample, wrong, showsResults: false)
    }
    try call(interface, sample, right + [.string("more")], showsResults: false)
  }

  private mutating func call(
    _ interface: BusInterface, _ sample: Sample, _ arguments: [BusValue], showsResults: Bool
  ) throws {
    let now = MonotonicInstant(awake: .seconds(100))
    let bench = try Bench(clock: { now })
    change(bench.unit)
    let peer = try bench.peer()
    for earlier in sample.before {
      _ = try bench.call(peer, earlier.interface.name, earlier.member, earlier.arguments)
    }
    let earlier = Self.effects(bench.unit)
    var answer: (Result<[BusValue], BusError>, [String])?
    peer.callForDetails(nil, ControlInterface.path, interface.name, sample.member, arguments) {
      answer = ($0.map(\.values), $1)
    }
    try bench.loop.turn { answer != nil }
    let short = interface.name.split(separator: ".").last ?? ""
    let what = "\(short).\(sample.member)(\(arguments.map(\.written).joined(separator: ", ")))"
    let (result, details) = try #require(answer)
    lines.append("\(what) → \(Self.text(result, details, showsResults: showsResults))")
    let effects = Self.effects(bench.unit).dropFirst(earlier.count)
    if !effects.isEmpty { lines.append("  does: \(effects.joined(separator: "; "))") }
  }

  /// The text of an answer. The sentence of an error is a text for people, so it is left out.
  private static func text(
    _ result: Result<[BusValue], BusError>, _ details: [String], showsResults: Bool
  ) -> String {
    switch result {
    case .success(let values):
      showsResults
        ? values.map(\.written).joined(separator: ", ")
        : "carried out, \(values.map(\.signature).joined())"
    case .failure(.remote(let name, _)): "error \(name) \(details.first ?? "")"
    case .failure(let error): "error \(error)"
    }
  }

  private static func effects(_ unit: FakeUnit) -> [String] {
    let library = unit.fakeLibrary
    return unit.source.performed + unit.done + (unit.fakePhones?.done ?? []) + unit.fakeQueue.done
      + unit.fakeSettings.done + unit.fakePlaylists.done
      + (unit.fakeApps?.done ?? []) + (library?.done ?? [])
      + (library?.requests.map { "\($0)" } ?? []) + (library?.searches.map { "\($0)" } ?? [])
      + (library?.similarRequests.map { "\($0)" } ?? []) + (library?.letterRequests ?? [])
      + (library?.thumbnails.map { "thumbnail \($0.identifier)" } ?? [])
  }
}

extension BusValue {
  /// The value with its type, as in the output of busctl.
  var written: String { "\(signature) \(content)" }

  private var content: String {
    switch self {
    case .byte(let value): "\(value)"
    case .boolean(let value): "\(value)"
    case .int16(let value): "\(value)"
    case .uint16(let value): "\(value)"
    case .int32(let value): "\(value)"
    case .uint32(let value): "\(value)"
    case .int64(let value): "\(value)"
    case .uint64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let text), .objectPath(let text), .signature(let text): text.debugDescription
    case .descriptor: "descriptor"
    case .bytes(let bytes): "\(bytes)"
    case .array(_, let values): "[\(values.map(\.content).joined(separator: ", "))]"
    case .dictionary(_, _, let entries):
      "{\(entries.map { "\($0.key.content): \($0.value.content)" }.joined(separator: ", "))}"
    case .structure(let fields): "(\(fields.map(\.content).joined(separator: ", ")))"
    case .variant(let value): value.written
    }
  }
}

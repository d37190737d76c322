// Valid calls and answers of the control socket, which MessagesFuzzer changes.

/// One call with valid arguments.
struct SampleCall: Sendable {
  let interface: String
  let member: String
  let arguments: [BusValue]
}

/// Each method with arguments of the declared types, and `Send` with each command.
let sampleCalls: [SampleCall] = {
  var calls: [SampleCall] = []
  for interface in ControlInterface.all.map(\.declaration) {
    for method in interface.methods {
      let arguments = method.arguments.map { sample($0.signature) }
      calls.append(.init(interface: interface.name, member: method.name, arguments: arguments))
    }
  }
  for list in ["queue", "albums"] {
    calls.append(
      .init(
        interface: Library1.interface.name, member: "GetLetters",
        arguments: [.string(list), .string("Sta 13–24")]))
  }
  calls.append(
    .init(
      interface: Session1.interface.name, member: "Publish",
      arguments: Session1.publish.method.takes.write(Numbered(1, samplePublication))))
  for shape in RequestCoding.shapes {
    let words = shape.arguments.split(whereSeparator: " ,[]".contains).map(String.init)
    let fields = stride(from: 0, to: words.count, by: 2).map { (words[$0], sample(words[$0 + 1])) }
    calls.append(
      .init(
        interface: Commands1.interface.name, member: "Send",
        arguments: [
          .string(shape.command), .properties(fields),
          .properties(["isRepeat": .boolean(false), "from": .string("fuzz")]),
        ]))
  }
  return calls
}()

/// What an app publishes while a stream of it plays.
private let samplePublication: SessionPublication = {
  let state = FakeUnit().center.state
  var publication = SessionPublication()
  publication.content = state.content
  publication.playback = .streams(.playing(rate: 1), players: [1], leader: 1)
  publication.commands = state.commands
  publication.upNext = state.upNext
  publication.condition = .failed(.init("a", remedy: "b"))
  return publication
}()

/// The calls with which an app opens its first session and its first stream.
let openingCalls: [SampleCall] = [
  .init(
    interface: Session1.interface.name, member: "Open",
    arguments: Session1.open.method.takes.write(SessionOpening("radio"))),
  .init(
    interface: Sound1.interface.name, member: "OpenSound",
    arguments: Sound1.openSound.method.takes.write(
      Numbered(1, SoundFormat(rate: 44_100, channels: 2, samples: .s16)))),
]

private func sample(_ signature: String) -> BusValue {
  switch signature {
  case "s": .string("")
  case "b": .boolean(true)
  case "i": .int32(1)
  case "u": .uint32(1)
  case "x": .int64(1_000_000_000)
  case "t": .uint64(1)
  case "d": .double(1)
  case "ay": .bytes([1])
  case "as": .strings(["log", "trace"])
  case "a{sv}": .properties([])
  default: fatalError("no sample for \(signature)")
  }
}

/// A valid answer or signal, and its reader.
struct SampleAnswer: Sendable {
  let values: [BusValue]
  /// Reads received values, and writes them again.
  let read: @Sendable ([BusValue]) throws -> [BusValue]

  init<Value>(_ fields: Fields<Value>, _ value: Value) {
    values = fields.write(value)
    read = { fields.write(try fields.read($0)) }
  }
}

let sampleAnswers: [SampleAnswer] = {
  let unit = FakeUnit()
  let first = unit.center.state
  unit.source.tracks = [song("a", number: 1), song("b", number: 2)]
  unit.source.setRate(1)
  let report = DiagnosisReport(
    findings: [.init("a", "b", .good, "c", meaning: "d", remedy: "e")],
    paths: [
      .init(symptom: "a", steps: [.init("b", true)], pattern: "c", remedy: "d")
    ])
  let picture = ArtworkRepresentation(
    reference: "/a", dataType: .jpeg, size: ArtworkSize(width: 1, height: 1),
    originalSize: ArtworkSize(width: 1, height: 1))
  let state = NowPlaying1.state.changed.carries
  return [
    .init(state, first), .init(state, unit.center.state),
    .init(Bluetooth1.phones.changed.carries, FakePhones.full),
    .init(Library1.state.changed.carries, FakeLibrary.full),
    .init(Sources1.sources.changed.carries, FakeLibrary.full.volumes),
    .init(Library1.getRows.method.returns, RowsAnswer(revision: 1, batch: FakeLibrary.fullBatch)),
    .init(Library1.getQueue.method.returns, FakeQueue.report),
    .init(Settings1.state.changed.carries, unit.fakeSettings.state),
    .init(Unit1.vehicleChanged.carries, unit.vehicle),
    .init(Unit1.getFacts.method.returns, unit.report(.audio)),
    .init(Unit1.getLatency.method.returns, unit.latency()),
    .init(Unit1.diagnose.method.returns, report),
    .init(Unit1.logLine.carries, unit.log[0]),
    .init(Unit1.traceRecord.carries, .publication(revision: 1, reasons: ["a"], at: .zero)),
    .init(NowPlaying1.getArtwork.method.returns, .image(picture)),
    .init(Session1.open.method.takes, SessionOpening("radio")),
    .init(Session1.publish.method.takes, Numbered(1, samplePublication)),
    .init(
      Session1.setTemplate.method.takes, Numbered(1, Numbered(1, PublishedTemplate()))),
    .init(
      Session1.status.carries,
      Numbered(1, SessionStatus(hold: .interruption(.call), missing: [.noContent]))),
    .init(Session1.instruction.carries, Numbered(1, .duck(Ducking()))),
    .init(
      Sound1.mark.method.takes,
      Numbered(1, SoundMark(frame: 1, content: samplePublication.content, time: .zero))),
    .init(Surface1.observed.method.takes, DisplayedState(title: "a", elapsed: .zero)),
  ]
}()

/// All texts of the samples: names of fields, words of commands, modes.
let sampleWords: [String] = {
  var words = ["", "audible", "begin", "end", "all", "one", "off", "items", "call", "navigation"]
  words += FactsTopic.allCases.map(\.rawValue)
  func add(_ value: BusValue) {
    switch value {
    case .string(let text): words.append(text)
    case .array(_, let values), .structure(let values): values.forEach(add)
    case .dictionary(_, _, let entries):
      for entry in entries {
        add(entry.key)
        add(entry.value)
      }
    case .variant(let value): add(value)
    default: break
    }
  }
  sampleCalls.forEach { $0.arguments.forEach(add) }
  sampleAnswers.forEach { $0.values.forEach(add) }
  return Set(words).sorted()
}()

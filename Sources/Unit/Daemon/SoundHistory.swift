internal import AudioEngine
internal import NowPlaying
internal import Reports

/// What is known of the sound, for the console.
struct SoundHistory {
  /// How many moments of a dry output are kept.
  static let dryKept = 20
  /// How many entries of the trace are.
  static let entriesKept = 64

  /// The output's name.
  var output = ""
  /// What it is set up for; nil before the first time.
  private(set) var device: DeviceFormat?
  /// How frames are converted to it.
  private(set) var conversion: String?
  /// Why it cannot be used now.
  private(set) var failure: SinkError?
  /// How often it was lost, after it had been used.
  private(set) var losses = 0
  /// What real-time property the system refused.
  var refused: String?
  /// When it ran dry, in nanoseconds of the machine's clock, the latest last.
  private(set) var dry: [Int64] = []
  /// When the first effect of a command was heard: the first sound.
  private(set) var firstSound: MonotonicInstant?
  /// What happened to it, the latest last.
  private(set) var entries: [TraceEntry] = []
  /// Commands that are over.
  var finished = FinishedCommands()

  mutating func opened(_ device: DeviceFormat, _ conversion: String?) {
    self.device = device
    self.conversion = conversion
    failure = nil
  }

  mutating func lost(_ error: SinkError) {
    if device != nil, failure == nil { losses += 1 }
    failure = error
  }

  mutating func regained() { failure = nil }

  mutating func add(_ entry: TraceEntry) {
    entries = (entries + [entry]).suffix(Self.entriesKept)
  }

  mutating func heard(at moment: MonotonicInstant) { firstSound = firstSound ?? moment }

  mutating func ranDry(at nanoseconds: Int64) {
    dry = (dry + [nanoseconds]).suffix(Self.dryKept)
  }
}

/// The commands that are over, the latest last: those that were accepted, as they took their time,
/// and all of phones, as each is a press on the radio. A thousand keys that change nothing push out
/// none that did.
struct FinishedCommands {
  static let kept = 1000
  private(set) var accepted: [CommandRecord] = []
  private(set) var ofPhones: [CommandRecord] = []

  mutating func add(_ record: CommandRecord) {
    if case .accepted? = record.verdict { Self.add(record, to: &accepted) }
    if record.isOfPhone { Self.add(record, to: &ofPhones) }
  }

  private static func add(_ record: CommandRecord, to records: inout [CommandRecord]) {
    if records.count == kept { records.removeFirst(kept / 4) }
    records.append(record)
  }
}

extension CommandRecord {
  /// Whether a phone pressed: by a call of bluetoothd, or by a key of its input device.
  var isOfPhone: Bool { inputPath == .dbus || origin?.isBluetooth == true }
}

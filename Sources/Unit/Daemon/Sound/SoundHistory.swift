internal import AudioEngine
internal import NowPlaying
internal import Reports

/// The recorded facts about the sound, for the console.
struct SoundHistory {
  /// Maximum number of underruns that are kept.
  static let underrunCapacity = 20
  /// Maximum number of trace entries that are kept.
  static let entryCapacity = 64
  /// Maximum number of accepted commands that are kept.
  static let commandCapacity = 1000

  /// The name of the output in the configuration.
  var configuredOutput = ""
  /// The sound card that the output has chosen by its kind (setting `sound`). Nil if the output has not chosen a card.
  var card: UnitDaemon.Start.SoundCard?
  /// The name of the output in use.
  var output: String { card?.pcm ?? configuredOutput }
  /// The format of the device; nil until the device is opened for the first time.
  private(set) var device: DeviceFormat?
  /// The conversion of frames to the device's format, as text. Nil if there is no conversion.
  private(set) var conversion: String?
  /// The reason why the output cannot be used now. Nil if the output can be used.
  private(set) var failure: SinkError?
  /// Number of times that the output was lost after it had been used.
  private(set) var losses = 0
  /// What the system refused to the output thread, such as real-time priority. Nil if nothing was refused.
  var refused: String?
  /// The times of underruns in nanoseconds of ``EventClock/monotonic``, oldest first.
  private(set) var underruns: [Int64] = []
  /// The last time in which the sound waited for a medium. Nil if it never waited.
  var mediumWait: MediumWait?
  /// The time at which sound was first heard in this run.
  private(set) var firstSound: MonotonicInstant?
  /// The events of the sound, oldest first.
  private(set) var entries: [TraceEntry] = []
  /// Accepted commands, oldest first, for the latencies. Other commands are not stored, so they cannot displace
  /// accepted commands.
  private(set) var accepted: [CommandRecord] = []

  mutating func opened(_ device: DeviceFormat, _ conversion: String?) {
    self.device = device
    self.conversion = conversion
    failure = nil
  }

  mutating func lost(_ error: SinkError) {
    if device != nil, failure == nil { losses += 1 }
    failure = error
  }

  mutating func recovered() { failure = nil }

  mutating func add(_ entry: TraceEntry) {
    entries = (entries + [entry]).suffix(Self.entryCapacity)
  }

  /// Stores a finished command if it was accepted.
  mutating func add(_ record: CommandRecord) {
    guard case .accepted? = record.verdict else { return }
    if accepted.count == Self.commandCapacity { accepted.removeFirst(Self.commandCapacity / 4) }
    accepted.append(record)
  }

  mutating func soundHeard(at moment: MonotonicInstant) { firstSound = firstSound ?? moment }

  mutating func addUnderrun(at nanoseconds: Int64) {
    underruns = (underruns + [nanoseconds]).suffix(Self.underrunCapacity)
  }
}

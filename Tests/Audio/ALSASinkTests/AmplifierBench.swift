import ALSASink
import AudioEngine
import Glibc
import Synchronization
import TestKit
import Testing

/// The engine with its threads, a simulated sound card (``PacedPCM``), and the switch of an amplifier. Like
/// ``DeviceBench``, this object does the work of the control thread.
final class AmplifierBench {
  /// The buffer contains twenty times as much sound as the longest delay of a thread on a busy machine.
  static let buffering = ALSASink.Buffering(periodFrames: 512, bufferMilliseconds: 100)
  static let idleSeconds = 1

  let pcm: PacedPCM
  let control: SwitchControl
  let engine: PlaybackEngine
  private let amplifier: RecordingAmplifier
  private let failureLog = FailureLog()
  private var queue: [TrackRequest] = []
  private(set) var rates: [Int] = []
  private(set) var failures: [SinkError] = []
  private(set) var hasEnded = false
  /// Called again and again while ``wait(sourceLocation:for:)`` waits.
  var onRound: (AmplifierBench) -> Void = { _ in }

  private final class FailureLog: Sendable {
    private let errors = Mutex<[SinkError]>([])
    func add(_ error: SinkError) { errors.withLock { $0.append(error) } }
    var all: [SinkError] { errors.withLock { $0 } }
  }

  /// Records each call, and passes it to the real amplifier.
  private final class RecordingAmplifier: Amplifier {
    private let amplifier: MixerSwitch
    private let record = Mutex<[Bool]>([])

    init(_ amplifier: MixerSwitch) { self.amplifier = amplifier }

    var calls: [Bool] { record.withLock { $0 } }

    func setMuted(_ muted: Bool) throws(SinkError) {
      record.withLock { $0.append(muted) }
      try amplifier.setMuted(muted)
    }

    func isMuted() throws(SinkError) -> Bool { try amplifier.isMuted() }
  }

  /// - Parameter change: changes the options of the sound card. Without changes, the card supports all rates and
  ///   layouts with 32 bits, and plays in real time.
  init(
    settleMilliseconds: Int = 20, holdMilliseconds: Int = 10, isPlugged: Bool = true,
    change: (inout PacedPCM.Options) -> Void = { _ in }
  ) throws {
    _ = Self.prepared
    var options = PacedPCM.Options()
    change(&options)
    control = try SwitchControl()
    pcm = try PacedPCM(options)
    if !isPlugged { try control.unplug() }
    amplifier = RecordingAmplifier(MixerSwitch(control: control.name, element: "Master"))
    let muting = ALSASink.Muting(
      amplifier,
      settleMilliseconds: settleMilliseconds, holdMilliseconds: holdMilliseconds,
      onFailure: { [failureLog] in failureLog.add($0) })
    engine = PlaybackEngine(
      sink: ALSASink(name: pcm.name, buffering: Self.buffering, muting: muting),
      idleSeconds: Self.idleSeconds)
  }

  private static let prepared: Void = ALSASink.prepareProcess()

  /// The reported errors of the amplifier.
  var amplifierFailures: [SinkError] { failureLog.all }

  /// The argument of each call of `setMuted(_:)`. True means mute.
  var calls: [Bool] { amplifier.calls }

  func play(_ tracks: [TrackRequest]) {
    hasEnded = false
    queue = Array(tracks.dropFirst())
    engine.play(tracks[0])
  }

  /// Waits until the last frame was heard, and closes the device.
  func finish(sourceLocation: SourceLocation = #_sourceLocation) {
    wait(sourceLocation: sourceLocation) { $0.hasEnded && $0.engine.secondsToEnd == 0 }
    engine.shutDown()
  }

  /// Handles events until `condition` holds.
  func wait(
    sourceLocation: SourceLocation = #_sourceLocation, for condition: (AmplifierBench) -> Bool
  ) {
    engine.turn(sourceLocation: sourceLocation) {
      handleEvents()
      onRound(self)
      return condition(self)
    } failures: {
      failures
    }
  }

  private func handleEvents() {
    for event in engine.takeEvents() {
      switch event {
      case .deviceOpened(let format, _): rates.append(format.sampleRate)
      case .deviceFailed(let error): failures.append(error)
      case .ended: hasEnded = true
      case .needsUpcoming: engine.setUpcoming(queue.isEmpty ? nil : queue.removeFirst())
      default: break
      }
    }
  }
}

/// The frames that a paced PCM played between an opening and the next close, with their times. The frames are stereo
/// with 32 bits. The times are correct only if the stream never ran dry.
struct PlayedStream {
  let rate: Int
  /// The time at which the first frame was heard, on the monotonic clock, in nanoseconds.
  let began: Int64
  /// The time at which the first frame was handed over, on the same clock as ``began``.
  let handedOver: Int64
  /// The frames that were heard.
  let bytes: [UInt8]
  /// The frames of the content, without the silence around it; empty if there is only silence.
  let content: Range<Int>

  /// The time at which a frame was heard. If `frame` is the number of all frames, this is the end of the stream.
  func heard(_ frame: Int) -> Int64 { began + Int64(frame) * 1_000_000_000 / Int64(rate) }

  /// The number of the frame that was heard at this time.
  func frame(at nanoseconds: Int64) -> Int {
    Int((nanoseconds - began) * Int64(rate) / 1_000_000_000)
  }

  var end: Int64 { heard(bytes.count / 8) }

  var periodNanoseconds: Int64 {
    Int64(AmplifierBench.buffering.periodFrames!) * 1_000_000_000 / Int64(rate)
  }

  /// Returns all streams of the card in order. `rates` contains the rate of each stream.
  static func all(of pcm: PacedPCM, rates: [Int]) throws -> [PlayedStream] {
    let stamps = try pcm.stamps()
    let captured = try pcm.captured()
    // A stream begins at a hand-over that finds an empty device (`ahead` is 0) and whose offset in the file of the card
    // is below the end of the previous hand-over. The reason: at the previous close, the card dropped frames that were
    // handed over, and dropped frames are not in the file.
    let starts = stamps.indices.filter { index in
      let stamp = stamps[index]
      return index == 0
        || stamp.ahead == 0 && stamp.offset < stamps[index - 1].offset + stamps[index - 1].frames
    }
    try #require(starts.count == rates.count, "streams: \(starts.map { stamps[$0].offset })")
    return try starts.indices.map { at in
      let own = stamps[starts[at]..<(at + 1 < starts.count ? starts[at + 1] : stamps.endIndex)]
      let first = own[own.startIndex]
      let next = at + 1 < starts.count ? Int(stamps[starts[at + 1]].offset) : captured.count / 8
      let bytes = Array(captured[Int(first.offset) * 8..<next * 8])
      // From each hand-over to a running card, this code computes the time at which the first frame of the stream was
      // heard. Each result is exact or slightly too late, so the earliest result is used.
      let begins = own.filter { $0.ahead < $0.offset - first.offset }.map { stamp in
        stamp.nanoseconds - (stamp.offset - first.offset - stamp.ahead) * 1_000_000_000
          / Int64(rates[at])
      }
      let loud = bytes.indices.filter { bytes[$0] != 0 }
      let content = loud.isEmpty ? 0..<0 : loud[0] / 8..<loud[loud.count - 1] / 8 + 1
      return PlayedStream(
        rate: rates[at], began: try #require(begins.min()), handedOver: first.nanoseconds,
        bytes: bytes, content: content)
    }
  }
}

internal import AudioCodecs
internal import Synchronization

/// What crosses between the control, decode and output threads above the real-time line. A lock
/// is right here: each side holds it for a few moves of small values, and the output thread only
/// looks in between two runs of its sink.
final class EngineExchange: Sendable {
  enum Command {
    case play(TrackRequest, seconds: Double)
    case stop
  }

  /// What follows the current track.
  enum Upcoming {
    /// The control thread has not said yet.
    case unknown
    case nothing
    case track(TrackRequest)
  }

  private struct State {
    var commands: [Command] = []
    var upcoming = Upcoming.unknown
    var events: [EngineEvent] = []
    var segments: [Int: Segment] = [:]
    var deviceRequest: StreamFormat?
    var deviceAnswer: DeviceFormat?
    var isStopping = false
  }

  private let state = Mutex(State())
  /// The decode thread sleeps on it.
  let decodeWake = WakeUp()
  /// The output thread sleeps on it while it has no device, or a sink without a clock.
  let outputWake = WakeUp()
  /// The control thread polls it.
  let controlWake = WakeUp()

  // MARK: Control

  func send(_ command: Command) {
    state.withLock { state in
      // A newer play replaces an older one that nobody has looked at: only the last is wanted.
      state.commands = [command]
      state.upcoming = .unknown
    }
    decodeWake.signal()
  }

  func setUpcoming(_ upcoming: Upcoming) {
    state.withLock { $0.upcoming = upcoming }
    decodeWake.signal()
  }

  func takeEvents() -> [EngineEvent] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// The segment with this token; segments before it are forgotten.
  func segment(_ token: Int) -> Segment? {
    state.withLock { state in
      state.segments = state.segments.filter { $0.key >= token }
      return state.segments[token]
    }
  }

  func shutDown() {
    state.withLock { $0.isStopping = true }
    decodeWake.signal()
    outputWake.signal()
  }

  // MARK: Decode and output

  var isStopping: Bool { state.withLock { $0.isStopping } }

  func post(_ event: EngineEvent) {
    state.withLock { $0.events.append(event) }
    controlWake.signal()
  }

  // MARK: Decode

  func takeCommand() -> Command? {
    state.withLock { $0.commands.popLast() }
  }

  var hasCommand: Bool { state.withLock { !$0.commands.isEmpty } }

  /// What follows; the answer is used up.
  func takeUpcoming() -> Upcoming {
    state.withLock { state in
      defer { if case .track = state.upcoming { state.upcoming = .unknown } }
      return state.upcoming
    }
  }

  /// The control thread must be asked again.
  func forgetUpcoming() { state.withLock { $0.upcoming = .unknown } }

  func add(_ segment: Segment, token: Int) {
    state.withLock { $0.segments[token] = segment }
  }

  func requestDevice(_ format: StreamFormat) {
    state.withLock { state in
      state.deviceRequest = format
      state.deviceAnswer = nil
    }
    outputWake.signal()
  }

  func takeDeviceAnswer() -> DeviceFormat? {
    state.withLock { state in
      defer { state.deviceAnswer = nil }
      return state.deviceAnswer
    }
  }

  // MARK: Output

  var deviceRequest: StreamFormat? { state.withLock { $0.deviceRequest } }

  func answerDevice(_ format: DeviceFormat) {
    state.withLock { state in
      state.deviceRequest = nil
      state.deviceAnswer = format
    }
    decodeWake.signal()
  }
}

/// A stretch of frames in the ring that belongs to one track and runs straight.
struct Segment: Sendable, Equatable {
  /// The track.
  let trackID: Int
  /// Time in the track of the first frame.
  let startSeconds: Double
  /// Frames per second in the ring.
  let sampleRate: Int
}

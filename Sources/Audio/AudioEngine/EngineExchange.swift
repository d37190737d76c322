internal import AudioCodecs
internal import Synchronization
internal import Threads

/// What crosses between the control, decode and output threads above the real-time line. A lock
/// is right here: each side holds it for a few moves of small values, and the output thread only
/// looks in between two runs of its sink.
final class EngineExchange: Sendable {
  /// What is to sound from now on. Commands are numbered, so that whatever still belongs to an
  /// older one is known by its number.
  struct Command {
    enum Action {
      case play(TrackRequest, seconds: Double)
      case stop
    }
    let number: Int
    let action: Action
  }

  /// What is to sound over the music from now on; the newest counts.
  struct OverlayCommand {
    let number: Int
    /// Nil to stop.
    let track: TrackRequest?
    /// Linear gain of what is left of the music.
    var musicGain: Float = 1
    /// The output frame with which it begins.
    var frame = 0
  }

  /// What follows the current track.
  enum Upcoming {
    /// The control thread has not said yet.
    case unknown
    case nothing
    case track(TrackRequest)
  }

  private struct State {
    var command: Command?
    var upcoming = Upcoming.unknown
    var events: [(event: EngineEvent, command: Int)] = []
    var segments: [Int: Segment] = [:]
    var deviceRequest: StreamFormat?
    var deviceAnswer: DeviceFormat?
    /// The device came back as another one, and the decode thread has not heard of it.
    var isDeviceChanged = false
    var overlay: OverlayCommand?
    var isStopping = false
  }

  private let state = Mutex(State())
  /// How often the device was set up. Held while it is, and while the overlay's ring is written,
  /// which is remade for each device.
  private let deviceCount = Mutex(0)
  /// The decode thread sleeps on it.
  let decodeWake = WakeUp()
  /// The output thread sleeps on it while it has no device.
  let outputWake = WakeUp()
  /// The control thread polls it.
  let controlWake = WakeUp()

  // MARK: Control

  func send(_ command: Command) {
    state.withLock { state in
      // A newer one replaces an older one that nobody has looked at: where the queue stands is
      // the control thread's business, here only the last wish counts.
      state.command = command
      state.upcoming = .unknown
    }
    decodeWake.signal()
  }

  func setUpcoming(_ upcoming: Upcoming) {
    state.withLock { $0.upcoming = upcoming }
    decodeWake.signal()
  }

  func send(_ command: OverlayCommand) {
    let unseen = state.withLock { state in
      defer { state.overlay = command }
      return state.overlay?.track
    }
    if let unseen { post(.overlayEnded(id: unseen.id)) }
    decodeWake.signal()
    outputWake.signal()
  }

  /// Takes a track back that was not taken yet; whether there was one.
  func withdrawUpcoming() -> Bool {
    state.withLock { state in
      guard case .track = state.upcoming else { return false }
      state.upcoming = .unknown
      return true
    }
  }

  /// What happened under `command`; what belongs to an older one is forgotten.
  func takeEvents(of command: Int) -> [EngineEvent] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events.filter { $0.command >= command }.map(\.event)
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

  /// Tells the control thread something that happened under `command`; what has to do with none
  /// is told always.
  func post(_ event: EngineEvent, command: Int = .max) {
    state.withLock { $0.events.append((event, command)) }
    controlWake.signal()
  }

  // MARK: Decode

  func takeCommand() -> Command? {
    state.withLock { state in
      defer { state.command = nil }
      return state.command
    }
  }

  func takeOverlay() -> OverlayCommand? {
    state.withLock { state in
      defer { state.overlay = nil }
      return state.overlay
    }
  }

  var hasCommand: Bool { state.withLock { $0.command != nil } }

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

  /// Takes a request back that the output has not carried out; false where the answer comes.
  func withdrawDeviceRequest() -> Bool {
    state.withLock { state in
      defer { state.deviceRequest = nil }
      return state.deviceRequest != nil
    }
  }

  /// How often the device was set up.
  var devices: Int { deviceCount.withLock { $0 } }

  /// Calls `body` if the device is still the one that was set up as number `count`; whether it is.
  /// Must be quick: the output waits for it.
  func ifDevice(is count: Int, _ body: () -> Void) -> Bool {
    deviceCount.withLock { current in
      guard current == count else { return false }
      body()
      return true
    }
  }

  func takeDeviceAnswer() -> DeviceFormat? {
    state.withLock { state in
      defer { state.deviceAnswer = nil }
      return state.deviceAnswer
    }
  }

  /// Whether the device has become another one since the last call. What was requested or
  /// answered before is void then.
  func takeDeviceChange() -> Bool {
    state.withLock { state in
      guard state.isDeviceChanged else { return false }
      state.isDeviceChanged = false
      state.deviceRequest = nil
      state.deviceAnswer = nil
      return true
    }
  }

  // MARK: Output

  /// What the device shall be set up for; nil also while the decode thread has not heard of
  /// another device, as it asks anew then.
  var deviceRequest: StreamFormat? {
    state.withLock { $0.isDeviceChanged ? nil : $0.deviceRequest }
  }

  /// The device came back as another one.
  func tellDeviceChange() {
    state.withLock { $0.isDeviceChanged = true }
    decodeWake.signal()
  }

  /// The device is open as was requested: takes the request, unless it was withdrawn meanwhile.
  func claimDeviceRequest() -> Bool {
    state.withLock { state in
      guard state.deviceRequest != nil, !state.isDeviceChanged else { return false }
      state.deviceRequest = nil
      return true
    }
  }

  /// Sets up everything that depends on the device.
  func configure(_ body: () -> Void) {
    deviceCount.withLock { count in
      count += 1
      body()
    }
  }

  func answerDevice(_ format: DeviceFormat) {
    state.withLock { $0.deviceAnswer = format }
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
  /// The track's tags from here on, where they change.
  var metadata: AudioMetadata?
  /// The track's format from here on, where it changes.
  var format: StreamFormat?
}

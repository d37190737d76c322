internal import AudioCodecs
internal import CRealtime
internal import Synchronization
internal import Threads

/// The values that the control, decode and output threads pass to each other above the real-time line. A lock is
/// sufficient, because each thread holds the lock only to copy a few small values. The output thread takes the lock
/// only between two runs of its sink.
final class EngineExchange: Sendable {
  /// What to play from now on. Events and frames have the number of their command, so that events and frames of older
  /// commands are recognised.
  struct Command {
    enum Action {
      case play(TrackRequest, seconds: Double)
      case stop
    }
    let number: Int
    let action: Action
  }

  /// What to play over the music from now on.
  struct OverlayCommand {
    enum Action {
      /// Replaces the overlay that sounds.
      case play(TrackRequest)
      /// Mixes the track into a live overlay that sounds. Replaces an overlay that is not live.
      case mix(TrackRequest)
      /// Stops the overlay, or the mixed track, with this id.
      case stop(id: Int)

      var track: TrackRequest? {
        switch self {
        case .play(let track), .mix(let track): track
        case .stop: nil
        }
      }
    }
    let number: Int
    let action: Action
    /// Linear gain of the music under the overlay.
    var musicGain: Float = 1
    /// The number of the output frame at which the overlay begins, counted since the engine began.
    var frame = 0
  }

  /// What follows the current track.
  enum Upcoming {
    /// The control thread has not answered yet.
    case unknown
    case nothing
    case track(TrackRequest)
  }

  private struct State {
    var command: Command?
    var upcoming = Upcoming.unknown
    var events: [(event: EngineEvent, command: Int)] = []
    var segments: [Int: Segment] = [:]
    var deviceRequest: DeviceRequest?
    /// Number of device requests so far.
    var deviceRequests = 0
    var deviceAnswer: DeviceFormat?
    /// True after another device has replaced the device, until the decode thread calls ``takeDeviceChange()``.
    var isDeviceChanged = false
    /// The commands for overlays that the decode thread has not taken yet, oldest first: at most one of each action.
    var overlays: [OverlayCommand] = []
    /// The live input that plays.
    var live: LiveInput?
    var isStopping = false
  }

  private let state = Mutex(State())
  /// Number of device setups. The lock is held during the setup and during each write to the overlay's ring, because
  /// the setup empties this ring for the new device.
  private let deviceCount = Mutex(0)
  /// The decode thread sleeps until this is signalled.
  let decodeWake = WakeUp()
  /// While the output thread has no device, it sleeps until this is signalled. The sink of a device whose buffer is
  /// rewritten also waits for this wake-up.
  let outputWake = WakeUp()
  /// The control thread polls this.
  let controlWake = WakeUp()

  /// The part of the engine that a live input uses.
  private let livePlayer: LivePlayer

  /// - Parameter now: returns the time on the monotonic clock, in nanoseconds.
  init(clock: PlaybackClock, now: @escaping @Sendable () -> Int64 = { rt_monotonic_ns() }) {
    livePlayer = LivePlayer(wake: decodeWake, clock: clock, now: now)
  }

  // MARK: Control

  func send(_ command: Command) {
    state.withLock { state in
      // A newer command replaces a command that was not taken yet. The control thread owns the queue of the tracks, so
      // the decode thread needs only the last command.
      state.command = command
      state.upcoming = .unknown
    }
    decodeWake.signal()
  }

  func setUpcoming(_ upcoming: Upcoming) {
    state.withLock { $0.upcoming = upcoming }
    decodeWake.signal()
  }

  /// A command replaces the commands that it makes useless. Their tracks are reported as ended.
  func send(_ command: OverlayCommand) {
    let unseen = state.withLock { state in
      let useless: (OverlayCommand) -> Bool = { old in
        switch (command.action, old.action) {
        case (.play, _), (.mix, .mix): true
        case (.mix, _): false
        case (.stop(let id), .stop(let other)): id == other
        case (.stop(let id), _): old.action.track?.id == id
        }
      }
      let tracks = state.overlays.filter(useless).compactMap(\.action.track)
      state.overlays.removeAll(where: useless)
      state.overlays.append(command)
      return tracks
    }
    for track in unseen { post(.overlayEnded(id: track.id)) }
    decodeWake.signal()
    outputWake.signal()
  }

  /// Withdraws an upcoming track that the decode thread has not taken yet. Returns true if there was such a track.
  func withdrawUpcoming() -> Bool {
    state.withLock { state in
      guard case .track = state.upcoming else { return false }
      state.upcoming = .unknown
      return true
    }
  }

  /// Returns and removes the events of `command` and the events without a command. Events of older commands are
  /// dropped.
  func takeEvents(of command: Int) -> [EngineEvent] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events.filter { $0.command >= command }.map(\.event)
    }
  }

  /// The segment with this token. Drops older segments.
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

  /// Call this after the threads have ended. After this call, the live input no longer uses the clock of the engine.
  func detachLiveInput() { attach(nil) }

  // MARK: Decode and output

  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Sends an event that belongs to `command` to the control thread. An event without a command is always delivered.
  func post(_ event: EngineEvent, command: Int = .max) {
    state.withLock { $0.events.append((event, command)) }
    controlWake.signal()
  }

  // MARK: Decode

  /// Call this when a track begins or ends. `live` is the input of the track; nil if there is none.
  func attach(_ live: LiveInput?) {
    let previous = state.withLock { state in
      defer { state.live = live }
      return state.live
    }
    if previous !== live { previous?.detach() }
    live?.attach(livePlayer)
  }

  /// Call this when an overlay begins to play a live input.
  func attachToOverlay(_ live: LiveInput) {
    live.attach(LivePlayer(wake: decodeWake, clock: nil, now: livePlayer.now))
  }

  func takeCommand() -> Command? {
    state.withLock { state in
      defer { state.command = nil }
      return state.command
    }
  }

  func takeOverlay() -> OverlayCommand? {
    state.withLock { $0.overlays.isEmpty ? nil : $0.overlays.removeFirst() }
  }

  var hasCommand: Bool { state.withLock { $0.command != nil } }

  /// Returns what follows the current track. An upcoming track is returned only once.
  func takeUpcoming() -> Upcoming {
    state.withLock { state in
      defer { if case .track = state.upcoming { state.upcoming = .unknown } }
      return state.upcoming
    }
  }

  /// Forgets what follows the current track. The decode thread must then ask the control thread again.
  func forgetUpcoming() { state.withLock { $0.upcoming = .unknown } }

  func add(_ segment: Segment, token: Int) {
    state.withLock { $0.segments[token] = segment }
  }

  func requestDevice(_ format: StreamFormat) {
    state.withLock { state in
      state.deviceRequests += 1
      state.deviceRequest = DeviceRequest(number: state.deviceRequests, format: format)
      state.deviceAnswer = nil
    }
    outputWake.signal()
  }

  /// Withdraws a request that the output thread has not claimed. Returns false if the request was claimed. In that case
  /// the answer follows.
  func withdrawDeviceRequest() -> Bool {
    state.withLock { state in
      defer { state.deviceRequest = nil }
      return state.deviceRequest != nil
    }
  }

  /// Number of times that the device was set up.
  var devices: Int { deviceCount.withLock { $0 } }

  /// If `count` is still the number of the last device setup, calls `body` and returns true. `body` must be quick,
  /// because the output thread can be waiting for it.
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

  /// Returns true if another device has replaced the device since the last call. In this case earlier requests and
  /// answers are removed.
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

  /// The last device request; nil if there is none. After ``reportDeviceChange()`` it is nil until the decode thread
  /// has called ``takeDeviceChange()`` and has sent a new request.
  var deviceRequest: DeviceRequest? {
    state.withLock { $0.isDeviceChanged ? nil : $0.deviceRequest }
  }

  /// Call this after another device has replaced the device.
  func reportDeviceChange() {
    state.withLock { $0.isDeviceChanged = true }
    decodeWake.signal()
  }

  /// Removes `request` after the device was opened for this request. Returns false if the request was withdrawn in the
  /// meantime. A newer request can exist then. Its event in the ring follows the event of `request`.
  func claim(_ request: DeviceRequest) -> Bool {
    state.withLock { state in
      guard state.deviceRequest == request, !state.isDeviceChanged else { return false }
      state.deviceRequest = nil
      return true
    }
  }

  /// Counts a device setup, and runs `body`, which sets up everything that depends on the device.
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

/// Consecutive frames of one track in the ring, without a jump.
struct Segment: Sendable, Equatable {
  let trackID: Int
  /// The time of the segment's first frame, in seconds from the start of the track.
  let startSeconds: Double
  /// Frames per second in the ring.
  let sampleRate: Int
  /// The tags of the track from this segment on; nil if unchanged.
  var metadata: AudioMetadata?
  /// The format of the track from this segment on; nil if unchanged.
  var format: StreamFormat?
}

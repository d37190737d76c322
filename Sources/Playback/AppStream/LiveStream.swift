internal import AudioCodecs
package import AudioEngine
package import EventLoop
internal import Synchronization
internal import Threads

/// A stream of the kind *live*: the app sends frames by its own clock, for example those of a tuner. While the stream
/// is read, a thread pushes the frames into a live input. Otherwise packets wait in the socket.
///
/// - Thread: the control thread only. Only ``stop()`` blocks, until the thread has handled one packet.
package final class LiveStream {
  package let format: AppStreamFormat
  private let socket: BusDescriptor
  private let shared: Shared
  private var reading: (input: LiveInput, thread: NamedThread)?

  /// The values that the reading thread and the control thread share.
  private final class Shared: Sendable {
    struct State {
      var packets: PacketSequence
      var hasClosed = false
    }
    let stop = WakeUp()
    let state: Mutex<State>
    init(_ format: AppStreamFormat) { state = Mutex(State(packets: PacketSequence(format))) }
  }

  /// - Parameter socket: the unit's end of a `SOCK_SEQPACKET` socket.
  package init(_ format: AppStreamFormat, _ socket: BusDescriptor) {
    self.format = format
    self.socket = socket
    shared = Shared(format)
  }

  deinit { stop() }

  /// Begins to read, unless the stream is read already. Drops the packets that wait in the socket, because they are
  /// old. Returns the input, which plays until ``stop()``.
  package func start() -> LiveInput {
    if let reading { return reading.input }
    let input = LiveInput(
      sampleRate: format.rate, layout: format.decoded.layout, lead: LeadRegulator.lead)
    if shared.state.withLock({ $0.packets.isComplete }) { input.end() }
    let loop = ReadingLoop(format, socket, shared, input)
    let thread = NamedThread("app") {
      loop.dropWaiting()
      while loop.step() {}
    }
    reading = (input, thread)
    return input
  }

  /// Ends the reading. The frames that were pushed are still played.
  package func stop() {
    guard let (input, thread) = reading else { return }
    reading = nil
    shared.stop.signal()
    thread.join()
    shared.stop.clear()
    input.end(fades: true)
  }

  /// The stream as a track. Begins to read.
  package func track(id: Int) -> TrackRequest {
    start().track(
      id: id,
      description: TrackDescription(
        codec: "PCM", format: format.decoded, durationSeconds: nil, metadata: AudioMetadata()))
  }

  /// See ``TrackStream/flush(next:)``.
  package func flush(next number: UInt64) throws(FlushRefusal) {
    try shared.state.withLock { state throws(FlushRefusal) in
      try state.packets.flush(next: number)
    }
  }

  /// See ``TrackStream/finish(at:)``.
  package func finish(at number: UInt64) {
    let isComplete = shared.state.withLock { state in
      state.packets.finish(at: number)
      return state.packets.isComplete
    }
    if isComplete { reading?.input.end() }
  }

  /// What has happened to the packets so far. ``LiveInput/counts`` has the frames that were dropped later.
  package var counts: StreamCounts { shared.state.withLock { $0.packets.counts } }

  /// See ``TrackStream/isBroken``. Known only while the stream is read.
  package var isBroken: Bool {
    shared.state.withLock { $0.hasClosed && !$0.packets.isComplete }
  }

  /// The number of the frame that is heard, as an estimate: the number of the next frame, less the lead. It is wrong by
  /// up to one packet, by what the ratio of a regulated input changes within the lead, and after a jump of the numbers
  /// or a loss by the missing frames, until the lead has passed. 0 before the first frame is heard.
  package var heardFrame: Int64 {
    guard let reading else { return 0 }
    let lead = Int64(reading.input.lead * Double(format.rate))
    return max(0, shared.state.withLock { $0.packets.next } - lead)
  }

  /// The work of the thread. This object is created on the control thread. After that, only the reading thread uses it.
  private final class ReadingLoop: @unchecked Sendable {
    private let format: AppStreamFormat
    private let socket: BusDescriptor
    private let shared: Shared
    private let input: LiveInput
    private var regulator = LeadRegulator()
    private let packet = UnsafeMutableRawBufferPointer.allocate(
      byteCount: PacketSequence.largestPacket + 1, alignment: 16)
    private let samples = UnsafeMutablePointer<Float>.allocate(
      capacity: PacketSequence.largestContent / 2)

    init(
      _ format: AppStreamFormat, _ socket: BusDescriptor, _ shared: Shared, _ input: LiveInput
    ) {
      self.format = format
      self.socket = socket
      self.shared = shared
      self.input = input
    }

    deinit {
      packet.deallocate()
      samples.deallocate()
    }

    /// The most packets that can wait in a socket with the default size of its buffer.
    private static let mostWaiting = 300

    func dropWaiting() {
      for _ in 0..<Self.mostWaiting {
        guard case .packet(let count) = socket.receive(into: packet) else { return }
        shared.state.withLock { state in
          guard let frames = state.packets.take(.init(rebasing: packet[..<count])) else { return }
          state.packets.drop(Int64(frames.bytes.count / format.frameBytes))
        }
      }
    }

    /// Waits for a packet and pushes its frames. Returns false at the end of the stream, and when the thread must end.
    func step() -> Bool {
      guard !shared.stop.wait(or: [socket.number]) else { return false }
      switch socket.receive(into: packet) {
      case .nothing: return true
      case .packet(let count):
        let (frames, isComplete) = shared.state.withLock { state in
          (state.packets.take(.init(rebasing: packet[..<count])), state.packets.isComplete)
        }
        if let frames { push(frames) }
        if isComplete { input.end() }
        return !isComplete
      case .end:
        let isComplete = shared.state.withLock { state in
          state.hasClosed = true
          return state.packets.isComplete
        }
        input.end(fades: !isComplete)
        return false
      }
    }

    private func push(_ frames: PacketSequence.Frames) {
      format.decodeFloats(frames.bytes, into: samples)
      input.push(samples, frames: frames.bytes.count / format.frameBytes)
      input.regulate(with: &regulator, at: MonotonicClock.seconds)
    }
  }
}

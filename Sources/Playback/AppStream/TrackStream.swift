internal import AudioCodecs
package import AudioEngine
package import EventLoop
internal import Synchronization
internal import Threads

/// A stream of the kind *track*: the engine takes the frames of an app as it takes those of a file, and the app waits
/// while the engine wants none.
///
/// The decode thread reads the socket itself. The frames that the engine got last are kept, because the engine takes
/// them again if it loses its device, or if another source has had the engine. Apart from these, frames wait in the
/// socket, in the memory of the app.
///
/// - Thread: the control thread only. No call blocks.
package final class TrackStream {
  package let format: AppStreamFormat
  private let core: TrackStreamCore

  /// - Parameter socket: the unit's end of a `SOCK_SEQPACKET` socket.
  package init(_ format: AppStreamFormat, _ socket: BusDescriptor) {
    self.format = format
    core = TrackStreamCore(format, socket)
  }

  /// The stream as a track. The track begins, also after a seek, when 100 ms are queued or nothing follows. A seek goes
  /// to any frame that was not heard. If the frames at its target are forgotten, the track begins at the oldest frame
  /// that is kept, and the frames before it count as dropped.
  package func track(id: Int) -> TrackRequest {
    let description = TrackDescription(
      codec: "PCM", format: format.decoded, durationSeconds: nil, metadata: AudioMetadata())
    return TrackRequest(id: id) { [core] () throws(DecodeError) in
      OpenedTrack(decoder: TrackStreamDecoder(core), description: description)
    }
  }

  /// The next frame is `number`, and frames below it are dropped. Then play the track again, at the time of this frame.
  ///
  /// - Throws: if a higher number was flushed already.
  package func flush(next number: UInt64) throws(FlushRefusal) {
    try core.state.withLock { state throws(FlushRefusal) in
      try state.packets.flush(next: number)
      let next = Int64(number)
      let arrived = state.history.frames(from: next)
      state.packets.drop(Int64(state.history.frames(from: state.cursor) - arrived))
      if arrived == 0 { state.history.removeAll() }
      state.cursor = next
      state.isFilling = true
    }
  }

  /// The content ends before the frame `number`. Without this call, the end of the connection is a break.
  package func finish(at number: UInt64) {
    core.state.withLock { $0.packets.finish(at: number) }
    core.wake.signal()
  }

  /// Frees the memory of the frames that are kept. Call this when another stream plays. The frames that were not heard
  /// are then dropped. The memory is allocated again when the engine takes frames.
  package func forget() { core.state.withLock { $0.history.release() } }

  /// What has happened to the packets so far.
  package var counts: StreamCounts { core.state.withLock { $0.packets.counts } }

  /// The number of the next frame from the socket.
  package var nextFrame: Int64 { core.state.withLock { $0.packets.next } }

  /// True if the app has closed the connection before the end of the content. Known when the decoder has taken all
  /// packets.
  package var isBroken: Bool {
    core.state.withLock { $0.hasClosed && !$0.packets.isComplete }
  }

  /// The memory that the kept frames use, in bytes.
  package var keptBytes: Int { core.state.withLock { $0.history.allocatedBytes } }
}

/// The part of a ``TrackStream`` that the control thread and the decode thread share.
private final class TrackStreamCore: Sendable {
  struct State {
    var packets: PacketSequence
    /// The frames that were received. The engine has got those before ``cursor``.
    var history: FrameHistory
    /// The number of the frame that the engine gets next, or of a frame before it that is missing.
    var cursor: Int64 = 0
    /// True until enough frames are queued to begin.
    var isFilling = true
    var hasClosed = false
  }

  /// An answer of ``next(_:into:packet:)``.
  enum Answer {
    case frames(Range<Int64>)
    /// There are no frames now.
    case waiting
    /// Some packets were read. The next call continues.
    case working
    case end
  }

  let format: AppStreamFormat
  let socket: BusDescriptor
  /// Signalled when the decoder must look at the state although no packet has arrived.
  let wake = WakeUp()
  let state: Mutex<State>
  /// Number of frames with which a track begins.
  private let leadFrames: Int

  /// The largest history: the engine's buffer with samples of four bytes, and an eighth for what the device holds.
  private static let largestHistory = PlaybackEngine.bufferBytes * 9 / 8
  /// A device with a lower rate buffers more frames of a stream with a higher rate. Devices have at least this rate.
  private static let lowestDeviceRate = 44_100
  /// The most packets in one call, so that the decode thread can handle commands.
  private static let mostPackets = 8

  init(_ format: AppStreamFormat, _ socket: BusDescriptor) {
    self.format = format
    self.socket = socket
    leadFrames = format.rate / 10
    let bytes = Self.largestHistory / 4 * format.samples.byteCount
    let scaled = bytes * max(format.rate, Self.lowestDeviceRate) / Self.lowestDeviceRate
    state = Mutex(
      State(
        packets: PacketSequence(format),
        history: FrameHistory(
          bytes: min(scaled, Self.largestHistory), frameBytes: format.frameBytes)))
  }

  /// Continues with the frame `number`. If it was not received yet, the frames before it are dropped.
  func seek(to number: Int64) {
    state.withLock { state in
      if number > state.packets.next {
        state.packets.drop(Int64(state.history.frames(from: state.cursor)))
        state.packets.skip(to: number)
        state.history.removeAll()
      }
      state.cursor = min(max(0, number), state.packets.next)
      state.isFilling = true
    }
  }

  /// Writes at most `limit` frames to `samples`. Reads packets into `packet` until there are frames.
  func next(
    _ limit: Int, into samples: UnsafeMutableRawPointer, packet: UnsafeMutableRawBufferPointer
  ) -> Answer {
    wake.clear()
    return state.withLock { state in
      for _ in 0..<Self.mostPackets {
        if let frames = take(limit, into: samples, &state) { return .frames(frames) }
        if state.hasClosed || state.packets.isComplete { return .end }
        switch socket.receive(into: packet) {
        case .packet(let count):
          if let frames = state.packets.take(.init(rebasing: packet[..<count])) {
            state.history.add(frames.bytes, first: frames.first)
          }
        case .nothing: return .waiting
        case .end: state.hasClosed = true
        }
      }
      return .working
    }
  }

  private func take(
    _ limit: Int, into samples: UnsafeMutableRawPointer, _ state: inout State
  ) -> Range<Int64>? {
    if state.isFilling {
      state.isFilling =
        !(state.hasClosed || state.packets.isComplete || state.history.isFullOfRuns
        || state.history.frames(from: state.cursor) >= leadFrames)
      if state.isFilling { return nil }
    }
    let forgotten = state.history.forgotten
    if state.cursor < forgotten {
      state.packets.drop(forgotten - state.cursor)
      state.cursor = forgotten
    }
    let frames = state.history.read(
      from: state.cursor, before: state.packets.end ?? .max, limit: limit
    ) { first, bytes in
      format.decode(bytes, into: samples)
      return first..<first + Int64(bytes.count / format.frameBytes)
    }
    if let frames { state.cursor = frames.upperBound }
    return frames
  }
}

/// Reads a ``TrackStream`` on the decode thread.
private final class TrackStreamDecoder: AudioDecoder {
  private let core: TrackStreamCore
  private let samples: UnsafeMutableRawPointer
  /// One byte more than a packet can have, so that a longer packet is recognised.
  private let packet = UnsafeMutableRawBufferPointer.allocate(
    byteCount: PacketSequence.largestPacket + 1, alignment: 16)
  private static let blockFrames = 2048

  init(_ core: TrackStreamCore) {
    self.core = core
    samples = .allocate(byteCount: Self.blockFrames * core.format.channels * 4, alignment: 16)
    core.seek(to: 0)
  }

  deinit {
    samples.deallocate()
    packet.deallocate()
  }

  var format: StreamFormat { core.format.decoded }

  func next() throws(DecodeError) -> DecodeStep {
    switch core.next(Self.blockFrames, into: samples, packet: packet) {
    case .frames(let frames):
      .frames(
        FrameBlock(samples: samples, frameCount: frames.count, position: frames.lowerBound))
    case .waiting: .waiting(for: [core.socket.number, core.wake.descriptor])
    case .working: .working
    case .end: .end
    }
  }

  func seek(to frame: Int64) throws(DecodeError) { core.seek(to: frame) }
}

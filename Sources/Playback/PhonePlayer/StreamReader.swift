package import A2DPStream
internal import AudioCodecs
package import AudioEngine
internal import EventLoop
internal import NowPlaying
package import PhoneLink
internal import Synchronization
internal import SystemClock
internal import Threads

/// Reads a stream of a phone on a thread of its own, decodes it, and pushes the frames into a live input.
///
/// The thread always reads, even while the frames are not played, because otherwise the kernel would drop packets. This
/// type is used on the control thread.
package final class StreamReader {
  /// The stream that is read.
  package let stream: PhoneStream
  /// The frames of the stream, for the engine.
  package let input: LiveInput
  private let shared: Shared
  private var thread: NamedThread?

  /// Counts and measurements of the stream.
  package struct Report: Sendable {
    /// The counts of packets and SBC frames.
    package var packets = StreamReceiver.Counts()
    /// See ``LeadRegulator/level``, in seconds.
    package var level: Double?
    /// The target of the lead in seconds.
    package var target = 0.0
    /// The drift in parts per million: how much faster the clock of the phone is than the clock of the device. Nil
    /// until frames are resampled.
    package var driftPPM: Double?
    /// True if frames are resampled.
    package var isResampled = false
  }

  /// The values that the reading thread and the control thread share.
  private final class Shared: Sendable {
    let stop = WakeUp()
    let report = Mutex(Report())
  }

  /// Starts to read. Returns nil if the decoder cannot be set up.
  package init?(_ stream: PhoneStream) {
    let configuration = stream.configuration
    let input = LiveInput(
      sampleRate: configuration.rate, layout: configuration.channels == 1 ? .mono : .stereo,
      lead: LeadRegulator.lead)
    let shared = Shared()
    guard let receiver = try? StreamReceiver(configuration, { input.push($0, frames: $1) }) else {
      return nil
    }
    self.stream = stream
    self.input = input
    self.shared = shared
    let loop = ReadingLoop(
      receiver, input, stream.socket, until: shared.stop, packetBytes: stream.packetBytes)
    thread = NamedThread("phone") {
      while loop.step() {
        shared.report.withLock { $0 = loop.report }
      }
    }
  }

  deinit { stop() }

  /// The present counts and measurements of the stream.
  package var report: Report { shared.report.withLock { $0 } }

  /// Ends the thread and the input. The frames that were read so far are still played. Blocks until the thread has
  /// ended. This takes very little time, because the thread decodes at most one more packet.
  package func stop() {
    guard let thread else { return }
    self.thread = nil
    shared.stop.signal()
    thread.join()
    input.end(fades: true)
  }

  /// The stream as a track for the engine.
  package func track(id: Int) -> TrackRequest {
    input.track(
      id: id,
      description: TrackDescription(
        codec: "SBC", format: input.format, durationSeconds: nil, metadata: AudioMetadata()))
  }
}

/// The work of the thread. This object is created on the control thread. After that, only the reading thread uses it.
private final class ReadingLoop: @unchecked Sendable {
  private let receiver: StreamReceiver
  private let input: LiveInput
  private var regulator = LeadRegulator()
  private let socket: BusDescriptor
  /// Ends the thread.
  private let stop: WakeUp
  private let buffer: UnsafeMutableRawBufferPointer

  init(
    _ receiver: StreamReceiver, _ input: LiveInput, _ socket: BusDescriptor, until stop: WakeUp,
    packetBytes: Int
  ) {
    self.receiver = receiver
    self.input = input
    self.socket = socket
    self.stop = stop
    // `recv` cuts a packet that is longer than the buffer. With one more byte, such a packet differs from a packet of
    // full length.
    buffer = .allocate(byteCount: min(max(packetBytes, 64), 65_535) + 1, alignment: 16)
  }

  deinit { buffer.deallocate() }

  var report: StreamReader.Report {
    StreamReader.Report(
      packets: receiver.counts, level: regulator.level, target: regulator.target,
      driftPPM: regulator.driftPPM,
      isResampled: regulator.isEngaged)
  }

  /// Waits for a packet and decodes it. Returns false at the end of the stream, and when the thread must end.
  func step() -> Bool {
    guard !stop.wait(or: [socket.number]) else { return false }
    switch socket.receive(into: buffer) {
    case .nothing: return true
    case .end: return false
    case .packet(let count): if count > 0 { handle(count) }
    }
    return true
  }

  private func handle(_ count: Int) {
    receiver.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    input.regulate(with: &regulator, at: MonotonicInstant.now().awake / .seconds(1))
  }
}

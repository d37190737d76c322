/// Turns the packets of an A2DP stream into samples. Where packets are missing, the sound fades out, is silent, and
/// fades in again.
///
/// The RTP timestamps are not used, because phones write them in different units. The sequence numbers tell how many
/// packets are missing. Used on one thread at a time; no call blocks or allocates.
package final class StreamReceiver {
  /// The reason why a stream cannot be received: an error of libsbc.
  package struct Failure: Error, Equatable {
    /// The error number, as in `errno`.
    package let code: Int32
  }

  /// Numbers of packets and SBC frames since the start of the stream.
  package struct Counts: Equatable, Sendable {
    /// Packets that contain sound and were not late.
    package var packets = 0
    /// SBC frames that were decoded.
    package var decoded = 0
    /// SBC frames that were damaged, or that a packet announced but did not contain. After a damaged SBC frame, the
    /// rest of its packet is counted too.
    package var damaged = 0
    /// Packets that are missing.
    package var lost = 0
    /// Packets that arrived after their hole was filled, or a second time.
    package var late = 0
    /// Packets that cannot be used (``MediaPacket/Damage``).
    package var refused = 0
    /// Jumps of the sequence number that are too long to be filled.
    package var jumps = 0

    /// Creates counts that are all 0.
    package init() {}
  }

  /// Receives samples with interleaved channels, and the number of frames. Called during ``receive(_:)``, usually once
  /// for each packet.
  package typealias Output = (UnsafePointer<Float>, _ frames: Int) -> Void

  /// The receiver fills holes of up to this number of packets. A longer hole is shortened to one SBC frame.
  private static let maximumFilledPackets = 16
  /// The length of a fade, which avoids a click.
  private static let fadeSeconds = 0.005

  private let configuration: SBCConfiguration
  private let decoder: SBCDecoder
  private let output: Output
  private var fade: HoleFade
  /// The frames that ``output`` has not received yet. Each call of ``output`` wakes another thread, so ``output``
  /// receives many frames at a time.
  private let collected: UnsafeMutableBufferPointer<Float>
  private var collectedFrames = 0
  /// The sequence number of the next packet. Nil before the first packet.
  private var expected: UInt16?
  /// Number of SBC frames in the last packet.
  private var usualFrames = 1
  package private(set) var counts = Counts()

  /// Creates a receiver for one stream.
  package init(
    _ configuration: SBCConfiguration, _ output: @escaping Output
  ) throws(Failure) {
    decoder = try SBCDecoder(configuration)
    self.configuration = configuration
    self.output = output
    fade = HoleFade(
      frames: Int(Double(configuration.rate) * Self.fadeSeconds), channels: configuration.channels)
    collected = .allocate(
      capacity: MediaPacket.mostFrames * configuration.framesPerSBCFrame * configuration.channels)
    collected.initialize(repeating: 0)
  }

  deinit {
    fade.deallocate()
    collected.deallocate()
  }

  /// Receives one packet, as the socket delivers it. Any bytes are accepted.
  package func receive(_ bytes: UnsafeRawBufferPointer) {
    let packet: MediaPacket
    do throws(MediaPacket.Damage) {
      packet = try MediaPacket(bytes)
    } catch {
      // The sequence number of the next packet shows that this packet is missing. The hole is filled when that packet
      // arrives.
      counts.refused += 1
      return
    }
    guard isNext(packet.sequence) else { return }
    counts.packets += 1
    usualFrames = packet.frameCount
    decode(UnsafeRawBufferPointer(rebasing: bytes[packet.frames]), packet.frameCount)
    handOver()
  }

  /// Fills the hole before a packet, if packets are missing. Returns false if the packet is late.
  private func isNext(_ sequence: UInt16) -> Bool {
    defer { if expected == nil { expected = sequence &+ 1 } }
    guard let expected else { return true }
    let missing = Int(Int16(bitPattern: sequence &- expected))
    if missing < 0, missing >= -Self.maximumFilledPackets {
      counts.late += 1
      return false
    }
    self.expected = sequence &+ 1
    if missing == 0 { return true }
    if (1...Self.maximumFilledPackets).contains(missing) {
      counts.lost += missing
      addSilence(sbcFrames: missing * usualFrames)
    } else {
      counts.jumps += 1
      addSilence(sbcFrames: 1)
    }
    return true
  }

  private func decode(_ bytes: UnsafeRawBufferPointer, _ count: Int) {
    var offset = 0
    for number in 0..<count {
      guard let length = decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[offset...])) else {
        // The length of a damaged SBC frame is not known, so the rest of the packet is missing.
        counts.damaged += count - number
        return addSilence(sbcFrames: count - number)
      }
      offset += length
      counts.decoded += 1
      fade.join(decoder.samples)
      give()
    }
  }

  private func addSilence(sbcFrames: Int) {
    fade.beginHole()
    for _ in 0..<sbcFrames {
      fade.fillHole(decoder.samples)
      give()
    }
  }

  /// Adds the samples in the decoder to ``collected``.
  private func give() {
    fade.note(decoder.samples)
    let frames = configuration.framesPerSBCFrame
    if (collectedFrames + frames) * configuration.channels > collected.count { handOver() }
    let start = collectedFrames * configuration.channels
    _ = collected[start...].update(fromContentsOf: decoder.samples)
    collectedFrames += frames
  }

  private func handOver() {
    guard collectedFrames > 0, let base = collected.baseAddress else { return }
    output(UnsafePointer(base), collectedFrames)
    collectedFrames = 0
  }
}

/// Turns the packets of an A2DP stream into samples. Where packets are missing, the sound fades out, is silent, and
/// fades in again.
///
/// The time stamps of RTP are not used, because phones write other units into them. The sequence numbers say how much
/// is missing. Used on one thread at a time; no call blocks or allocates.
package final class StreamReceiver {
  /// Why a stream cannot be received: the error of libsbc, as of `errno`.
  package struct Failure: Error, Equatable {
    /// The error number.
    package let code: Int32
  }

  /// What happened since the start of the stream.
  package struct Counts: Equatable, Sendable {
    /// Packets with sound.
    package var packets = 0
    /// SBC frames that were decoded.
    package var decoded = 0
    /// SBC frames that were damaged, or that no packet had.
    package var damaged = 0
    /// Packets that are missing.
    package var lost = 0
    /// Packets that came after their hole was filled, or twice.
    package var late = 0
    /// Packets that have no sound.
    package var refused = 0
    /// Jumps of the sequence number that are too long to be filled.
    package var jumps = 0

    /// All numbers are 0.
    package init() {}
  }

  /// Gets frames: samples with the channels interleaved, and their number. Called during ``receive(_:)``, usually once
  /// for each packet.
  package typealias Output = (UnsafePointer<Float>, _ frames: Int) -> Void

  /// The receiver fills holes of up to this number of packets. A longer hole is shortened to one SBC frame.
  private static let maximumFilledPackets = 16
  /// The length of a fade. It avoids a click.
  private static let fadeSeconds = 0.005

  private let configuration: SBCConfiguration
  private let decoder: SBCDecoder
  private let output: Output
  private var fade: HoleFade
  /// The frames that ``output`` has not got yet. The output wakes another thread, so it gets many frames at a time.
  private let collected: UnsafeMutableBufferPointer<Float>
  private var collectedFrames = 0
  /// The sequence number that follows. Nil before the first packet.
  private var expected: UInt16?
  /// Number of SBC frames of the last packet.
  private var usualFrames = 1
  package private(set) var counts = Counts()

  /// Begins to receive a stream.
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
      // The sequence number of the next packet says that this one is missing.
      counts.refused += 1
      return
    }
    guard isNext(packet.sequence) else { return }
    counts.packets += 1
    usualFrames = packet.frameCount
    decode(UnsafeRawBufferPointer(rebasing: bytes[packet.frames]), packet.frameCount)
    handOver()
  }

  /// Fills what is missing before a packet. False if the packet comes too late.
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
        // The length of a damaged frame is not known, so the rest of the packet is missing.
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

  /// Adds the frame of the decoder to the collected ones.
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

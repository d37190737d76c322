import AudioCodecs
import Glibc
import TestKit

@testable import AudioEngine

/// Simulates a phone that sends a tone in packets to a live input with its regulator, and a device that plays the
/// input. The clocks of the phone and of the device are simulated too, so nothing waits. The tone has one channel.
final class RegulatedSource {
  let input: LiveInput
  let bench: EngineBench
  var regulator = LeadRegulator()
  /// One entry for each packet: the state after the packet.
  private(set) var steps: [Step] = []
  /// The relative difference of the two clocks: 0.001 if the clock of the phone is 1000 ppm faster than the clock of
  /// the device.
  let drift: Double
  let rate: Int
  let frequency: Int
  private let sink = CapturingSink(samples: .float)
  private let packet: Int
  /// One second of the tone, followed by one more packet of the tone.
  let tone: [Float]
  private var sent = 0
  /// Number of frames that were sent.
  var pushed: Int { sent * packet }
  /// The time of the last packet on the clock of the device, in seconds.
  private(set) var now = 0.0
  private var played = 0

  struct Step {
    let seconds: Double
    let level: LiveInput.Level
    let target: Double
    let ratio: Double
  }

  /// - Parameter frequency: the frequency of the tone in Hz. It is an integer, so the tone repeats after each second.
  init(rate: Int = 24000, drift: Double = 0, frequency: Int = 440, rewritable: Int? = nil) {
    self.rate = rate
    self.drift = drift
    self.frequency = frequency
    packet = rate / 50
    tone = (0..<rate + packet).map { frame in
      Float(0.5 * sin(2 * Double.pi * Double(frequency * frame % rate) / Double(rate)))
    }
    input = LiveInput(sampleRate: rate, layout: .mono, lead: LeadRegulator.lead)
    sink.pads = true
    sink.deviceDelay = 64
    sink.rewritableFrames = rewritable
    bench = EngineBench(sink: sink)
    bench.play(
      input.track(
        id: 1,
        description: TrackDescription(
          codec: "live", format: input.format, durationSeconds: nil, metadata: AudioMetadata())))
    bench.settleDecoding()
    // Opens the device.
    bench.runOutput(frames: 0)
    bench.settleDecoding()
  }

  /// Sends the packets of the next `seconds` seconds. Each packet is late by the result of `delay`, in seconds. The
  /// argument of `delay` is the number of the packet. The packets keep their order.
  func run(seconds: Double, delay: (Int) -> Double = { _ in 0 }) {
    for number in sent..<sent + Int(seconds * 50) {
      let due = Double((number + 1) * packet) / Double(rate) / (1 + drift)
      now = max(now, due + delay(number))
      // The device plays until the packet arrives.
      let frames = Int(now * Double(rate)) - played
      played += frames
      if frames > 0 { bench.runOutput(frames: frames) }
      bench.settleDecoding()
      tone.withUnsafeBufferPointer {
        input.push($0.baseAddress! + sent * packet % rate, frames: packet)
      }
      sent += 1
      input.regulate(with: &regulator, at: now)
      bench.settleDecoding()
      steps.append(
        Step(
          seconds: now, level: input.level, target: regulator.target, ratio: regulator.ratio))
    }
  }

  /// Holds back the packets of the next `seconds`. They arrive together at the end of this time.
  func hold(seconds: Double) {
    let end = sent + Int(seconds * 50)
    run(seconds: seconds) { Double(end - $0 - 1) / 50 }
  }

  /// The largest difference of the lead and the target, in seconds, after the time `begin`.
  func largestError(after begin: Double) -> Double {
    steps.filter { $0.seconds > begin }.map { abs($0.level.lead - $0.target) }.max() ?? .infinity
  }

  /// The frames that the device has played.
  var sound: [Float] {
    sink.takes.last!.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// The silent parts within the sound that are longer than 1 ms.
  func holes(_ sound: [Float]) -> [Range<Int>] {
    var holes: [Range<Int>] = []
    var begin = sound.firstIndex { $0 != 0 } ?? sound.count
    for index in begin..<sound.count where sound[index] != 0 {
      if index - begin > rate / 1000 { holes.append(begin..<index) }
      begin = index + 1
    }
    return holes
  }

  /// The largest difference of two neighbouring frames.
  func largestStep(_ sound: [Float]) -> Float {
    sound.withUnsafeBufferPointer { sound in
      var largest: Float = 0
      for index in 1..<sound.count { largest = max(largest, abs(sound[index] - sound[index - 1])) }
      return largest
    }
  }

  /// The signal-to-noise ratio of the tone in dB, for pieces of `sound` of 0.1 s each. The first piece begins at
  /// `begin`, and one piece begins every `every` seconds.
  func signalToNoise(_ sound: [Float], from begin: Double, every: Double) -> [Double] {
    let length = rate / 10
    return stride(
      from: Int(begin * Double(rate)), through: sound.count - length, by: Int(every * Double(rate))
    )
    .map {
      ToneFit(
        Array(sound[$0..<$0 + length]),
        periodsPerFrame: Double(frequency) * (1 + drift) / Double(rate)
      ).signalToNoise
    }
  }
}

/// The tone that fits a piece of sound best. The loudness and the pitch of the tone can change slowly. The rest of the
/// sound counts as noise.
struct ToneFit {
  /// In dB.
  let signalToNoise: Double

  /// Fits the tone with the method of least squares. The tone is the sum of a sine and a cosine, each multiplied by a
  /// polynomial of the time.
  init(_ sound: [Float], periodsPerFrame: Double) {
    let terms = 8
    var matrix = [[Double]](
      repeating: [Double](repeating: 0, count: terms + 1), count: terms)
    let rows = sound.indices.map { frame in
      let time = 2 * Double(frame) / Double(sound.count) - 1
      let phase = 2 * Double.pi * periodsPerFrame * Double(frame)
      let (wave, shifted) = (cos(phase), sin(phase))
      let (square, cube) = (time * time, time * time * time)
      return [
        wave, shifted, wave * time, shifted * time, wave * square, shifted * square, wave * cube,
        shifted * cube, Double(sound[frame]),
      ]
    }
    for row in rows {
      for line in 0..<terms {
        for column in 0...terms { matrix[line][column] += row[line] * row[column] }
      }
    }
    for pivot in 0..<terms {
      for line in 0..<terms where line != pivot {
        let factor = matrix[line][pivot] / matrix[pivot][pivot]
        for column in pivot...terms { matrix[line][column] -= factor * matrix[pivot][column] }
      }
    }
    let weights = (0..<terms).map { matrix[$0][terms] / matrix[$0][$0] }
    var (signal, noise) = (0.0, 0.0)
    for row in rows {
      let fitted = (0..<terms).reduce(0) { $0 + weights[$1] * row[$1] }
      signal += fitted * fitted
      noise += (row[terms] - fitted) * (row[terms] - fitted)
    }
    signalToNoise = 10 * log10(signal / noise)
  }
}

import AudioCodecs
import Glibc
import TestKit

@testable import AudioEngine

/// Runs a live source and the device in steps. One step takes 10 ms on the clock of the device.
final class ScriptedLiveSource {
  let input: LiveInput
  let bench: EngineBench
  /// The relative difference of the two clocks: 0.001 if the clock of the source is 1000 ppm faster than the clock of
  /// the device.
  var drift = 0.0
  /// Number of frames that the device plays in one step.
  let step: Int
  private let rate: Int
  private let signal: (Int) -> Float
  /// Number of frames that were pushed.
  private(set) var pushed = 0
  /// Number of frames that the source has produced by its clock, including frames that it has not pushed yet.
  private var due = 0.0
  /// The lead after each step, in seconds.
  private(set) var leads: [Double] = []
  /// Called after each step with the number of the step.
  var afterStep: (Int) -> Void = { _ in }

  /// - Parameters:
  ///   - deviceRate: the rate of the device; nil if it follows the rate of the source.
  ///   - rewritable: the number of frames that the sink hands over in advance and can take back; nil if the device is
  ///     filled by periods.
  ///   - signal: returns the sample of both channels for the number of a frame.
  init(
    rate: Int = 48000, deviceRate: Int? = nil,
    lead: LiveInput.Lead = .init(target: 0.08, limit: 0.25),
    rewritable: Int?, idleSeconds: Int = 60, samples: DeviceSamples = .float,
    signal: @escaping (Int) -> Float
  ) {
    input = LiveInput(sampleRate: rate, layout: .stereo, lead: lead)
    let sink = CapturingSink(samples: samples)
    sink.pads = true
    sink.deviceDelay = 128
    sink.rewritableFrames = rewritable
    bench = EngineBench(
      sink: sink, fixed: deviceRate.map { StreamFormat.test(32, rate: $0) },
      idleSeconds: idleSeconds)
    step = (deviceRate ?? rate) / 100
    self.rate = rate
    self.signal = signal
  }

  func play(id: Int = 1) {
    bench.play(track(id: id))
    bench.settleDecoding()
  }

  func track(id: Int) -> TrackRequest {
    input.track(
      id: id,
      description: TrackDescription(
        codec: "live", format: input.format, durationSeconds: nil, metadata: AudioMetadata()))
  }

  /// Runs for `steps` steps. If `isSilent`, the source keeps its frames, and the next step that is not silent pushes
  /// them.
  func run(steps: Int, isSilent: Bool = false) {
    for number in 0..<steps {
      due += Double(rate) / 100 * (1 + drift)
      if !isSilent { push(Int(due) - pushed) }
      bench.settleDecoding()
      bench.runOutput(frames: step)
      bench.settleDecoding()
      leads.append(input.lead)
      afterStep(number)
    }
  }

  /// Discards the frames that the source has kept.
  func skipKept() { pushed = Int(due) }

  func push(_ frames: Int) {
    let samples = (0..<frames).flatMap { frame in
      let value = signal(pushed + frame)
      return [value, value]
    }
    input.push(samples, frames: frames)
    pushed += frames
    due = max(due, Double(pushed))
  }

  /// The left channel of the sound that the device has played, from the first frame that is not silent.
  var sound: ArraySlice<Float> { played.drop { $0 == 0 } }

  /// The index of the first frame of ``sound`` that differs from `expected`.
  func firstDifference(_ expected: (Int) -> Float) -> Int? {
    sound.enumerated().first { $0.element != expected($0.offset) }?.offset
  }

  /// The largest difference of two neighbouring frames of ``played``, from the frame `first` on.
  func largestStep(from first: Int) -> Float {
    let played = played
    return (first + 1..<played.count).map { abs(played[$0] - played[$0 - 1]) }.max() ?? 0
  }

  /// The left channel of everything that the device has played.
  var played: [Float] {
    bench.sink.takes.flatMap { take in
      take.bytes.withUnsafeBytes { bytes in
        let samples = bytes.bindMemory(to: Float.self)
        return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
      }
    }
  }
}

/// Returns a value above 0 that is different for each frame of a test.
func ramp(_ frame: Int) -> Float { Float(frame + 1) / Float(1 << 24) }

func tone(_ frame: Double) -> Float { Float(0.5 * sin(2 * Double.pi * 997 / 48000 * frame)) }

/// Computes each frame of a tone from the two frames before it. Returns the differences from the frames of `sound`.
func toneErrors(_ sound: [Float], rate: Double) -> [Double] {
  let factor = 2 * cos(2 * Double.pi * 997 / rate)
  return (2..<sound.count).map { index in
    let expected = factor * Double(sound[index - 1]) - Double(sound[index - 2])
    return abs(Double(sound[index]) - expected)
  }
}

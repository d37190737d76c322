import AudioCodecs
import TestKit
import Testing

@testable import AudioEngine

// Compares every frame that is heard while random commands arrive.
extension RewritingTests {
  private enum Command: CaseIterable {
    case pause, resume, quiet, loud, mute, unmute, skip, seek, overlay, stopOverlay
  }

  /// Carries out a command of the control thread.
  private func perform(_ command: Command, _ number: Int, _ bench: EngineBench) {
    switch command {
    case .pause: bench.renderer.setPaused(true)
    case .resume: bench.renderer.setPaused(false)
    case .quiet: bench.renderer.setVolume(0.25)
    case .loud: bench.renderer.setVolume(1)
    case .mute: bench.renderer.setMuted(true)
    case .unmute: bench.renderer.setMuted(false)
    case .skip: bench.play(.counting(number, format, first: number * 1000 + 1, frames: 12_000))
    case .seek: bench.play(.counting(number, format, first: 7, frames: 24_000), at: 0.25)
    case .overlay:
      bench.playOverlay(
        .counting(100_000 + number, format, first: 2 * number + 1, frames: 3000), musicGain: 0.5)
    case .stopOverlay: bench.playOverlay(nil)
    }
  }

  /// Sends the same commands to a device that is rewritten and to a device that is filled by periods. The second device
  /// gets each command exactly before the frame at which the rewrite of the first device began. So both devices must
  /// play the same frames.
  @Test(arguments: 1...10) func randomCommands_playTheSameFramesAsWithoutRewriting(seed: UInt64) {
    var random = SeededRandom(seed)
    // The rings are so large that they are never full. With a full ring, the decoder would wait in one engine and not
    // in the other.
    let rewriting = bench(ringBytes: 1 << 22)
    let plain = EngineBench(sink: CapturingSink(), ringBytes: 1 << 22)
    plain.sink.pads = true
    for bench in [rewriting, plain] {
      for id in 1...60 { bench.followers[id] = .counting(9999, format, first: 1, frames: 4321) }
      bench.followers[9999] = .counting(9998, format, first: 77, frames: 9000)
    }
    perform(.skip, 1, rewriting)
    perform(.skip, 1, plain)
    // Both devices begin with some frames of silence, because no frame is decoded yet.
    rewriting.run(frames: 4096)
    plain.run(frames: 4096)
    let offset =
      (left(rewriting).firstIndex { $0 != 0 } ?? 0) - (left(plain).firstIndex { $0 != 0 } ?? 0)
    for number in 2...51 {
      let command = Command.allCases.randomElement(using: &random) ?? .pause
      // Some commands come in bursts.
      let isBurst = Int.random(in: 0..<4, using: &random) == 0
      let wait =
        isBurst
        ? Int.random(in: 1...90, using: &random) : Int.random(in: 200...9000, using: &random)
      rewriting.run(frames: wait)
      perform(command, number, rewriting)
      let rewrites = rewriting.sink.rewriteStarts.count
      rewriting.settleDecoding()
      rewriting.runOutput(frames: 0)
      let starts = rewriting.sink.rewriteStarts.dropFirst(rewrites)
      guard let start = starts.first else {
        Issue.record("command \(number) did not rewrite the device")
        return
      }
      plain.run(frames: start - offset - plain.sink.renderedFrames)
      perform(command, number, plain)
      plain.settleDecoding()
    }
    rewriting.run(frames: 20_000)
    let frames = rewriting.sink.takes[0].bytes.count / 8
    plain.run(frames: frames - offset - plain.sink.renderedFrames)
    let one = left(rewriting).dropFirst(max(0, offset))
    let two = left(plain).dropFirst(max(0, -offset))
    // Ramps of the gain are computed per block, so the two devices round them differently.
    let different = zip(one, two).enumerated().first { abs(Int($1.0) - Int($1.1)) > 1 << 12 }
    #expect(different == nil, "frame \(different.map { $0.offset + offset } ?? 0) differs")
    #expect(rewriting.started == plain.started)
  }
}

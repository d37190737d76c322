import ALSASink
import AudioCodecs
import AudioEngine
import TestKit
import Testing

/// Tests a source that pushes frames by its own clock, with the threads of the engine and a simulated card that plays
/// in real time.
@Suite(.enabled(if: PacedPCM.obstacle == nil, Comment(rawValue: PacedPCM.obstacle ?? "")))
struct LiveInputSinkTests {
  private static let rate = 44100

  @Test(arguments: [nil, 8])
  func push_inRealTime_playsEachFrameAndKeepsTheLead(rewindStep: Int?) throws {
    try repeatedWhileBusy {
      var options = PacedPCM.Options()
      options.rewindStep = rewindStep
      let pcm = try PacedPCM(options)
      let bench = DeviceBench(
        pcm, buffering: .init(latency: rewindStep == nil ? .periods : .rewind))
      let input = LiveInput(
        sampleRate: Self.rate, layout: .stereo, lead: .init(target: 0.2, limit: 0.4))
      let format = input.format
      bench.play([
        input.track(
          id: 1,
          description: TrackDescription(
            codec: "live", format: format, durationSeconds: nil, metadata: AudioMetadata()))
      ])
      let track = GeneratedTrack(frames: Self.rate)
      let samples = track.bytes(4).withUnsafeBytes { bytes in
        bytes.bindMemory(to: Int32.self).map { Float($0) / 2_147_483_648 }
      }
      // The test pushes the first frames only after the device is open, because the input can drop frames that arrive
      // earlier.
      bench.wait { !$0.devices.isEmpty }
      let begin = PlaybackEngine.nanoseconds()
      var pushed = 0
      var leads: [Double] = []
      bench.wait { _ in
        let due = Int((PlaybackEngine.nanoseconds() - begin) * Int64(Self.rate) / 1_000_000_000)
        let frames = min(due, Self.rate) - pushed
        samples.withUnsafeBufferPointer { buffer in
          input.push(buffer.baseAddress! + 2 * pushed, frames: frames)
        }
        pushed += frames
        if pushed > Self.rate / 2 { leads.append(input.lead) }
        return pushed == Self.rate
      }
      input.end()
      bench.finish()
      if input.counts.underruns > 0 || bench.engine.xrunCount > 0 { throw MachineTooBusy() }
      #expect(input.counts.pushed == Self.rate)
      #expect(input.counts.dropped == 0)
      let captured = try pcm.captured().withoutSilence(frameBytes: 8)
      #expect(difference(captured, track.bytes(4)) == nil)
      // The lead (the time from the push of a frame until the frame is heard) varies by the duration of the frames that
      // are pushed at once. At the start, the lead is longer by the time until the device plays.
      #expect(leads.allSatisfy { $0 > 0.1 && $0 < 0.3 })
    }
  }
}

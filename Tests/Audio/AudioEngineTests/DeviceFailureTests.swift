import AudioCodecs
import Synchronization
import TestKit
import Testing
import Threads

@testable import AudioEngine

/// Tests commands that arrive while a device is missing, cannot be opened, or is replaced.
@Suite struct DeviceFailureTests {
  private let format = StreamFormat.test(rate: 44100)
  private let other = StreamFormat.test(rate: 96000)

  /// An engine whose device is unplugged while track 1 plays. The next two attempts to open a device fail. Then
  /// `track`, whose identifier is 2, is requested. `follower` plays after `track`.
  private func unplugged(then track: TrackRequest, _ follower: TrackRequest? = nil) -> EngineBench {
    let bench = EngineBench()
    bench.followers[2] = follower
    bench.play(.counting(1, format, frames: 20_000))
    bench.run(frames: 480)
    bench.sink.runFailure = -19
    bench.sink.openFailures = [SinkError("no device"), SinkError("no device")]
    bench.runOutput(frames: 1)
    bench.runOutput(frames: 1)
    bench.play(track)
    bench.settleDecoding()
    return bench
  }

  /// Replaces the device with a device that opens at 48 kHz if 44.1 kHz is requested.
  private func replaceDevice(of bench: EngineBench) {
    let native = CapturingSink().device
    bench.sink.device = { wanted in
      var device = native(wanted)
      if wanted.sampleRate == 44100 { device.sampleRate = 48000 }
      return device
    }
  }

  @Test func next_deviceIsReplacedByAnother_isPlayed() {
    let bench = unplugged(then: .counting(2, other, first: 50, frames: 3000))
    replaceDevice(of: bench)
    for _ in 0..<5 { bench.run() }
    #expect(bench.started == [1, 2])
    #expect(bench.hasEnded)
    bench.play(.counting(3, other, first: 90, frames: 300))
    for _ in 0..<5 { bench.run() }
    #expect(bench.started == [1, 2, 3])
  }

  @Test func next_deviceIsMissing_andALaterTrackHasTheFirstFormat_isPlayed() {
    let bench = unplugged(
      then: .counting(2, other, first: 50, frames: 3000), .counting(3, format, frames: 400))
    replaceDevice(of: bench)
    for _ in 0..<5 { bench.run() }
    #expect(bench.started == [1, 2, 3])
    #expect(bench.hasEnded)
  }

  @Test func next_deviceRefusesTheFormat_isPlayed() {
    let bench = EngineBench()
    bench.sink.openFailures = Array(repeating: SinkError("refuses 96000"), count: 1000)
    bench.play(.counting(1, other, frames: 2000))
    for _ in 0..<3 { bench.run(frames: 64) }
    bench.play(.counting(2, format, frames: 2000))
    bench.settleDecoding()
    bench.sink.openFailures = []
    for _ in 0..<3 { bench.run() }
    #expect(bench.sink.takes.map(\.wanted.sampleRate) == [44100])
    #expect(bench.started == [2])
    #expect(bench.hasEnded)
  }

  @Test func next_lostDeviceRefusesItsOldFormat_usesTheFormatOfTheNextTrack() {
    let bench = EngineBench()
    bench.play(.counting(1, other, frames: 20_000))
    bench.run(frames: 480)
    bench.sink.runFailure = -19
    bench.sink.openFailures = Array(repeating: SinkError("refuses 96000"), count: 3)
    bench.runOutput(frames: 1)
    bench.play(.counting(2, format, frames: 2000))
    for _ in 0..<10 { bench.run() }
    #expect(bench.sink.takes.map(\.wanted.sampleRate) == [96000, 44100])
    #expect(bench.started == [1, 2])
  }

  @Test func stop_deviceCannotBeOpened_ends() {
    let bench = EngineBench()
    bench.sink.openFailures = Array(repeating: SinkError("busy"), count: 1000)
    bench.play(.counting(1, format, frames: 2000))
    for _ in 0..<3 { bench.run(frames: 64) }
    bench.send(.stop)
    bench.run(frames: 64)
    #expect(bench.hasEnded)
  }

  @Test func seek_whileTheFileIsBeingOpened_isReportedAsOpened() {
    let engine = PlaybackEngine(sink: NullSink())
    defer { engine.shutDown() }
    let format = format
    let isOpening = WakeUp()
    let mayOpen = WakeUp()
    let track = TrackRequest(id: 1) { () throws(DecodeError) in
      isOpening.signal()
      mayOpen.wait()
      return OpenedTrack(
        decoder: ScriptedDecoder(format, [.frames(4410)]),
        description: TrackDescription(
          codec: "test", format: format, durationSeconds: 10, metadata: AudioMetadata()))
    }
    engine.play(track)
    isOpening.wait()
    engine.play(track, at: 2)
    mayOpen.signal()
    var reported: [String] = []
    while !reported.contains("ended") {
      for event in engine.takeEvents() {
        switch event {
        case .opened: reported.append("opened")
        case .started: reported.append("started")
        case .needsUpcoming: engine.setUpcoming(nil)
        case .ended: reported.append("ended")
        default: break
        }
      }
      if !reported.contains("ended") { engine.wakeUp.wait(milliseconds: 100) }
    }
    #expect(reported == ["opened", "started", "ended"])
  }

  @Test func next_whilePausedWithAFullEventRing_isOpened() {
    let bench = EngineBench()
    bench.sink.pads = true
    bench.play(.scripted(1, format, (0..<3000).flatMap { _ in [.frames(16), .hole(16)] }))
    bench.run(frames: 128)
    bench.renderer.setPaused(true)
    bench.run(frames: 1024)
    bench.play(.counting(2, format, frames: 3000))
    bench.settleDecoding()
    let opened = bench.events.compactMap { if case .opened(let id, _) = $0 { id } else { nil } }
    #expect(opened == [1, 2])
  }

  @Test func playOverlay_withTheNumberZero_isReported() {
    let bench = EngineBench()
    bench.sink.pads = true
    bench.playOverlay(.counting(0, format, frames: 500))
    bench.run(frames: 3000)
    let reported = bench.events.compactMap { event in
      switch event {
      case .overlayBegan(let id): "began \(id)"
      case .overlayEnded(let id): "ended \(id)"
      default: nil
      }
    }
    #expect(reported == ["began 0", "ended 0"])
  }

  @Test func setPaused_duringAChangeover_noChangeoverIsReported() {
    let bench = EngineBench()
    bench.sink.pads = true
    bench.queue = [.counting(2, other, frames: 3000)]
    bench.play(.counting(1, format, frames: 1000))
    bench.run(frames: 960)
    bench.runOutput(frames: 512)
    #expect(bench.sink.closeCount == 1)
    bench.renderer.setPaused(true)
    bench.run(frames: 8192)
    bench.renderer.setPaused(false)
    bench.run(frames: 8192)
    let silences = bench.events.filter { if case .changedOver = $0 { true } else { false } }
    #expect(silences.isEmpty)
  }
}

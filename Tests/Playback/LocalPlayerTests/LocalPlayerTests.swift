import AudioCodecs
import AudioEngine
import Foundation
@testable import LocalPlayer
import MusicFiles
import NowPlaying
import TestKit
import Testing
import Threads

/// Tests the whole player with real files and threads. Most tests write a WAV file as fast as possible.
@Suite struct LocalPlayerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Plays the files to the end. Calls `on` at each event, for example to send a command. Returns a log of the events.
  private func play(
    _ names: [String], sink: any AudioSink, replayGain: ReplayGainSettings = .init(),
    prepare: (LocalPlayer) -> Void = { _ in },
    on: (LocalPlayer.Event, LocalPlayer) -> Void = { _, _ in }
  ) -> [String] {
    let engine = PlaybackEngine(sink: sink)
    let files = MusicScan(paths: names.map(folder.path)).files
    let player = LocalPlayer(files: files, engine: engine, replayGain: replayGain)
    prepare(player)
    player.start()
    var log: [String] = []
    var isOver = false
    while !isOver {
      for event in player.handleEvents() {
        on(event, player)
        switch event {
        case .started(let file, _, _): log.append("started \(file.fileName)")
        case .failed(let file, _, _): log.append("failed \(file.fileName)")
        case .damaged(let file, _): log.append("damaged \(file.fileName)")
        case .ended: isOver = true
        default: break
        }
      }
      var entry = pollfd(fd: engine.wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
      // If no event arrives within a minute, there is a bug.
      if !isOver, poll(&entry, 1, 60_000) == 0 { return log + ["no event within 60 s"] }
    }
    engine.shutDown()
    return log
  }

  /// The samples of a 16-bit WAV that this project wrote.
  private func wav(_ name: String) throws -> [Int16] {
    let bytes = try folder.read(name)
    return bytes[44...].withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }

  private var sink: WAVSink { WAVSink(path: folder.path("out.wav")) }

  @Test func play_album_outputsAllItsFramesInOrder() throws {
    let parts = (1...3).map { GeneratedMusic(frames: 20_000 + $0, seed: UInt64($0)) }
    for (index, part) in parts.enumerated() { try part.flac(folder, "\(index).flac") }
    let log = play(["0.flac", "1.flac", "2.flac"], sink: sink)
    #expect(log == ["started 0.flac", "started 1.flac", "started 2.flac"])
    #expect(try wav("out.wav") == parts.flatMap { $0.samples.map(Int16.init) })
  }

  @Test func play_trackSplitIntoTwoFiles_isGapless() throws {
    let whole = GeneratedMusic(frames: 50_001)
    try whole.flac(folder, "whole.flac")
    try Tools.run(
      "flac", ["--silent", "--until=23456", "-o", "a.flac", "whole.flac.raw"] + raw,
      in: folder.url)
    try Tools.run(
      "flac", ["--silent", "--skip=23456", "-o", "b.flac", "whole.flac.raw"] + raw,
      in: folder.url)
    _ = play(["a.flac", "b.flac"], sink: sink)
    #expect(try wav("out.wav") == whole.samples.map(Int16.init))
  }

  private var raw: [String] {
    [
      "--force-raw-format", "--endian=little", "--sign=signed", "--channels=2", "--bps=16",
      "--sample-rate=44100",
    ]
  }

  @Test func play_unreadableFile_isSkippedAndNamed() throws {
    let music = GeneratedMusic(frames: 5000)
    try music.flac(folder, "a.flac")
    try music.flac(folder, "c.flac")
    // The file has a valid FLAC header, and no byte after the header.
    try folder.write("b.flac", Array(try folder.read("a.flac").prefix(42)))
    var bytes = try folder.read("b.flac")
    bytes[4] |= 0x80
    try folder.write("b.flac", bytes)
    let log = play(["a.flac", "b.flac", "c.flac"], sink: sink)
    #expect(log.contains("started c.flac"))
    #expect(log.contains { $0.hasSuffix("b.flac") && !$0.hasPrefix("started") })
    #expect(try wav("out.wav") == (music.samples + music.samples).map(Int16.init))
  }

  @Test func play_noReadableFileOnRepeat_stops() throws {
    try GeneratedMusic(frames: 5000).flac(folder, "a.flac")
    try GeneratedMusic(frames: 5000).flac(folder, "b.flac")
    let log = play(
      ["a.flac", "b.flac"], sink: sink,
      prepare: { player in
        player.setRepeat(.all)
        // The stick is removed between the scan and the playback.
        for name in ["a.flac", "b.flac"] {
          try? FileManager.default.removeItem(atPath: folder.path(name))
        }
      })
    #expect(log == ["failed a.flac", "failed b.flac"])
  }

  @Test func next_duringTheFirstTrack_playsTheSecond() throws {
    try GeneratedMusic(rate: 8000, frames: 80_000).flac(folder, "a.flac")
    try GeneratedMusic(rate: 8000, frames: 800).flac(folder, "b.flac")
    let log = play(
      ["a.flac", "b.flac"], sink: NullSink(),
      on: { event, player in
        if case .started(let file, _, _) = event, file.fileName == "a.flac" {
          #expect(player.next())
          #expect(player.state.file?.fileName == "b.flac")
        }
      })
    #expect(log == ["started a.flac", "started b.flac"])
  }

  @Test func next_atTheEnd_isFalse() throws {
    try GeneratedMusic(frames: 2000).flac(folder, "a.flac")
    let log = play(
      ["a.flac"], sink: sink, prepare: { player in #expect(!player.next()) })
    #expect(log == ["started a.flac"])
  }

  @Test func skip_threeInQuickSuccession_addUp() throws {
    // The track lasts two minutes. Three skips go almost to its end, so less than a second of the track is left to
    // play.
    try GeneratedMusic(channels: 1, rate: 8000, frames: 960_000).flac(folder, "a.flac")
    var isDone = false
    var elapsed: [Double] = []
    let log = play(
      ["a.flac"], sink: NullSink(),
      on: { event, player in
        if case .started = event, !isDone {
          isDone = true
          for _ in 1...3 { player.skip(by: 39.8) }
          elapsed.append(player.elapsedSeconds)
        }
        if case .ended = event { elapsed.append(player.elapsedSeconds) }
      })
    #expect(log == ["started a.flac"])
    #expect(elapsed.allSatisfy { (119...120).contains($0) }, "\(elapsed)")
  }

  /// Handles events until the condition holds.
  private func wait(
    _ player: LocalPlayer, _ engine: PlaybackEngine, until condition: () -> Bool
  ) {
    while !condition() {
      _ = player.handleEvents()
      var entry = pollfd(fd: engine.wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
      // The elapsed time changes without events, so wait for at most 5 ms.
      _ = poll(&entry, 1, 5)
    }
  }

  @Test func setRepeat_afterAllIsDecoded_repeats() throws {
    try GeneratedMusic(rate: 8000, frames: 8000).flac(folder, "a.flac")
    try GeneratedMusic(rate: 8000, frames: 8000).flac(folder, "b.flac")
    let engine = PlaybackEngine(sink: NullSink())
    defer { engine.shutDown() }
    let files = MusicScan(paths: [folder.path("a.flac"), folder.path("b.flac")]).files
    let player = LocalPlayer(files: files, engine: engine)
    player.start()
    player.next()
    wait(player, engine) { player.elapsedSeconds >= 0.5 }
    player.setRepeat(.all)
    #expect(player.upNext?.fileName == "a.flac")
    wait(player, engine) {
      player.state.isStopped || player.state.file?.fileName == "a.flac"
    }
    #expect(!player.state.isStopped)
    #expect(player.state.file?.fileName == "a.flac")
  }

  @Test func setRepeatOff_afterTheFirstTrackIsDecodedAgain_stops() throws {
    for name in ["a", "b"] {
      try GeneratedMusic(rate: 8000, frames: 8000).flac(folder, "\(name).flac")
    }
    let engine = PlaybackEngine(sink: NullSink())
    defer { engine.shutDown() }
    let files = MusicScan(paths: [folder.path("a.flac"), folder.path("b.flac")]).files
    let player = LocalPlayer(files: files, engine: engine)
    player.setRepeat(.all)
    player.start()
    player.next()
    wait(player, engine) { player.elapsedSeconds >= 0.3 && !player.tracks.queued.isEmpty }
    #expect(player.upNext?.fileName == "a.flac")
    player.setRepeat(.off)
    #expect(player.upNext == nil)
    wait(player, engine) { player.state.isStopped || player.state.file?.fileName == "a.flac" }
    #expect(player.state.isStopped && player.state.file?.fileName == "b.flac")
  }

  @Test func setShuffled_whileTheNextIsDecoded_playsAllTracks() throws {
    for name in ["a", "b", "c", "d", "e"] {
      try GeneratedMusic(rate: 8000, frames: 1600).flac(folder, "\(name).flac")
    }
    var heard: [String] = []
    var lastShown: LocalPlayer.State?
    _ = play(
      ["a", "b", "c", "d", "e"].map { $0 + ".flac" }, sink: NullSink(),
      on: { event, player in
        lastShown = player.state
        guard case .started(let file, _, _) = event else { return }
        if heard.count == 1 { player.setShuffle(.items) }
        heard.append(file.fileName)
      })
    #expect(lastShown?.file?.fileName == heard.last)
    #expect(lastShown?.queueIndex == 4)
    #expect(Set(heard).count == 5, "\(heard)")
  }

  @Test func play_atAFixedRate_writesOneFile() throws {
    try GeneratedMusic(rate: 8000, frames: 8000).flac(folder, "a.flac")
    try GeneratedMusic(channels: 1, rate: 44100, frames: 44_100).flac(folder, "b.flac")
    let engine = PlaybackEngine(
      sink: sink,
      fixed: StreamFormat(sampleRate: 48000, layout: .stereo, encoding: .integer(bits: 16)))
    let files = MusicScan(paths: ["a.flac", "b.flac"].map(folder.path)).files
    let player = LocalPlayer(files: files, engine: engine)
    player.start()
    wait(player, engine) { player.state.isStopped }
    engine.shutDown()
    #expect(try wav("out.wav").count == 2 * 2 * 48000)
    #expect(!FileManager.default.fileExists(atPath: folder.path("out-2.wav")))
  }

  @Test func play_withReplayGain_isScaled() throws {
    let music = GeneratedMusic(frames: 5000)
    try music.flac(folder, "a.flac", ["--tag=REPLAYGAIN_TRACK_GAIN=-6.0206 dB"])
    _ = play(["a.flac"], sink: sink, replayGain: ReplayGainSettings(.track))
    // −6.0206 dB is half the level. Dither changes a sample by at most one step, and rounding by at most half a step.
    #expect(
      zip(try wav("out.wav"), music.samples).allSatisfy {
        abs(Double($0) - Double($1) / 2) <= 1.6
      })
  }

  /// The frames that were decoded before the change have the old gain, so they are decoded again.
  @Test func setReplayGain_ofAnOpenTrack_appliesToItsNextFrames() throws {
    let music = GeneratedMusic(frames: 5000)
    try music.flac(folder, "a.flac", ["--tag=REPLAYGAIN_TRACK_GAIN=-6.0206 dB"])
    let engine = PlaybackEngine(sink: sink)
    let player = LocalPlayer(
      files: MusicScan(paths: [folder.path("a.flac")]).files, engine: engine)
    #expect(player.hold(path: folder.path("a.flac"), at: 0))
    wait(player, engine) { engine.bufferedFrames > 0 }
    player.setReplayGain(ReplayGainSettings(.track))
    player.resume()
    wait(player, engine) { player.state.isStopped }
    engine.shutDown()
    let samples = try wav("out.wav")
    #expect(samples.count == music.samples.count)
    // The beginning is not compared, because the music fades in there.
    #expect(
      zip(samples, music.samples).dropFirst(2000).allSatisfy {
        abs(Double($0) - Double($1) / 2) <= 1.6
      })
  }

  /// A song without tags is as loud as a song whose tags lower it by the gain of the setting. The songs join.
  @Test func play_songWithoutTags_getsTheGainForMissingTags() throws {
    let music = GeneratedMusic(frames: 5000)
    try music.flac(folder, "a.flac", ["--tag=REPLAYGAIN_ALBUM_GAIN=-6.0206 dB"])
    try music.flac(folder, "b.flac")
    _ = play(
      ["a.flac", "b.flac"], sink: sink,
      replayGain: ReplayGainSettings(.album, missingDecibels: -12.0412))
    let samples = try wav("out.wav")
    #expect(samples.count == 2 * music.samples.count)
    #expect(isScaled(samples.prefix(music.samples.count), music, by: 2))
    #expect(isScaled(samples.dropFirst(music.samples.count), music, by: 4, from: 2000))
  }

  /// Shuffle is switched while a song plays. Its loudness does not jump, even after a seek. The next song gets the
  /// other gain.
  @Test(arguments: [false, true])
  func replayGain_automatic_appliesFromTheNextSongOn(isShuffled: Bool) throws {
    let music = GeneratedMusic(frames: 5000)
    let tags = ["TRACK_GAIN=-6.0206 dB", "ALBUM_GAIN=-12.0412 dB"].map { "--tag=REPLAYGAIN_\($0)" }
    for name in ["a.flac", "b.flac"] { try music.flac(folder, name, tags) }
    let engine = PlaybackEngine(sink: sink)
    let player = LocalPlayer(
      files: MusicScan(paths: ["a.flac", "b.flac"].map(folder.path)).files, engine: engine,
      replayGain: ReplayGainSettings(.automatic))
    player.setShuffle(isShuffled ? .items : .off)
    #expect(player.hold(path: folder.path("a.flac"), at: 0))
    wait(player, engine) { engine.bufferedFrames > 0 }
    player.setShuffle(isShuffled ? .off : .items)
    player.seek(to: 0)
    player.resume()
    wait(player, engine) { player.state.isStopped }
    engine.shutDown()
    let samples = try wav("out.wav")
    // If the song *b* was before *a* in the shuffled order, only *a* plays.
    let count = music.samples.count
    #expect(samples.count == count || samples.count == 2 * count)
    #expect(isScaled(samples.prefix(count), music, by: isShuffled ? 2 : 4, from: 2000))
    #expect(isScaled(samples.dropFirst(count), music, by: isShuffled ? 4 : 2, from: 2000))
  }

  /// True if the samples are those of the music, divided by `divisor`. Dither changes a sample by at most one step,
  /// and rounding by at most half a step. The samples before `first` are not compared, because the gain changes with
  /// a fade.
  private func isScaled(
    _ samples: ArraySlice<Int16>, _ music: GeneratedMusic, by divisor: Double, from first: Int = 0
  ) -> Bool {
    zip(samples, music.samples).dropFirst(first).allSatisfy {
      abs(Double($0) - Double($1) / divisor) <= 1.6
    }
  }

  @Test func play_unwritableOutput_isReported() throws {
    try GeneratedMusic(frames: 2000).flac(folder, "a.flac")
    let engine = PlaybackEngine(sink: WAVSink(path: folder.path("missing/out.wav")))
    let player = LocalPlayer(
      files: MusicScan(paths: [folder.path("a.flac")]).files, engine: engine)
    player.start()
    var failure: SinkError?
    while failure == nil {
      for event in player.handleEvents() {
        if case .outputFailed(let error) = event { failure = error }
      }
      var entry = pollfd(fd: engine.wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
      guard failure == nil, poll(&entry, 1, 60_000) > 0 else { break }
    }
    engine.shutDown()
    #expect(failure?.reason.hasSuffix("No such file or directory") == true)
  }

  @Test
  func play_silentTracksOnRepeat_stops() throws {
    try GeneratedMusic(frames: 100).flac(folder, "a.flac", ["--no-padding"])
    // The file contains only the metadata block STREAMINFO. This block is marked as the last metadata block, and states
    // a total of 0 frames.
    var bytes = Array(try folder.read("a.flac").prefix(42))
    bytes[4] |= 0x80
    bytes[21] &= 0xF0
    for index in 22...25 { bytes[index] = 0 }
    try folder.write("a.flac", bytes)
    let log = play(["a.flac"], sink: sink, prepare: { $0.setRepeat(.all) })
    #expect(log.contains("failed a.flac"))
    #expect(log.count < 10)
  }
}

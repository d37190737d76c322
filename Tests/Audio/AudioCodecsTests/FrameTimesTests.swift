import Testing

@testable import AudioCodecs

/// Tests the times of frames in streams whose rate changes.
@Suite struct FrameTimesTests {
  @Test func seconds_afterARateChange_useTheNewRate() {
    var times = FrameTimes(rate: 1000)
    times.change(to: 500, at: 2000)
    times.change(to: 500, at: 2100)
    #expect(times.seconds(at: 1000) == 1)
    #expect(times.seconds(at: 3000) == 4)
    #expect(times.frame(at: 4) == 3000)
    #expect(times.frame(at: 0.5) == 500)
    // After a seek back, the decoder reports the first rate again. The changes after the target of the seek are still
    // stored.
    times.change(to: 1000, at: 100)
    #expect(times.seconds(at: 3000) == 4)
  }

  /// A FLAC frame can contain only 16 frames in 20 bytes, and each FLAC frame can have another rate. So a small file
  /// can contain very many changes of the rate, and the memory for these changes must be limited.
  @Test func change_withEachFrame_usesBoundedMemory() {
    var times = FrameTimes(rate: 1000)
    var seconds = 0.0
    for index in 1...100_000 {
      let rate = index.isMultiple(of: 2) ? 1000 : 2000
      seconds += 16 / (index.isMultiple(of: 2) ? 2000.0 : 1000.0)
      times.change(to: rate, at: Int64(16 * index))
    }
    #expect(times.changeCount <= FrameTimes.maximumChanges)
    #expect(abs(times.seconds(at: 1_600_000) - seconds) < 1e-6)
    // Only some changes are stored. Between two stored changes the times are approximate.
    #expect(abs(times.seconds(at: 800_000) - seconds / 2) < 0.1)
    #expect(abs(times.frame(at: seconds / 2) - 800_000) < 100)
  }
}

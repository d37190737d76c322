// The name of a test begins with the number of its rule in docs/now-playing.md.

import AudioEngine
import HeadUnit
import NowPlaying
import SystemClock
import TestKit
import Testing

// Compares what the engine plays with what the unit publishes. The tests change the engine directly, so the unit does
// not notice the change.
extension HeadUnitTests {
  private func playing(_ seconds: Double = 60) throws -> Bench {
    let bench = try Bench(["a"], seconds: seconds)
    _ = bench.send(.media(.play))
    bench.wait { (bench.unit.soundReading(at: .now()).position?.heard ?? .zero) > .zero }
    return bench
  }

  private func difference(_ position: SoundReading.Position) -> Duration {
    max(position.published - position.heard, position.heard - position.published)
  }

  @Test func D1_soundReading_ofAHealthyUnit_agrees() throws {
    let bench = try playing()
    let first = try #require(bench.unit.soundReading(at: .now()).position)
    #expect(first.status == .playing && difference(first) < .seconds(1))
    bench.wait { bench.unit.soundReading(at: .now()).position?.heard ?? .zero > first.heard }
    _ = bench.send(.volume(.set(VolumeLevel(thousandths: 500))))
    _ = bench.unit.turn()
    let gain = bench.unit.soundReading(at: .now()).gain
    #expect(gain.published == gain.applied && gain.applied < 1 && gain.applied > 0)
    _ = bench.send(.volume(.toggleMuted))
    _ = bench.unit.turn()
    #expect(bench.unit.soundReading(at: .now()).gain == .init(published: 0, applied: 0))
  }

  @Test func D1_soundReading_engineThatStandsStill_differsFromTheStatus() throws {
    let bench = try playing()
    bench.unit.engine.setPaused(true)
    var last = Duration.zero
    // At first, the last frames before the pause are still heard.
    bench.wait {
      let heard = bench.unit.soundReading(at: .now()).position?.heard ?? .zero
      defer { last = heard }
      return heard == last
    }
    let position = try #require(bench.unit.soundReading(at: .now()).position)
    #expect(position.status == .playing && position.heard == last)
  }

  @Test func D1_soundReading_engineThatPlaysDuringAPause_differsFromTheStatus() throws {
    let bench = try playing()
    _ = bench.send(.media(.pause))
    bench.wait { bench.state.status == .paused }
    bench.unit.engine.setPaused(false)
    let first = try #require(bench.unit.soundReading(at: .now()).position)
    bench.wait {
      bench.unit.soundReading(at: .now()).position.map { $0.heard > first.heard } ?? false
    }
    #expect(bench.unit.soundReading(at: .now()).position?.status == .paused)
  }

  @Test func D1_soundReading_gainThatWasSetElsewhere_differsFromTheVolume() throws {
    let bench = try playing()
    bench.unit.engine.setVolume(0)
    #expect(bench.unit.soundReading(at: .now()).gain == .init(published: 1, applied: 0))
  }

  /// At the end of a track the position stands still for a moment. This is not a fault, so no position is returned.
  @Test func D1_soundReading_endOfTheTrack_hasNoPosition() throws {
    let bench = try playing(3)
    bench.wait { bench.unit.soundReading(at: .now()).position == nil }
    let elapsed = bench.state.elapsed(at: .now()) ?? .zero
    #expect(elapsed > .milliseconds(1900))
  }
}

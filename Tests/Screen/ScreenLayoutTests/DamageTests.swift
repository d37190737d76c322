import NowPlaying
import ScreenLayout
import ScreenSamples
import Testing

@Suite struct DamageTests {
  private func sample(_ name: String) throws -> SampleScene {
    try #require(SampleScene.named(name))
  }

  @Test func sameScene_hasNoDamage() throws {
    for sample in SampleScene.all {
      #expect(Damage(from: sample.scene(), to: sample.scene()).isEmpty, "\(sample.name)")
    }
  }

  @Test func firstSceneOrOtherColours_damageEverything() throws {
    let night = try sample("playing").scene()
    #expect(Damage(from: nil, to: night).rects == [PixelRect(night.size)])
    let day = try sample("playing").scene(nil, .day)
    #expect(Damage(from: night, to: day).rects == [PixelRect(night.size)])
  }

  @Test(arguments: Screen.all)
  func oneSecond_damagesOnlyTheBarAndItsTimes(_ screen: Screen) throws {
    let sample = try sample("playing")
    let before = sample.scene(screen)
    let after = sample.scene(screen) { $0.now = $0.now.advanced(by: .seconds(1)) }
    let damage = Damage(from: before, to: after)
    #expect(!damage.isEmpty)
    #expect(
      damage.area * 30 < PixelRect(before.size).area, "\(damage.area) pixels: a thirtieth at most")
    let moving = ["bar", "elapsed", "remaining"].reduce(PixelRect(x: 0, y: 0, width: 0, height: 0))
    {
      $0.union(after[ElementID($1)]?.frame ?? before.elements[0].frame)
    }
    for rect in damage.rects { #expect(moving.contains(rect)) }
  }

  @Test func pausedScene_hasNoDamageOverTime() throws {
    let sample = try sample("paused")
    let later = sample.scene { $0.now = $0.now.advanced(by: .seconds(20)) }
    #expect(Damage(from: sample.scene(), to: later).isEmpty)
  }

  @Test func notice_damagesOnlyTheHeader() throws {
    let sample = try sample("notice")
    let after = sample.scene { $0.notice = nil }
    let damage = Damage(from: sample.scene(), to: after)
    #expect(damage.rects.allSatisfy { $0.maxY <= 88 })
  }

  @Test func rectangles_neverOverlap_andContainEveryChange() throws {
    var random = SeededRandom(3)
    for _ in 0..<300 {
      let old = try #require(SampleScene.all.randomElement(using: &random)).scene()
      let new = try #require(SampleScene.all.randomElement(using: &random)).scene()
      let rects = Damage(from: old, to: new).rects
      for (index, rect) in rects.enumerated() {
        #expect(rects[(index + 1)...].allSatisfy { !$0.intersects(rect) })
      }
      for element in new.elements where old[element.id] != element {
        #expect(rects.contains { $0.contains(element.frame.intersection(PixelRect(new.size))) })
      }
      for element in old.elements where new[element.id] != element {
        #expect(rects.contains { $0.contains(element.frame.intersection(PixelRect(new.size))) })
      }
    }
  }
}

/// Tests the computation of the next time at which a scene changes without an event.
@Suite struct NextChangeTests {
  private func change(_ name: String, _ change: (inout ScreenContext) -> Void = { _ in }) throws
    -> Duration?
  {
    let sample = try #require(SampleScene.named(name))
    var context = sample.context
    context.clock = nil
    change(&context)
    return NowPlayingLayout.nextChange(sample.state, context).map {
      $0.sinceOrigin - context.now.sinceOrigin
    }
  }

  @Test func nextChange_whilePlaying_isTheNextDifferentScene() throws {
    let sample = try #require(SampleScene.named("playing"))
    var context = sample.context
    context.clock = nil
    for tenths in 0..<30 {
      context.now = SampleScene.now.advanced(by: .milliseconds(tenths * 97))
      let next = try #require(NowPlayingLayout.nextChange(sample.state, context))
      #expect(next > context.now)
      var just = context
      just.now = context.now.advanced(by: (next.awake - context.now.awake) - .microseconds(1))
      var then = context
      then.now = next
      func scene(_ context: ScreenContext) -> Scene {
        NowPlayingLayout.scene(sample.state, context, measure: FixedWidthMeasure())
      }
      #expect(scene(just) == scene(context), "the scene is the same before")
      #expect(scene(then) != scene(context), "the scene differs at that time")
    }
  }

  @Test func nextChange_whileSeeking_followsTheFasterTime() throws {
    #expect(try #require(try change("seeking")) < .milliseconds(126))
  }

  @Test func nextChange_ofAStaticScene_isNil() throws {
    #expect(try change("paused") == nil)
    #expect(try change("interrupted") == nil)
    #expect(try change("buffering") == nil)
    #expect(try change("live") == nil, "a broadcast shows no time")
    #expect(try change("nothing") == nil)
    #expect(try change("up-next") == nil)
    #expect(try change("dragging") == nil)
    #expect(try change("daemon-lost") == nil)
  }

  /// Apart from the clock, only the page `add-phone` shows a running time: the time until pairing ends.
  @Test(arguments: SampleScene.all.map(\.name).filter { $0 != "add-phone" })
  func nextChange_ofAnyPage_isOnlyThatOfTheClock(_ name: String) throws {
    let sample = try #require(SampleScene.named(name))
    var context = sample.context
    switch context.page {
    case .menu, .list: break
    case .nowPlaying, .buttons: return
    }
    context.notice = nil
    context.volumeUntil = nil
    #expect(NowPlayingLayout.nextChange(sample.state, context) == context.clock?.changes)
  }

  @Test func nextChange_afterTheEndOfATrack_isNil() throws {
    #expect(try change("playing") { $0.now = $0.now.advanced(by: .seconds(4000)) } == nil)
  }

  @Test func nextChange_isTheEndOfATemporaryElement() throws {
    #expect(try change("pairing") == .seconds(30))
    #expect(
      try change("paused") { $0.volumeUntil = $0.now.advanced(by: .seconds(2)) } == .seconds(2))
    #expect(
      try change("paused") {
        $0.notice = ScreenContext.Notice(.info, "x", until: $0.now.advanced(by: .seconds(4)))
        $0.clock = ScreenContext.Clock("1:00", until: $0.now.advanced(by: .seconds(3)))
      } == .seconds(3))
    #expect(
      try change("paused") {
        $0.notice = ScreenContext.Notice(.info, "x", until: $0.now)
      } == nil, "an element that has ended causes no wake-up")
  }
}

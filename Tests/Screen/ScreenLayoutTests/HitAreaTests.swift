import NowPlaying
import ScreenLayout
import ScreenSamples
import Testing

@Suite struct HitAreaTests {
  @Test(arguments: Screen.all, SampleScene.all.map(\.name))
  func everyArea_isLargeEnough_onTheScreen_andSeparate(_ screen: Screen, _ name: String) throws {
    let sample = try #require(SampleScene.named(name))
    let least = screen.panel.leastTouchPixels
    let whole = PixelRect(screen.panel.size)
    for language in ["en", "ar"] as [LanguageTag] {
      let scene = sample.scene(screen, language: language)
      let areas =
        scene.hitAreas.map { ("\($0.id)", $0.frame) }
        + (scene.scrubber.map { [("scrubber", $0.frame)] } ?? [])
      for (index, (id, frame)) in areas.enumerated() {
        #expect(
          frame.width >= least && frame.height >= least,
          "\(id) \(frame) under \(least) pixels, \(language)")
        #expect(whole.contains(frame), "\(id) \(frame) leaves the screen")
        for (other, otherFrame) in areas[(index + 1)...] {
          #expect(!frame.intersects(otherFrame), "\(id) \(frame) and \(other) \(otherFrame)")
        }
      }
    }
  }

  @Test func disabledButton_isInert_andCoversTheAreaBehind() throws {
    let scene = try #require(SampleScene.named("source-buttons")).scene()
    let greyed = try #require(scene.hitAreas.first { $0.id == "custom.3" })
    #expect(greyed.action == nil)
    let middle = PixelPoint(x: greyed.frame.midX, y: greyed.frame.midY)
    #expect(scene.hitArea(at: middle)?.id == "custom.3")
    #expect(scene.action("custom.0") == .command(.template(.button(0))))
  }

  @Test func interruptedScene_hasNoTransportActions() throws {
    let scene = try #require(SampleScene.named("interrupted")).scene()
    let inert = scene.hitAreas.filter { $0.action == nil }.map(\.id.rawValue)
    #expect(
      inert == [
        "transport.back", "transport.central", "transport.forward", "custom.0", "custom.1",
        "custom.2", "custom.3", "custom.4",
      ])
    #expect(scene.scrubber == nil)
    #expect(scene.swipeLeft == nil)
  }

  @Test func transport_sendsTheOfferedCommands() throws {
    let playing = try #require(SampleScene.named("playing")).scene()
    #expect(playing.action("transport.back") == .command(.media(.previous)))
    #expect(playing.action("transport.central") == .command(.media(.pause)))
    #expect(playing.action("transport.forward") == .command(.media(.next)))
    let forward = playing.hitAreas.first { $0.id == "transport.forward" }
    #expect(forward?.hold?.begin == .seekForward(.begin))
    #expect(forward?.hold?.end == .seekForward(.end))
    #expect(playing.swipeLeft == .command(.media(.next)))
    #expect(playing.swipeRight == .command(.media(.previous)))

    let spoken = try #require(SampleScene.named("paused")).scene()
    #expect(spoken.action("transport.back") == .command(.media(.skipBackward(.seconds(15)))))
    #expect(spoken.action("transport.central") == .command(.media(.play)))
    #expect(spoken.symbol("transport.forward") == .skipForward)
    #expect(spoken.swipeLeft == nil, "a swipe changes the track; it is no skip")

    let live = try #require(SampleScene.named("live")).scene()
    #expect(live.action("transport.central") == .command(.media(.stop)))
    #expect(live.action("transport.forward") == nil, "offered, but disabled")
    #expect(live.symbol("transport.forward") == .next, "greyed, not removed")
  }

  @Test func bar_convertsPlacesToTimes() throws {
    let scene = try #require(SampleScene.named("playing")).scene()
    let scrubber = try #require(scene.scrubber)
    #expect(scrubber.position(atX: scrubber.track.x) == .zero)
    #expect(scrubber.position(atX: scrubber.track.maxX) == .seconds(251))
    #expect(scrubber.position(atX: -5000) == .zero)
    #expect(scrubber.position(atX: 5000) == .seconds(251))
    let dragged = try #require(SampleScene.named("dragging")).scene()
    #expect(dragged.text("elapsed") == "2:53")
    #expect(dragged.text("remaining") == "−1:18")
    #expect(dragged["bar.knob"] != nil)
  }

  @Test func lists_havePages_andAreLimitedWhileDriving() throws {
    let sample = try #require(SampleScene.named("up-next-driving"))
    let scene = sample.scene()
    #expect(scene.action("row.0") == .chooseRow("Courtyard Study No. 4"))
    #expect(scene.action("row.1") == .chooseRow("Blue Hour, Channel Five"))
    #expect(scene.action("row.2") == nil, "the row that reports the limit of the list")
    #expect(scene["row.2.limit"] != nil)
    #expect(scene.action("list.up") == .showRows(from: 0))
    #expect(scene.action("list.down") == nil)
    #expect(scene.action("upNext") == .back)
    let parked = sample.scene { $0.rowLimit = nil }
    #expect(parked.action("list.down") == .showRows(from: 8))
    let lost = sample.scene {
      $0.page = .upNext(rows: $0.rows, first: 900)
      $0.rowLimit = nil
    }
    #expect(lost["row.0.title"] != nil, "a page beyond the end shows the last row")
  }

  @Test func smallScreen_showsOneButton_thatOpensTheOthers() throws {
    let sample = try #require(SampleScene.named("playing"))
    let scene = sample.scene(.small)
    #expect(scene.hitAreas.filter { $0.id.rawValue.hasPrefix("custom") }.count == 1)
    #expect(scene.action("more") == .showButtons(true))
    let all = sample.scene(.small) { $0.page = .buttons }
    #expect(all.hitAreas.filter { $0.id.rawValue.hasPrefix("custom") }.count == 5)
    #expect(all.action("more") == .showButtons(false))
    #expect(all.action("transport.central") == nil)
  }

  @Test func pairing_isAnsweredOnlyByItsButtons() throws {
    let sample = try #require(SampleScene.named("pairing"))
    let scene = sample.scene()
    #expect(scene.hitAreas.map(\.id.rawValue) == ["reject", "accept"])
    #expect(scene.action("accept") == .answerPairing(isAccepted: true))
    #expect(scene.action("reject") == .answerPairing(isAccepted: false))
    #expect(scene.text("code.0") == "482")
    #expect(scene.text("code.1") == "915")
  }
}

extension ScreenContext {
  fileprivate var rows: [Row]? {
    if case .upNext(let rows, _) = page { return rows }
    return nil
  }
}

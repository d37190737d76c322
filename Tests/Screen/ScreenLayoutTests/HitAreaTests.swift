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
    for language in ["en", "ar", "de", "ja"] as [LanguageTag] {
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

  @Test func disabledButton_asksForTheReason_andCoversTheAreaBehind() throws {
    let scene = try #require(SampleScene.named("source-buttons")).scene()
    let greyed = try #require(scene.hitAreas.first { $0.id == "custom.3" })
    #expect(greyed.action == nil && greyed.hold == nil)
    #expect(greyed.greyedAction == .command(.template(.button(3))), "the daemon says why")
    let middle = PixelPoint(x: greyed.frame.midX, y: greyed.frame.midY)
    #expect(scene.hitArea(at: middle)?.id == "custom.3")
    #expect(scene.action("custom.0") == .command(.template(.button(0))))
  }

  /// During a call, the central button cancels the resume, and the custom buttons work.
  @Test func interruptedScene_hasNoTransportActions_butCancelsTheResume() throws {
    let scene = try #require(SampleScene.named("interrupted")).scene()
    let inert = scene.hitAreas.filter { $0.action == nil }.map(\.id.rawValue)
    #expect(
      inert == [
        "transport.back", "transport.forward",
      ])
    #expect(scene.action("transport.central") == .command(.media(.togglePlayPause)))
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
    #expect(spoken.swipeLeft == nil, "a swipe changes the track; it is not a skip")

    let live = try #require(SampleScene.named("live")).scene()
    #expect(live.action("transport.central") == .command(.media(.stop)))
    #expect(live.action("transport.forward") == nil, "offered, but disabled")
    #expect(live.symbol("transport.forward") == .next, "greyed, not removed")
  }

  @Test func bar_convertsPositionsToTimes() throws {
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

  @Test func list_hasPages_andKeysInItsRows() throws {
    let scene = try #require(SampleScene.named("up-next")).scene()
    #expect(scene.action("row.0") == .menu(.choose("queue:0")))
    #expect(scene.action("row.0.key") == nil, "the row that plays cannot be edited")
    #expect(scene.action("row.1.key") == .menu(.rowKey("queue:1", .edit)))
    #expect(scene.action("row.2") == nil, "the medium of this row is absent")
    #expect(scene.action("row.2.key") == .menu(.rowKey("queue:2", .edit)))
    #expect(scene.action("page.back") == nil)
    #expect(scene.action("page.forward") == .menu(.turnPage(.forward)))
    #expect(scene.action("page.letters") == .menu(.showLetters))
    #expect(scene.action("upNext") == .back)
    #expect(scene.firstFocus == "row.0")
    let edited = try #require(SampleScene.named("up-next-edit")).scene()
    #expect(edited.action("row.2") == nil)
    #expect(edited.action("row.2.playNext") == .menu(.rowKey("queue:2", .playNext)))
    #expect(edited.action("row.2.remove") == .menu(.rowKey("queue:2", .remove)))
    #expect(edited.action("row.2.close") == .menu(.rowKey("queue:2", .close)))
    #expect(edited.action("notice") == .undo(revision: 7))
    let parts = try #require(SampleScene.named("up-next-parts")).scene()
    #expect(parts.action("letter.1") == .menu(.choose("13–24")))
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

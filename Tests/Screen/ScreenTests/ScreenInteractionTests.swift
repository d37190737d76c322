import NowPlaying
import Screen
import ScreenDisplay
import ScreenLayout
import ScreenSamples
import Testing

/// A finger on the scene of a sample state.
private struct Hand {
  let scene: Scene
  var interaction: ScreenInteraction
  var now = Duration.seconds(100)
  var asked: [ScreenAction] = []

  init(_ state: String = "playing") throws {
    let sample = try #require(SampleScene.named(state))
    let panel = Panel(size: PixelSize(width: 800, height: 480), diagonalInches: 7)
    var context = sample.context
    context.panel = panel
    scene = NowPlayingLayout.scene(sample.state, context, measure: FixedWidthMeasure())
    interaction = ScreenInteraction(panel: panel)
  }

  func middle(_ id: ElementID) throws -> PixelPoint {
    let area = try #require(scene.hitAreas.first { $0.id == id })
    return PixelPoint(x: area.frame.midX, y: area.frame.midY)
  }

  mutating func down(_ point: PixelPoint, finger: Int = 0) {
    asked += interaction.handle(.down(finger, x: point.x, y: point.y, at: now), in: scene)
  }
  mutating func move(_ point: PixelPoint, finger: Int = 0) {
    asked += interaction.handle(.move(finger, x: point.x, y: point.y, at: now), in: scene)
  }
  mutating func up(_ point: PixelPoint, finger: Int = 0) {
    asked += interaction.handle(.up(finger, x: point.x, y: point.y, at: now), in: scene)
  }
  /// Lets time pass as in a loop, which serves all deadlines.
  mutating func wait(_ duration: Duration) {
    let end = now + duration
    while let deadline = interaction.nextDeadline, deadline <= end {
      asked += interaction.pass(to: deadline)
    }
    now = end
  }
  mutating func focus(_ event: FocusEvent) {
    asked += interaction.handle(event, at: now, in: scene)
  }
}

@Suite struct ScreenInteractionTests {
  @Test func tap_highlightsOnPress_andActsOnRelease() throws {
    var hand = try Hand()
    let play = try hand.middle("transport.central")
    hand.down(play)
    #expect(hand.interaction.pressed == "transport.central")
    #expect(hand.asked.isEmpty)
    hand.wait(.milliseconds(80))
    hand.up(play)
    #expect(hand.asked == [.command(.media(.pause))])
    #expect(hand.interaction.pressed == nil)
    #expect(hand.interaction.nextDeadline == nil)
  }

  @Test func leavingTheArea_cancelsThePress_andReturningRestoresIt() throws {
    var hand = try Hand()
    let play = try hand.middle("transport.central")
    hand.down(play)
    hand.move(PixelPoint(x: play.x, y: play.y - 150))
    #expect(hand.interaction.pressed == nil)
    hand.move(play)
    #expect(hand.interaction.pressed == "transport.central")
    hand.move(PixelPoint(x: play.x, y: play.y - 150))
    hand.up(PixelPoint(x: play.x, y: play.y - 150))
    #expect(hand.asked.isEmpty)
  }

  @Test func smallMovement_isATap() throws {
    var hand = try Hand()
    let button = try #require(hand.scene.hitAreas.first { $0.id == "custom.1" })
    // Just outside of the edge.
    let edge = PixelPoint(x: button.frame.maxX + 8, y: button.frame.midY)
    hand.down(PixelPoint(x: button.frame.maxX - 2, y: button.frame.midY))
    hand.move(edge)
    hand.up(edge)
    #expect(hand.asked == [.command(.template(.button(1)))])
  }

  @Test(arguments: [("transport.forward", true), ("transport.back", false)])
  func holdingNextOrPrevious_seeks_untilTheRelease(_ id: String, _ isForward: Bool) throws {
    let begin: MediaRequest = isForward ? .seekForward(.begin) : .seekBackward(.begin)
    let end: MediaRequest = isForward ? .seekForward(.end) : .seekBackward(.end)
    var hand = try Hand()
    let point = try hand.middle(ElementID(id))
    hand.down(point)
    #expect(hand.interaction.nextDeadline == hand.now + ScreenInteraction.holdTime)
    hand.wait(.milliseconds(499))
    #expect(hand.asked.isEmpty)
    hand.wait(.milliseconds(1))
    #expect(hand.asked == [.command(.media(begin))])
    #expect(hand.interaction.pressed == ElementID(id))
    hand.wait(.seconds(3))
    hand.up(point)
    #expect(hand.asked == [.command(.media(begin)), .command(.media(end))], "and no tap")
  }

  @Test func hold_endsWhenTheFingerLeaves_orIsCancelled() throws {
    var hand = try Hand()
    let point = try hand.middle("transport.forward")
    hand.down(point)
    hand.wait(.seconds(1))
    hand.move(PixelPoint(x: point.x, y: 20))
    #expect(hand.asked.last == .command(.media(.seekForward(.end))))
    hand.up(PixelPoint(x: point.x, y: 20))
    #expect(hand.asked.count == 2)
    hand.down(point)
    hand.wait(.seconds(1))
    hand.asked += hand.interaction.handle(.cancel(0, at: hand.now), in: hand.scene)
    #expect(hand.asked.suffix(1) == [.command(.media(.seekForward(.end)))])
  }

  @Test func lateRelease_isAHold_evenBeforeTheTimerFires() throws {
    var hand = try Hand()
    let point = try hand.middle("transport.forward")
    hand.down(point)
    hand.now += .milliseconds(700)
    hand.up(point)
    #expect(
      hand.asked == [
        .command(.media(.seekForward(.begin))), .command(.media(.seekForward(.end))),
      ])
  }

  @Test func dragOnTheBar_previews_andSeeksOnRelease() throws {
    var hand = try Hand()
    let bar = try #require(hand.scene.scrubber)
    hand.down(PixelPoint(x: bar.track.x + 10, y: bar.track.y))
    #expect(hand.interaction.seekPreview == bar.position(atX: bar.track.x + 10))
    // Anywhere on the screen, because a finger does not stay exactly on the bar.
    hand.move(PixelPoint(x: bar.track.midX, y: 10))
    #expect(hand.interaction.seekPreview == bar.position(atX: bar.track.midX))
    #expect(hand.asked.isEmpty)
    hand.up(PixelPoint(x: bar.track.midX, y: 10))
    #expect(
      hand.asked == [.command(.media(.seekToPosition(bar.position(atX: bar.track.midX))))])
    #expect(hand.interaction.seekPreview == nil)
  }

  @Test func swipe_changesTheTrack() throws {
    var hand = try Hand()
    let cover = PixelPoint(x: 250, y: 260)
    hand.down(cover)
    hand.wait(.milliseconds(50))
    hand.move(PixelPoint(x: 180, y: 262))
    hand.wait(.milliseconds(50))
    hand.up(PixelPoint(x: 100, y: 265))
    #expect(hand.asked == [.command(.media(.next))])
    hand.down(PixelPoint(x: 100, y: 260))
    hand.move(PixelPoint(x: 300, y: 250))
    hand.up(PixelPoint(x: 300, y: 250))
    #expect(hand.asked == [.command(.media(.next)), .command(.media(.previous))])
  }

  @Test func swipeFromAButton_doesNotTapIt() throws {
    var hand = try Hand()
    let play = try hand.middle("transport.central")
    hand.down(play)
    hand.move(PixelPoint(x: play.x - 120, y: play.y))
    #expect(hand.interaction.pressed == nil)
    hand.up(PixelPoint(x: play.x - 120, y: play.y))
    #expect(hand.asked == [.command(.media(.next))])
  }

  @Test func slowShortOrDiagonalMovement_isNoSwipe() throws {
    var hand = try Hand()
    func swipe(_ dx: Int, _ dy: Int, _ time: Duration) {
      hand.down(PixelPoint(x: 300, y: 200))
      hand.move(PixelPoint(x: 300 - dx / 2, y: 200 + dy / 2))
      hand.wait(time)
      hand.up(PixelPoint(x: 300 - dx, y: 200 + dy))
    }
    swipe(200, 0, .seconds(1))
    swipe(40, 0, .milliseconds(100))
    swipe(150, 120, .milliseconds(100))
    #expect(hand.asked.isEmpty)
  }

  @Test func disabledButton_isInert() throws {
    var hand = try Hand("interrupted")
    for area in hand.scene.hitAreas where area.action == nil {
      let point = PixelPoint(x: area.frame.midX, y: area.frame.midY)
      hand.down(point)
      #expect(hand.interaction.pressed == nil)
      hand.wait(.seconds(1))
      hand.up(point)
    }
    #expect(hand.asked.isEmpty)
  }

  @Test func secondFinger_isIgnored() throws {
    var hand = try Hand()
    let (play, next) = (try hand.middle("transport.central"), try hand.middle("transport.forward"))
    hand.down(play, finger: 1)
    hand.down(next, finger: 2)
    hand.up(next, finger: 2)
    #expect(hand.asked.isEmpty)
    hand.up(play, finger: 1)
    #expect(hand.asked == [.command(.media(.pause))])
  }

  @Test func press_isCancelled_whenItsButtonChanges() throws {
    var hand = try Hand()
    let play = try hand.middle("transport.central")
    hand.down(play)
    let paused = try Hand("paused").scene
    #expect(hand.interaction.adapt(to: paused).isEmpty)
    #expect(hand.interaction.pressed == nil)
    #expect(
      hand.interaction.handle(.up(0, x: play.x, y: play.y, at: hand.now), in: paused).isEmpty)
  }

  @Test func drag_endsWithItsTrack() throws {
    var hand = try Hand()
    let bar = try #require(hand.scene.scrubber)
    let point = PixelPoint(x: bar.track.midX, y: bar.track.y)
    hand.down(point)
    let live = try Hand("live").scene
    #expect(hand.interaction.adapt(to: live).isEmpty)
    #expect(hand.interaction.seekPreview == nil)
    hand.up(point)
    #expect(hand.asked.isEmpty)
  }

  @Test func knob_movesTheFocus_andActivatesIt() throws {
    var hand = try Hand()
    hand.focus(.next)
    #expect(hand.interaction.focus == "transport.central", "the first step only shows it")
    hand.focus(.activate)
    #expect(hand.asked == [.command(.media(.pause))])
    hand.focus(.right)
    #expect(hand.interaction.focus == "transport.forward")
    var seen: Set<ElementID> = []
    for _ in 0..<30 { hand.focus(.previous) }
    for _ in 0..<30 {
      if let id = hand.interaction.focus { seen.insert(id) }
      hand.focus(.next)
    }
    #expect(seen == Set(hand.scene.hitAreas.filter { $0.action != nil }.map(\.id)))
    hand.wait(ScreenInteraction.focusTime)
    #expect(hand.interaction.focus == nil)
    hand.focus(.activate)
    #expect(hand.interaction.focus == "transport.central", "no focus, nothing is taken")
    #expect(hand.asked.count == 1)
    hand.focus(.back)
    #expect(hand.asked.last == .back)
    #expect(hand.interaction.focus == nil)
  }

  @Test func touch_removesTheFocus() throws {
    var hand = try Hand()
    hand.focus(.next)
    hand.down(PixelPoint(x: 5, y: 470))
    #expect(hand.interaction.focus == nil)
  }

  /// After any sequence of events, every seek that began has ended, and each action belongs to the
  /// scene.
  @Test func randomEvents_keepTheRules() throws {
    var random = SystemRandomNumberGenerator()
    let scenes = try SampleScene.all.map { try Hand($0.name).scene }
    for _ in 0..<200 {
      var hand = try Hand()
      var scene = hand.scene
      var held = 0
      func check(_ asked: [ScreenAction]) {
        for action in asked {
          switch action {
          case .command(.media(.seekForward(.begin))), .command(.media(.seekBackward(.begin))):
            held += 1
          case .command(.media(.seekForward(.end))), .command(.media(.seekBackward(.end))):
            held -= 1
          default: break
          }
          #expect((0...1).contains(held))
        }
      }
      for _ in 0..<100 {
        let (id, x, y) = (
          Int.random(in: 0...2, using: &random), Int.random(in: -50...850, using: &random),
          Int.random(in: -50...530, using: &random)
        )
        hand.now += .milliseconds(Int.random(in: 0...400, using: &random))
        switch Int.random(in: 0...9, using: &random) {
        case 0...2: check(hand.interaction.handle(.down(id, x: x, y: y, at: hand.now), in: scene))
        case 3...4: check(hand.interaction.handle(.move(id, x: x, y: y, at: hand.now), in: scene))
        case 5: check(hand.interaction.handle(.up(id, x: x, y: y, at: hand.now), in: scene))
        case 6: check(hand.interaction.handle(.cancel(id, at: hand.now), in: scene))
        case 7: check(hand.interaction.pass(to: hand.now))
        case 8: check(hand.interaction.handle(.next, at: hand.now, in: scene))
        default:
          scene = scenes.randomElement(using: &random) ?? scene
          check(hand.interaction.adapt(to: scene))
        }
      }
      check(hand.interaction.cancelTouch())
      #expect(held == 0)
    }
  }
}

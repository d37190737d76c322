import NowPlaying
import Screen
import ScreenDisplay
import ScreenLayout
import ScreenSamples
import Testing

/// Simulates fingers and a knob on the scene of a sample state.
private struct TouchBench {
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
  /// Lets time pass. Each deadline is handled on time, as in the screen's event loop.
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
    var touch = try TouchBench()
    let play = try touch.middle("transport.central")
    touch.down(play)
    #expect(touch.interaction.pressed == "transport.central")
    #expect(touch.asked.isEmpty)
    touch.wait(.milliseconds(80))
    touch.up(play)
    #expect(touch.asked == [.command(.media(.pause))])
    #expect(touch.interaction.pressed == nil)
    #expect(touch.interaction.nextDeadline == nil)
  }

  @Test func leavingTheArea_cancelsThePress_andReturningRestoresIt() throws {
    var touch = try TouchBench()
    let play = try touch.middle("transport.central")
    touch.down(play)
    touch.move(PixelPoint(x: play.x, y: play.y - 150))
    #expect(touch.interaction.pressed == nil)
    touch.move(play)
    #expect(touch.interaction.pressed == "transport.central")
    touch.move(PixelPoint(x: play.x, y: play.y - 150))
    touch.up(PixelPoint(x: play.x, y: play.y - 150))
    #expect(touch.asked.isEmpty)
  }

  @Test func smallMovement_isATap() throws {
    var touch = try TouchBench()
    let button = try #require(touch.scene.hitAreas.first { $0.id == "custom.1" })
    // This point is just outside the button.
    let edge = PixelPoint(x: button.frame.maxX + 8, y: button.frame.midY)
    touch.down(PixelPoint(x: button.frame.maxX - 2, y: button.frame.midY))
    touch.move(edge)
    touch.up(edge)
    #expect(touch.asked == [.command(.template(.button(1)))])
  }

  @Test(arguments: [("transport.forward", true), ("transport.back", false)])
  func holdingNextOrPrevious_seeks_untilTheRelease(_ id: String, _ isForward: Bool) throws {
    let begin: MediaRequest = isForward ? .seekForward(.begin) : .seekBackward(.begin)
    let end: MediaRequest = isForward ? .seekForward(.end) : .seekBackward(.end)
    var touch = try TouchBench()
    let point = try touch.middle(ElementID(id))
    touch.down(point)
    #expect(touch.interaction.nextDeadline == touch.now + ScreenInteraction.holdTime)
    touch.wait(.milliseconds(499))
    #expect(touch.asked.isEmpty)
    touch.wait(.milliseconds(1))
    #expect(touch.asked == [.command(.media(begin))])
    #expect(touch.interaction.pressed == ElementID(id))
    touch.wait(.seconds(3))
    touch.up(point)
    #expect(touch.asked == [.command(.media(begin)), .command(.media(end))], "a hold is not a tap")
  }

  @Test func hold_endsWhenTheFingerLeaves_orIsCancelled() throws {
    var touch = try TouchBench()
    let point = try touch.middle("transport.forward")
    touch.down(point)
    touch.wait(.seconds(1))
    touch.move(PixelPoint(x: point.x, y: 20))
    #expect(touch.asked.last == .command(.media(.seekForward(.end))))
    touch.up(PixelPoint(x: point.x, y: 20))
    #expect(touch.asked.count == 2)
    touch.down(point)
    touch.wait(.seconds(1))
    touch.asked += touch.interaction.handle(.cancel(0, at: touch.now), in: touch.scene)
    #expect(touch.asked.suffix(1) == [.command(.media(.seekForward(.end)))])
  }

  @Test func lateRelease_isAHold_evenBeforeTheTimerFires() throws {
    var touch = try TouchBench()
    let point = try touch.middle("transport.forward")
    touch.down(point)
    touch.now += .milliseconds(700)
    touch.up(point)
    #expect(
      touch.asked == [
        .command(.media(.seekForward(.begin))), .command(.media(.seekForward(.end))),
      ])
  }

  @Test func dragOnTheBar_previews_andSeeksOnRelease() throws {
    var touch = try TouchBench()
    let bar = try #require(touch.scene.scrubber)
    touch.down(PixelPoint(x: bar.track.x + 10, y: bar.track.y))
    #expect(touch.interaction.seekPreview == bar.position(atX: bar.track.x + 10))
    // The drag continues when the finger leaves the bar, because users do not keep a finger exactly on the bar.
    touch.move(PixelPoint(x: bar.track.midX, y: 10))
    #expect(touch.interaction.seekPreview == bar.position(atX: bar.track.midX))
    #expect(touch.asked.isEmpty)
    touch.up(PixelPoint(x: bar.track.midX, y: 10))
    #expect(
      touch.asked == [.command(.media(.seekToPosition(bar.position(atX: bar.track.midX))))])
    #expect(touch.interaction.seekPreview == nil)
  }

  @Test func swipe_changesTheTrack() throws {
    var touch = try TouchBench()
    let cover = PixelPoint(x: 250, y: 260)
    touch.down(cover)
    touch.wait(.milliseconds(50))
    touch.move(PixelPoint(x: 180, y: 262))
    touch.wait(.milliseconds(50))
    touch.up(PixelPoint(x: 100, y: 265))
    #expect(touch.asked == [.command(.media(.next))])
    touch.down(PixelPoint(x: 100, y: 260))
    touch.move(PixelPoint(x: 300, y: 250))
    touch.up(PixelPoint(x: 300, y: 250))
    #expect(touch.asked == [.command(.media(.next)), .command(.media(.previous))])
  }

  @Test func swipeFromAButton_doesNotTapIt() throws {
    var touch = try TouchBench()
    let play = try touch.middle("transport.central")
    touch.down(play)
    touch.move(PixelPoint(x: play.x - 120, y: play.y))
    #expect(touch.interaction.pressed == nil)
    touch.up(PixelPoint(x: play.x - 120, y: play.y))
    #expect(touch.asked == [.command(.media(.next))])
  }

  @Test func slowShortOrDiagonalMovement_isNoSwipe() throws {
    var touch = try TouchBench()
    func swipe(_ dx: Int, _ dy: Int, _ time: Duration) {
      touch.down(PixelPoint(x: 300, y: 200))
      touch.move(PixelPoint(x: 300 - dx / 2, y: 200 + dy / 2))
      touch.wait(time)
      touch.up(PixelPoint(x: 300 - dx, y: 200 + dy))
    }
    swipe(200, 0, .seconds(1))
    swipe(40, 0, .milliseconds(100))
    swipe(150, 120, .milliseconds(100))
    #expect(touch.asked.isEmpty)
  }

  @Test func disabledButton_isInert() throws {
    var touch = try TouchBench("interrupted")
    for area in touch.scene.hitAreas where area.action == nil {
      let point = PixelPoint(x: area.frame.midX, y: area.frame.midY)
      touch.down(point)
      #expect(touch.interaction.pressed == nil)
      touch.wait(.seconds(1))
      touch.up(point)
    }
    #expect(touch.asked.isEmpty)
  }

  @Test func secondFinger_isIgnored() throws {
    var touch = try TouchBench()
    let (play, next) = (
      try touch.middle("transport.central"), try touch.middle("transport.forward")
    )
    touch.down(play, finger: 1)
    touch.down(next, finger: 2)
    touch.up(next, finger: 2)
    #expect(touch.asked.isEmpty)
    touch.up(play, finger: 1)
    #expect(touch.asked == [.command(.media(.pause))])
  }

  @Test func press_isCancelled_whenItsButtonChanges() throws {
    var touch = try TouchBench()
    let play = try touch.middle("transport.central")
    touch.down(play)
    let paused = try TouchBench("paused").scene
    #expect(touch.interaction.adapt(to: paused).isEmpty)
    #expect(touch.interaction.pressed == nil)
    #expect(
      touch.interaction.handle(.up(0, x: play.x, y: play.y, at: touch.now), in: paused).isEmpty)
  }

  @Test func drag_endsWithItsTrack() throws {
    var touch = try TouchBench()
    let bar = try #require(touch.scene.scrubber)
    let point = PixelPoint(x: bar.track.midX, y: bar.track.y)
    touch.down(point)
    let live = try TouchBench("live").scene
    #expect(touch.interaction.adapt(to: live).isEmpty)
    #expect(touch.interaction.seekPreview == nil)
    touch.up(point)
    #expect(touch.asked.isEmpty)
  }

  @Test func knob_movesTheFocus_andActivatesIt() throws {
    var touch = try TouchBench()
    touch.focus(.next)
    #expect(touch.interaction.focus == "transport.central", "the first step shows the focus")
    touch.focus(.activate)
    #expect(touch.asked == [.command(.media(.pause))])
    touch.focus(.right)
    #expect(touch.interaction.focus == "transport.forward")
    var seen: Set<ElementID> = []
    for _ in 0..<30 { touch.focus(.previous) }
    for _ in 0..<30 {
      if let id = touch.interaction.focus { seen.insert(id) }
      touch.focus(.next)
    }
    #expect(seen == Set(touch.scene.hitAreas.filter { $0.action != nil }.map(\.id)))
    touch.wait(ScreenInteraction.focusTime)
    #expect(touch.interaction.focus == nil)
    touch.focus(.activate)
    #expect(
      touch.interaction.focus == "transport.central", "without a focus, activate only shows it")
    #expect(touch.asked.count == 1)
    touch.focus(.back)
    #expect(touch.asked.last == .back)
    #expect(touch.interaction.focus == nil)
  }

  @Test func touch_removesTheFocus() throws {
    var touch = try TouchBench()
    touch.focus(.next)
    touch.down(PixelPoint(x: 5, y: 470))
    #expect(touch.interaction.focus == nil)
  }

  /// At most one seek is in progress at any time. After any sequence of events, every seek that began has ended.
  @Test func randomEvents_endEverySeek() throws {
    var random = SystemRandomNumberGenerator()
    let scenes = try SampleScene.all.map { try TouchBench($0.name).scene }
    for _ in 0..<200 {
      var touch = try TouchBench()
      var scene = touch.scene
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
        touch.now += .milliseconds(Int.random(in: 0...400, using: &random))
        switch Int.random(in: 0...9, using: &random) {
        case 0...2: check(touch.interaction.handle(.down(id, x: x, y: y, at: touch.now), in: scene))
        case 3...4: check(touch.interaction.handle(.move(id, x: x, y: y, at: touch.now), in: scene))
        case 5: check(touch.interaction.handle(.up(id, x: x, y: y, at: touch.now), in: scene))
        case 6: check(touch.interaction.handle(.cancel(id, at: touch.now), in: scene))
        case 7: check(touch.interaction.pass(to: touch.now))
        case 8: check(touch.interaction.handle(.next, at: touch.now, in: scene))
        default:
          scene = scenes.randomElement(using: &random) ?? scene
          check(touch.interaction.adapt(to: scene))
        }
      }
      check(touch.interaction.cancelTouch())
      #expect(held == 0)
    }
  }

  @Test func fastTurnOfAKnob_turnsAPage_andJumpsARowOfLetters() throws {
    var list = try TouchBench("artists")
    #expect(
      list.interaction.handle(.turn(5), at: list.now, in: list.scene) == [
        .menu(.turnPage(.forward))
      ])
    #expect(list.interaction.focus == "row.0")
    #expect(
      list.interaction.handle(.turn(-4), at: list.now, in: list.scene) == [
        .menu(.turnPage(.back))
      ])
    #expect(list.interaction.focus == "row.3")
    var letters = try TouchBench("letters")
    _ = letters.interaction.handle(.next, at: letters.now, in: letters.scene)
    #expect(letters.interaction.focus == "letter.0")
    _ = letters.interaction.handle(.turn(6), at: letters.now, in: letters.scene)
    #expect(letters.interaction.focus == "letter.7")
    // On a page without a list, each step of a fast turn moves the focus.
    var home = try TouchBench("library")
    _ = home.interaction.handle(.next, at: home.now, in: home.scene)
    let order = home.scene.hitAreas.filter { $0.action != nil }.map(\.id)
    let start = try #require(order.firstIndex { $0 == home.interaction.focus })
    _ = home.interaction.handle(.turn(4), at: home.now, in: home.scene)
    #expect(home.interaction.focus == order[start + 4])
  }
}

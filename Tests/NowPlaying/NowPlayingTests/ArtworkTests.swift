// The name of a test begins with the number of its rule in docs/now-playing.md.

import NowPlaying
import Testing

/// Tests how the model handles the covers of tracks: rules A1 to A5.
@Suite struct ArtworkTests {
  /// A cover that is available at once.
  private static func ready(_ id: String, width: Int = 1000, height: Int = 1000) -> Artwork {
    Artwork(id: id) { request in
      let original = ArtworkSize(width: width, height: height)
      return .ready(
        ArtworkRepresentation(
          reference: "\(request.artworkID)@\(request.size)", dataType: .jpeg,
          size: request.size.fitted(original: original), originalSize: original))
    }
  }

  private static func slow(_ id: String) -> Artwork { Artwork(id: id) { _ in .later } }

  private static func picture(_ reference: String, _ size: Int = 300) -> ArtworkRepresentation {
    ArtworkRepresentation(
      reference: reference, dataType: .png, size: ArtworkSize(width: size, height: size))
  }

  /// Behaves like a surface: requests a cover when `ArtworkDisplay` requires this, and draws the answer.
  private final class Viewer {
    var display = ArtworkDisplay()
    /// The picture that was shown after each state or answer, and the content at that time.
    var glass: [(content: String?, shown: ArtworkAnswer)] = []
    var answers: [ArtworkAnswer] = []
    let size: ArtworkSize

    init(_ bench: Bench, size: ArtworkSize = ArtworkSize(width: 300, height: 300)) {
      self.size = size
      bench.screen.onState = { [unowned self] state in show(state, bench) }
      show(bench.state, bench)
    }

    func show(_ state: NowPlayingState, _ bench: Bench) {
      if display.show(contentID: state.content?.id, state.artwork), let id = state.content?.id {
        bench.center.artwork(for: id, size: size, at: bench.clock.now) { [unowned self] answer in
          answers.append(answer)
          if display.draw(answer, for: id) { glass.append((id, display.shown)) }
        }
      }
      glass.append((state.content?.id, display.shown))
    }

    var reference: String? {
      if case .image(let picture) = display.shown { return picture.reference }
      return nil
    }
  }

  // MARK: The diagnosis

  @Test func D1_inspection_hasThePictureThatSurfacesGot_untilTheContentChanges() {
    let bench = Bench(tracks: [song("a", artwork: Self.ready("a")), song("b")], playing: true)
    func reference() -> String? {
      bench.center.inspection(at: bench.clock.now).picture?.reference
    }
    #expect(reference() == nil)
    let size = ArtworkSize(width: 300, height: 300)
    bench.center.artwork(for: "a", size: size, at: bench.clock.now) { _ in }
    #expect(reference() == "a@\(size)")
    bench.source.go(to: 1)
    #expect(reference() == nil)
  }

  // MARK: A1

  @Test func A1_requestsForOneCover_causeOneProviderCall_andReceiveItsAnswer() {
    let bench = Bench(tracks: [song("a", artwork: Self.slow("cover"))])
    let size = ArtworkSize(width: 300, height: 300)
    var answers: [ArtworkAnswer] = []
    for _ in 0..<3 {
      bench.center.artwork(for: "a", size: size, at: bench.clock.now) { answers.append($0) }
    }
    #expect(counts(bench).asked == 1)
    let picture = Self.picture("p")
    bench.center.artworkArrived(1, picture, at: bench.clock.now)
    bench.center.artworkArrived(1, Self.picture("other"), at: bench.clock.now)
    #expect(answers == Array(repeating: .image(picture), count: 3))
    #expect(counts(bench).late == 1, "a second answer counts as late")
    bench.center.artwork(
      for: "a", size: ArtworkSize(width: 64, height: 64), at: bench.clock.now
    ) { _ in }
    #expect(counts(bench).asked == 2, "each size is a request of its own")
  }

  /// If a stick does not answer and surfaces ask again and again, the waiting requests must not fill the memory. At
  /// most 64 callers wait for one picture, and at most 16 sizes are pending.
  @Test func A1_requestsAboveTheLimit_receiveThePlaceholder() {
    let bench = Bench(tracks: [song("a", artwork: Self.slow("cover")), song("b")])
    var answers: [ArtworkAnswer] = []
    func ask(_ side: Int) {
      bench.center.artwork(
        for: "a", size: ArtworkSize(width: side, height: side), at: bench.clock.now
      ) { answers.append($0) }
    }
    for _ in 1...1000 { ask(300) }
    #expect(answers == Array(repeating: .placeholder, count: 936))
    answers = []
    for side in 1...1000 { ask(side) }
    #expect(answers.count == 985 && answers.allSatisfy { $0 == .placeholder })
    answers = []
    bench.source.go(to: 1)
    #expect(answers == Array(repeating: .superseded, count: 79))
  }

  // MARK: A2

  @Test func A2_lateCover_isDiscarded() {
    let bench = Bench(
      tracks: [song("a", artwork: Self.slow("one")), song("b", artwork: Self.slow("two"))])
    let viewer = Viewer(bench)
    bench.source.go(to: 1)
    #expect(viewer.answers == [.superseded])
    bench.center.artworkArrived(1, Self.picture("one"), at: bench.clock.now)
    #expect(viewer.display.shown == .placeholder)
    #expect(counts(bench).late == 1)
    bench.center.artworkArrived(2, Self.picture("two"), at: bench.clock.now)
    #expect(viewer.reference == "two")
  }

  @Test func A2_requestForPreviousContent_isSuperseded() {
    let bench = Bench(tracks: [song("a", artwork: Self.ready("one")), song("b")])
    bench.source.go(to: 1)
    var answer: ArtworkAnswer?
    bench.center.artwork(for: "a", size: .largest, at: bench.clock.now) { answer = $0 }
    #expect(answer == .superseded)
    #expect(counts(bench).asked == 0)
  }

  @Test func A2_answerForOtherContent_isNotDrawn() {
    var display = ArtworkDisplay()
    let mustAsk = display.show(contentID: "b", .artwork(id: "two"))
    let drawn = [
      display.draw(.image(Self.picture("one")), for: "a"), display.draw(.superseded, for: "b"),
    ]
    #expect(mustAsk)
    #expect(drawn == [false, false])
    #expect(display.shown == .placeholder && display.updates == 0)
  }

  // MARK: A3

  @Test func A3_contentWithoutCover_replacesTheOldCoverWithThePlaceholder() {
    let bench = Bench(tracks: [song("a", artwork: Self.ready("one")), song("b")])
    let viewer = Viewer(bench)
    #expect(viewer.reference == "one@300×300")
    bench.source.go(to: 1)
    #expect(bench.state.artwork == .placeholder)
    #expect(viewer.display.shown == .placeholder)
    bench.source.session.end(at: bench.clock.now)
    #expect(bench.state.artwork == .placeholder)
  }

  @Test func A3_missingOrUnusablePicture_givesThePlaceholder() {
    let none = Artwork(id: "none") { _ in .none }
    let text = Artwork(id: "text") { _ in
      .ready(
        ArtworkRepresentation(
          reference: "x", dataType: .utf8, size: ArtworkSize(width: 300, height: 300)))
    }
    let bench = Bench(tracks: [song("a", artwork: none), song("b", artwork: text)])
    let viewer = Viewer(bench)
    bench.source.go(to: 1)
    #expect(viewer.answers == [.placeholder, .placeholder])
    #expect(counts(bench).none == 1)
    #expect(counts(bench).unusable == 1)
  }

  @Test func A3_slowCover_showsThePlaceholderUntilItArrives() {
    let bench = Bench(
      tracks: [song("a", artwork: Self.ready("one")), song("b", artwork: Self.slow("two"))])
    let viewer = Viewer(bench)
    bench.source.go(to: 1)
    #expect(viewer.display.shown == .placeholder)
  }

  // MARK: A4

  @Test func A4_fitted_keepsTheProportions_withinTheRequestedSize() {
    let wide = ArtworkSize(width: 1600, height: 800)
    func fitted(_ width: Int, _ height: Int) -> ArtworkSize {
      ArtworkSize(width: width, height: height).fitted(original: wide)
    }
    #expect(fitted(400, 400) == ArtworkSize(width: 400, height: 200))
    #expect(fitted(3000, 300) == ArtworkSize(width: 600, height: 300))
    #expect(fitted(5000, 5000) == wide, "a picture is never enlarged")
    #expect(ArtworkSize.largest.fitted(original: wide) == wide)
    #expect(fitted(1, 1) == ArtworkSize(width: 1, height: 1))
    #expect(ArtworkSize(width: -4, height: 0) == ArtworkSize(width: 1, height: 1))
  }

  @Test func A4_kept_isAtLeast600Pixels_ifTheOriginalHasThem() {
    let large = ArtworkSize(width: 3000, height: 1500)
    let small = ArtworkSize(width: 200, height: 100)
    let limit = ArtworkSize(width: 320, height: 320)
    #expect(ArtworkSize.kept(original: large, limit: limit) == ArtworkSize(width: 600, height: 300))
    #expect(ArtworkSize.kept(original: small, limit: limit) == small)
    let roomy = ArtworkSize(width: 1000, height: 1000)
    #expect(
      ArtworkSize.kept(original: large, limit: roomy) == ArtworkSize(width: 1000, height: 500))
  }

  @Test func A4_answerLargerThanRequested_isUnusable() {
    let tooLarge = Artwork(id: "big") { _ in .ready(Self.picture("big", 2000)) }
    let bench = Bench(tracks: [song("a", artwork: tooLarge)])
    let viewer = Viewer(bench)
    #expect(viewer.display.shown == .placeholder)
    #expect(counts(bench).unusable == 1)
    var answer: ArtworkAnswer?
    bench.center.artwork(for: "a", size: .largest, at: bench.clock.now) { answer = $0 }
    #expect(answer == .image(Self.picture("big", 2000)))
  }

  // MARK: A5

  @Test(arguments: [true, false]) func A5_tenTrackChanges_updateTheCoverTenTimes_withoutFlicker(
    ready: Bool
  ) {
    let tracks = (0...10).map {
      song("\($0)", artwork: ready ? Self.ready("cover \($0)") : Self.slow("cover \($0)"))
    }
    let bench = Bench(tracks: tracks, playing: true)
    let viewer = Viewer(bench)
    if !ready { bench.center.artworkArrived(1, Self.picture("cover 0"), at: bench.clock.now) }
    let before = viewer.display.updates
    let published = bench.screen.states.count
    viewer.glass = []
    for number in 1...10 {
      bench.clock.advance(seconds: 240)
      bench.source.go(to: number)
      if !ready {
        bench.clock.advance(seconds: 1)
        bench.center.artworkArrived(
          number + 1, Self.picture("cover \(number)"), at: bench.clock.now)
      }
      #expect(viewer.reference?.hasPrefix("cover \(number)") == true)
    }
    #expect(viewer.display.updates - before == 10)
    #expect(bench.screen.states.count - published == 10, "a picture causes no publication")
    #expect(counts(bench).changesWithinContent == 0)
    for (content, shown) in viewer.glass {
      guard case .image(let picture) = shown else { continue }
      #expect(
        picture.reference.hasPrefix("cover \(content ?? "-")"),
        "the cover of another track is shown")
    }
  }

  @Test func A5_sameCoverForAllTracks_isDrawnOnce() {
    let tracks = (0...10).map { song("\($0)", artwork: Self.ready("album")) }
    let bench = Bench(tracks: tracks, playing: true)
    let viewer = Viewer(bench)
    for number in 1...10 { bench.source.go(to: number) }
    #expect(viewer.display.updates == 1)
    #expect(counts(bench).asked == 1)
  }

  @Test func A5_sameCoverPendingForThePreviousTrack_isRequestedAgain() {
    let bench = Bench(
      tracks: [song("a", artwork: Self.slow("album")), song("b", artwork: Self.slow("album"))])
    let viewer = Viewer(bench)
    bench.source.go(to: 1)
    bench.center.artworkArrived(2, Self.picture("album"), at: bench.clock.now)
    #expect(viewer.reference == "album")
    #expect(viewer.display.updates == 1)
  }

  private func counts(_ bench: Bench) -> ArtworkRequests.Counts {
    bench.center.inspection(at: bench.clock.now).artwork
  }
}

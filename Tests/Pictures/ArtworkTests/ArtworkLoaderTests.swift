import Glibc
import TestKit
import Testing
import Threads

@testable import Artwork

/// Tests which request for a cover gets which answer. The tests call the steps of the worker's loop themselves.
@Suite struct ArtworkExchangeTests {
  private let exchange = ArtworkExchange()

  private func request(_ number: Int) -> CoverRequest {
    CoverRequest(contentID: "\(number)", path: "/\(number).flac")
  }

  private func answer(_ request: CoverRequest) -> CoverAnswer {
    CoverAnswer(request: request, cover: nil, notices: [])
  }

  /// Does one step of the worker. `during` runs while the worker searches.
  @discardableResult
  private func step(_ during: () -> Void = {}) -> ArtworkLoop.Step {
    withoutActuallyEscaping(during) { during in
      ArtworkLoop(exchange: exchange) { request, shouldContinue in
        during()
        return shouldContinue() ? answer(request) : nil
      }.step()
    }
  }

  /// Does one step of a worker that does not check whether its search is cancelled.
  private func stepWithoutCancellation(_ during: () -> Void) {
    withoutActuallyEscaping(during) { during in
      _ = ArtworkLoop(exchange: exchange) { request, _ in
        during()
        return answer(request)
      }.step()
    }
  }

  private var isSignalled: Bool {
    var entry = pollfd(fd: exchange.controlWake.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
  }

  @Test func A1_oneRequest_hasOneAnswerAndOneWakeUp() {
    #expect(step() == .waits)
    exchange.setCurrent(request(1))
    #expect(!isSignalled && exchange.takeAnswer() == nil)
    #expect(step() == .worked)
    #expect(isSignalled)
    #expect(exchange.takeAnswer() == answer(request(1)))
    #expect(!isSignalled && exchange.takeAnswer() == nil)
    #expect(step() == .waits)
  }

  @Test func A1_repeatedRequest_hasOneAnswer() {
    exchange.setCurrent(request(1))
    exchange.setCurrent(request(1))
    step { exchange.setCurrent(request(1)) }
    exchange.setCurrent(request(1))
    #expect(step() == .waits)
    #expect(exchange.takeAnswer() == answer(request(1)))
    #expect(exchange.takeAnswer() == nil)
    // The answer was taken, so the same request counts as a new request.
    exchange.setCurrent(request(1))
    step()
    #expect(exchange.takeAnswer() == answer(request(1)))
  }

  @Test func A2_lateAnswer_isDropped() {
    // Request 1 is replaced while it waits, request 2 while the worker searches, and request 3 while its answer is not
    // taken yet.
    exchange.setCurrent(request(1))
    exchange.setCurrent(request(2))
    stepWithoutCancellation { exchange.setCurrent(request(3)) }
    #expect(!isSignalled && exchange.takeAnswer() == nil)
    step()
    #expect(isSignalled)
    exchange.setCurrent(request(4))
    #expect(exchange.takeAnswer() == nil)
    step()
    #expect(exchange.takeAnswer() == answer(request(4)))
  }

  @Test func A2_returnToTheFirstTrack_deliversTheSecondAnswer() {
    exchange.setCurrent(request(1))
    stepWithoutCancellation {
      exchange.setCurrent(request(2))
      exchange.setCurrent(request(1))
    }
    #expect(exchange.takeAnswer() == nil)
    step()
    #expect(exchange.takeAnswer() == answer(request(1)))
  }

  @Test func A2_cancelledRequest_isNotAnswered() {
    exchange.setCurrent(request(1))
    stepWithoutCancellation { exchange.setCurrent(nil) }
    #expect(exchange.takeAnswer() == nil)
    exchange.setCurrent(request(2))
    exchange.setCurrent(nil)
    #expect(step() == .waits)
  }

  @Test func A5_tenTrackChanges_haveTenAnswers() {
    for number in 0..<10 {
      exchange.setCurrent(request(number))
      step()
      #expect(exchange.takeAnswer() == answer(request(number)))
      #expect(exchange.takeAnswer() == nil)
    }
  }

  // MARK: The upcoming track

  @Test func A5_preparedCover_isAvailableAtTheTrackChange() {
    exchange.setCurrent(request(1))
    exchange.setUpcoming(request(2))
    step()
    #expect(exchange.takeAnswer() == answer(request(1)))
    #expect(exchange.prepared(request(2)) == nil)
    step()
    #expect(!isSignalled && exchange.takeAnswer() == nil)
    #expect(exchange.prepared(request(2)) == answer(request(2)))
    #expect(exchange.prepared(request(1)) == nil)
    exchange.setCurrent(request(2))
    #expect(isSignalled)
    #expect(exchange.takeAnswer() == answer(request(2)))
    #expect(step() == .waits)
  }

  @Test func prepare_whileTheCurrentCoverIsLoading_waits() {
    exchange.setUpcoming(request(2))
    // The search for the upcoming track is cancelled when the current track needs a cover. It starts again after the
    // search for the current track.
    step { exchange.setCurrent(request(1)) }
    #expect(exchange.prepared(request(2)) == nil)
    step()
    #expect(exchange.takeAnswer() == answer(request(1)))
    step()
    #expect(exchange.prepared(request(2)) == answer(request(2)))
    #expect(step() == .waits)
  }

  @Test func prepare_trackBecomesCurrentMeanwhile_isSearchedOnce() {
    exchange.setUpcoming(request(2))
    step { exchange.setCurrent(request(2)) }
    #expect(isSignalled)
    #expect(exchange.takeAnswer() == answer(request(2)))
    #expect(step() == .waits)
  }

  @Test func A2_preparedForAnotherTrack_isDropped() {
    exchange.setUpcoming(request(2))
    stepWithoutCancellation { exchange.setUpcoming(request(3)) }
    #expect(exchange.prepared(request(2)) == nil && exchange.prepared(request(3)) == nil)
    step()
    #expect(exchange.prepared(request(3)) == answer(request(3)))
    exchange.setUpcoming(nil)
    #expect(exchange.prepared(request(3)) == nil)
    #expect(step() == .waits)
  }

  /// In any order of events, an answer belongs to the last request. Each answer is given only once, and never without a
  /// request.
  @Test(arguments: [1, 2, 3, 4])
  func A2_anyOrder_keepsTheRules(seed: UInt64) {
    var random = SeededRandom(seed)
    var wanted: CoverRequest?
    var asked = 0
    var answered = 0
    for _ in 0..<5000 {
      func control() {
        let number = Int.random(in: 0..<4, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
          if wanted != request(number) { asked += 1 }
          wanted = request(number)
          exchange.setCurrent(wanted)
        case 2: exchange.setUpcoming(number == 0 ? nil : request(number))
        case 3:
          exchange.setCurrent(nil)
          wanted = nil
        default:
          guard let answer = exchange.takeAnswer() else { return }
          #expect(answer.request == wanted, "seed \(seed)")
          answered += 1
          wanted = nil
        }
      }
      control()
      if Bool.random(using: &random) { stepWithoutCancellation { control() } }
    }
    while step() == .worked {}
    if let wanted { #expect(exchange.takeAnswer()?.request == wanted, "seed \(seed)") }
    #expect(exchange.takeAnswer() == nil && answered <= asked && answered > 100)
  }
}

/// Tests the rules of ``ArtworkExchangeTests`` with the real worker thread and with files.
@Suite struct ArtworkLoaderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for number in 0..<10 {
      try folder.write(
        "\(number).flac",
        GeneratedPictures.flac([.init(bytes: GeneratedPictures.jpeg(mark: number))]))
    }
  }

  private func request(_ number: Int) -> CoverRequest {
    CoverRequest(contentID: "\(number)", path: folder.path("\(number).flac"))
  }

  /// Waits for an answer as the control loop does.
  private func wait(_ loader: ArtworkLoader) -> CoverAnswer? {
    while true {
      if let answer = loader.takeAnswer() { return answer }
      var entry = pollfd(fd: loader.wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 10_000) == 1 else { return nil }
    }
  }

  @Test func A1_load_hasOneAnswer() throws {
    let loader = ArtworkLoader(cache: ArtworkCache(folder: folder.path("cache")))
    loader.load(request(3))
    let answer = try #require(wait(loader))
    #expect(answer.request == request(3))
    #expect(answer.cover?.key == PictureKey(of: GeneratedPictures.jpeg(mark: 3)))
    #expect(loader.takeAnswer() == nil)
    loader.shutDown()
    loader.shutDown()
  }

  @Test func A5_tenQuickTrackChanges_haveOneAnswerForTheLast() throws {
    let loader = ArtworkLoader(cache: ArtworkCache(folder: folder.path("cache")))
    for _ in 0..<50 {
      for number in 0..<10 { loader.load(request(number)) }
      let answer = try #require(wait(loader))
      #expect(
        answer.request == request(9)
          && answer.cover?.key == PictureKey(of: GeneratedPictures.jpeg(mark: 9)))
      #expect(loader.takeAnswer() == nil)
    }
  }

  @Test func A5_tenTrackChanges_haveTenCovers_preparedOrNot() throws {
    let loader = ArtworkLoader(cache: ArtworkCache(folder: folder.path("cache")))
    for number in 0..<10 {
      loader.load(request(number))
      loader.prepare(number.isMultiple(of: 2) ? request((number + 1) % 10) : nil)
      let answer = try #require(wait(loader))
      #expect(answer.request == request(number))
      #expect(answer.cover?.key == PictureKey(of: GeneratedPictures.jpeg(mark: number)))
    }
    #expect(folder.names("cache").count == 10)
  }

  @Test func twoLoaders_shareOneCache() throws {
    let cache = ArtworkCache(folder: folder.path("cache"))
    let loaders = [ArtworkLoader(cache: cache), ArtworkLoader(cache: cache)]
    for round in 0..<20 {
      for (index, loader) in loaders.enumerated() { loader.load(request((round + index) % 10)) }
      for (index, loader) in loaders.enumerated() {
        let answer = try #require(wait(loader))
        #expect(
          answer.cover?.key == PictureKey(of: GeneratedPictures.jpeg(mark: (round + index) % 10)))
        #expect(answer.cover?.path != nil && answer.notices.isEmpty)
      }
    }
  }

  @Test func shutDown_withPendingWork_ends() {
    for _ in 0..<50 {
      let loader = ArtworkLoader(cache: ArtworkCache(folder: nil))
      for number in 0..<3 { loader.load(request(number)) }
      loader.prepare(request(5))
    }
  }
}

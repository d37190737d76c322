import Foundation
import PictureExchange
import PictureProgram
import ScreenPainter
import TestKit
import Testing
import Threads

@testable import Screen

@Suite struct PictureLoaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func answers(_ loader: PictureLoader, _ count: Int) -> [PictureLoader.Answer] {
    var answers: [PictureLoader.Answer] = []
    while answers.count < count {
      loader.wakeUp.wait()
      answers += loader.takeAnswers()
    }
    return answers
  }

  /// Writes a program that replaces the decoder. Returns its path.
  private func script(_ text: String) throws -> String {
    try folder.writeScript("decoder", text)
  }

  private func failure(_ process: PictureProcess) -> PictureFailure? {
    do throws(PictureFailure) {
      _ = try process.decode(GeneratedPNG.halves(8, 8).bytes, .init(.cover, side: 8)) {
        CoverImage(width: $0, height: $1, pixels: $2)
      }
      return nil
    } catch {
      return error
    }
  }

  /// A newer request replaces an older request. The older request is answered too. So the screen can request the older
  /// cover again when the user returns to the older track.
  @Test func everyRequest_isAnsweredOnce_includingReplacedOnes() throws {
    let loader = PictureLoader(PictureProcess())
    let count = 200
    for number in 0..<count {
      loader.request(PictureLoader.Cover(id: "\(number)", path: "/nowhere/\(number)", side: 10))
    }
    var answered: [String: Bool] = [:]
    for answer in answers(loader, count) {
      guard case .cover(let cover, let outcome) = answer else { continue }
      #expect(answered[cover.id] == nil)
      switch outcome {
      case .image: Issue.record("the file does not exist")
      case .none(let reason):
        #expect(reason.contains("/nowhere/"))
        answered[cover.id] = true
      case .replaced: answered[cover.id] = false
      }
    }
    #expect(answered.count == count && answered["\(count - 1)"] == true)
    loader.shutDown()
  }

  @Test func coverButtonAndThumbnail_areDecodedByTheRealProgram() throws {
    try folder.write("cover.png", GeneratedPNG.halves(300, 300).bytes)
    let loader = PictureLoader(PictureProcess())
    loader.request(
      PictureLoader.Button(name: "bell", png: GeneratedPNG.halves(48, 48).bytes))
    loader.request(PictureLoader.Button(name: "bad", png: [1, 2, 3]))
    loader.request(
      PictureLoader.Thumbnail(id: "t", jpeg: GeneratedPNG.halves(300, 300).bytes))
    loader.request(PictureLoader.Cover(id: "a", path: folder.path("cover.png"), side: 100))
    for answer in answers(loader, 4) {
      switch answer {
      case .thumbnail(let thumbnail, let result):
        #expect(thumbnail.id == "t")
        #expect(try result.get().width == 160)
      case .cover(_, .image(let image)): #expect(image.width == 100 && image.height == 100)
      case .cover(_, let other): Issue.record("\(other)")
      case .button(let button, .success): #expect(button.name == "bell")
      case .button(let button, .failure(let failure)):
        #expect(button.name == "bad" && failure == .unknownFormat)
      }
    }
  }

  @Test func picture_thatIsNoRegularFile_isUnreadable() throws {
    mkfifo(folder.path("fifo"), 0o600)
    let loader = PictureLoader(PictureProcess())
    for path in [folder.path("fifo"), folder.path("")] {
      loader.request(PictureLoader.Cover(id: path, path: path, side: 10))
      guard case .cover(_, .none(let reason))? = answers(loader, 1).first else {
        Issue.record("\(path) is not a picture")
        continue
      }
      #expect(reason.contains("\(PictureFailure.unreadable)"))
    }
  }

  @Test func failureOfTheDecoder_isReported() throws {
    #expect(failure(PictureProcess()) == nil)
    #expect(failure(PictureProcess(path: try script("exit 5"))) == .damaged)
    #expect(failure(PictureProcess(path: try script("exit 99"))) == .ended(status: 99))
    #expect(failure(PictureProcess(path: try script("kill -SEGV $$"))) == .crashed(signal: SIGSEGV))
    #expect(failure(PictureProcess(path: try script("kill -XCPU $$"))) == .tookTooLong)
    // The decoder has not sealed the memory file with its result, so it could still change it. The result is refused.
    #expect(failure(PictureProcess(path: try script("cat >&1"))) == .damaged)
    guard case .notStarted? = failure(PictureProcess(path: "/nowhere/decoder")) else {
      Issue.record("the program does not exist")
      return
    }
  }

  /// A decoder that hangs is killed after the time limit. It makes no difference whether the decoder keeps its standard
  /// error open.
  @Test func decoderThatHangs_isKilled() throws {
    let limit = Duration.milliseconds(300)
    for text in ["exec sleep 1000", "exec sleep 1000 2>&-"] {
      let found = failure(PictureProcess(path: try script(text), timeout: limit))
      #expect(found == .tookTooLong || found == .crashed(signal: SIGKILL))
    }
  }
}

import Foundation
import Settings
import TestKit
import Testing

@Suite struct AppFileTests {
  private func file(_ text: String, name: String = "web-radio2.app") -> Result<
    AppFile, AppFileError
  > {
    do throws(AppFileError) {
      return .success(try AppFile(name: name, bytes: Array(text.utf8)))
    } catch {
      return .failure(error)
    }
  }

  @Test func file_hasItsValues_andRightsAreOffByDefault() throws {
    let few = try file("user = radio\nname = Internet radio\n").get()
    #expect(few.id == "web-radio2" && few.user == "radio" && few.name == "Internet radio")
    #expect(!few.prompts && !few.person && few.picture == nil)
    let all = try file(
      """
      # The radio.
      user=radio
      name = Radio
      prompts = yes
      person = yes
      picture = /usr/share/radio.png
      """
    ).get()
    #expect(all.prompts && all.person && all.picture == "/usr/share/radio.png")
  }

  @Test(arguments: [
    ("", AppFileError.missingKey("user")), ("user = a", .missingKey("name")),
    ("user = a\nname = b\nuser = c", .repeatedKey(line: 3)),
    ("user = a\nname = b\nprompt = yes", .wrongLine(3, .unknownKey(nearest: nil))),
    ("user = a\nname = b\nprompts = true", .wrongLine(3, .invalidValue)),
    ("user = a\nname = b\npicture = radio.png", .wrongLine(3, .invalidValue)),
    ("user = root\nname = b", .wrongLine(1, .invalidValue)),
    ("user =\nname = b", .wrongLine(1, .invalidValue)),
    ("user = a\nname", .wrongLine(2, .noEqualsSign)),
    ("user = a\nname = \u{0}", .wrongLine(2, .zeroByte)),
  ])
  func wrongFile_isIgnoredAsAWhole(_ text: String, _ error: AppFileError) {
    #expect(file(text) == .failure(error))
  }

  @Test(arguments: [
    ".app", "Radio.app", "1radio.app", "ra dio.app", "radio", "ra.dio.app",
    String(repeating: "a", count: 33) + ".app",
  ])
  func nameThatIsNoIdentity_isRefused(_ name: String) {
    #expect(file("user = a\nname = b", name: name) == .failure(.invalidFileName))
  }

  @Test func anyBytes_stopNothing() {
    var random = SeededRandom(63)
    let words = ["user", "name", "prompts", "=", "\n", " ", "yes", "#", "a"].map { Array($0.utf8) }
    for _ in 0..<2000 {
      var bytes: [UInt8] = []
      for _ in 0..<random.below(30) {
        bytes += random.chance(80) ? words[random.below(words.count)] : [UInt8(random.below(256))]
      }
      _ = try? AppFile(name: "a.app", bytes: bytes)
    }
  }

  @Test func folder_isReadInOrder_andOtherFilesAreIgnored() throws {
    let folder = try TemporaryFolder()
    for (name, text) in [
      ("b.app", "user = b\nname = B"), ("a.app", "user = a\nname = A"), ("README", "text"),
      ("c.app", "user = c"),
      ("d.app", "# " + String(repeating: "x", count: AppFiles.maximumBytes)),
    ] { try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8) }
    let files = AppFiles(folder: folder.url.path)
    #expect(files.apps.map(\.id) == ["a", "b"])
    #expect(
      files.failures == [
        .init(path: folder.path("c.app"), error: .missingKey("name")),
        .init(path: folder.path("d.app"), error: .unreadable),
      ])
    #expect(AppFiles(folder: folder.path("missing")) == AppFiles(folder: folder.path("other")))
  }
}

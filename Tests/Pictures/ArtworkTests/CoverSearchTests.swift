import Foundation
import TestKit
import Testing

@testable import Artwork

/// Tests where covers are searched, in which order, and what prevents their use.
@Suite struct CoverSearchTests {
  private let folder: TemporaryFolder
  private let cache: ArtworkCache

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("music")
    cache = ArtworkCache(folder: folder.path("cache"))
  }

  private func search(
    _ file: String = "music/a.flac", cache other: ArtworkCache? = nil,
    _ change: (inout CoverLimits) -> Void = { _ in }
  ) throws -> CoverAnswer {
    var limits = CoverLimits()
    change(&limits)
    let request = CoverRequest(contentID: file, path: folder.path(file))
    let answer = try #require(
      CoverSearch.answer(request, cache: other ?? cache, limits: limits, shouldContinue: { true }))
    #expect(answer.request == request)
    if let cover = answer.cover, let path = cover.path {
      let stored = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      #expect(PictureKey(of: stored) == cover.key)
    }
    return answer
  }

  private func music(_ pictures: [GeneratedPictures.Embedded], in file: String = "music/a.flac")
    throws
  {
    try folder.write(file, GeneratedPictures.flac(pictures))
  }

  /// The file, the subject and the kind of reason of each notice.
  private func notices(_ answer: CoverAnswer) -> [String] {
    answer.notices.map { notice in
      let file = notice.file.replacingOccurrences(of: folder.url.path + "/", with: "")
      let subject =
        switch notice.subject {
        case .musicFile, .folderImage: ""
        case .embedded(let index, let type): " \(index) \(type)"
        case .folder: " folder"
        case .cache: " cache"
        }
      let reason =
        switch notice.reason {
        case .refused(let fault): kind(fault)
        case .mislabelled(let declared, let actual):
          "mislabelled \(declared) \(actual == .png ? "png" : "jpeg")"
        case .tooMany(let limit): "tooMany \(limit)"
        case .address: "address"
        }
      return "\(file)\(subject): \(reason)"
    }
  }

  private func kind(_ fault: CoverFault) -> String {
    switch fault {
    case .unreadable: "unreadable"
    case .empty: "empty"
    case .tooManyBytes(let count): "tooManyBytes \(count)"
    case .otherKind(let kind): "otherKind \(kind)"
    case .unknownKind: "unknownKind"
    case .truncated: "truncated"
    case .damaged: "damaged"
    case .unsupported: "unsupported"
    case .tooLarge(let width, let height): "tooLarge \(width) \(height)"
    }
  }

  // MARK: The order

  @Test func A1_embeddedCover_hasPriorityOverTheFolder() throws {
    try folder.write("music/cover.jpg", GeneratedPictures.jpeg(mark: 1))
    try music([.init(mime: "image/png", bytes: GeneratedPictures.png(640, 480))])
    let answer = try search()
    let cover = try #require(answer.cover)
    #expect(cover.origin == .embedded(type: 3))
    #expect(cover.kind == .png && cover.width == 640 && cover.height == 480)
    #expect(cover.key == PictureKey(of: GeneratedPictures.png(640, 480)))
    #expect(cover.path == folder.path("cache/\(cover.key.hex).png"))
    #expect(answer.notices.isEmpty)
  }

  @Test func A1_folder_isUsedWithoutEmbeddedCover() throws {
    try folder.write("music/Folder.JPG", GeneratedPictures.jpeg(mark: 1))
    try folder.write("music/album.png", GeneratedPictures.png())
    try music([])
    let cover = try #require(try search().cover)
    #expect(
      cover.origin == .folder(name: "Folder.JPG")
        && cover.key == PictureKey(of: GeneratedPictures.jpeg(mark: 1)))
    #expect(cover.path == folder.path("cache/\(cover.key.hex).jpg"))
  }

  @Test func A1_cachedCover_isUsedWithoutReadingTheFolder() throws {
    try music([])
    let image = GeneratedPictures.jpeg(mark: 1)
    try folder.write("music/cover.jpg", image)
    try folder.age("music/cover.jpg", seconds: 1_000_000)
    #expect(try search().cover?.key == PictureKey(of: image))
    // The file gets other bytes, but keeps its size and time. The search does not read such a file again, so the cover
    // stays.
    try folder.write("music/cover.jpg", [UInt8](repeating: 0, count: image.count))
    try folder.age("music/cover.jpg", seconds: 1_000_000)
    #expect(try search().cover?.key == PictureKey(of: image))
    // If the file has a newer time, it is read again, and the old cover is dropped.
    try folder.age("music/cover.jpg", seconds: 1_000_002)
    #expect(try search().cover == nil)
    try folder.write("music/cover.jpg", GeneratedPictures.jpeg(mark: 2))
    #expect(try search().cover?.key == PictureKey(of: GeneratedPictures.jpeg(mark: 2)))
    // Without the file there is no cover.
    try folder.remove("music/cover.jpg")
    #expect(try search().cover == nil)
  }

  @Test func A3_noPicture_isNoCoverWithoutNotice() throws {
    try music([])
    let answer = try search()
    #expect(answer.cover == nil && answer.notices.isEmpty)
  }

  @Test func A4_original_keepsItsSize() throws {
    try music([.init(bytes: GeneratedPictures.jpeg(3000, 3000))])
    let cover = try #require(try search().cover)
    #expect(cover.width == 3000 && cover.key == PictureKey(of: GeneratedPictures.jpeg(3000, 3000)))
    #expect(try folder.read("cache/\(cover.key.hex).jpg") == GeneratedPictures.jpeg(3000, 3000))
  }

  @Test func embedded_severalPictures_areTriedFrontCoverFirstAndIconsLast() throws {
    func first(_ types: [Int]) throws -> Int? {
      try music(types.map { .init(type: $0, bytes: GeneratedPictures.jpeg(mark: $0)) })
      guard case .embedded(let type) = try search().cover?.origin else { return nil }
      return Int(type)
    }
    #expect(try first([1, 4, 0, 3]) == 3)
    #expect(try first([2, 1, 4, 0]) == 4)
    #expect(try first([0, 4]) == 0)
    #expect(try first([2, 1]) == 2)
    #expect(try first([77]) == 77)
  }

  @Test func search_samePictureInTwoFiles_isStoredOnce() throws {
    try music([.init(bytes: GeneratedPictures.jpeg(mark: 1))], in: "music/a.flac")
    try music([.init(type: 4, bytes: GeneratedPictures.jpeg(mark: 1))], in: "music/b.flac")
    try music([.init(bytes: GeneratedPictures.jpeg(mark: 2))], in: "music/c.flac")
    let paths = try ["a", "b", "c"].map { try search("music/\($0).flac").cover?.path }
    #expect(paths[0] == paths[1] && paths[1] != paths[2] && paths[2] != nil)
    #expect(folder.names("cache").count == 2)
  }

  // MARK: Refusals

  @Test func search_refusedPicture_isReportedAndTheNextIsTried() throws {
    try music([
      .init(mime: "image/gif", bytes: Array("GIF89a".utf8)),
      .init(type: 4, mime: "-->", bytes: Array("http://example.org/a.jpg".utf8)),
      .init(type: 6, bytes: GeneratedPictures.jpeg(9000, 9000)),
      .init(type: 0, bytes: []),
    ])
    try folder.write("music/cover.jpg", Array(GeneratedPictures.jpeg().prefix(10)))
    try folder.write("music/front.png", GeneratedPictures.png(70_000, 70_000))
    try folder.write("music/folder.png", Array("RIFF0000WEBPVP8 ".utf8))
    try folder.write("music/album.jpg", GeneratedPictures.jpeg(mark: 1))
    let answer = try search()
    #expect(answer.cover?.origin == .folder(name: "album.jpg"))
    #expect(
      notices(answer) == [
        "music/a.flac 0 front cover: otherKind a GIF", "music/a.flac 1 back cover: address",
        "music/a.flac 2 media: tooLarge 9000 9000", "music/a.flac 3 other: empty",
        "music/cover.jpg: truncated", "music/folder.png: otherKind a WebP",
        "music/front.png: tooLarge 70000 70000",
      ])
  }

  @Test func search_mislabelledPicture_isReportedAndShown() throws {
    try music([.init(mime: "image/jpeg", bytes: GeneratedPictures.png())])
    #expect(try search().cover?.kind == .png)
    #expect(
      notices(try search()) == ["music/a.flac 0 front cover: mislabelled image/jpeg png"])
    try music([.init(mime: "image/", bytes: GeneratedPictures.png())])
    #expect(try search().notices.isEmpty)
    try music([])
    try folder.write("music/cover.png", GeneratedPictures.jpeg())
    for _ in 0..<2 {
      let answer = try search()
      #expect(answer.cover?.path?.hasSuffix(".jpg") == true)
      #expect(notices(answer) == ["music/cover.png: mislabelled cover.png jpeg"])
    }
  }

  @Test func search_pictureAboveTheLimit_isNotRead() throws {
    let large = GeneratedPictures.jpeg() + [UInt8](repeating: 0, count: 5000)
    try music([.init(bytes: large)])
    try folder.write("music/cover.jpg", large)
    try folder.write("music/folder.jpg", GeneratedPictures.jpeg())
    let answer = try search { $0.bytes = 1000 }
    #expect(answer.cover?.key == PictureKey(of: GeneratedPictures.jpeg()))
    #expect(
      notices(answer) == [
        "music/a.flac 0 front cover: tooManyBytes \(large.count)",
        "music/cover.jpg: tooManyBytes \(large.count)",
      ])
  }

  @Test func search_otherFileTypes_areSkipped() throws {
    try music([])
    try folder.makeFolder("music/cover.jpg")
    #expect(mkfifo(folder.path("music/cover.jpeg"), 0o600) == 0)
    #expect(symlink("/dev/zero", folder.path("music/cover.png")) == 0)
    #expect(symlink("nowhere", folder.path("music/folder.jpg")) == 0)
    #expect(symlink("folder.png", folder.path("music/folder.png")) == 0)
    // The target is a regular file with the size 0. But reading a file of /proc can return bytes, or can block.
    #expect(symlink("/proc/self/status", folder.path("music/front.jpg")) == 0)
    try folder.write("music/huge", [])
    #expect(truncate(folder.path("music/huge"), 1 << 40) == 0)
    #expect(symlink("huge", folder.path("music/front.png")) == 0)
    try folder.write("music/real", GeneratedPictures.jpeg())
    #expect(symlink("real", folder.path("music/album.jpg")) == 0)
    let answer = try search()
    #expect(answer.cover?.key == PictureKey(of: GeneratedPictures.jpeg()))
    #expect(
      notices(answer) == [
        "music/cover.jpg: unreadable", "music/cover.jpeg: unreadable",
        "music/cover.png: unreadable", "music/folder.jpg: unreadable",
        "music/folder.png: unreadable", "music/front.jpg: empty",
        "music/front.png: tooManyBytes \(1 << 40)",
      ])
  }

  @Test func search_unreadableMusicFile_usesTheFolder() throws {
    try folder.write("music/cover.jpg", GeneratedPictures.jpeg())
    try folder.write("music/a.flac", Array("no music".utf8))
    #expect(try search().cover?.key == PictureKey(of: GeneratedPictures.jpeg()))
    #expect(notices(try search()) == ["music/a.flac: unreadable"])
    #expect(try search("music/none.flac").cover?.key == PictureKey(of: GeneratedPictures.jpeg()))
    let nowhere = try search("none/a.flac")
    #expect(nowhere.cover == nil)
    #expect(
      notices(nowhere) == ["none/a.flac: unreadable", "none/a.flac folder: unreadable"])
  }

  @Test func search_wrongEmbeddedLength_isHandled() throws {
    for claimed in [0, 1, 20, 10_000, 0xFF_FFFF, 0xFFFF_FFFF] {
      try music([.init(bytes: GeneratedPictures.jpeg(), claimed: claimed)])
      #expect(try search().cover == nil, "\(claimed)")
    }
  }

  @Test func search_musicFileTruncatedAnywhere_findsTheCoverOrNone() throws {
    let whole = GeneratedPictures.flac([.init(bytes: GeneratedPictures.jpeg())])
    for length in 0..<whole.count {
      try folder.write("music/a.flac", Array(whole[..<length]))
      let cover = try search().cover
      #expect(
        cover == nil || cover?.key == PictureKey(of: GeneratedPictures.jpeg()), "\(length) bytes")
    }
  }

  @Test func search_manyCandidates_stopsAtTheLimit() throws {
    try music((0..<20).map { _ in .init(bytes: [0]) } + [.init(bytes: GeneratedPictures.jpeg())])
    for name in FolderImages.names.flatMap({ ["\($0).jpg", "\($0).jpeg", "\($0).png"] }) {
      try folder.write("music/\(name)", [0])
    }
    let answer = try search { $0.candidates = 3 }
    #expect(answer.cover == nil)
    #expect(answer.notices.count == 3 + 1 + 3)
    #expect(answer.notices[3].reason == .tooMany(limit: 3))
  }

  @Test func search_folderWithManyFiles_stopsAtTheLimit() throws {
    try music([])
    for number in 0..<50 { try folder.write("music/\(number)", []) }
    try folder.write("music/cover.jpg", GeneratedPictures.jpeg())
    #expect(try search { $0.folderEntries = 54 }.cover != nil)
    let answer = try search { $0.folderEntries = 20 }
    #expect(notices(answer) == ["music/a.flac folder: tooMany 20"])
  }

  @Test func search_nameInLatin1_isFound() throws {
    try folder.makeFolder("in")
    try folder.write("in/a.flac", GeneratedPictures.flac())
    try folder.write("in/cover.jpg", GeneratedPictures.jpeg())
    try Tools.run("sh", ["-c", "mv in \"$(printf 'M\\374ller')\""], in: folder.url)
    #expect(
      try search("M\u{10FFFC}ller/a.flac").cover?.key == PictureKey(of: GeneratedPictures.jpeg()))
  }

  @Test(.enabled(if: MemoryFileSystem.obstacle == nil))
  func search_onAMedium_doesNotLeaveIt() throws {
    let medium = try MemoryFileSystem(at: folder.path("stick"))
    defer { medium.end() }
    try folder.write("stick/a.flac", GeneratedPictures.flac())
    try folder.write("outside.jpg", GeneratedPictures.jpeg())
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("stick/cover.jpg"), withDestinationPath: "../outside.jpg")
    func cover(_ medium: String?) -> Cover? {
      CoverSearch.answer(
        CoverRequest(contentID: "", path: folder.path("stick/a.flac"), medium: medium),
        cache: cache, limits: CoverLimits(), shouldContinue: { true })?.cover
    }
    #expect(cover(nil) != nil)
    #expect(cover(folder.path("stick")) == nil)
    try folder.write("stick/folder.jpg", GeneratedPictures.jpeg())
    #expect(cover(folder.path("stick"))?.origin == .folder(name: "folder.jpg"))
  }

  @Test func search_relativePath_usesItsFolder() throws {
    let answer = try #require(
      CoverSearch.answer(
        CoverRequest(contentID: "", path: "no such file"), cache: cache, limits: CoverLimits(),
        shouldContinue: { true }))
    #expect(answer.cover == nil && answer.notices.count == 1)
  }

  @Test func search_imageRefusedByItsHeader_readsOnlyTheFirstChunk() throws {
    try music([])
    let tail = [UInt8](repeating: 0xFF, count: 2 << 20)
    func reads(_ image: [UInt8]) throws -> (cover: Cover?, count: Int) {
      try folder.write("music/cover.jpg", image)
      var count = 0
      let answer = CoverSearch.answer(
        CoverRequest(contentID: "", path: folder.path("music/a.flac")),
        cache: ArtworkCache(folder: nil), limits: CoverLimits()
      ) {
        count += 1
        return true
      }
      return (answer?.cover, count)
    }
    let none = try reads([])
    for image in [
      GeneratedPictures.jpeg(9000, 9000), GeneratedPictures.png(9000, 9000), Array("GIF89a".utf8),
    ] {
      let found = try reads(image + tail)
      #expect(found.cover == nil && found.count == none.count + 1)
    }
    let good = try reads(GeneratedPictures.jpeg() + tail)
    #expect(good.cover != nil && good.count >= none.count + 8)
  }

  @Test func search_imageWithALateSizeHeader_isFound() throws {
    try music([])
    let profile = (0..<10).flatMap { _ in
      GeneratedPictures.segment(0xE2, [UInt8](repeating: 7, count: 60_000))
    }
    let image = [0xFF, 0xD8] + profile + GeneratedPictures.jpeg().dropFirst(2)
    try folder.write("music/cover.jpg", image)
    #expect(try search().cover?.key == PictureKey(of: image))
  }

  // MARK: Removable media

  /// True if a file of the test's folder is open in this process.
  private func isOpen(_ name: String) -> Bool {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.contains { descriptor in
      let link = "/proc/self/fd/\(descriptor)"
      return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == folder.path(name)
    }
  }

  @Test func search_fileTruncatedDuringRead_failsOnlyForThatSearch() throws {
    let large = GeneratedPictures.jpeg() + [UInt8](repeating: 1, count: 1 << 20)
    try music([])
    try folder.write("music/cover.jpg", large)
    try music([.init(bytes: GeneratedPictures.png())], in: "other.flac")
    let answer = CoverSearch.answer(
      CoverRequest(contentID: "", path: folder.path("music/a.flac")), cache: cache,
      limits: CoverLimits()
    ) {
      // While the picture is open, the search has not read all of it. Truncate the picture at that time.
      if isOpen("music/cover.jpg") { _ = truncate(folder.path("music/cover.jpg"), 300_000) }
      return true
    }
    #expect(answer?.cover == nil)
    #expect(
      answer.map(notices) == ["music/cover.jpg: unreadable"])
    #expect(try search("other.flac").cover?.key == PictureKey(of: GeneratedPictures.png()))
    #expect(folder.names("cache").count == 1)
  }

  @Test func search_musicFileTruncatedDuringRead_returnsNoPartialPicture() throws {
    let image = GeneratedPictures.jpeg() + [UInt8](repeating: 1, count: 550_000)
    let key = PictureKey(of: image)
    var answers: [CoverAnswer] = []
    for limit in 0..<12 {
      try music([.init(bytes: image)])
      var reads = 0
      let answer = CoverSearch.answer(
        CoverRequest(contentID: "", path: folder.path("music/a.flac")), cache: cache,
        limits: CoverLimits()
      ) {
        reads += 1
        if reads > limit { _ = truncate(folder.path("music/a.flac"), 300_000) }
        return true
      }
      answers.append(try #require(answer))
      if let cover = answer?.cover {
        #expect(cover.key == key)
        // Remove the stored picture, so that the next search reads the picture twice too.
        try folder.remove("cache/\(cover.key.hex).jpg")
      }
      #expect(folder.names("cache").isEmpty)
    }
    #expect(
      answers.contains {
        notices($0) == ["music/a.flac 0 front cover: unreadable"]
      })
  }

  @Test func search_cancelled_endsAtTheNextRead() throws {
    try music(
      (0..<5).map { _ in
        .init(bytes: GeneratedPictures.jpeg() + [UInt8](repeating: 1, count: 1 << 20))
      })
    try folder.write(
      "music/cover.jpg", GeneratedPictures.jpeg() + [UInt8](repeating: 1, count: 1 << 20))
    func search(stoppingAfter limit: Int) -> (answer: CoverAnswer?, asked: Int) {
      var asked = 0
      let answer = CoverSearch.answer(
        CoverRequest(contentID: "", path: folder.path("music/a.flac")),
        cache: ArtworkCache(folder: nil), limits: CoverLimits()
      ) {
        asked += 1
        return asked <= limit
      }
      return (answer, asked)
    }
    let all = search(stoppingAfter: .max)
    #expect(all.answer?.cover != nil && all.asked < 100)
    for limit in 0..<all.asked {
      let (answer, asked) = search(stoppingAfter: limit)
      #expect(answer == nil)
      // After the cancellation, the search can call `shouldContinue` a few times more, but it reads nothing.
      #expect(asked <= limit + 5)
    }
  }

  @Test func search_withoutCacheFolder_coverHasNoPath() throws {
    try music([.init(bytes: GeneratedPictures.jpeg())])
    let answer = try search(cache: ArtworkCache(folder: folder.path("none/cache")))
    #expect(
      answer.cover?.key == PictureKey(of: GeneratedPictures.jpeg()) && answer.cover?.path == nil)
    #expect(notices(answer) == ["none/cache cache: unreadable"])
  }
}

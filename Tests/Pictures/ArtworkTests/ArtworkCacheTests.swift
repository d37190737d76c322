import AudioCodecs
import Files
import Foundation
import TestKit
import Testing

@testable import Artwork

/// Tests which covers the cache keeps within its limits, and which files of its folder it accepts.
@Suite struct ArtworkCacheTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func cache(_ change: (inout ArtworkCache.Limits) -> Void = { _ in }) -> ArtworkCache {
    var limits = ArtworkCache.Limits()
    change(&limits)
    return ArtworkCache(folder: folder.path("cache"), limits: limits)
  }

  /// The origin of a picture from an image file. A different `age` gives a different origin.
  private func origin(_ number: Int, age: Int = 0) -> PictureOrigin {
    var status = stat()
    status.st_size = 1000
    status.st_mtim.tv_sec = age
    return PictureOrigin(path: "/stick/\(number)/cover.jpg", stamp: FileStamp(status))
  }

  private func keep(
    _ bytes: [UInt8], in cache: ArtworkCache, from origin: PictureOrigin? = nil
  ) throws -> (stored: ArtworkCache.Stored, notices: [CoverNotice]) {
    var notices: [CoverNotice] = []
    let stream = PictureStream(MemoryByteSource(bytes), in: .ownFile)
    let header = try stream.header(limits: CoverLimits())
    return (try cache.keep(stream, header, from: origin, notices: &notices), notices)
  }

  private func isStored(_ bytes: [UInt8], _ stored: ArtworkCache.Stored?) throws -> Bool {
    guard let stored, let path = stored.path else { return false }
    let name = fileName(bytes)
    let file = try folder.read("cache/" + name)
    return path == folder.path("cache/" + name) && stored.key == PictureKey(of: bytes)
      && file == bytes
  }

  private func find(_ origin: PictureOrigin, in cache: ArtworkCache) -> ArtworkCache.Stored? {
    var notices: [CoverNotice] = []
    let stored = cache.picture(from: origin, limits: CoverLimits(), notices: &notices)
    #expect(notices.isEmpty)
    return stored
  }

  private func picture(_ number: Int, bytes count: Int = 400) -> [UInt8] {
    let picture = GeneratedPictures.jpeg(mark: number)
    return picture + [UInt8](repeating: 0, count: max(0, count - picture.count))
  }

  private func fileName(_ bytes: [UInt8]) -> String { PictureKey(of: bytes).hex + ".jpg" }

  private func onDisk() throws -> (files: Int, bytes: Int) {
    let names = folder.names("cache")
    let sizes = try names.map { name in
      var status = stat()
      try #require(lstat(folder.path("cache/" + name), &status) == 0)
      return Int(status.st_size)
    }
    return (names.count, sizes.reduce(0, +))
  }

  // MARK: Names

  @Test func init_otherText_isNil() {
    let hex = String(repeating: "0a", count: 32)
    for name in [hex + ".jpg", hex + ".png", hex + ".link"] {
      #expect(CacheName(name)?.text == name)
    }
    for name in ["cover.jpg", hex, hex + ".gif", hex + ".jpg.png", "." + hex, "../" + hex + ".jpg"]
    {
      #expect(CacheName(name) == nil, "\(name)")
    }
  }

  @Test func keep_eachPicture_isStoredOnceUnderItsKey() throws {
    let cache = cache()
    let path = try #require(try keep(picture(1), in: cache).stored.path)
    #expect(path == folder.path("cache/" + fileName(picture(1))))
    #expect(try folder.read("cache/" + fileName(picture(1))) == picture(1))
    var before = stat()
    #expect(stat(path, &before) == 0)
    #expect(try keep(picture(1), in: cache).stored.path == path)
    var after = stat()
    #expect(stat(path, &after) == 0)
    #expect(before.st_ino == after.st_ino)
    #expect(try keep(picture(2), in: cache).stored.path != path)
    #expect(folder.names("cache").count == 2)
    #expect(try keep(GeneratedPictures.png(), in: cache).stored.path?.hasSuffix(".png") == true)
  }

  @Test func picture_knownOrigin_isFoundAfterARestart() throws {
    do {
      let cache = cache()
      #expect(find(origin(1), in: cache) == nil)
      _ = try keep(picture(1), in: cache, from: origin(1))
      #expect(try isStored(picture(1), find(origin(1), in: cache)))
    }
    let cache = cache()
    let found = try #require(find(origin(1), in: cache))
    #expect(try isStored(picture(1), found))
    #expect(found.header.width == 600)
    #expect(find(origin(1, age: 1), in: cache) == nil)
    #expect(find(origin(2), in: cache) == nil)
  }

  // MARK: Bounds

  @Test func keep_aboveTheLimits_removesTheLeastRecentlyUsed() throws {
    let cache = cache { $0.bytes = 2000 }
    for number in 1...5 { _ = try keep(picture(number), in: cache) }
    #expect(try onDisk().files == 5)
    _ = try keep(picture(1), in: cache)
    _ = try keep(picture(6), in: cache)
    let names = Set(folder.names("cache"))
    #expect(names == Set([1, 3, 4, 5, 6].map { fileName(picture($0)) }))
  }

  @Test(arguments: [1, 2, 3])
  func keep_anyPictures_staysWithinTheLimits(seed: UInt64) throws {
    var random = SeededRandom(seed)
    for _ in 0..<4 {
      let bytes = Int.random(in: 500...6000, using: &random)
      let files = Int.random(in: 1...12, using: &random)
      let cache = cache {
        $0.bytes = bytes
        $0.files = files
      }
      for _ in 0..<40 {
        let number = Int.random(in: 0..<30, using: &random)
        let picture = picture(number, bytes: 100 + 70 * number)
        let isKnown = Bool.random(using: &random)
        let stored = try keep(picture, in: cache, from: isKnown ? origin(number) : nil).stored
        #expect((stored.path != nil) == (picture.count <= bytes), "seed \(seed)")
        if let path = stored.path { #expect(access(path, R_OK) == 0, "seed \(seed)") }
        let now = try onDisk()
        #expect(now.bytes <= bytes && now.files <= files, "seed \(seed)")
        if let found = find(origin(number), in: cache) {
          #expect(try isStored(picture, found), "seed \(seed)")
        }
      }
    }
  }

  @Test func open_withSmallerLimits_removesTheLeastRecentlyUsed() throws {
    do {
      let cache = cache()
      for number in 1...6 { _ = try keep(picture(number), in: cache) }
      _ = try keep(picture(2), in: cache)
    }
    let cache = cache { $0.files = 3 }
    _ = try keep(picture(6), in: cache)
    #expect(
      Set(folder.names("cache")) == Set([5, 6, 2].map { fileName(picture($0)) }))
  }

  @Test func order_clockMovesBack_isKept() throws {
    do {
      let cache = cache()
      for number in 1...3 { _ = try keep(picture(number), in: cache) }
    }
    // The files get times in 2100, as if the clock had been wrong in the last run.
    for number in 1...3 {
      try folder.age("cache/" + fileName(picture(number)), seconds: 4_102_444_800 + Double(number))
    }
    do {
      let cache = cache()
      _ = try keep(picture(1), in: cache)
      _ = try keep(picture(4), in: cache)
    }
    let cache = cache { $0.files = 3 }
    _ = try keep(picture(4), in: cache)
    #expect(
      Set(folder.names("cache")) == Set([3, 1, 4].map { fileName(picture($0)) }))
  }

  // MARK: Contents of the folder

  /// Keeps one picture, and returns the name of its file.
  private func keepOne() throws -> String {
    _ = try keep(picture(1, bytes: 150), in: cache(), from: origin(1))
    return "cache/" + fileName(picture(1, bytes: 150))
  }

  @Test func picture_truncatedFileOfAnyLength_isRejected() throws {
    let name = try keepOne()
    let whole = try folder.read(name)
    for length in 0..<whole.count {
      try folder.write(name, Array(whole[..<length]))
      #expect(find(origin(1), in: cache()) == nil, "\(length) bytes")
      #expect(!folder.names("cache").contains(fileName(whole)))
      let cache = cache()
      try folder.write(name, Array(whole[..<length]))
      #expect(try keep(whole, in: cache, from: origin(1)).stored.path != nil)
      #expect(try folder.read(name) == whole, "\(length) bytes")
    }
  }

  @Test func picture_otherBytesOfTheSameSize_areRejected() throws {
    let name = try keepOne()
    let whole = try folder.read(name)
    for index in whole.indices {
      var bytes = whole
      bytes[index] ^= 1
      try folder.write(name, bytes)
      #expect(find(origin(1), in: cache()) == nil)
      try folder.write(name, bytes)
      _ = try keep(whole, in: cache(), from: origin(1))
      #expect(try folder.read(name) == whole)
    }
  }

  @Test func picture_otherFileTypeUnderItsName_isRejected() throws {
    let bytes = picture(1, bytes: 150)
    let name = try keepOne()
    let path = folder.path(name)
    try folder.write("elsewhere.jpg", bytes)
    let makers: [() throws -> Void] = [
      { try #require(mkfifo(path, 0o600) == 0) },
      { try #require(symlink(folder.path("elsewhere.jpg"), path) == 0) },
      { try #require(symlink("/dev/zero", path) == 0) },
    ]
    for make in makers {
      #expect(unlink(path) == 0)
      try make()
      #expect(find(origin(1), in: cache()) == nil)
      _ = try keep(bytes, in: cache(), from: origin(1))
      #expect(try folder.read(name) == bytes)
      var status = stat()
      #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
    }
    // If a folder has the name of the file, the cache does not remove this folder, and the picture has no path.
    #expect(unlink(path) == 0)
    try folder.makeFolder(name)
    let cache = cache()
    #expect(find(origin(1), in: cache) == nil)
    let (stored, notices) = try keep(bytes, in: cache)
    #expect(stored.path == nil && stored.key == PictureKey(of: bytes) && notices.count == 1)
  }

  @Test func picture_symbolicLink_isRejected() throws {
    let bytes = picture(1)
    try folder.write("secret.jpg", bytes)
    try folder.makeFolder("cache")
    let key = PictureKey(of: bytes).hex
    let missing = String(repeating: "ab", count: 32) + ".jpg"
    for target in [folder.path("secret.jpg"), "../secret.jpg", "\(key).link", missing, "x"] {
      #expect(symlink(target, folder.path("cache/" + origin(1).link.text)) == 0)
      #expect(find(origin(1), in: cache()) == nil, "\(target)")
      _ = unlink(folder.path("cache/" + origin(1).link.text))
    }
    #expect(try folder.read("secret.jpg") == bytes)
  }

  @Test func open_otherFilesInTheFolder_areKept() throws {
    try folder.makeFolder("cache")
    for name in ["song.flac", "cover.jpg", "x.part", ".hidden"] {
      try folder.write("cache/" + name, [UInt8](repeating: 1, count: 5000))
    }
    let before = folder.names("cache")
    let cache = cache {
      $0.bytes = 1000
      $0.files = 1
    }
    for number in 1...5 { _ = try keep(picture(number), in: cache) }
    #expect(Set(folder.names("cache")) == Set(before + [fileName(picture(5))]))
  }

  @Test func close_whileAChildHasTheDescriptor_releasesTheLock() throws {
    try folder.makeFolder("cache")
    var open: CacheFolder? = try CacheFolder(folder.path("cache"))
    // A copy of the descriptor, as a forked process has it before exec. The copy must not keep the folder locked.
    let copy = dup(try #require(open).descriptor)
    defer { close(copy) }
    open = nil
    #expect(throws: Never.self) { try CacheFolder(folder.path("cache")) }
  }

  // MARK: Power cuts

  /// Simulates a power cut after each step of writing. Each byte is a step.
  @Test func keep_powerCutAtAnyStep_isAtomic() throws {
    let bytes = picture(1, bytes: 150)
    let name = try #require(CacheName(fileName(bytes)))
    var isDone = false
    var steps = 0
    while !isDone {
      try folder.makeFolder("cache")
      do {
        let open = try CacheFolder(folder.path("cache"))
        #expect(open.makeLink(origin(1).link, to: name))
        var writer = CacheWriter(
          open, name, PictureKey(of: bytes),
          PictureStream(MemoryByteSource(bytes), in: .ownFile), pieceBytes: 1)
        for _ in 0..<steps where !isDone { isDone = !(try writer.step()) }
      }
      let cache = cache()
      let found = find(origin(1), in: cache)
      #expect((found != nil) == isDone, "after \(steps) steps")
      if isDone { #expect(try isStored(bytes, found)) }
      #expect(!folder.names("cache").contains(CacheName.unfinished.text))
      _ = try keep(bytes, in: cache, from: origin(1))
      #expect(try folder.read("cache/" + name.text) == bytes)
      try folder.remove("cache")
      steps += 1
    }
    // One round before the first step, and one after each step: create, each byte, compare, synchronise, rename.
    #expect(steps == 1 + 1 + bytes.count + 1 + 1 + 1)
  }

  // MARK: Folders that cannot be used

  /// - Parameter error: the error text of the system, with which the notice ends.
  private func checkWithoutFolder(_ cache: ArtworkCache, _ error: String) throws {
    try checkWithoutFile(cache, error)
    // The origin is known, so the picture need not be read again to compute its key.
    let found = try #require(find(origin(1), in: cache))
    #expect(found.key == PictureKey(of: picture(1)) && found.path == nil)
    #expect(found.header.width == 600)
  }

  private func checkWithoutFile(_ cache: ArtworkCache, _ error: String = "") throws {
    let first = try keep(picture(1), in: cache, from: origin(1))
    #expect(first.stored.path == nil && first.stored.key == PictureKey(of: picture(1)))
    #expect(first.notices.count == 1)
    #expect(first.notices.first?.subject == .cache)
    #expect(first.notices.first?.description.hasSuffix(error) == true, "\(first.notices)")
    let second = try keep(picture(2), in: cache)
    #expect(second.stored.path == nil && second.notices.isEmpty)
  }

  @Test func open_folderCannotBeCreated_disablesTheCacheWithOneNotice() throws {
    try folder.write("file", [])
    try checkWithoutFolder(
      ArtworkCache(folder: folder.path("file")), "Not a directory")
    try checkWithoutFolder(
      ArtworkCache(folder: folder.path("none/cache")), "No such file or directory")
  }

  @Test func open_readOnlyFolder_disablesTheCacheWithOneNotice() throws {
    // Even root cannot create a file in this folder.
    let cache = ArtworkCache(folder: "/sys/kernel")
    try checkWithoutFile(cache)
    // The origin is not stored. So the picture is read again, and is stored as soon as the folder can be written.
    #expect(find(origin(1), in: cache) == nil)
  }

  @Test func open_folderInUse_disablesTheCacheWithOneNotice() throws {
    let other = cache()
    _ = try keep(picture(9), in: other)
    try checkWithoutFolder(cache(), "Resource temporarily unavailable")
    #expect(folder.names("cache") == [fileName(picture(9))])
    #expect(try keep(picture(8), in: other).stored.path != nil)
  }

  @Test func open_withoutFolder_givesKeysWithoutPaths() throws {
    let cache = ArtworkCache(folder: nil)
    let (stored, notices) = try keep(picture(1), in: cache, from: origin(1))
    #expect(stored.path == nil && notices.isEmpty)
    #expect(find(origin(1), in: cache)?.key == PictureKey(of: picture(1)))
  }

  @Test func keep_folderWasRemoved_createsItAgain() throws {
    let cache = cache()
    _ = try keep(picture(1), in: cache, from: origin(1))
    try folder.remove("cache")
    #expect(find(origin(1), in: cache) == nil)
    #expect(try isStored(picture(1), keep(picture(1), in: cache, from: origin(1)).stored))
    #expect(try isStored(picture(1), find(origin(1), in: cache)))
    // If the folder is renamed and a new folder gets its path, the cache writes to the new folder, and not to the
    // renamed folder.
    #expect(rename(folder.path("cache"), folder.path("old")) == 0)
    try folder.makeFolder("cache")
    _ = try keep(picture(2), in: cache)
    #expect(folder.names("cache") == [fileName(picture(2))])
    #expect(!folder.names("old").contains(fileName(picture(2))))
  }

  @Test func keep_fileWasRemoved_writesItAgain() throws {
    let cache = cache()
    let path = try #require(try keep(picture(1), in: cache, from: origin(1)).stored.path)
    #expect(unlink(path) == 0)
    #expect(find(origin(1), in: cache) == nil)
    #expect(try isStored(picture(1), keep(picture(1), in: cache, from: origin(1)).stored))
  }
}

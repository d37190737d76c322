import Testing

@testable import MusicFiles

@Suite struct MusicFileListTests {
  private let stick = VolumeMount(identity: "stick", path: "/media/sda1")

  @Test func files_haveTheirValues() {
    var list = MusicFileList()
    list.add(stick, path: "x/ä.flac", title: "Ä", artist: "Air", album: "Moon", seconds: 1.5)
    list.add(stick, path: "x/b.flac", title: nil, artist: nil, album: nil, seconds: nil)
    list.add(nil, path: "c.flac", title: "", artist: nil, album: nil, seconds: 0)
    let files = list.take()
    #expect(files.map(\.path) == ["/media/sda1/x/ä.flac", "/media/sda1/x/b.flac", "c.flac"])
    #expect(files.map(\.title) == ["Ä", nil, ""])
    #expect(files.map(\.artist) == ["Air", nil, nil])
    #expect(files.map(\.declaredSeconds) == [1.5, nil, 0])
    #expect(files.map(\.pathInVolume) == ["x/ä.flac", "x/b.flac", "c.flac"])
    #expect(list.take().isEmpty)
  }

  @Test func identity_isThatOfVolumePathAndState() throws {
    var list = MusicFileList()
    let other = VolumeMount(identity: "other", path: "/media/sda1")
    let moved = VolumeMount(identity: "stick", path: "/media/sdb1")
    let absent = VolumeMount(identity: "stick", path: nil)
    for (volume, path, stamp) in [
      (stick, "1.flac", 7), (moved, "1.flac", 7), (absent, "1.flac", 7),
      (stick, "1.flac", 8), (other, "1.flac", 7), (stick, "2.flac", 7), (stick, "1.flac", 0),
    ] as [(VolumeMount, String, UInt32)] {
      list.add(
        volume, path: path, title: nil, artist: nil, album: nil, seconds: nil, stamp: stamp)
    }
    let files = list.take()
    #expect(files.map(\.stamp) == [7, 7, 7, 8, 7, 7, 0])
    let identities = files.map { $0.identity(stamp: $0.stamp) }
    #expect(Set(identities[0...2]).count == 1)
    #expect(Set(identities).count == 5)
    // The identity is the same in each run of the program.
    #expect(identities[0] == 6_243_152_012_768_595_537)
  }

  @Test func foldersWhoseNamesUnicodeCallsEqual_keepTheirBytes() {
    var list = MusicFileList()
    let names = ["\u{E9}/1.flac", "e\u{301}/1.flac", "\u{E9}/2.flac", "e\u{301}/2.flac"]
    for name in names {
      list.add(stick, path: name, title: nil, artist: "Air", album: "Moon", seconds: nil)
    }
    let paths = list.take().map(\.path)
    #expect(paths.map { Array($0.utf8) } == names.map { Array("/media/sda1/\($0)".utf8) })
  }

  @Test func namesThatBeginWithAnAccent_keepIt() throws {
    // A slash and the accent after it are one `Character`.
    let path = "\u{301}x/\u{301}y.flac"
    var list = MusicFileList()
    list.add(stick, path: path, title: nil, artist: nil, album: nil, seconds: nil)
    let file = try #require(list.take().first)
    #expect(file.pathInVolume.unicodeScalars.elementsEqual(path.unicodeScalars))
    var moves = MusicFileMoves()
    let moved = try #require(
      moves.moved(file) { VolumeMount(identity: $0, path: "/media/sdb1") })
    #expect(moved.path.unicodeScalars.elementsEqual("/media/sdb1/\(path)".unicodeScalars))
    #expect(lastComponent(file.path).unicodeScalars.elementsEqual("\u{301}y.flac".unicodeScalars))
    #expect(withoutTrailingSlashes("a//").unicodeScalars.elementsEqual("a".unicodeScalars))
  }

  @Test func filesOfOneAlbum_shareItsValues() {
    var list = MusicFileList()
    for (path, album) in [("x/1", "A"), ("x/2", "B"), ("x/3", "A"), ("y/4", "A"), ("y/x/5", "A")] {
      list.add(stick, path: path, title: nil, artist: nil, album: album, seconds: nil)
    }
    let files = list.take()
    #expect(files[0].common === files[2].common)
    #expect(Set(files.map { ObjectIdentifier($0.common) }).count == 4)
  }

  @Test func manyFiles_keepTheirOrder_inSeveralPacks() {
    var list = MusicFileList()
    let numbers = 0..<(2 * FilePack.maximumFiles + 1)
    for number in numbers {
      list.add(
        stick, path: "\(number).flac", title: "\(number)", artist: nil, album: "\(number)",
        seconds: nil)
    }
    let files = list.take()
    #expect(files.map(\.title) == numbers.map { "\($0)" })
    #expect(files.map(\.album) == numbers.map { "\($0)" })
    #expect(Set(files.map { ObjectIdentifier($0.pack) }).count == 3)
  }

  @Test func longTitles_fillAPackEarly() {
    var list = MusicFileList()
    for number in 0..<3 {
      list.add(
        stick, path: "\(number)", title: String(repeating: "x", count: FilePack.maximumText),
        artist: nil, album: nil, seconds: nil)
    }
    let files = list.take()
    #expect(files.map(\.fileName) == ["0", "1", "2"])
    #expect(Set(files.map { ObjectIdentifier($0.pack) }).count == 3)
  }

  @Test func moved_changesThePathOfOneVolume_andOnlyOnce() {
    var list = MusicFileList()
    for name in ["a/1.flac", "a/2.flac"] {
      list.add(stick, path: name, title: nil, artist: nil, album: nil, seconds: nil)
    }
    let other = VolumeMount(identity: "other", path: "/media/sdb1")
    list.add(other, path: "3.flac", title: nil, artist: nil, album: nil, seconds: nil)
    let files = list.take()
    func move(to path: String?) -> [MusicFile?] {
      var moves = MusicFileMoves()
      return files.map { file in
        moves.moved(file) { VolumeMount(identity: $0, path: $0 == "stick" ? path : "/media/sdb1") }
      }
    }
    #expect(
      move(to: "/media/sdc1").map { $0?.path } == [
        "/media/sdc1/a/1.flac", "/media/sdc1/a/2.flac", "/media/sdb1/3.flac",
      ])
    #expect(move(to: nil).map { $0?.isAbsent } == [true, true, false])
    #expect(move(to: nil).map { $0?.path } == ["a/1.flac", "a/2.flac", "/media/sdb1/3.flac"])
    #expect(move(to: "/media/sda1").allSatisfy { $0 == nil })
    #expect(Set(move(to: nil).compactMap { $0.map { ObjectIdentifier($0.pack) } }).count == 1)
  }

  @Test func located_givesAVolumeToFilesWithoutOne() {
    var list = MusicFileList()
    list.add(nil, path: "/media/sda1/a/1.flac", title: nil, artist: nil, album: nil, seconds: nil)
    list.add(nil, path: "/home/2.flac", title: nil, artist: nil, album: nil, seconds: nil)
    var moves = MusicFileMoves()
    let files = list.take().map { file in
      moves.located(file) { $0 == "/media/sda1/a" ? stick : nil }
    }
    #expect(files.map { $0.volume?.identity } == ["stick", nil])
    #expect(files.map(\.pathInVolume) == ["a/1.flac", "/home/2.flac"])
  }
}

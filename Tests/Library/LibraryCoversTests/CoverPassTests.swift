import Foundation
import LibraryDatabase
import PictureProgram
import TestKit
import Testing
import Threads

@testable import LibraryCovers

@Suite struct CoverPassTests {
  private let bench: CoverBench

  init() throws { bench = try CoverBench() }

  private static let jpegStart: [UInt8] = [0xFF, 0xD8, 0xFF]

  @Test func run_pictureInTheFirstTrack_isTakenBeforeThatOfTheFolder() throws {
    try bench.song("a/Moon/1.flac", picture: CoverBench.png(1))
    try bench.song("a/Moon/2.flac", picture: CoverBench.png(2))
    try bench.write("a/Moon/cover.jpg", CoverBench.png(3))
    try bench.song("a/Walkie/1.flac")
    try bench.write("a/Walkie/Folder.JPG", CoverBench.png(4))
    #expect(try bench.run() == .init(ending: .complete, examined: 2, made: 2))
    #expect(bench.read.sorted() == ["Moon/1.flac", "Walkie/1.flac", "Walkie/Folder.JPG"])
    #expect(bench.commits >= 1)
    let (moon, walkie) = (try bench.thumbnail("Moon"), try bench.thumbnail("Walkie"))
    #expect(moon.starts(with: Self.jpegStart) && walkie.starts(with: Self.jpegStart))
    #expect(moon != walkie && moon.count < 4000)
  }

  @Test func run_noPictureInTheFirstTrackAndItsFolder_takesThatOfTheNextTracks() throws {
    for number in 1...4 {
      try bench.song("a/Late/\(number).flac", picture: number == 3 ? CoverBench.png(1) : nil)
      try bench.song("a/Later/\(number).flac", picture: number == 4 ? CoverBench.png(1) : nil)
    }
    #expect(try bench.run() == .init(ending: .complete, examined: 2, made: 1))
    #expect(try !bench.thumbnail("Late").isEmpty)
    #expect(try bench.thumbnail("Later").isEmpty)
  }

  @Test func run_discsOfAnAlbum_haveThePictureOfTheFolderAbove() throws {
    try bench.song("a/Opera/CD1/1.flac", album: "Opera")
    try bench.song("a/Opera/CD2/1.flac", album: "Opera")
    try bench.write("a/Opera/front.png", CoverBench.png(1))
    #expect(try bench.run().made == 1)
    #expect(try !bench.thumbnail("Opera").isEmpty)
  }

  @Test func run_secondTime_readsNoFileAndWritesNothing() throws {
    try bench.song("a/Moon/1.flac", picture: CoverBench.png(1))
    try bench.song("a/None/1.flac")
    try bench.song("a/Bad/1.flac", picture: Array(CoverBench.png(2).dropLast(500)))
    try bench.run()
    let file = bench.folder.path("library/covers.db")
    let before = try bench.folder.read("library/covers.db")
    let date = try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
    #expect(try bench.run() == .init(ending: .complete, examined: 0, made: 0))
    #expect(bench.read.isEmpty && bench.commits == 0)
    #expect(try bench.folder.read("library/covers.db") == before)
    #expect(
      try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date == date)
    #expect(bench.bytes == before.count, "the journal is empty")
  }

  @Test func run_afterTheLibraryWasMadeAgain_readsNoFile() throws {
    try bench.song("a/Moon/1.flac", picture: CoverBench.png(1))
    try bench.song("a/None/1.flac")
    try bench.run()
    let other = try CoverBench()
    try bench.scan("a")
    for name in try FileManager.default.contentsOfDirectory(atPath: bench.folder.path("library"))
    where name.hasPrefix("covers") {
      try FileManager.default.copyItem(
        atPath: bench.folder.path("library/\(name)"), toPath: other.folder.path("library/\(name)"))
    }
    // The same volume is scanned into a new database. The path of the volume changes, but its files keep their times.
    try FileManager.default.moveItem(
      atPath: bench.folder.path("a"), toPath: other.folder.path("a"))
    #expect(try other.run() == .init(ending: .complete, examined: 0, made: 0))
    #expect(try !other.thumbnail("Moon").isEmpty)
  }

  @Test func run_changedFiles_areExaminedAgain() throws {
    try bench.song("a/Moon/1.flac", picture: CoverBench.png(1))
    try bench.song("a/None/1.flac")
    try bench.run()
    let first = try bench.picture("Moon")
    try bench.song("a/Moon/1.flac", picture: CoverBench.png(2))
    try bench.write("a/None/cover.png", CoverBench.png(3))
    #expect(try bench.run() == .init(ending: .complete, examined: 2, made: 2))
    #expect(try bench.picture("Moon") != first)
    #expect(try !bench.thumbnail("None").isEmpty)
    try bench.remove("a/None/cover.png")
    #expect(try bench.run() == .init(ending: .complete, examined: 1, made: 0))
    #expect(try bench.thumbnail("None").isEmpty)
  }

  @Test func run_equalPictures_areDecodedAndStoredOnce() throws {
    for number in 1...5 {
      try bench.song("a/Same \(number)/1.flac", picture: CoverBench.png(1))
      try bench.song("a/all/\(number).flac", album: "Loose \(number)")
    }
    try bench.write("a/all/cover.png", CoverBench.png(1))
    #expect(try bench.run().made == 10)
    #expect(bench.read.filter { $0.hasSuffix("cover.png") }.count == 1)
    let pictures = try (1...5).flatMap {
      [try bench.picture("Same \($0)"), try bench.picture("Loose \($0)")]
    }
    #expect(Set(pictures).count == 1 && pictures[0] != nil)
    // The album `Same 1` loses the picture. The other albums with this picture keep it.
    try bench.song("a/Same 1/1.flac")
    try bench.run()
    #expect(try bench.thumbnail("Same 1").isEmpty)
    #expect(try !bench.thumbnail("Same 2").isEmpty)
  }

  @Test func run_damagedPictures_costOnlyThemselves() throws {
    let good = CoverBench.png(1)
    let damaged: [(String, [UInt8])] = [
      ("Cut", Array(good.dropLast(1000))), ("Empty", []), ("GIF", Array("GIF89a".utf8)),
      ("Large", GeneratedPictures.png(9000, 9000)), ("Text", Array("<svg>".utf8)),
      ("JPEG", GeneratedPictures.jpeg()),
    ]
    for (name, bytes) in damaged {
      try bench.song("a/\(name)/1.flac", picture: bytes)
      try bench.song("a/\(name) folder/1.flac")
      try bench.write("a/\(name) folder/cover.jpg", bytes)
      try bench.song("a/\(name) other/1.flac", picture: bytes)
      try bench.write("a/\(name) other/folder.jpg", good)
    }
    #expect(try bench.run() == .init(ending: .complete, examined: 18, made: 6))
    for (name, _) in damaged {
      #expect(try bench.thumbnail(name).isEmpty)
      #expect(try bench.thumbnail("\(name) folder").isEmpty)
      #expect(try !bench.thumbnail("\(name) other").isEmpty)
    }
    #expect(try bench.run().examined == 0)
  }

  @Test func run_aDecoderThatCrashesOrHangs_costsOnlyThePicture() throws {
    let path = try bench.folder.writeScript("decoder", "kill -SEGV $$")
    bench.process = PictureProcess(path: path)
    try bench.song("a/Crash/1.flac", picture: CoverBench.png(1))
    #expect(try bench.run() == .init(ending: .complete, examined: 1, made: 0))
    _ = try bench.folder.writeScript("decoder", "exec sleep 1000")
    bench.process = PictureProcess(path: path, timeout: .milliseconds(200))
    try bench.song("a/Hang/1.flac", picture: CoverBench.png(2))
    #expect(try bench.run() == .init(ending: .complete, examined: 1, made: 0))
    bench.process = PictureProcess()
    try bench.song("a/Good/1.flac", picture: CoverBench.png(3))
    #expect(try bench.run() == .init(ending: .complete, examined: 1, made: 1))
  }

  @Test func run_withoutADecoder_remembersNothing() throws {
    try bench.song("a/Moon/1.flac", picture: CoverBench.png(1))
    bench.process = PictureProcess(path: "/nowhere/decoder")
    guard case .noDecoder = try bench.run().ending else {
      Issue.record("the decoder does not exist")
      return
    }
    bench.process = PictureProcess()
    #expect(try bench.run().made == 1)
  }

  // MARK: Interruptions

  @Test func run_stopped_keepsWhatWasMade_andReadsNoPictureTwice() throws {
    for number in 0..<8 {
      try bench.song("a/\(number)/1.flac", picture: CoverBench.png(number, 300, 300))
    }
    try bench.scan("a")
    var read: [String] = []
    var made = 0
    var rounds = 0
    while rounds < 100 {
      rounds += 1
      bench.continues = { [rounds] in $0 < 12 * rounds }
      let outcome = try bench.makeCovers()
      made += outcome.made
      read += bench.read
      if outcome.ending == .complete { break }
      #expect(outcome.ending == .stopped)
    }
    #expect(made == 8 && rounds > 3)
    // Each stopped pass can cause one album to be read twice.
    #expect(read.count < 8 + rounds)
    #expect(try (0..<8).allSatisfy { try !bench.thumbnail("\($0)").isEmpty })
  }

  @Test func run_heldWhileDecoding_killsTheDecoder_andDoesNotReadAgain() throws {
    let marks = bench.folder.path("marks")
    // The first decoder creates the file `marks` and hangs. Each later decoder is the real program.
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("autoharp-cover").path
    let decoder = try bench.folder.writeScript(
      "decoder",
      """
      if [ -e \(marks) ]; then exec \(program) "$@"; fi
      echo > \(marks)
      exec sleep 1000
      """)
    bench.process = PictureProcess(path: decoder)
    var kills = 0
    bench.interrupts = { [bench] in
      guard kills == 0 else { return false }
      bench.wake.signal()
      if FileManager.default.fileExists(atPath: marks) { kills += 1 }
      return kills == 1
    }
    try bench.song("a/Moon/1.flac", picture: CoverBench.png(1))
    #expect(try bench.run() == .init(ending: .complete, examined: 1, made: 1))
    #expect(kills == 1 && bench.read == ["Moon/1.flac"])
  }

  @Test func run_volumeThatGoesAway_isNotTakenForOneWithoutPictures() throws {
    for number in 0..<5 {
      try bench.song("a/\(number)/1.flac", picture: CoverBench.png(number))
    }
    try bench.scan("a")
    try FileManager.default.moveItem(
      atPath: bench.folder.path("a"), toPath: bench.folder.path("gone"))
    #expect(try bench.makeCovers() == .init(ending: .complete, examined: 5, made: 0))
    try FileManager.default.moveItem(
      atPath: bench.folder.path("gone"), toPath: bench.folder.path("a"))
    #expect(try bench.run() == .init(ending: .complete, examined: 5, made: 5))
  }

  @Test func run_withoutRoom_readsNothing_andAlbumsThatAreGoneMakeRoom() throws {
    // Room for a journal of 1 MiB, and for 40 database pages of 4096 bytes.
    bench.maximumBytes = (1 << 20) + (40 << 12)
    for number in 0..<30 {
      try bench.song("a/\(number)/1.flac", picture: try CoverBench.jpeg(number, side: 200))
    }
    let first = try bench.run()
    #expect(first.ending == .full && (3..<25).contains(first.made))
    #expect(bench.bytes <= bench.maximumBytes)
    #expect(try bench.run() == .init(ending: .full, examined: 0, made: 0))
    #expect(bench.read.isEmpty)
    for number in 0..<first.made { try bench.remove("a/\(number)") }
    #expect(try bench.run().ending == .complete)
    #expect(try (first.made..<30).allSatisfy { try !bench.thumbnail("\($0)").isEmpty })
    #expect(bench.bytes <= bench.maximumBytes)
  }

  @Test func run_albumsThatAreGone_loseTheirThumbnails() throws {
    try bench.song("a/Moon/1.flac", picture: CoverBench.png(1))
    try bench.song("a/Walkie/1.flac", picture: CoverBench.png(2))
    try bench.run()
    let id = try #require(try bench.albums["Walkie"])
    try bench.remove("a/Walkie")
    try bench.run()
    let reader = try CoverReader(in: bench.folder.path("library"))
    #expect(try reader.picture(ofAlbum: id) == nil)
    #expect(try !bench.thumbnail("Moon").isEmpty)
  }
}

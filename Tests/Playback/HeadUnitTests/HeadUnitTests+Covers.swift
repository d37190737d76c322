import Artwork
import AudioCodecs
import AudioEngine
import Foundation
@testable import HeadUnit
import LocalPlayer
import MusicFiles
import NowPlaying
import Synchronization
import SystemClock
import TestKit
import Testing

// Tests the covers of the tracks.
extension HeadUnitTests {
  /// Writes a picture to a file, and returns the option with which `flac` embeds this picture.
  ///
  /// - Parameter mark: pictures with different marks are different.
  func cover(_ folder: TemporaryFolder, _ name: String, mark: Int) throws -> [String] {
    let path = folder.path("\(name).jpg")
    try Data(GeneratedPictures.jpeg(800, 700, mark: mark)).write(to: URL(fileURLWithPath: path))
    return ["--picture=3|image/jpeg||800x700x24|\(path)"]
  }

  @Test func A4_coverOfATrack_hasTheRequestedSize() throws {
    let bench = try Bench(["a"], seconds: 30, prepare: { try cover($0, $1, mark: 1) })
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    var answers: [ArtworkAnswer] = []
    let id = try #require(bench.state.content?.id)
    bench.unit.center.artwork(for: id, size: ArtworkSize(width: 400, height: 400), at: .now()) {
      answers.append($0)
    }
    bench.wait { !answers.isEmpty }
    guard case .image(let picture) = answers.first else {
      Issue.record("no picture: \(answers)")
      return
    }
    #expect(picture.size == ArtworkSize(width: 400, height: 350))
    #expect(picture.originalSize == ArtworkSize(width: 800, height: 700))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: picture.reference))
    #expect(Array(bytes) == GeneratedPictures.jpeg(800, 700, mark: 1))
  }

  /// Each of the ten tracks has its own cover. Each cover is requested once and delivered once.
  @Test func A5_tenTracks_haveExactlyTheirTenCovers() throws {
    let names = (0..<10).map { "track\($0)" }
    let bench = try Bench(
      names, seconds: 30,
      prepare: { folder, name in
        try cover(folder, name, mark: 1 + (names.firstIndex(of: name) ?? 0))
      })
    _ = bench.send(.media(.play))
    var shown: [String] = []
    for (number, name) in names.enumerated() {
      bench.wait { bench.state.lines.title == name && bench.state.status == .playing }
      let answer = try answer(bench)
      guard case .image(let picture) = answer else {
        Issue.record("\(name): \(answer.map { "\($0)" } ?? "no answer")")
        return
      }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: picture.reference))
      #expect(Array(bytes) == GeneratedPictures.jpeg(800, 700, mark: number + 1))
      shown.append(picture.reference)
      if number < 9 { _ = bench.send(.media(.next)) }
    }
    #expect(Set(shown).count == 10)
    #expect(bench.unit.center.inspection(at: .now()).artwork.changesWithinContent == 0)
  }

  /// All tracks have the same cover, which is identified by its bytes. The cover of the first track is not known when
  /// the track begins. The covers of the other tracks are found in advance.
  @Test func A5_allTracksOfAnAlbum_haveOneIdentityOfTheirCover() throws {
    let names = (0..<4).map { "track\($0)" }
    let bench = try Bench(
      names, seconds: 30, prepare: { folder, _ in try cover(folder, "same", mark: 7) })
    _ = bench.send(.media(.play))
    var ids: [String?] = []
    for name in names {
      bench.wait { bench.state.lines.title == name && bench.state.status == .playing }
      _ = try answer(bench)
      ids.append(bench.state.content?.artwork?.id)
      if let next = bench.unit.player.upNext?.path {
        bench.wait { bench.unit.hasPreparedCover(of: next) }
      }
      _ = bench.send(.media(.next))
    }
    #expect(ids.count == 4 && Set(ids).count == 1 && ids[0] != nil, "\(ids)")
  }

  private func answer(_ bench: Bench) throws -> ArtworkAnswer? {
    var answer: ArtworkAnswer?
    let id = try #require(bench.state.content?.id)
    bench.unit.center.artwork(for: id, size: .largest, at: .now()) { answer = $0 }
    bench.wait { answer != nil }
    return answer
  }

  /// A jump goes to a track whose cover was not searched in advance. *Up Next* has promised the same cover.
  @Test func A5_jumpWithinAnAlbum_keepsTheIdentityOfTheCover() throws {
    let bench = try Bench(
      ["a", "b", "c", "d"], seconds: 30,
      prepare: { folder, _ in try cover(folder, "same", mark: 7) + ["--tag=ALBUM=Same"] })
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    _ = try answer(bench)
    let before = try #require(bench.state.content?.artwork?.id)
    let item = try #require(bench.state.upNext.last)
    #expect(item.title == "d" && item.artworkID == before)
    _ = bench.send(.media(.playQueueItem(item.id)))
    bench.wait { bench.state.lines.title == "d" && bench.state.status == .playing }
    #expect(bench.state.content?.artwork?.id == before)
    guard case .image = try answer(bench) else {
      Issue.record("no picture")
      return
    }
    #expect(bench.state.content?.artwork?.id == before)
    #expect(bench.unit.center.inspection(at: .now()).artwork.changesWithinContent == 0)
  }

  /// Each track of this album has a cover of its own. The assumed cover is corrected, so no old cover stays.
  @Test func A3_jumpToATrackWithAnotherCover_showsItsCover() throws {
    let names = ["a", "b", "c", "d"]
    let bench = try Bench(
      names, seconds: 30,
      prepare: { folder, name in
        try cover(folder, name, mark: 1 + (names.firstIndex(of: name) ?? 0)) + ["--tag=ALBUM=Same"]
      })
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    _ = try answer(bench)
    let before = try #require(bench.state.content?.artwork?.id)
    _ = bench.send(.media(.playQueueItem(try #require(bench.state.upNext.last).id)))
    bench.wait {
      bench.state.lines.title == "d" && bench.state.content?.artwork?.id != before
    }
    guard case .image(let picture)? = try answer(bench) else {
      Issue.record("no picture")
      return
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: picture.reference))
    #expect(Array(bytes) == GeneratedPictures.jpeg(800, 700, mark: 4))
  }

  /// No file contains the picture, so no surface could read it.
  @Test func A3_coverWithoutAFolderForCovers_isThePlaceholder() throws {
    let bench = try Bench(
      ["a", "b"], seconds: 30, { $0.artworkCache = ArtworkCache(folder: nil) },
      prepare: { try cover($0, $1, mark: 1) })
    for name in ["a", "b"] {
      try? FileManager.default.removeItem(atPath: bench.folder.path("\(name).jpg"))
    }
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    #expect(try answer(bench) == .placeholder)
  }

  @Test func A1_coverOfTheNextTrack_isAvailableBeforeItPlays() throws {
    let bench = try Bench(
      ["a", "b"], seconds: 30, prepare: { folder, _ in try cover(folder, "same", mark: 7) })
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    let path = bench.folder.path("b.flac")
    bench.wait { bench.unit.hasPreparedCover(of: path) }
    _ = bench.send(.media(.next))
    bench.wait { bench.state.lines.title == "b" }
    var answer: ArtworkAnswer?
    let id = try #require(bench.state.content?.id)
    bench.unit.center.artwork(for: id, size: .largest, at: .now()) { answer = $0 }
    #expect(answer != nil, "answered at once, without a flicker")
  }

  @Test func A3_noCover_showsThePlaceholder() throws {
    let bench = try Bench(["a"], seconds: 30)
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    #expect(try answer(bench) == .placeholder)
  }

  /// The cover of the first track is found when a surface requests it, and the cover of the second track is found in
  /// advance. Each track has a GIF, which is skipped.
  @Test func turn_skippedPictures_areReportedOnceForEachTrack() throws {
    let bench = try Bench(
      ["a", "b"], seconds: 30,
      prepare: { folder, _ in
        try folder.write("gif", Array("GIF89a".utf8))
        return ["--picture=3|image/gif||1x1x8|\(folder.path("gif"))"]
      })
    _ = bench.send(.media(.play))
    bench.wait { bench.state.status == .playing }
    let id = try #require(bench.state.content?.id)
    bench.unit.center.artwork(for: id, size: .largest, at: .now()) { _ in }
    let path = bench.folder.path("b.flac")
    bench.wait { !bench.notices.isEmpty && bench.unit.hasPreparedCover(of: path) }
    _ = bench.send(.media(.next))
    bench.wait { bench.state.lines.title == "b" && bench.notices.count > 1 }
    #expect(bench.notices.map(\.file) == [bench.folder.path("a.flac"), path])
    #expect(bench.notices.allSatisfy { $0.reason == .refused(.otherKind("a GIF")) })
  }
}

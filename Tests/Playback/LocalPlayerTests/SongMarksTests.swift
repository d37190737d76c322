import AudioCodecs
import AudioEngine
import Foundation
import MusicFiles
import NowPlaying
import TestKit
import Testing

@testable import LocalPlayer

/// Tests the marks of songs (like, dislike, stars, bookmark) as commands of Now Playing. A ``Table`` stores the marks.
@Suite struct SongMarksTests {
  typealias HeadUnit = LocalSourceTests.HeadUnit

  /// Stores marks in memory. A change takes effect when the test calls ``store()``.
  private final class Table {
    var values: [String: SongMarks.Values] = [:]
    var refusal: Refusal?
    private(set) var changes: [SongMarks.Change] = []
    private var pending: [() -> Void] = []

    var marks: SongMarks {
      SongMarks(
        of: { self.values[$0.fileName] ?? SongMarks.Values() },
        isDisliked: { self.values[$0.fileName]?.isDisliked ?? false },
        hasDisliked: { self.values.contains { $0.value.isDisliked } },
        set: { file, change, completion in
          self.changes.append(change)
          self.pending.append {
            if self.refusal == nil { self.set(change, file.fileName) }
            completion(self.refusal)
          }
        })
    }

    private func set(_ change: SongMarks.Change, _ name: String) {
      switch change {
      case .like(let isSet): values[name, default: .init()].isLiked = isSet
      case .dislike(let isSet): values[name, default: .init()].isDisliked = isSet
      case .stars(let stars): values[name, default: .init()].stars = stars
      case .bookmark(let seconds): values[name, default: .init()].hasBookmark = seconds != nil
      }
    }

    func store() {
      let waiting = pending
      pending = []
      for body in waiting { body() }
    }
  }

  private func isSet(_ unit: HeadUnit, _ kind: CommandKind) -> Bool? {
    if case .feedback(let isSet, _)? = unit.state.command(kind)?.parameters { isSet } else { nil }
  }

  private func stars(_ unit: HeadUnit) -> Double? {
    if case .rating(5, let stars)? = unit.state.command(.stars)?.parameters { stars } else { nil }
  }

  @Test func marks_areOfferedForEachSong_andAnsweredWhenTheyAreStored() throws {
    let unit = try HeadUnit(["a", "b"], frames: 80_000)
    let kinds: [CommandKind] = [.like, .dislike, .stars, .bookmark]
    #expect(kinds.allSatisfy { unit.state.command($0) == nil })
    let table = Table()
    unit.source.marks = table.marks
    unit.source.update()
    #expect(kinds.allSatisfy { unit.state.command($0)?.isEnabled == true })
    for (kind, request) in [
      (CommandKind.like, MediaRequest.like(true)), (.dislike, .dislike(true)),
      (.bookmark, .bookmark(true)),
    ] {
      var answer: CommandAnswer?
      unit.port?.send(.media(request), on: .text, at: HeadUnit.now()) { answer = $0 }
      #expect(answer == nil && isSet(unit, kind) == false, "the mark is not stored yet")
      table.store()
      #expect(answer == .success && isSet(unit, kind) == true)
    }
    var answer: CommandAnswer?
    unit.port?.send(.media(.stars(3.6)), on: .text, at: HeadUnit.now()) { answer = $0 }
    table.store()
    #expect(answer == .success && stars(unit) == 3.5, "in half stars")
    #expect(unit.send(.next) == .success)
    unit.wait { unit.state.lines.title == "Song b" }
    #expect([.like, .dislike, .bookmark].allSatisfy { isSet(unit, $0) == false })
    #expect(stars(unit) == nil)
    table.refusal = Refusal(.failed, "the storage is full")
    unit.port?.send(.media(.like(true)), on: .text, at: HeadUnit.now()) { answer = $0 }
    table.store()
    #expect(answer == .failed(Refusal(.failed, "the storage is full")))
    #expect(isSet(unit, .like) == false)
  }

  @Test func theTableOfCommands_namesAllCommands_andThoseOfTheOwnMusic() throws {
    let rows = try ProjectFile.tableRows(
      "docs/now-playing.md", section: "Which source answers which command")
    func name(_ cell: String) -> String { cell.filter { $0 != "`" } }
    #expect(rows.map { name($0[0]) } == CommandKind.allCases.map(\.rawValue))
    let unit = try HeadUnit(["a", "b"])
    let table = Table()
    unit.source.marks = table.marks
    unit.source.update()
    #expect(
      Set(unit.state.commands.map(\.kind.rawValue))
        == Set(rows.filter { $0[1] == "yes" }.map { name($0[0]) }))
  }

  @Test func bookmark_hasThePositionThatIsHeard() throws {
    let unit = try HeadUnit(["a"], frames: 80_000)
    let table = Table()
    unit.source.marks = table.marks
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    _ = unit.send(.seekToPosition(.seconds(4)))
    unit.wait { unit.player.elapsedSeconds >= 4 }
    _ = unit.send(.bookmark(true))
    _ = unit.send(.bookmark(false))
    guard case .bookmark(at: let seconds?) = table.changes.first else {
      Issue.record("\(table.changes)")
      return
    }
    #expect((4...8).contains(seconds) && table.changes.last == .bookmark(at: nil))
  }

  @Test func shuffle_leavesDislikedSongsOut_andAChosenOnePlays() throws {
    let unit = try HeadUnit(["a", "b", "c", "d", "e"], frames: 800_000)
    let table = Table()
    for name in ["b.flac", "d.flac", "e.flac"] {
      table.values[name] = SongMarks.Values(isDisliked: true)
    }
    unit.source.marks = table.marks
    _ = unit.send(.changeRepeatMode(.all))
    _ = unit.send(.changeShuffleMode(.items))
    #expect(unit.player.upNext(limit: 9).map(\.item.fileName) == ["c.flac"])
    _ = unit.send(.changeShuffleMode(.off))
    #expect(unit.player.upNext(limit: 9).count == 4, "only shuffle leaves out disliked songs")
    for _ in 0..<20 {
      unit.player.shuffleFromTheStart()
      let first = try #require(unit.player.queue.current?.item.fileName)
      #expect(["a.flac", "c.flac"].contains(first))
      _ = unit.send(.changeShuffleMode(.off))
    }
    _ = unit.send(.changeShuffleMode(.items))
    #expect(unit.player.play(path: unit.folder.path("d.flac")))
    unit.wait { unit.state.lines.title == "Song d" }
    #expect(Set(unit.player.upNext(limit: 9).map(\.item.fileName)) == ["a.flac", "c.flac"])
    // Now `a` and `c` are disliked too, so all songs are disliked, and shuffle leaves out none of them.
    table.values["a.flac"] = SongMarks.Values(isDisliked: true)
    table.values["c.flac"] = SongMarks.Values(isDisliked: true)
    unit.source.marksChanged()
    #expect(unit.player.upNext(limit: 9).count == 4, "all are disliked, so all play")
  }

  @Test func choose_shuffled_beginsWithNoDislikedSong() throws {
    let unit = try HeadUnit(["a", "b", "c"], frames: 80_000)
    let table = Table()
    for name in ["a.flac", "c.flac"] { table.values[name] = SongMarks.Values(isDisliked: true) }
    unit.source.marks = table.marks
    let files = unit.player.queue.entries.map(\.item)
    for _ in 0..<10 {
      unit.player.choose(
        files, first: nil, shuffled: true, from: QueueContext(list: "songs", title: ""))
      #expect(unit.player.state.file?.fileName == "b.flac")
    }
  }

  @Test(
    arguments: [
      ("FMPS_RATING", "0.5", 2.5), ("FMPS_RATING", "0.94", 4.5), ("FMPS_RATING", "7", nil),
      ("RATING", "4", 4), ("RATING", "60", 3), ("RATING", "3.5", 3.5), ("RATING", "101", nil),
      ("RATING", "-1", nil), ("RATING", "good", nil), ("RATING", "nan", nil), ("STARS", "5", nil),
    ] as [(String, String, Double?)])
  func theRatingOfTheTags_isTheStartValue(name: String, value: String, stars: Double?) {
    var comments = VorbisComments()
    comments.entries.append(.init(name: name, value: value))
    #expect(TagRating.stars(AudioMetadata(comments: comments)) == stars)
  }

  @Test func theRatingOfTheTags_isShown_untilAPersonRates() throws {
    let folder = try TemporaryFolder()
    try GeneratedMusic(rate: 8000, frames: 80_000).flac(
      folder, "a.flac", ["--tag=TITLE=Song a", "--tag=RATING=80"])
    let unit = try HeadUnit(["a"], in: folder)
    let table = Table()
    unit.source.marks = table.marks
    _ = unit.send(.play)
    unit.wait { unit.state.status == .playing }
    #expect(stars(unit) == 4)
    unit.port?.send(.media(.stars(0)), on: .text, at: HeadUnit.now()) { _ in }
    table.store()
    #expect(stars(unit) == 0)
  }
}

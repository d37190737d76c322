import AudioEngine
import Foundation
import MusicFiles
import NowPlaying
import TestKit
import Testing
import Threads

@testable import LocalPlayer

/// Tests the queue that a user chooses and edits, with real files and threads and without a sound card.
@Suite struct ChosenQueueTests {
  private final class Bench {
    let folder: TemporaryFolder
    let engine = PlaybackEngine(sink: NullSink())
    let player: LocalPlayer
    /// The names of the files that were heard.
    var heard: [String] = []

    init(_ names: String, frames: Int = 8000) throws {
      folder = try TemporaryFolder()
      for name in names {
        try GeneratedMusic(rate: 8000, frames: frames).flac(folder, "\(name).flac", [])
      }
      player = LocalPlayer(files: [], engine: engine)
    }

    deinit { engine.shutDown() }

    /// Files of a volume that is mounted at ``folder``, or of an absent volume.
    func files(_ names: String, isAbsent: Bool = false) -> [MusicFile] {
      let mount = VolumeMount(identity: "stick", path: isAbsent ? nil : folder.path(""))
      var list = MusicFileList()
      for name in names {
        list.add(
          mount, path: "\(name).flac", title: "\(name)", artist: nil, album: nil, seconds: nil)
      }
      return list.take()
    }

    var order: String {
      player.queue.playingOrder.compactMap { $0.item.title }.joined()
    }

    func id(_ title: String) -> LocalPlayer.Entry.ID {
      player.queue.entries.first { $0.item.title == title }!.id
    }

    func wait(_ condition: () -> Bool) throws {
      let limit = ContinuousClock.now + Hang.limit
      while !condition() {
        try #require(ContinuousClock.now < limit, "\(heard)")
        for case .started(let file, _, _) in player.handleEvents() {
          heard.append(file.title ?? "")
        }
        var entry = pollfd(fd: engine.wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, 5)
      }
    }
  }

  private let context = QueueContext(list: "album:1", title: "Album")

  @Test func choose_playsFromTheChosenFileToTheEnd() throws {
    let bench = try Bench("abc")
    bench.player.choose(bench.files("abc"), first: 1, shuffled: false, from: context)
    try bench.wait { bench.player.state.isStopped }
    #expect(bench.heard == ["b", "c"])
    #expect(bench.player.context == context)
    #expect(bench.player.hasChosenQueue)
  }

  @Test func choose_shuffled_playsAllFilesOnce() throws {
    let bench = try Bench("abcd")
    bench.player.choose(bench.files("abcd"), first: nil, shuffled: true, from: context)
    #expect(bench.player.queue.isShuffled)
    try bench.wait { bench.player.state.isStopped }
    #expect(bench.heard.sorted() == ["a", "b", "c", "d"])
    #expect(bench.heard.joined() == bench.order)
  }

  @Test func choose_anAbsentFile_playsTheFirstOneBehindItThatIsThere() throws {
    let bench = try Bench("c")
    let files = bench.files("ab", isAbsent: true) + bench.files("c")
    bench.player.choose(files, first: 0, shuffled: false, from: context)
    try bench.wait { bench.player.state.isStopped }
    #expect(bench.heard == ["c"])
    #expect(bench.player.queue.count == 3)
  }

  @Test func resume_ofAQueueThatIsAbsent_isFalse() throws {
    let bench = try Bench("c")
    bench.player.choose(
      bench.files("ab", isAbsent: true), first: 0, shuffled: false, from: context)
    #expect(!bench.player.resume() && bench.player.state.isStopped)
    bench.player.insert(bench.files("c"), .last)
    #expect(bench.player.resume())
    try bench.wait { bench.heard == ["c"] }
  }

  @Test func edits_whileMusicPlays_areHeard() throws {
    let bench = try Bench("abcd", frames: 16000)
    bench.player.choose(bench.files("abc"), first: 0, shuffled: false, from: context)
    bench.player.insert(bench.files("d"), .next)
    #expect(bench.player.remove(entry: bench.id("b")))
    #expect(!bench.player.remove(entry: 999))
    #expect(bench.order == "adc")
    #expect(bench.player.move(entry: bench.id("c"), before: bench.id("d")))
    try bench.wait { bench.player.state.isStopped }
    #expect(bench.heard == ["a", "c", "d"])
  }

  @Test func remove_aFileThatIsDecodedAlready_isNotHeard() throws {
    let bench = try Bench("abc", frames: 80_000)
    bench.player.choose(bench.files("abc"), first: 0, shuffled: false, from: context)
    try bench.wait { bench.player.tracks.queued.first?.item.title == "b" }
    #expect(bench.player.remove(entry: bench.id("b")))
    try bench.wait { bench.heard.count == 2 }
    #expect(bench.heard == ["a", "c"])
  }

  @Test func sameFileTwice_hasTwoEntries_andEachPlays() throws {
    let bench = try Bench("ab")
    bench.player.choose(bench.files("aab"), first: 0, shuffled: false, from: context)
    let ids = bench.player.queue.entries.map(\.id)
    #expect(Set(ids).count == 3)
    #expect(bench.player.move(entry: ids[1], before: nil))
    #expect(bench.order == "aba")
    try bench.wait { bench.player.state.isStopped }
    #expect(bench.heard == ["a", "b", "a"])
  }

  @Test func remove_theCurrentFile_playsTheNextOne_andUndoKeepsItPlaying() throws {
    let bench = try Bench("abc", frames: 400_000)
    bench.player.choose(bench.files("abc"), first: 0, shuffled: false, from: context)
    try bench.wait { bench.heard == ["a"] }
    #expect(bench.player.remove(entry: bench.id("a")))
    try bench.wait { bench.heard == ["a", "b"] }
    #expect(bench.player.undoQueue())
    #expect(bench.order == "abc")
    #expect(bench.player.queue.current?.item.title == "b")
    #expect(!bench.player.undoQueue())
    bench.player.clearQueue()
    #expect(bench.order == "b")
    #expect(bench.player.remove(entry: bench.id("b")))
    #expect(bench.player.state.isStopped && bench.player.state.file == nil)
  }

  @Test func setVolumes_aStickThatIsGone_isPassedOver_andPlaysAtItsReturnFromAnotherFolder() throws
  {
    let bench = try Bench("ab")
    bench.player.choose(
      bench.files("a", isAbsent: true) + bench.files("b", isAbsent: true), first: 0,
      shuffled: false, from: context)
    #expect(bench.player.state.isStopped)
    #expect(bench.player.queue.absent.count == 2)
    #expect(!bench.player.play(entry: bench.id("a")))
    bench.player.resume()
    #expect(bench.player.state.isStopped)
    bench.player.setVolumes { VolumeMount(identity: $0, path: bench.folder.path("")) }
    #expect(bench.player.queue.absent.isEmpty)
    #expect(bench.player.play(entry: bench.id("a")))
    try bench.wait { bench.player.state.isStopped }
    #expect(bench.heard == ["a", "b"])
  }

  /// The engine can report the end of a song that was stopped after another song was requested.
  @Test func lateEndOfAStoppedSong_doesNotStopTheNextOne() throws {
    let bench = try Bench("ab", frames: 400_000)
    bench.player.choose(bench.files("ab"), first: 0, shuffled: false, from: context)
    try bench.wait { bench.heard == ["a"] }
    let first = bench.player.playingID
    bench.player.stop()
    #expect(bench.player.hold(path: bench.folder.path("b.flac"), at: 2))
    _ = bench.player.handle(.ended(after: first))
    #expect(!bench.player.state.isStopped && bench.player.state.isPaused)
    #expect(!bench.player.queue.hasEnded)
  }

  /// The engine can report the start of a song that was stopped or replaced before the report arrives.
  @Test func lateStartOfASong_changesNothing() throws {
    let bench = try Bench("ab", frames: 400_000)
    bench.player.choose(bench.files("ab"), first: 0, shuffled: false, from: context)
    try bench.wait { bench.heard == ["a"] }
    let first = bench.player.playingID
    bench.player.stop()
    _ = bench.player.handle(.started(id: first))
    #expect(bench.player.state.isStopped)
    bench.player.next()
    _ = bench.player.handle(.started(id: first))
    #expect(bench.player.state.file?.title == bench.files("b")[0].title)
    #expect(bench.player.queue.currentIndex == 1 && bench.player.playingID > first)
    try bench.wait { bench.heard == ["a", "b"] }
  }

  @Test func isShortOfFrames_untilTheRingIsFilled_andNotAtTheEnd() throws {
    let bench = try Bench("a", frames: 400_000)
    #expect(bench.engine.isShortOfFrames(below: 0.25))
    bench.player.pause()
    bench.player.choose(bench.files("a"), first: 0, shuffled: false, from: context)
    bench.player.pause()
    try bench.wait { !bench.engine.isShortOfFrames(below: 0.5) }
    #expect(bench.player.skip(by: 48))
    bench.player.resume()
    try bench.wait { bench.player.state.isStopped }
    #expect(!bench.engine.isShortOfFrames(below: 0.25))
  }

  @Test func moveToAlbum_goesToTheFirstFileOfTheAlbum() throws {
    let bench = try Bench("abcde", frames: 400_000)
    let mount = VolumeMount(identity: "stick", path: bench.folder.path(""))
    let named: [(String, String)] = [("a", "X"), ("b", "Y"), ("c", "Y"), ("d", "Z"), ("e", "Z")]
    var list = MusicFileList()
    for (name, album) in named {
      list.add(mount, path: "\(name).flac", title: name, artist: nil, album: album, seconds: nil)
    }
    bench.player.choose(list.take(), first: 0, shuffled: false, from: context)
    try bench.wait { bench.heard.last == "a" }
    #expect(!bench.player.moveToAlbum(.previous))
    #expect(bench.player.moveToAlbum(.next) && bench.player.moveToAlbum(.next))
    try bench.wait { bench.heard.last == "d" }
    #expect(!bench.player.moveToAlbum(.next))
    #expect(bench.player.moveToAlbum(.previous))
    try bench.wait { bench.heard.last == "b" }
    // With albums shuffled, the songs of an album that was left do not come again in this round.
    bench.player.setShuffle(.collections)
    #expect(bench.player.moveToAlbum(.next) && bench.player.moveToAlbum(.next))
    #expect(!bench.player.moveToAlbum(.next))
  }

  @Test func extend_atTheEnd_joinsTheNextList() throws {
    let bench = try Bench("abc")
    bench.player.choose(bench.files("a"), first: 0, shuffled: false, from: context)
    try bench.wait { bench.heard == ["a"] }
    #expect(bench.player.isAtEnd)
    let next = QueueContext(list: "album:2", title: "Next")
    bench.player.extend(with: bench.files("bc"), from: next)
    #expect(bench.player.context == next && !bench.player.queue.canUndo)
    try bench.wait { bench.player.state.isStopped }
    #expect(bench.heard == ["a", "b", "c"])
  }

  @Test func restore_whileItsCurrentFilePlays_playsOnWithinTheQueue() throws {
    let bench = try Bench("abc", frames: 16000)
    let file = bench.files("b")
    bench.player.setFiles(file)
    bench.player.resume()
    try bench.wait { bench.heard == ["b"] }
    let entries = ["a", "b", "c", "b"].enumerated().map { number, name in
      LocalPlayer.Entry(id: UInt32(number + 40), bench.files(name)[0])
    }
    // The current entry is the second entry of file b.
    var saved = PlayQueue<MusicFile>.Saved()
    (saved.currentID, saved.context) = (43, context)
    bench.player.restore(entries, saved)
    #expect(bench.player.state.queueIndex == 3)
    bench.player.setRepeat(.all)
    try bench.wait { bench.heard.count == 4 }
    #expect(bench.heard == ["b", "a", "b", "c"])
  }
}

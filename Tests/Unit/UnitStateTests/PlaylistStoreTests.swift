import Foundation
import LibraryModel
import TestKit
import Testing

@testable import UnitState

/// The playlists on a real file system.
@Suite struct PlaylistStoreTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("lists") }

  init() throws { folder = try TemporaryFolder() }

  private func store() -> PlaylistStore {
    var store = PlaylistStore(folder: path)
    store.load()
    return store
  }

  private func entry(_ number: Int) -> OwnPlaylist.Entry {
    OwnPlaylist.Entry(
      SongReference(
        volume: number % 2 == 0 ? "stick" : "folder /music", path: Array("\(number).flac".utf8)),
      title: "song \(number)", duration: .test(number))
  }

  private func key(_ number: Int) -> UInt64 { entry(number).reference.key }

  private func titles(_ store: PlaylistStore, _ name: String) throws -> [String] {
    try store.read(name).entries.map(\.title)
  }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  @Test func withoutAFolder_thereAreEmptyFavourites() throws {
    let store = store()
    #expect(store.index == PlaylistStore.Index())
    #expect(store.index.lists.map(\.name.text) == ["Favourites"])
    #expect(try store.read("favourites") == OwnPlaylist())
    #expect(files.isEmpty)
  }

  @Test func lists_areThereAgain_withTheirEntries() throws {
    var first = store()
    try first.save([entry(1), entry(2)], as: "Road trip", replacing: nil)
    try first.add([entry(3)], to: "ROAD TRIP")
    try first.add([entry(4)], to: "New")
    try first.mark(entry(2), .liked(true))
    try first.mark(entry(2), .liked(true))
    let again = store()
    #expect(again.index == first.index)
    #expect(again.index.lists.map(\.name.text) == ["Favourites", "New", "Road trip"])
    #expect(again.index.lists.map(\.count) == [1, 1, 3])
    #expect(again.index.lists[2].volumes == ["stick", "folder /music"])
    #expect(again.index.songs.favourites == [key(2)])
    #expect(try titles(again, "road trip") == ["song 1", "song 2", "song 3"])
    #expect(files == ["Favourites.m3u8", "New.m3u8", "Road trip.m3u8"])
  }

  @Test func replacedSongs_stayWhereTheyAreInTheirList() throws {
    var store = store()
    try store.save([entry(1), entry(2), entry(1)], as: "Road", replacing: nil)
    try store.save([entry(1)], as: "Other", replacing: nil)
    try store.mark(entry(1), .liked(true))
    let road = try #require(PlaylistName("Road")).identity
    try store.replace([entry(1).reference: entry(5), entry(9).reference: entry(8)], in: road)
    #expect(try titles(store, "Road") == ["song 5", "song 2", "song 5"])
    #expect(try titles(store, "Other") == ["song 1"])
    try store.mark(entry(4), .liked(true))
    try store.replace([entry(1).reference: entry(4)], in: PlaylistName.favourites.identity)
    #expect(try titles(store, "Favourites") == ["song 4"])
    #expect(store.index.songs.favourites == [key(4)])
    let again = self.store()
    #expect(again.index == store.index)
    #expect(try titles(again, "Road") == ["song 5", "song 2", "song 5"])
    #expect(throws: PlaylistFailure.self) { try store.replace([:], in: 7) }
  }

  @Test func marks_areThereAgain_andLikeAndDislikeExcludeEachOther() throws {
    var store = store()
    try store.mark(entry(1), .liked(true))
    try store.mark(entry(1), .halfStars(7))
    try store.mark(entry(2), .disliked(true))
    try store.mark(entry(2), .halfStars(200))
    try store.mark(entry(1), .disliked(true))
    #expect(store.index.songs.favourites.isEmpty)
    #expect(store.index.songs.opinions[key(1)]?.isDisliked == true)
    try store.mark(entry(1), .liked(true))
    let songs = store.index.songs
    #expect(songs.favourites == [key(1)] && songs.bookmarks.isEmpty && songs.hasDisliked)
    #expect(songs.opinions[key(1)]?.halfStars == 7)
    #expect(songs.opinions[key(1)]?.isDisliked == false)
    #expect(songs.opinions[key(2)]?.halfStars == 10)
    #expect(self.store().index == store.index)
    // The file of the opinions (stars and dislikes) is not listed as a playlist, and not as an ignored file.
    #expect(store.index.lists.map(\.name.text) == ["Favourites"] && store.ignored.isEmpty)
    #expect(files == [".opinions.m3u8", "Favourites.m3u8"])
    try store.mark(entry(2), .disliked(false))
    #expect(!store.index.songs.hasDisliked && self.store().index == store.index)
  }

  @Test func bookmarks_areAList_theLatestFirst_withOneTimeForEachSong() throws {
    var store = store()
    try store.mark(entry(1), .bookmark(.test(61_500)))
    try store.mark(entry(2), .bookmark(.test(0)))
    try store.mark(entry(1), .bookmark(.test(90_000)))
    #expect(try titles(store, "bookmarks") == ["song 1", "song 2"])
    #expect(try store.read("Bookmarks").entries.map(\.bookmark) == [.test(90_000), .zero])
    #expect(store.index.songs.bookmarks == [key(1): .test(90_000), key(2): .test(0)])
    #expect(self.store().index == store.index)
    try store.save([entry(3)], as: "Air", replacing: nil)
    #expect(store.index.lists.map(\.name.text) == ["Favourites", "Bookmarks", "Air"])
    let reserved = PlaylistFailure.reserved("Bookmarks")
    #expect(throws: reserved) { try store.rename("bookmarks", to: "C") }
    #expect(throws: reserved) { try store.rename("Air", to: "Bookmarks") }
    #expect(throws: reserved) { try store.delete("Bookmarks") }
    try store.mark(entry(1), .bookmark(nil))
    try store.mark(entry(1), .bookmark(nil))
    #expect(store.index.songs.bookmarks == [key(2): .test(0)])
    #expect(try store.read(identity: 3).list.entries.count == 1)
  }

  @Test func movedSongs_keepTheirMarks() throws {
    var store = store()
    try store.mark(entry(1), .bookmark(.test(5000)))
    try store.mark(entry(1), .disliked(true))
    for list in [PlaylistName.bookmarks, .opinions] {
      try store.replace([entry(1).reference: entry(5)], in: list.identity)
    }
    #expect(store.index.songs.bookmarks == [key(5): .test(5000)])
    #expect(store.index.songs.opinions.keys.elementsEqual([key(5)]))
    #expect(self.store().index == store.index)
  }

  @Test func opinionsThatCannotBeRead_areNotReplaced() throws {
    var store = store()
    try store.mark(entry(1), .halfStars(3))
    try FileManager.default.removeItem(atPath: path + "/.opinions.m3u8")
    try FileManager.default.createDirectory(
      atPath: path + "/.opinions.m3u8", withIntermediateDirectories: false)
    var again = self.store()
    #expect(again.index.songs.opinions.isEmpty)
    #expect(throws: PlaylistFailure.self) { try again.mark(entry(2), .halfStars(3)) }
    // *Like* must also remove a dislike. While the file of the opinions cannot be read, it is unknown whether the song
    // is disliked, so *like* is refused.
    #expect(throws: PlaylistFailure.self) { try again.mark(entry(2), .liked(true)) }
    try again.mark(entry(2), .bookmark(.test(1)))
    #expect(again.index.songs.bookmarks == [key(2): .test(1)])
  }

  @Test func edits_changeOneList() throws {
    var store = store()
    try store.save((1...4).map(entry), as: "A", replacing: nil)
    let identities = try store.read("A").identities
    try store.remove(identities[1], from: "a")
    #expect(try titles(store, "A") == ["song 1", "song 3", "song 4"])
    #expect(throws: PlaylistFailure.unknownEntry) { try store.remove(identities[1], from: "A") }
    try store.rename("A", to: "a")
    #expect(files == ["a.m3u8"])
    try store.rename("a", to: "B")
    #expect(throws: PlaylistFailure.unknown("a")) { try store.read("a") }
    #expect(try titles(store, "b").count == 3)
    try store.mark(entry(1), .liked(true))
    try store.mark(entry(1), .liked(false))
    #expect(store.index.songs.favourites.isEmpty)
    try store.delete("B")
    #expect(files == ["Favourites.m3u8"])
    #expect(store.index.lists.map(\.name.text) == ["Favourites"])
  }

  @Test func refusals_changeNothing() throws {
    var store = store()
    try store.save([entry(1)], as: "A", replacing: nil)
    try store.save([entry(2)], as: "B", replacing: nil)
    let before = store.index
    #expect(throws: PlaylistFailure.exists("A")) {
      try store.save([entry(3)], as: "a", replacing: nil)
    }
    #expect(throws: PlaylistFailure.exists("Favourites")) {
      try store.save([entry(3)], as: "favourites", replacing: nil)
    }
    #expect(throws: PlaylistFailure.exists("A")) { try store.rename("B", to: "A") }
    let reserved = PlaylistFailure.reserved("Favourites")
    #expect(throws: reserved) { try store.rename("favourites", to: "C") }
    #expect(throws: reserved) { try store.rename("A", to: "Favourites") }
    #expect(throws: reserved) { try store.delete("Favourites") }
    #expect(throws: PlaylistFailure.invalidName("../A")) { try store.delete("../A") }
    #expect(throws: PlaylistFailure.invalidName(".x")) { try store.rename("A", to: ".x") }
    #expect(throws: PlaylistFailure.unknown("C")) { try store.delete("C") }
    #expect(store.index == before)
    #expect(try titles(store, "A") == ["song 1"])
    // A queue can replace the playlist from which it was made.
    let identity = try #require(PlaylistName("A")).identity
    try store.save([entry(3)], as: "A", replacing: identity)
    #expect(try titles(store, "A") == ["song 3"])
    // A file that was created after the playlists were read is not replaced.
    try folder.write("lists/late.m3u8", Array("x.flac\n".utf8))
    #expect(throws: PlaylistFailure.exists("late")) {
      try store.save([entry(3)], as: "late", replacing: nil)
    }
  }

  @Test func add_songsThatTheListHas_changesNothingUnlessAgain() throws {
    var store = store()
    try store.add([entry(1), entry(2), entry(1)], to: "a")
    #expect(throws: PlaylistFailure.hasEntries("a", entry(2).title, isReserved: false)) {
      try store.add([entry(2)], to: "A")
    }
    #expect(throws: PlaylistFailure.hasEntries("a", nil, isReserved: false)) {
      try store.add([entry(2), entry(1)], to: "a")
    }
    #expect(try titles(store, "a") == ["song 1", "song 2", "song 1"])
    try store.add([entry(2), entry(3), entry(3)], to: "a")
    #expect(try titles(store, "a") == ["song 1", "song 2", "song 1", "song 3", "song 3"])
    try store.add([entry(2)], to: "a", again: true)
    #expect(try titles(store, "a").last == "song 2")
    try store.add([entry(1), entry(1)], to: "Favourites")
    #expect(throws: PlaylistFailure.hasEntries("Favourites", entry(1).title, isReserved: true)) {
      try store.add([entry(1)], to: "favourites", again: true)
    }
    #expect(try titles(store, "Favourites") == ["song 1"])
    #expect(try titles(self.store(), "a").count == 6)
  }

  @Test func bounds_areKept() throws {
    var store = store()
    let full = (0..<OwnPlaylist.maximumEntries).map(entry)
    try store.save(full, as: "full", replacing: nil)
    #expect(throws: PlaylistFailure.tooManyEntries("full")) {
      try store.add([entry(OwnPlaylist.maximumEntries)], to: "full")
    }
    #expect(throws: PlaylistFailure.tooManyEntries("more")) {
      try store.save(full + [entry(1)], as: "more", replacing: nil)
    }
    #expect(try store.read("full").entries == full)
    for number in 0..<PlaylistStore.maximumLists - 2 {
      try store.add([entry(1)], to: "list \(number)")
    }
    #expect(store.index.lists.count == PlaylistStore.maximumLists)
    #expect(throws: PlaylistFailure.tooManyLists) { try store.add([entry(1)], to: "one more") }
    try store.add([entry(2)], to: "list 7")
    let volumes = (0..<100).map { OwnPlaylist.Entry(SongReference(volume: "\($0)", path: [0x61])) }
    try store.add(volumes, to: "list 8")
    #expect(store.index.lists.allSatisfy { $0.volumes.count <= 65 })
    #expect(store.index.lists.contains { $0.volumes.contains("") })
    #expect(self.store().index == store.index)
  }

  @Test func foreignAndDamagedFiles_areListed_andCopiedBeforeAChange() throws {
    let foreign = Array("# mine\nsong.flac\n".utf8)
    var damaged = OwnPlaylist((1...50).map(entry)).encoded()
    damaged.removeLast(damaged.count / 2)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try folder.write("lists/foreign.m3u8", foreign)
    try folder.write("lists/Favourites.m3u8", damaged)
    try folder.write("lists/Foreign.m3u8", [])
    try folder.write("lists/.hidden.m3u8", [])
    try folder.write("lists/notes.txt", [])
    try FileManager.default.createDirectory(
      atPath: path + "/folder.m3u8", withIntermediateDirectories: false)
    var store = store()
    #expect(store.index.lists.map(\.name.text) == ["Favourites", "folder", "Foreign"])
    #expect(store.ignored == [".hidden.m3u8", "foreign.m3u8"])
    #expect(store.index.lists[1].count == nil)
    #expect(throws: PlaylistFailure.self) { try store.add([entry(1)], to: "folder") }
    let count = store.index.songs.favourites.count
    #expect((20...30).contains(count))
    try store.mark(entry(99), .liked(true))
    #expect(store.index.songs.favourites.count == count + 1)
    #expect(try folder.read("lists/Favourites.m3u8.before-1") == damaged)
    // The new file of the favourites is whole, so it is not copied before the next change.
    try store.mark(entry(98), .liked(true))
    #expect(!files.contains("Favourites.m3u8.before-2"))
    #expect(try folder.read("lists/foreign.m3u8") == foreign)
  }

  @Test func aFolderThatCannotBeWritten_isRefused_andTheOldListStays() throws {
    try folder.write("lists", [])
    var store = store()
    #expect(throws: PlaylistFailure.unwritable(path, ENOTDIR)) {
      try store.mark(entry(1), .liked(true))
    }
    #expect(store.index == PlaylistStore.Index())
    try FileManager.default.removeItem(atPath: path)
    try store.mark(entry(1), .liked(true))
    // A folder has the name of the temporary file, so the temporary file cannot be created.
    try FileManager.default.createDirectory(
      atPath: path + "/.new", withIntermediateDirectories: false)
    #expect(throws: PlaylistFailure.unwritable(path, EISDIR)) {
      try store.mark(entry(2), .liked(true))
    }
    #expect(store.index.songs.favourites == [key(1)])
    #expect(self.store().index == store.index)
  }
}

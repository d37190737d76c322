import Testing

@testable import LibraryDatabase

/// Tests which tracks of a folder form one album, and which artists the album has.
@Suite struct AlbumGroupingTests {
  private func track(
    _ id: Int64, _ album: String?, by artists: String?..., of albumArtists: [String] = [],
    release: String? = nil, isCompilation: Bool = false
  ) -> AlbumGrouping.Track {
    var tags = AlbumTags()
    tags.title = album
    tags.artists = albumArtists
    tags.release = release
    tags.isCompilation = isCompilation
    let names = artists.compactMap(\.self)
    let list = names.isEmpty ? nil : names.joined(separator: "\0")
    return AlbumGrouping.Track(id: id, artists: list, tags: tags)
  }

  private func albums(_ tracks: AlbumGrouping.Track...) -> [AlbumGrouping.Album] {
    AlbumGrouping.albums(of: tracks, folder: "Folder")
  }

  @Test func albums_oneArtist_areThoseOfTheArtist() {
    let found = albums(track(1, "Moon", by: "Air"), track(2, "MOON", by: "air"))
    #expect(found.map(\.title) == ["Moon"])
    #expect(found.map(\.artists) == [["Air"]])
    #expect(found.map(\.tracks) == [[1, 2]])
  }

  @Test func albums_guestsOnSomeTracks_areThoseOfTheMostFrequentArtist() {
    let found = albums(
      track(1, "Moon", by: "Air"), track(2, "Moon", by: "Air"), track(3, "Moon", by: "Air feat. B"))
    #expect(found.map(\.artists) == [["Air"]])
    #expect(found.map(\.isVarious) == [false])
  }

  @Test func albums_halfOfTheTracksDiffer_areThoseOfVariousArtists() {
    let found = albums(track(1, "Hits", by: "A"), track(2, "Hits", by: "B"))
    #expect(found.map(\.isVarious) == [true])
    #expect(found.map(\.artists) == [[]])
  }

  @Test func albums_compilationOfMostlyOneArtist_isOfVariousArtists() {
    let found = albums(
      track(1, "Hits", by: "A", isCompilation: true),
      track(2, "Hits", by: "A", isCompilation: true),
      track(3, "Hits", by: "B", isCompilation: true))
    #expect(found.map(\.isVarious) == [true])
  }

  @Test func albums_severalArtistsOfATrack_countSeparately() {
    let guests = albums(
      track(1, "Moon", by: "Air", "B"), track(2, "Moon", by: "Air", "C"),
      track(3, "Moon", by: "AIR"))
    #expect(guests.map(\.artists) == [["Air"]])
    let pair = albums(track(1, "Moon", by: "A", "B"), track(2, "Moon", by: "b", "a"))
    #expect(pair.map(\.artists) == [["A", "B"]])
    let pairWithGuest = albums(
      track(1, "Moon", by: "A", "B"), track(2, "Moon", by: "A", "B"), track(3, "Moon", by: "C"))
    #expect(pairWithGuest.map(\.artists) == [["A", "B"]])
    let various = albums(
      track(1, "Moon", by: "A", "B"), track(2, "Moon", by: "A", "C"), track(3, "Moon", by: "D"),
      track(4, "Moon", by: "E"))
    #expect(various.map(\.isVarious) == [true])
  }

  @Test func albums_twoAlbumArtists_areTwoAlbums() {
    let found = albums(
      track(1, "Hits", by: "x", of: ["Queen"]), track(2, "Hits", by: "x", of: ["ABBA"]),
      track(3, "Hits", by: "x", of: ["QUEEN"]))
    #expect(found.map(\.artists) == [["Queen"], ["ABBA"]])
    #expect(found.map(\.tracks) == [[1, 3], [2]])
  }

  @Test func albums_someTracksWithoutAlbumArtist_joinTheOthers() {
    let found = albums(
      track(1, "Hits", by: "A"), track(2, "Hits", by: "B", of: ["Queen"]), track(3, "Hits", by: "C")
    )
    #expect(found.map(\.artists) == [["Queen"]])
    #expect(found.map(\.tracks) == [[1, 2, 3]])
  }

  @Test func albums_tagOfVariousArtists_isNoPerson() {
    let found = albums(track(1, "Hits", by: "A", of: ["various artists"]))
    #expect(found.map(\.isVarious) == [true])
    #expect(found.map(\.artists) == [[]])
  }

  @Test func albums_withoutTags_haveTheNameOfTheFolderAndNoArtist() {
    let found = albums(track(1, nil, by: nil), track(2, nil, by: nil))
    #expect(found.map(\.title) == ["Folder"])
    #expect(found.map(\.artists) == [[]])
    #expect(found.map(\.isVarious) == [false])
  }

  @Test func albums_differentReleases_areTwoAlbums() {
    let found = albums(
      track(1, "Moon", by: "Air", release: "1"), track(2, "Moon", by: "Air", release: "2"))
    #expect(found.map(\.tracks) == [[1], [2]])
  }

  @Test(arguments: ["CD1", "cd 2", "Disc 01", "DISK_3", "Disque-2", "Disco 1"])
  func isDisc_folderOfADisc_isTrue(name: String) { #expect(AlbumGrouping.isDisc(name)) }

  @Test(arguments: ["CD", "Discovery", "CD 2020", "Disc 1 extras", "CDs", "1"])
  func isDisc_otherFolder_isFalse(name: String) { #expect(!AlbumGrouping.isDisc(name)) }
}

import LibraryDatabase
import LibraryModel
import TestKit
import Testing

@testable import LibraryScan

/// Searches a library of real files for entries whose names are similar to a misspelt name.
@Suite struct SimilarNamesTests {
  let bench: LibraryBench

  init() throws {
    bench = try LibraryBench()
    try bench.addAlbum("Moon Safari", by: "Air")
    try bench.addAlbum("Ágætis byrjun", by: "Sigur Rós", tracks: 1)
    try bench.addAlbum("Kid A", by: "Radiohead", tracks: 1)
    try bench.addAlbum("Live", by: "Radiohead Tribute", tracks: 1)
    try bench.addAlbum("Группа крови", by: "Кино", tracks: 1)
    try bench.scan()
  }

  private func similar(
    _ text: String, _ kinds: [LibraryRow.Kind] = SimilarRequest("").kinds, limit: Int = 1
  ) throws -> [String] {
    try bench.reader.similar(to: text, kinds: kinds, limit: limit).rows.map {
      "\($0.kind.rawValue) \($0.title)"
    }
  }

  @Test(arguments: [
    ("radiohaed", "artist Radiohead"), ("Radoihed", "artist Radiohead"),
    ("adiohead", "artist Radiohead"), ("rradiohead", "artist Radiohead"),
    ("moon safary", "album Moon Safari"), ("mon safary", "album Moon Safari"),
    ("safary moon", "album Moon Safari"), ("air safary", "album Moon Safari"),
    ("moon saffari 2", "song Moon Safari 2"), ("Sigurr Ros", "artist Sigur Rós"),
    ("agaetis birjun", "album Ágætis byrjun"), ("групра", "album Группа крови"),
    ("RADIOHAED TRIBUT", "artist Radiohead Tribute"), ("kit a", "album Kid A"),
  ])
  func aMisspeltName_findsTheNearestEntry(text: String, found: String) throws {
    #expect(try similar(text) == [found])
  }

  @Test(arguments: ["", "!", "zzzz", "xy", "aur moon xylophone", "moon safrayyy", "raaadiohaed"])
  func aNameThatIsNotSimilar_findsNothing(text: String) throws {
    #expect(try similar(text) == [])
  }

  @Test func numberOfEdits_isThatOfAllWords() throws {
    for (text, edits) in [("moon safari", 0), ("mon safari", 1), ("mon safary", 2)] {
      #expect(
        try bench.reader.similar(to: text, kinds: [.album], limit: 1).edits == edits)
    }
  }

  @Test func onlyTheRequestedKinds_areFound() throws {
    #expect(
      try similar("safary", [.song], limit: 9) == ["song Moon Safari 1", "song Moon Safari 2"])
    #expect(try similar("safary", [.artist]) == [])
    #expect(try similar("safary", limit: 0).count == 1)
  }

  @Test func anEntryThatWasRemoved_isNotFound() throws {
    for number in 1...2 { try bench.remove("Air/Moon Safari/\(number).flac") }
    try bench.scan()
    #expect(try similar("safary") == [])
  }

  /// The text is not parsed as query syntax of the index, and any length is accepted.
  @Test(arguments: [
    "moo* safary", "\"safary", "safary) OR (", "^safary", "NEAR(safary)",
    String(repeating: "safary ", count: 1000), String(repeating: "x", count: 100_000),
  ])
  func anyText_isAccepted(text: String) throws {
    _ = try similar(text)
  }
}

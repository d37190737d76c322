import Files
import Foundation
import LibraryDatabase
import LibraryModel
import NameKeys
import TestKit
import Testing

@testable import LibraryScan

/// Searches of the index for names as people type them.
@Suite struct NamesAsTypedTests {
  private let bench: LibraryBench

  init() throws { bench = try LibraryBench() }

  private func keys(_ keys: String) throws -> [String] {
    try bench.reader.find(#require(SearchQuery(keys: keys))).rows.map(\.title)
  }

  @Test func find_namesWithSigns_withAndWithoutThem() throws {
    let titles = [
      "AC/DC", "R.E.M.", "Jay-Z", "T.N.T.", "Don't Stop", "I'm Yours", "C'est la vie", "L’amour",
      "Simon & Garfunkel", "Hall and Oates", "P!nk", "blink-182",
    ]
    try bench.scanSongs(titles)
    let queries: [(String, [String], [String])] = [
      ("AC/DC", ["acdc", "ac dc", "ac/dc"], ["2232", "22032"]),
      ("R.E.M.", ["rem", "r e m", "R.E.M"], ["736", "70306"]),
      ("Jay-Z", ["jayz", "jay z"], ["5299"]), ("T.N.T.", ["tnt"], ["868"]),
      ("Don't Stop", ["dont stop", "don’t stop", "don t stop"], ["36680"]),
      ("I'm Yours", ["im yours", "i`m yours"], ["46096"]),
      ("C'est la vie", ["cest la vie", "la vie", "c´est"], ["2378052"]),
      ("L’amour", ["lamour", "l'amour", "amour"], ["526687", "26687"]),
      (
        "Simon & Garfunkel", ["simon and garfunkel", "simon und garfunkel", "simon garfunkel"],
        ["746660263042", "74666042"]
      ),
      ("Hall and Oates", ["hall & oates", "hall oates", "hall et oates"], ["42550628"]),
      ("P!nk", ["pink", "pnk"], ["7465"]), ("blink-182", ["blink182", "182"], ["25465182"]),
    ]
    for (title, texts, digits) in queries {
      for text in texts { #expect(try bench.find(text) == ["song \(title)"], "\(text)") }
      for digits in digits { #expect(try keys(digits) == [title], "\(digits)") }
    }
  }

  @Test func find_artistsWithSigns_byKeys() throws {
    for artist in ["AC/DC", "R.E.M.", "Jay-Z"] {
      let folder = artist.filter { $0 != "/" }
      try bench.add("\(folder)/1.flac", "TITLE=T.N.T.", "ARTIST=\(artist)", "ALBUM=A")
    }
    try bench.scan()
    for (digits, artist) in [("2232", "AC/DC"), ("736", "R.E.M."), ("5299", "Jay-Z")] {
      #expect(try keys(digits).first == artist)
    }
    #expect(try keys("868") == ["T.N.T.", "T.N.T.", "T.N.T."])
    #expect(try bench.find("acdc").first == "artist AC/DC")
  }

  /// The names are added one after the other, so that the index is not in the order of the names.
  @Test func find_aNameTypedInFull_comesFirst() throws {
    for (number, artist) in ["Airbag", "Air Supply", "Airborne", "Airwolf", "Air"].enumerated() {
      try bench.add("\(number)/1.flac", "TITLE=Song \(number)", "ARTIST=\(artist)", "ALBUM=A")
      try bench.scan()
    }
    #expect(try bench.find("air").first == "artist Air")
    #expect(try keys("247").first == "Air")
    #expect(try bench.find("air supply").first == "artist Air Supply")
    #expect(try bench.find("airsupply").first == "artist Air Supply")
  }

  /// The names that contain the typed *and* come before the names that do not.
  @Test func find_theWordForAnd_prefersTheNamesThatHaveIt() throws {
    try bench.scanSongs(["Julie London", "Julie Andrews", "Bodies of Julie"])
    #expect(
      try bench.find("julie and") == [
        "song Julie Andrews", "song Julie London", "song Bodies of Julie",
      ])
    #expect(try keys("585430263").first == "Bodies of Julie" || keys("585430263").count == 3)
    #expect(try bench.find("and") == ["song Julie Andrews"])
  }

  @Test func similar_ofANameWithAnd_ignoresIt() throws {
    try bench.scanSongs(["Simon & Garfunkel", "AC/DC"])
    func similar(_ text: String) throws -> [String] {
      try bench.reader.similar(to: text, kinds: [.song], limit: 5).rows.map(\.title)
    }
    #expect(try similar("simon and garfunkl") == ["Simon & Garfunkel"])
    #expect(try similar("acdv") == ["AC/DC"])
  }

  @Test func artists_ofLooseSongs_areListedAndPresent() throws {
    for (number, artist) in ["Abba", "Cher", "Dido"].enumerated() {
      try bench.add("Mixed/\(number).flac", "TITLE=Hit \(number)", "ARTIST=\(artist)")
    }
    try bench.addAlbum("Moon Safari", by: "Air", tracks: 3)
    try bench.add(
      "Air/Moon Safari/9.flac", "TITLE=Guest", "ARTIST=Beth", "ALBUM=Moon Safari")
    try bench.add("Comp/1.flac", "TITLE=C1", "ARTIST=Enya", "ALBUM=C", "COMPILATION=1")
    try bench.add("Comp/2.flac", "TITLE=C2", "ARTIST=Falco", "ALBUM=C", "COMPILATION=1")
    try bench.add(
      "Tagged/1.flac", "TITLE=T", "ARTIST=Gossip", "ALBUM=T", "ALBUMARTIST=Various Artists")
    try bench.scan()
    #expect(try bench.titles(.artists) == ["Abba", "Air", "Beth", "Cher", "Dido"])
    let letters = try bench.reader.letters(of: .artists, under: nil)
    #expect(letters.map(\.heading) == ["A", "B", "C", "D"])
    let cher = try bench.id("Cher", in: .artists)
    #expect(try bench.titles(.artist(cher)) == ["Hit 1"])
    #expect(try bench.reader.tracks(of: .artist(cher)).count == 1)
    bench.reader.presentVolumes = 1 << (try #require(bench.reader.volumeBits()["test 1"]))
    for name in ["cher", "enya", "gossip", "beth", "air"] {
      let query = try #require(SearchQuery(text: name))
      let rows = try bench.reader.find(query).rows.filter { $0.kind == .artist }
      #expect(rows.map(\.isAbsent) == [false], "\(name)")
    }
    bench.reader.presentVolumes = 0
    #expect(try bench.rows(.artists).allSatisfy(\.isAbsent))
  }

  @Test func artists_whoseLastLooseSongIsGone_areNotListed() throws {
    try bench.add("a.flac", "TITLE=A", "ARTIST=Abba")
    try bench.add("b.flac", "TITLE=B", "ARTIST=Beth")
    try bench.add("c.flac", "TITLE=C", "ARTIST=Cher")
    try bench.scan()
    #expect(try bench.titles(.artists) == ["Abba", "Beth", "Cher"])
    try bench.remove("b.flac")
    try bench.scan()
    #expect(try bench.titles(.artists) == ["Abba", "Cher"])
    // The tag makes it a compilation of others.
    try bench.add("c.flac", "TITLE=C", "ARTIST=Cher", "ALBUM=C", "ALBUMARTIST=Somebody")
    try bench.scan()
    #expect(try bench.titles(.artists) == ["Abba", "Somebody"])
  }
}

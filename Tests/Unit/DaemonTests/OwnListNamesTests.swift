import LibraryModel
import NameKeys
import Testing
import UnitState

@testable import Daemon
@testable import Settings

/// The order and the headings of the unit's playlists, together with the playlists of the library.
@Suite struct OwnListNamesTests {
  private static let articles = Articles(languages: ["en"])

  private static func keys(_ names: [String]) throws -> [OwnListKey] {
    try names.map { OwnListKey(try #require(PlaylistName($0)), articles) }.sorted()
  }

  @Test(arguments: LibraryArticles.Language.allCases)
  func eachLanguageOfTheConfiguration_hasArticles(_ language: LibraryArticles.Language) {
    #expect(Articles(languages: [language.rawValue]).key != Articles([]).key)
  }

  @Test func order_isThatOfTheLibrary_afterTheFavourites() throws {
    let names = [
      "Favourites", "2 beers", "10 beers", "Ágætis", "an Apple", "b", "The Best", "Best of", "Ж",
      "漢字",
    ]
    #expect(try Self.keys(names.reversed()).map(\.name.text) == names)
  }

  @Test func headings_haveEachListOnce() throws {
    let keys = try Self.keys([
      "Favourites", "ab", "a", "Abc", "Ábd", "Fab", "ß", "漢字", "★★", "99", "U2", "The Sea",
    ])
    let groups = PlaylistHeadings.groups(keys, length: 1)
    #expect(groups.map(\.heading) == ["★", "#", "A", "F", "S", "U", "漢"])
    #expect(groups.map(\.count) == [1, 2, 4, 1, 2, 1, 1])
    func check(_ heading: String, _ expected: Int) {
      let covered = keys.filter { $0.isUnder(heading) }
      #expect(covered.count == expected)
      guard heading != OwnListKey.star, SortKey.isDivided(heading) else { return }
      let groups = PlaylistHeadings.groups(
        covered, length: heading.unicodeScalars.count + 1)
      #expect(groups.reduce(0) { $0 + $1.count } == expected)
      for group in groups { check(group.heading, group.count) }
    }
    for group in groups { check(group.heading, group.count) }
    let second = PlaylistHeadings.groups(keys.filter { $0.isUnder("A") }, length: 2)
    #expect(second.map(\.heading) == ["A_", "Ab"] && second.map(\.count) == [1, 3])
  }

  @Test func headingsOfTheLibrary_areJoinedInOrder() {
    func groups(_ headings: [String]) -> [LetterGroup] {
      headings.map { LetterGroup(heading: $0, count: 2) }
    }
    let merged = PlaylistHeadings.merged(
      groups(["★", "A", "漢", "ㄴ"]), groups(["#", "A", "B", "か", "ㄱ", "ㄷ"]))
    #expect(merged.map(\.heading) == ["★", "#", "A", "B", "か", "漢", "ㄱ", "ㄴ", "ㄷ"])
    #expect(merged.map(\.count) == [2, 2, 4, 2, 2, 2, 2, 2, 2])
    let second = PlaylistHeadings.merged(groups(["Ua", "Ub"]), groups(["U_", "Ua", "Uc"]))
    #expect(second.map(\.heading) == ["U_", "Ua", "Ub", "Uc"])
    #expect(PlaylistHeadings.merged([], groups(["B"])) == groups(["B"]))
    #expect(PlaylistHeadings.merged(groups(["B"]), []) == groups(["B"]))
  }

  @Test func aPartUnderAHeading_hasRowsOfBoth() throws {
    let rows = try Self.keys((1...8).map { "Star \($0)" } + ["Favourites", "Sun"]).map {
      OwnListRow($0, LibraryRow(kind: .playlist, id: -1, title: $0.name.text))
    }
    func part(_ heading: String?) -> String {
      let part = PlaylistPart(rows, under: heading)
      return "\(part.rows.count) \(part.hasLibrary ? part.heading ?? "all" : "none")"
    }
    #expect(part(nil) == "10 all")
    #expect(part("★") == "1 none")
    #expect(part("S") == "9 S" && part("Sta") == "8 Sta" && part("B") == "0 B")
    // Under the heading *Sta*, rows 1 to 8 are playlists of the unit, and the playlists of the library follow. So the
    // range 5–12 contains the last four playlists of the unit, and then the first four playlists of the library.
    #expect(part("Sta 1–8") == "8 none")
    #expect(part("Sta 5–12") == "4 Sta 1–4")
    #expect(part("Sta 13–24") == "0 Sta 5–16")
    #expect(part("1–12") == "0 none")
  }
}

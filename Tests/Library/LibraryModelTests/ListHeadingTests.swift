import LibraryModel
import Testing

@Suite struct ListHeadingTests {
  @Test(arguments: [0, 1, 11, 12])
  func groups_fewRows_areNone(count: Int) {
    #expect(RowRange.groups(of: count) == [])
    #expect(RowRange.groups(of: 100, under: RowRange(20..<20 + count)) == [])
  }

  @Test func groups_ofSomeRows_haveTwelveEach() {
    let groups = RowRange.groups(of: 30)
    #expect(groups.map(\.heading) == ["1–12", "13–24", "25–30"])
    #expect(groups.map(\.count) == [12, 12, 6])
    #expect(RowRange.groups(of: 144).count == 12)
  }

  @Test func groups_ofManyRows_haveLevels() {
    #expect(RowRange.groups(of: 145).map(\.heading) == ["1–144", "145–145"])
    #expect(
      RowRange.groups(of: 10_000).map(\.heading) == [
        "1–1728", "1729–3456", "3457–5184", "5185–6912", "6913–8640", "8641–10000",
      ])
    let second = RowRange.groups(of: 10_000, under: RowRange(1728..<3456))
    #expect(second.count == 12 && second[1].heading == "1873–2016" && second[1].count == 144)
    let third = RowRange.groups(of: 10_000, under: RowRange(1872..<2016))
    #expect(third.count == 12 && third[0].heading == "1873–1884" && third[0].count == 12)
  }

  /// Each row is in exactly one range of the lowest level. No list of ranges has more than twelve ranges.
  @Test(arguments: [13, 143, 144, 145, 1728, 1729, 10_000, 20_737])
  func groups_ofAllLevels_haveEachRowOnce(count: Int) {
    var rows = 0
    func check(_ groups: [LetterGroup], _ depth: Int) {
      #expect(groups.count <= 12 && depth <= 4)
      for group in groups {
        guard let range = ListHeading(group.heading).range else {
          Issue.record("no range: \(group.heading)")
          return
        }
        #expect(range.rows.count == group.count && range.heading == group.heading)
        let longer = RowRange.groups(of: count, under: range)
        if longer.isEmpty {
          #expect(range.rows.lowerBound == rows && group.count <= 12)
          rows += group.count
        } else {
          check(longer, depth + 1)
        }
      }
    }
    check(RowRange.groups(of: count), 1)
    #expect(rows == count)
  }

  @Test func groups_underARangeThatIsGone_areThoseThatAreLeft() {
    let range = RowRange(144..<288)
    #expect(
      RowRange.groups(of: 170, under: range).map(\.heading) == ["145–156", "157–168", "169–170"])
    #expect(RowRange.groups(of: 150, under: range) == [])
    #expect(RowRange.groups(of: 144, under: range) == [])
    #expect(RowRange.groups(of: -1) == [])
    #expect(RowRange.groups(of: .max, under: RowRange(0..<Int.max)).count == 5)
  }

  @Test func groups_underLetters_haveTheseLetters() {
    let groups = RowRange.groups(of: 14, letters: "漢")
    #expect(groups.map(\.heading) == ["漢 1–12", "漢 13–14"])
    #expect(RowRange.groups(ofRows: 30, under: "St") == [])
    #expect(RowRange.groups(ofRows: 30, under: "St 1–24") == [])
    #expect(RowRange.groups(ofRows: 30, under: nil).count == 3)
  }

  @Test(
    arguments: [
      ("St", "St", nil), ("13–24", nil, 12..<24), ("Sta 1–12", "Sta", 0..<12), ("#", "#", nil),
      ("0–3", "0–3", nil), ("4–3", "4–3", nil), ("1–", "1–", nil), ("–", "–", nil), ("", "", nil),
      ("1-2", "1-2", nil), ("1–2–3", "1–2–3", nil), ("a b", "a b", nil),
      ("1–99999999999999999999", "1–99999999999999999999", nil),
    ] as [(String, String?, Range<Int>?)])
  func init_ofAText_hasLettersOrARange(text: String, letters: String?, range: Range<Int>?) {
    let heading = ListHeading(text)
    #expect(heading.letters == letters && heading.range?.rows == range)
    #expect(heading.text == text)
  }
}

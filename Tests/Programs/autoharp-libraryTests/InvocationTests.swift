import Testing

@testable import autoharp_library

@Suite struct InvocationTests {
  @Test func parse_commands() throws {
    #expect(
      try parseCommandLine(["scan", "/a", "b", "--database", "/d"])
        == .scan(["/a", "b"], database: "/d"))
    #expect(
      try parseCommandLine(["list", "albums", "--under", "S", "--rows", "4", "--from", "x"])
        == .list(.init(node: "albums", heading: "S", cursor: "x", rows: 4), database: nil))
    #expect(try parseCommandLine(["list"]) == .list(.init(), database: nil))
    #expect(
      try parseCommandLine(["find", "moon", "saf"]) == .find(.text("moon saf"), database: nil))
    #expect(try parseCommandLine(["find", "--keys", "66"]) == .find(.keys("66"), database: nil))
    #expect(try parseCommandLine(["--help"]) == .help)
  }

  @Test(arguments: [
    [], ["x"], ["scan"], ["find"], ["find", "a", "--keys", "2"], ["list", "a", "b"],
    ["list", "--rows", "0"], ["list", "--rows"], ["scan", "a", "--rows", "3"], ["find", "--x"],
  ])
  func parse_anythingElse_isAnError(arguments: [String]) {
    #expect(throws: UsageError.self) { try parseCommandLine(arguments) }
  }
}

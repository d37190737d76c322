import Foundation
import TestKit
import Testing

@testable import Files

@Suite struct NumberedNamesTests {
  @Test func names_areSortedByNumber() throws {
    let folder = try TemporaryFolder()
    for name in ["event10", "event9", "event0", "mice", "event", "event07", "event-7", "event1x"] {
      try folder.write(name, [])
    }
    #expect(NumberedNames.all("event", in: folder.url.path) == ["event0", "event9", "event10"])
    #expect(NumberedNames.all("card", in: folder.url.path) == [])
    #expect(NumberedNames.all("event", in: folder.path("missing")) == [])
  }

  @Test func number_acceptsOnlyNamesOfTheKernel() {
    #expect(NumberedNames.number(of: "event7", "event") == 7)
    #expect(NumberedNames.number(of: "event+7", "event") == nil)
    #expect(NumberedNames.number(of: "event1048576", "event") == nil)
  }
}

import EventLoop
import Testing

@Suite struct BusValueTests {
  /// Values of every type that BlueZ or Autoharp uses, also nested.
  static let values: [BusValue] = [
    .byte(255), .boolean(true), .boolean(false), .int16(.min), .uint16(.max), .int32(.min),
    .uint32(.max), .int64(.min), .uint64(.max), .double(-0.1), .string(""), .string("ä𝄞"),
    .objectPath("/org/bluez/hci0"), .signature("a{sv}"), .bytes([]), .bytes([0, 255]),
    .array(of: "s", []), .strings(["a", ""]), .array(of: "ay", [.bytes([1]), .bytes([])]),
    .array(of: "(si)", [.structure([.string("x"), .int32(1)])]),
    .dictionary(key: "q", value: "v", [.init(.uint16(0x4C), .variant(.bytes([1, 2])))]),
    .properties([]), .properties(["b": .int32(1), "a": .properties(["c": .strings(["d"])])]),
    .variant(.variant(.variant(.structure([.byte(1), .variant(.objectPath("/"))])))),
    .dictionary(
      key: "o", value: "a{sa{sv}}",
      [
        .init(
          .objectPath("/org/bluez"),
          .dictionary(
            key: "s", value: "a{sv}",
            [.init(.string("org.bluez.Adapter1"), .properties(["Powered": .boolean(true)]))]))
      ]),
  ]

  @Test func values_areUnchangedAfterARoundTrip() throws {
    let server = try Server()
    try server.tree.add(Echo.object())
    let client = try server.client()
    for value in Self.values {
      let answer = try server.ask(client, Echo.path, Echo.name, "Echo", [.variant(value)])
      #expect(answer == .success([.variant(value)]))
    }
  }

  @Test func deepNesting_isRefused_andTheNextClientIsServed() throws {
    let server = try Server()
    try server.tree.add(Echo.object())
    let client = try server.client()
    var value = BusValue.byte(1)
    var refused = 0
    for _ in 0..<200 {
      value = .variant(value)
      if case .failure = try server.ask(client, Echo.path, Echo.name, "Echo", [value]) {
        refused += 1
      }
      if !client.isOpen { break }
    }
    #expect(refused > 0)
    // The server still serves other clients.
    let next = try server.client()
    #expect(
      try server.ask(next, Echo.path, Echo.name, "Add", [.int32(2), .int32(3)])
        == .success([.int32(5)]))
  }

  @Test func text_thatDBusForbids_isReplaced() throws {
    let server = try Server()
    try server.tree.add(Echo.object())
    let client = try server.client()
    // The text contains a NUL, noncharacters of Unicode, and valid characters.
    var text = "a\0b"
    for (number, letter) in [(0xFFFE, "c"), (0x10FFFF, "d"), (0xFDD0, "e")] as [(UInt32, String)] {
      text.unicodeScalars.append(try #require(Unicode.Scalar(number)))
      text += letter
    }
    text += "\u{10FF80}\u{E000}"
    let answer = try server.ask(client, Echo.path, Echo.name, "Echo", [.variant(.string(text))])
    let harmless = "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{10FF80}\u{E000}"
    #expect(answer == .success([.variant(.string(harmless))]))
  }

  @Test func longText_isCutBetweenCharacters() throws {
    #expect(BusText.harmless("aää", limit: 4) == "aä")
    #expect(BusText.harmless("aää", limit: 5) == "aää")
    let long = String(repeating: "€", count: BusText.limit)
    #expect(BusText.harmless(long).utf8.count == BusText.limit / 3 * 3)
    #expect(BusText.harmless("", limit: 0) == "")
  }

  @Test func invalidValue_isRefused_andNotSent() throws {
    let server = try Server()
    try server.tree.add(Echo.object())
    let client = try server.client()
    for wrong: BusValue in [
      .array(of: "s", [.byte(1)]), .array(of: "", []), .array(of: "nonsense", []),
      .objectPath("no path"), .objectPath("/a\0b"), .signature("("), .structure([]),
      .dictionary(key: "s", value: "s", [.init(.byte(1), .string(""))]),
      .dictionary(key: "v", value: "s", []), .bytes([UInt8](repeating: 0, count: 2 << 20)),
    ] {
      let answer = try server.ask(client, Echo.path, Echo.name, "Echo", [.variant(wrong)])
      guard case .failure(.notSendable) = answer else {
        Issue.record("\(wrong.signature): \(answer)")
        continue
      }
    }
    #expect(
      try server.ask(client, Echo.path, Echo.name, "Add", [.int32(1), .int32(1)])
        == .success([.int32(2)]))
  }

  @Test func reader_reportsTheExpectedAndTheFoundType() throws {
    var reader = BodyReader([.string("a"), .uint16(3), .variant(.byte(1))])
    #expect(try reader.string() == "a")
    #expect(try reader.integer() == 3)
    #expect(throws: BusTypeError(expected: "the end", found: "v", index: 2)) { try reader.end() }
    #expect(throws: BusTypeError(expected: "b", found: "v", index: 2)) {
      _ = try reader.boolean()
    }
    #expect(throws: BusTypeError(expected: "s", found: "", index: 3)) { _ = try reader.string() }
    #expect(throws: Never.self) { try reader.end() }
    var wide = BodyReader([.uint64(.max)])
    #expect(throws: BusTypeError.self) { _ = try wide.integer() }
  }

  @Test func value_isReadByName() {
    let value = BusValue.properties([
      "Alias": .string("Phone"), "Paired": .boolean(true), "RSSI": .int16(-60),
      "UUIDs": .strings(["a", "b"]),
    ])
    #expect(value["Alias"]?.text == "Phone")
    #expect(value["Paired"]?.flag == true)
    #expect(value["RSSI"]?.integer == -60)
    #expect(value["UUIDs"]?.texts == ["a", "b"])
    #expect(value["Alias"]?.integer == nil)
    #expect(value["Absent"] == nil)
  }
}

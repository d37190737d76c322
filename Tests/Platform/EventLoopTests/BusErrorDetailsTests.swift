import CSystemd
import TestKit
import Testing

@testable import EventLoop

/// Tests the details of a D-Bus error: the arguments that follow its message.
@Suite struct BusErrorDetailsTests {
  private static let name = "org.autoharp.Error.Never"

  /// The error and the details that a caller receives if `answer` answers its call.
  private func details(_ answer: @escaping (MethodCall) -> Void) throws -> (
    error: BusError?, details: [String]
  ) {
    let server = try Server()
    try server.tree.add(Echo.object(answer))
    let client = try server.client()
    var result: (BusError?, [String])?
    client.callForDetails(nil, Echo.path, Echo.name, "Later") { answer, details in
      result = (answer.error, details)
    }
    try server.loop.turn { result != nil }
    return try #require(result)
  }

  /// The error and the details that a caller receives for an error with these arguments. The servers of this project
  /// send only texts as arguments, so the test builds the message itself.
  private func foreign(_ arguments: [BusValue]) throws -> (error: BusError?, details: [String]) {
    try details { call in
      var error = sd_bus_error()
      Self.name.withCString {
        error.name = $0
        try? call.bus?.withMessage(
          arguments, { sd_bus_message_new_method_error(call.message.handle, &$0, &error) }
        ) { message, size throws(BusError) in try call.bus?.send(message, size: size) }
      }
    }
  }

  @Test func details_keepTheirOrder() throws {
    let found = try details { $0.fail(BusErrorReply(Self.name, "no", details: ["one", "", "Ä"])) }
    #expect(found.error == .remote(name: Self.name, message: "no"))
    #expect(found.details == ["one", "", "Ä"])
  }

  @Test func errorWithoutDetails_hasAnEmptyList() throws {
    #expect(try details { $0.fail(Self.name, "no") }.details == [])
    #expect(try details { $0.reply([.string("yes")]) }.details == [])
    #expect(try foreign([]).details == [])
  }

  @Test func details_areLimitedBySender() throws {
    let long = String(repeating: "ä", count: 100_000)
    let found = try details {
      $0.fail(BusErrorReply(Self.name, "no", details: [String](repeating: long, count: 10)))
    }
    #expect(found.details.map(\.utf8.count) == [4096, 4096, 4096, 4096])
    let odd = try details { $0.fail(BusErrorReply(Self.name, "no", details: ["a\u{0}b"])) }
    #expect(odd.details == ["a\u{FFFD}b"])
  }

  @Test func details_areLimitedByReceiver() throws {
    let long = BusValue.string(String(repeating: "x", count: 100_000))
    let found = try foreign([.string("no")] + [BusValue](repeating: long, count: 10))
    #expect(found.error == .remote(name: Self.name, message: "no"))
    #expect(found.details.map(\.utf8.count) == [4096, 4096, 4096, 4096])
  }

  @Test func argumentOfAnotherType_endsTheDetails() throws {
    #expect(try foreign([.string("no"), .uint32(7), .string("x")]).details == [])
    #expect(
      try foreign([.string("no"), .string("x"), .strings(["y"]), .string("z")]).details == ["x"])
    #expect(try foreign([.string("no"), .objectPath("/x")]).details == [])
  }

  @Test func errorWithoutAMessage_hasNoDetails() throws {
    let found = try foreign([.uint32(7), .string("x")])
    #expect(found.error == .remote(name: Self.name, message: ""))
    #expect(found.details == [])
  }

  @Test func callWithoutAnAnswer_hasNoDetails() throws {
    let server = try Server()
    var kept: [MethodCall] = []
    try server.tree.add(Echo.object { kept.append($0) })
    let client = try server.client()
    var result: (BusError?, [String])?
    client.callForDetails(
      nil, Echo.path, Echo.name, "Later", timeout: .milliseconds(50)
    ) { result = ($0.error, $1) }
    try server.loop.turn { result != nil }
    #expect(result?.0 == .timedOut)
    #expect(result?.1 == [])
  }
}

extension Result {
  fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

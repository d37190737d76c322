import Testing

@testable import CarLines

@Suite struct QuadratureDecoderTests {
  typealias Edge = (isFirst: Bool, isClosed: Bool)

  /// One click to the right: the first contact changes before the second contact.
  static let right: [Edge] = [(true, true), (false, true), (true, false), (false, false)]
  static let left: [Edge] = [(false, true), (true, true), (false, false), (true, false)]

  private func steps(
    _ edges: [Edge], _ detents: QuadratureDecoder.Detents = .full
  ) -> [Int] {
    var decoder = QuadratureDecoder(detents, first: false, second: false)
    return edges.map { decoder.decode(isFirst: $0.isFirst, isClosed: $0.isClosed) }.filter {
      $0 != 0
    }
  }

  @Test(arguments: [
    (QuadratureDecoder.Detents.full, 1), (.half, 2), (.quarter, 4),
  ])
  func turn_givesStepsInItsDirection(detents: QuadratureDecoder.Detents, clicks: Int) {
    #expect(steps(Self.right, detents) == Array(repeating: 1, count: clicks))
    #expect(steps(Self.left, detents) == Array(repeating: -1, count: clicks))
    #expect(steps(Self.right + Self.left, detents).reduce(0, +) == 0)
  }

  @Test func bouncingContacts_giveOneStepForEachClick() {
    let bouncing = Self.right.flatMap { edge -> [Edge] in
      [edge, (edge.isFirst, !edge.isClosed), edge, (edge.isFirst, !edge.isClosed), edge]
    }
    #expect(steps(bouncing + bouncing) == [1, 1])
  }

  @Test func knobThatReturnsBeforeItsDetent_givesNoStep() {
    let halfAndBack: [Edge] = [(true, true), (false, true), (false, false), (true, false)]
    #expect(steps(halfAndBack) == [])
  }

  /// The kernel reads the level some time after the edge. If the next edge follows quickly, both edges are reported
  /// with the same level.
  @Test func repeatedLevel_isIgnored() {
    #expect(steps(Self.right.flatMap { [$0, $0] }) == [1])
  }

  @Test(arguments: 0..<4) func lostEdge_losesNoLaterStep(lost: Int) {
    var edges = Self.right
    edges.remove(at: lost)
    #expect(steps(edges + Self.right + Self.right).suffix(2) == [1, 1])
  }

  @Test func knobThatRestsBetweenTheDetentsAtTheStart_isDecoded() {
    var decoder = QuadratureDecoder(.full, first: true, second: true)
    let rest = Self.right.suffix(2)
    #expect(rest.map { decoder.decode(isFirst: $0.isFirst, isClosed: $0.isClosed) } == [0, 1])
  }
}

internal import CPango

/// The path of an SVG: the attribute `d`, all of its commands, bounded.
public struct VectorPath: Hashable, Sendable {
  /// Why it is none.
  public enum ParseError: Error, Hashable, Sendable {
    /// At this byte something else was expected.
    case syntax(at: Int)
    /// Too long, or with numbers that no picture has.
    case outOfBounds
  }

  enum Step: Hashable, Sendable {
    case move(Double, Double)
    case line(Double, Double)
    case curve(Double, Double, Double, Double, Double, Double)
    case close
  }

  /// Steps that a path may have; icons have fewer than a hundred.
  static let limit = 2000

  let steps: [Step]

  /// Reads it.
  public init(_ text: String) throws(ParseError) {
    guard text.utf8.count <= 64 << 10 else { throw .outOfBounds }
    var reader = VectorPathReader(text)
    steps = try reader.steps()
  }

  func draw(_ context: DrawingContext) {
    for step in steps {
      switch step {
      case .move(let x, let y): context.move(x, y)
      case .line(let x, let y): context.line(x, y)
      case .curve(let a, let b, let c, let d, let x, let y): context.curve(a, b, c, d, x, y)
      case .close: context.close()
      }
    }
  }
}

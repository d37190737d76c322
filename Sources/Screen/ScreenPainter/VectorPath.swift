internal import CPango

/// The path of an SVG: the attribute `d` with all its commands. The length of the attribute is limited.
public struct VectorPath: Hashable, Sendable {
  /// The reason why a text is not a path.
  public enum ParseError: Error, Hashable, Sendable {
    /// The byte at this offset is not permitted by the grammar of paths.
    case syntax(at: Int)
    /// The path is too long, or a number is outside the permitted range.
    case outOfBounds
  }

  enum Step: Hashable, Sendable {
    case move(Double, Double)
    case line(Double, Double)
    case curve(Double, Double, Double, Double, Double, Double)
    case close
  }

  /// The greatest number of steps. An icon has fewer than 100 steps.
  static let limit = 2000

  let steps: [Step]

  /// Reads the text of the attribute `d`.
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

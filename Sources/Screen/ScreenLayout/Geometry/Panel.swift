/// The screen as an object that fingers touch: how many pixels, and how large they are.
public struct Panel: Hashable, Sendable {
  /// A finger in a moving car needs so much, in millimetres.
  public static let leastTouch = 9.0
  /// What is assumed where nobody knows: the usual panel of the small boards.
  static let assumedDiagonal = 7.0

  /// Of the picture, already turned as it is seen.
  public let size: PixelSize
  /// Within what any panel has, 1 … 40.
  public let pixelsPerMillimetre: Double

  /// - Parameters:
  ///   - diagonalInches: as configured; it wins where it is a number above 0.
  ///   - edidMillimetres: what the panel says of its own size. Often 0, or the size of another
  ///     model, or only its proportions; so it counts only where it fits the pixels.
  public init(
    size: PixelSize, diagonalInches: Double? = nil,
    edidMillimetres: (width: Int, height: Int)? = nil
  ) {
    self.size = size
    let width = Double(size.width)
    let height = Double(size.height)
    let diagonal = (width * width + height * height).squareRoot()
    func density(inches: Double) -> Double { diagonal / (inches * 25.4) }
    let found: Double
    if let inches = diagonalInches, inches.isFinite, inches > 0 {
      found = density(inches: inches)
    } else if let edid = edidMillimetres.flatMap({ Self.density(size, $0.width, $0.height) }) {
      found = edid
    } else {
      found = density(inches: Self.assumedDiagonal)
    }
    pixelsPerMillimetre = min(max(found, 1), 40)
  }

  /// Pixels per millimetre, where the panel's own words can be true: 2 to 40 inches wide, and
  /// pixels that are square within a fifth.
  private static func density(_ size: PixelSize, _ width: Int, _ height: Int) -> Double? {
    guard (50...1000).contains(width), (30...1000).contains(height) else { return nil }
    let across = Double(size.width) / Double(width)
    let down = Double(size.height) / Double(height)
    guard across / down > 0.83, across / down < 1.2 else { return nil }
    return (across * down).squareRoot()
  }

  /// The side of the smallest area that a finger finds, in pixels.
  public var leastTouchPixels: Int {
    Int((Self.leastTouch * pixelsPerMillimetre).rounded(.up))
  }
}

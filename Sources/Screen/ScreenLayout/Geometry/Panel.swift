/// The physical screen: its size in pixels, and the density of the pixels.
public struct Panel: Hashable, Sendable {
  /// The smallest side of a hit area that a finger can touch reliably in a moving car, in millimetres.
  public static let leastTouch = 9.0
  /// The diagonal, in inches, that is assumed if the diagonal is not known. Panels for small boards usually have this
  /// diagonal.
  static let assumedDiagonal = 7.0

  /// The size of the picture as it is seen, after rotation.
  public let size: PixelSize
  /// The density, limited to 1 … 40. This range includes all real panels.
  public let pixelsPerMillimetre: Double

  /// - Parameters:
  ///   - diagonalInches: the configured diagonal. If the diagonal is a number above 0, it has precedence over the
  ///     reported size.
  ///   - edidMillimetres: the size that the panel reports. The reported size is often 0, the size of another model, or
  ///     only an aspect ratio. So it is used only if it is plausible.
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

  /// Pixels per millimetre. Nil if the reported size is not plausible. A plausible size is 50 to 1000 mm wide and 30 to
  /// 1000 mm high, and the sides of a pixel differ by less than a fifth.
  private static func density(_ size: PixelSize, _ width: Int, _ height: Int) -> Double? {
    guard (50...1000).contains(width), (30...1000).contains(height) else { return nil }
    let across = Double(size.width) / Double(width)
    let down = Double(size.height) / Double(height)
    guard across / down > 0.83, across / down < 1.2 else { return nil }
    return (across * down).squareRoot()
  }

  /// The side of the smallest hit area, in pixels.
  public var leastTouchPixels: Int {
    Int((Self.leastTouch * pixelsPerMillimetre).rounded(.up))
  }
}

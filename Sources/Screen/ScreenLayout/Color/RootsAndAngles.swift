// The standard library has only the square root, so this file computes other roots and angles. This module imports no C
// library, so that a scene is the same on every machine.

enum Roots {
  /// The cube root of x, x ≥ 0.
  static func cube(_ x: Double) -> Double { newton(x, degree: 3) }

  /// x^2.4, x ≥ 0: the sRGB curve.
  static func power2Point4(_ x: Double) -> Double {
    let square = x * x
    return square * newton(square, degree: 5)
  }

  /// x^(1/2.4) = (x^¼)^(5/3), x ≥ 0.
  static func root2Point4(_ x: Double) -> Double {
    let twelfth = cube(x.squareRoot().squareRoot())
    let square = twelfth * twelfth
    return square * square * twelfth
  }

  private static func newton(_ x: Double, degree: Int) -> Double {
    guard x > 1e-30 else { return 0 }
    let n = Double(degree)
    // The start value comes from the exponent divided by the degree. It differs from the root by at most a factor of
    // two.
    var y = Double(sign: .plus, exponent: x.exponent / degree, significand: 1)
    for _ in 0..<8 {
      var power = y
      for _ in 0..<(degree - 2) { power *= y }
      let next = ((n - 1) * y + x / power) / n
      if (next - y).magnitude < 1e-12 * next { return next }
      y = next
    }
    return y
  }
}

enum Angle {
  static let turn = 2 * Double.pi

  /// The angle of the direction (x, y), 0 ..< 2π; 0 if `x` and `y` are 0.
  static func of(_ x: Double, _ y: Double) -> Double {
    if x == 0, y == 0 { return 0 }
    let length = (x * x + y * y).squareRoot()
    // Half-angle steps reduce the tangent to less than 0.2. In this range, the series has an error below 1e-12.
    var tangent = y.magnitude / (length + x.magnitude)
    var factor = 2.0
    for _ in 0..<2 {
      tangent /= 1 + (1 + tangent * tangent).squareRoot()
      factor *= 2
    }
    let square = tangent * tangent
    var sum = 0.0
    for k in stride(from: 15, through: 1, by: -2) { sum = 1 / Double(k) - square * sum }
    let angle = factor * tangent * sum
    let half = x < 0 ? .pi - angle : angle
    return y < 0 ? turn - half : half
  }

  /// The unit vector of an angle.
  static func direction(_ angle: Double) -> (x: Double, y: Double) {
    let rest = (angle / turn).rounded() * -turn + angle
    let square = rest * rest
    var sine = 0.0
    var cosine = 0.0
    for k in stride(from: 28, through: 2, by: -2) {
      sine = (1 + sine) * -square / Double(k * (k + 1))
      cosine = (1 + cosine) * -square / Double(k * (k - 1))
    }
    return (1 + cosine, rest * (1 + sine))
  }

  /// The smaller difference between two angles, 0 … π.
  static func between(_ a: Double, _ b: Double) -> Double {
    let way = (a - b).magnitude.truncatingRemainder(dividingBy: turn)
    return min(way, turn - way)
  }
}

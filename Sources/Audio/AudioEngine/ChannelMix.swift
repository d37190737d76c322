internal import AudioCodecs

/// Converts frames from one channel layout to another.
///
/// If each output is silent or a copy of one input, samples are routed: they are copied and stay exact. Otherwise
/// samples are mixed with the coefficients of ITU-R BS.775: centre and surrounds at −3 dB, without the low-frequency
/// channel. All coefficients are scaled so that an output does not clip, even if all inputs are at full scale.
final class ChannelMix {
  /// For each output, the coefficient of each input.
  let matrix: [[Float]]
  /// For each output, the input that it copies, or −1 for silence. Nil if samples are mixed.
  private let routes: [Int]?
  private let inputs: Int
  private let scratch = FloatScratch()

  init(from source: ChannelLayout, to target: ChannelLayout) {
    inputs = source.count
    var matrix = [[Float]](
      repeating: [Float](repeating: 0, count: source.count), count: target.count)
    if source == .mono, !target.positions.contains(.frontCenter) {
      // A mono signal goes to the left and the right front loudspeaker, both at full level.
      for index in target.positions.indices where target.positions[index].rawValue < 2 {
        matrix[index][0] = 1
      }
    } else {
      for (input, position) in source.positions.enumerated() {
        for (output, factor) in Self.fold(position, into: target) {
          if let row = target.positions.firstIndex(of: output) {
            matrix[row][input] += factor
          }
        }
      }
      let loudest = matrix.map { $0.reduce(0, +) }.max() ?? 1
      if loudest > 1 { matrix = matrix.map { $0.map { $0 / loudest } } }
    }
    self.matrix = matrix
    let isRouting = matrix.allSatisfy { row in
      row.allSatisfy { $0 == 0 || $0 == 1 } && row.count { $0 == 1 } <= 1
    }
    routes = isRouting ? matrix.map { $0.firstIndex(of: 1) ?? -1 } : nil
  }

  /// True if samples are only copied from channel to channel.
  var isRouting: Bool { routes != nil }

  /// The outputs that get the signal of the loudspeaker `position`, each with its gain. If `target` does not have this
  /// loudspeaker, other loudspeakers get its signal.
  private static func fold(_ position: ChannelPosition, into target: ChannelLayout)
    -> [(ChannelPosition, Float)]
  {
    if target.positions.contains(position) { return [(position, 1)] }
    func has(_ position: ChannelPosition) -> Bool { target.positions.contains(position) }
    let half: Float = 0.707_106_77
    func spread(_ parts: [(ChannelPosition, Float)]) -> [(ChannelPosition, Float)] {
      parts.flatMap { part in fold(part.0, into: target).map { ($0.0, $0.1 * part.1) } }
    }
    switch position {
    case .frontLeft, .frontRight:
      return has(.frontCenter) ? [(.frontCenter, half)] : []
    case .frontCenter:
      return has(.frontLeft) ? [(.frontLeft, half), (.frontRight, half)] : []
    case .lowFrequency:
      return []
    case .rearLeft:
      return has(.sideLeft) ? [(.sideLeft, 1)] : spread([(.frontLeft, half)])
    case .rearRight:
      return has(.sideRight) ? [(.sideRight, 1)] : spread([(.frontRight, half)])
    case .sideLeft:
      return has(.rearLeft) ? [(.rearLeft, 1)] : spread([(.frontLeft, half)])
    case .sideRight:
      return has(.rearRight) ? [(.rearRight, 1)] : spread([(.frontRight, half)])
    case .rearCenter:
      return spread([(.rearLeft, half), (.rearRight, half)])
    case .frontLeftOfCenter:
      return spread([(.frontLeft, 1)])
    case .frontRightOfCenter:
      return spread([(.frontRight, 1)])
    }
  }

  /// Copies each sample to its outputs. A sample has four bytes and is an integer or a float.
  func route(_ samples: UnsafeRawPointer, frames: Int) -> UnsafeRawPointer {
    guard let routes else { preconditionFailure("the matrix is not a routing") }
    let source = samples.assumingMemoryBound(to: Float.self)
    let out = scratch.reserve(frames * routes.count)
    for (channel, from) in routes.enumerated() {
      for frame in 0..<frames {
        out[frame &* routes.count &+ channel] = from < 0 ? 0 : source[frame &* inputs &+ from]
      }
    }
    return UnsafeRawPointer(out)
  }

  /// Mixes samples. The result consists of floats from −1 to 1.
  func mix(_ samples: UnsafeRawPointer, isFloat: Bool, frames: Int) -> UnsafeRawPointer {
    let integers = samples.assumingMemoryBound(to: Int32.self)
    let floats = samples.assumingMemoryBound(to: Float.self)
    let scale: Float = isFloat ? 1 : 1 / 2_147_483_648
    let outputs = matrix.count
    let out = scratch.reserve(frames * outputs)
    for (channel, row) in matrix.enumerated() {
      row.withUnsafeBufferPointer { row in
        for frame in 0..<frames {
          var sum: Float = 0
          for input in 0..<inputs {
            let index = frame &* inputs &+ input
            sum += row[input] * (isFloat ? floats[index] : Float(integers[index]))
          }
          out[frame &* outputs &+ channel] = sum * scale
        }
      }
    }
    return UnsafeRawPointer(out)
  }
}

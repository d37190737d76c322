/// Scales a part of a picture down, row by row. Each pixel of the result is the mean of the area that it covers in the
/// source. All arithmetic is exact until the last rounding.
struct AreaScaler {
  let targetWidth: Int
  let targetHeight: Int
  private let x: Int
  private let y: Int
  private let width: Int
  private let height: Int
  /// The number of rows of the source that were taken so far.
  private var taken = 0
  /// The number of rows of the result that were delivered so far.
  private var delivered = 0
  /// The weighted sums of the current source row, for each byte of a target row.
  private var rowSums: [UInt32]
  /// The weighted sums over the source rows, for each byte of the next target row.
  private var sums: [UInt64]
  private var line: [UInt8]

  /// - Parameters:
  ///   - x, y, width, height: the used part of the source, in pixels; at most 65,536 each.
  ///   - toWidth, toHeight: the size of the result, from 1 to `width` and `height`.
  init(x: Int, y: Int, width: Int, height: Int, toWidth: Int, toHeight: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
    (targetWidth, targetHeight) = (toWidth, toHeight)
    rowSums = Array(repeating: 0, count: toWidth * 4)
    sums = Array(repeating: 0, count: toWidth * 4)
    line = Array(repeating: 0, count: toWidth * 4)
  }

  /// Takes the next row of the source, with four bytes for each pixel. Calls `deliver` if a row of the result is
  /// complete.
  mutating func add(
    _ source: UnsafePointer<UInt8>, _ deliver: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    defer { taken += 1 }
    let row = taken - y
    guard row >= 0, row < height, delivered < targetHeight else { return }
    addUp(source + x * 4)
    // In units of 1/targetHeight of a source row, the source row reaches from row × targetHeight to (row + 1) ×
    // targetHeight, and the target row from delivered × height to (delivered + 1) × height. As height ≥ targetHeight, a
    // source row touches at most two target rows.
    let (start, end) = (row * targetHeight, (row + 1) * targetHeight)
    let edge = (delivered + 1) * height
    accumulate(weight: min(end, edge) - start)
    if end >= edge {
      finishLine(deliver)
      if end > edge { accumulate(weight: end - edge) }
    }
  }

  /// Adds up the source pixels of each target pixel, in the same way as ``add(_:_:)`` adds up rows. The greatest sum is
  /// 255 × 65,536 and fits into 32 bits.
  private mutating func addUp(_ source: UnsafePointer<UInt8>) {
    let (width, targetWidth) = (width, targetWidth)
    rowSums.withUnsafeMutableBufferPointer { sums in
      sums.update(repeating: 0)
      if width == targetWidth {
        for at in 0..<(width * 4) { sums[at] = UInt32(source[at]) * UInt32(width) }
        return
      }
      var (target, edge) = (0, width)
      for pixel in 0..<width {
        let (start, end) = (pixel * targetWidth, (pixel + 1) * targetWidth)
        let first = UInt32(min(end, edge) - start)
        for byte in 0..<4 { sums[target * 4 + byte] += UInt32(source[pixel * 4 + byte]) * first }
        guard end >= edge, target + 1 < targetWidth else { continue }
        target += 1
        let second = UInt32(end - edge)
        for byte in 0..<4 { sums[target * 4 + byte] += UInt32(source[pixel * 4 + byte]) * second }
        edge += width
      }
    }
  }

  private mutating func accumulate(weight: Int) {
    for at in sums.indices { sums[at] += UInt64(rowSums[at]) * UInt64(weight) }
  }

  private mutating func finishLine(_ deliver: (UnsafeBufferPointer<UInt8>) -> Void) {
    let total = UInt64(width * height)
    for at in sums.indices {
      line[at] = UInt8((sums[at] + total / 2) / total)
      sums[at] = 0
    }
    delivered += 1
    line.withUnsafeBufferPointer(deliver)
  }
}

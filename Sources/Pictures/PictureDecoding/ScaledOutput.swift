internal import PictureExchange

/// Takes the rows of a decoded picture, scales them, and delivers the rows of the result.
final class ScaledOutput {
  private let request: PictureRequest
  private let begin: (Int, Int) -> Void
  private let row: (UnsafeBufferPointer<UInt8>) -> Void
  private var scaler: AreaScaler?
  private var width = 0

  init(
    _ request: PictureRequest, begin: @escaping (Int, Int) -> Void,
    row: @escaping (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    self.request = request
    self.begin = begin
    self.row = row
  }

  /// Must be called before the first row, with the size of the decoded picture.
  func begin(width: Int, height: Int) {
    self.width = width
    let scaler: AreaScaler
    switch request.form {
    case .cover, .thumbnail:
      // The parts beside the central square are cut off. If the whole picture were shown, the bars beside it would
      // attract more attention than the picture.
      let shorter = min(width, height)
      let side = min(request.side, shorter)
      scaler = AreaScaler(
        x: (width - shorter) / 2, y: (height - shorter) / 2, width: shorter, height: shorter,
        toWidth: side, toHeight: side)
    case .shape:
      let longer = max(width, height)
      let side = min(request.side, longer)
      scaler = AreaScaler(
        x: 0, y: 0, width: width, height: height, toWidth: max(1, width * side / longer),
        toHeight: max(1, height * side / longer))
    }
    self.scaler = scaler
    begin(scaler.targetWidth, scaler.targetHeight)
  }

  /// Takes the next row of the decoded picture. A pixel has four bytes: blue, green, red, alpha, not premultiplied.
  /// Changes these bytes.
  func add(_ bytes: UnsafeMutablePointer<UInt8>) {
    switch request.form {
    case .cover, .thumbnail: Self.putOnWhite(bytes, count: width)
    case .shape: Self.premultiply(bytes, count: width)
    }
    scaler?.add(bytes, row)
  }

  private static func putOnWhite(_ bytes: UnsafeMutablePointer<UInt8>, count: Int) {
    for pixel in 0..<count where bytes[pixel * 4 + 3] != 255 {
      let alpha = Int(bytes[pixel * 4 + 3])
      for color in 0..<3 {
        let value = Int(bytes[pixel * 4 + color])
        bytes[pixel * 4 + color] = UInt8((value * alpha + 255 * (255 - alpha) + 127) / 255)
      }
      bytes[pixel * 4 + 3] = 255
    }
  }

  private static func premultiply(_ bytes: UnsafeMutablePointer<UInt8>, count: Int) {
    for pixel in 0..<count where bytes[pixel * 4 + 3] != 255 {
      let alpha = Int(bytes[pixel * 4 + 3])
      for color in 0..<3 {
        bytes[pixel * 4 + color] = UInt8((Int(bytes[pixel * 4 + color]) * alpha + 127) / 255)
      }
    }
  }
}

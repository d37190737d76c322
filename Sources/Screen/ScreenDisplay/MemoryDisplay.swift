package import ScreenLayout

/// The twin without hardware: keeps the picture, counts what was presented, and lets a test touch it.
package final class MemoryDisplay: Display {
  package private(set) var size: PixelSize
  package private(set) var millimetres: (width: Double, height: Double)?
  package private(set) var isReady = false

  /// Rows of `size.width` pixels, as words.
  package private(set) var pixels: [UInt32]
  /// Pixels that changed without being in the damage, in all: each is a mistake.
  package private(set) var changedOutside = 0

  package var onReady: (() -> Void)?
  package var onResize: (() -> Void)?
  package var onLost: (() -> Void)?
  package var onShown: (() -> Void)?
  package var onPointer: ((PointerEvent) -> Void)?
  package var onFocus: ((FocusEvent) -> Void)?
  package var onNotice: ((String) -> Void)?

  /// Called with the damage of each picture that was presented.
  package var onPresented: (([PixelRect]) -> Void)?

  /// Not ready before ``plug()``, which ``start()`` does where `isPlugged`.
  package init(
    size: PixelSize, millimetres: (width: Double, height: Double)? = nil, isPlugged: Bool = true
  ) {
    self.size = size
    self.millimetres = millimetres
    self.isPlugged = isPlugged
    pixels = [UInt32](repeating: 0, count: size.width * size.height)
  }

  private let isPlugged: Bool

  package func start() { if isPlugged { plug() } }

  /// As if a cable were put in.
  package func plug() {
    isReady = true
    onReady?()
  }

  /// As if it were pulled.
  package func pull() {
    isReady = false
    onLost?()
  }

  /// As if a panel of another size were there.
  package func resize(_ size: PixelSize, millimetres: (width: Double, height: Double)? = nil) {
    self.size = size
    self.millimetres = millimetres
    pixels = [UInt32](repeating: 0, count: size.width * size.height)
    onResize?()
  }

  package func present(_ picture: Picture, damage: [PixelRect]) {
    precondition(picture.size == size, "a picture of \(picture.size) on \(size)")
    guard isReady else { return }
    for y in 0..<size.height {
      for x in 0..<size.width {
        let word =
          UnsafeRawBufferPointer(picture.bytes)
          .loadUnaligned(fromByteOffset: y * picture.stride + 4 * x, as: UInt32.self) & 0xFF_FFFF
        let place = y * size.width + x
        guard pixels[place] != word else { continue }
        pixels[place] = word
        let point = PixelPoint(x: x, y: y)
        if !damage.contains(where: { $0.contains(point) }) { changedOutside += 1 }
      }
    }
    onPresented?(damage)
    onShown?()
  }
}

internal import Glibc
internal import ScreenDisplay
internal import ScreenLayout

/// The two buffers of a display. Tracks which parts of each buffer are out of date.
final class PanelBuffers {
  /// The progress of a picture on its way to the panel.
  enum Progress {
    case nothing
    /// A flip is pending. The graphics card will report the end of the flip.
    case flipping
    case shown
  }

  var card: Card { scanout.card }
  var output: Output { scanout.output }

  private let scanout: Scanout
  private let rotation: Rotation
  private let buffers: [DumbBuffer]
  /// The index of the buffer that is shown.
  private var front = 0
  private var isSetUp = false
  private var isFlipping = false
  private var kept: PendingFrame?

  init(_ scanout: Scanout, _ rotation: Rotation) throws(KMSError) {
    self.scanout = scanout
    self.rotation = rotation
    let size = scanout.output.size
    buffers = [try DumbBuffer(size, on: scanout.card), try DumbBuffer(size, on: scanout.card)]
    for buffer in buffers { buffer.outdated = Region(rotation.turned(size)) }
  }

  /// Shows a whole picture, which differs from the previous picture only inside `damage`.
  func present(_ picture: Picture, _ damage: [PixelRect]) throws(KMSError) -> Progress {
    for buffer in buffers {
      for rect in damage { buffer.outdated.add(rect) }
    }
    if isFlipping {
      // When the flip has ended, this picture is copied into the buffer that is shown now. So only the parts in which
      // that buffer is out of date are kept.
      let kept = kept ?? PendingFrame(picture.size)
      kept.add(buffers[front].outdated, from: picture)
      self.kept = kept
      return .nothing
    }
    return try show(picture)
  }

  /// Handles the report of the graphics card that the flip has ended.
  func flipped() throws(KMSError) -> Progress {
    guard isFlipping else { return .nothing }
    isFlipping = false
    front = 1 - front
    guard let kept, kept.isNew else { return .nothing }
    kept.isNew = false
    return try kept.withPicture { (picture) throws(KMSError) in try show(picture) }
  }

  private func show(_ picture: Picture) throws(KMSError) -> Progress {
    let next = buffers[1 - front]
    let changed = next.outdated.rects
    for rect in changed { copy(rect, of: picture, to: next.memory, turned: rotation) }
    next.outdated.removeAll()
    guard isSetUp else {
      // The mode is set together with the first picture. Until then, the display shows what it showed before this
      // program started.
      try scanout.begin(with: next)
      isSetUp = true
      front = 1 - front
      return .shown
    }
    let areas = changed.map { rotation.onPanel($0, of: picture.size) }
    switch try scanout.flip(to: next, changed: areas, number: 1) {
    case .pending:
      isFlipping = true
      return .flipping
    case .done:
      front = 1 - front
      return .shown
    }
  }
}

/// A picture that arrived while a flip was pending. Only the parts that are needed later are copied.
private final class PendingFrame {
  var isNew = false
  private let size: PixelSize
  private let bytes: UnsafeMutableBufferPointer<UInt8>

  init(_ size: PixelSize) {
    self.size = size
    // The kernel provides memory only for the pages that are written. Usually only a few pages are written.
    bytes = .allocate(capacity: size.width * size.height * 4)
  }

  deinit { bytes.deallocate() }

  func add(_ region: Region, from picture: Picture) {
    guard let base = bytes.baseAddress else { return }
    let memory = Framebuffer(bytes: base, stride: size.width * 4, size: size)
    for rect in region.rects { copy(rect, of: picture, to: memory, turned: .none) }
    isNew = true
  }

  func withPicture<Result>(
    _ body: (Picture) throws(KMSError) -> Result
  ) throws(KMSError) -> Result {
    try body(Picture(bytes: UnsafeBufferPointer(bytes), stride: size.width * 4, size: size))
  }
}

internal import EventLoop

/// Writes a picture into the pipe of the unit, as the unit reads it.
final class ArtworkTransfer {
  /// The largest number of bytes that are written at once, so that other events have their turn.
  private static let most = 64 << 10

  private let pipe: BusDescriptor
  private let bytes: [UInt8]
  private var written = 0
  private var source: DescriptorSource?
  /// Called once, when everything is written or the unit has closed the pipe.
  var onEnd: (() -> Void)?

  /// Nil if the descriptor cannot be written to.
  init?(_ loop: EventLoop, _ pipe: BusDescriptor, _ bytes: [UInt8]) {
    self.pipe = pipe
    self.bytes = bytes
    pipe.setNonBlocking()
    source = try? DescriptorSource(loop, descriptor: pipe.number, events: .writable) {
      [weak self] _ in self?.writeMore()
    }
    if source == nil { return nil }
  }

  deinit { source?.cancel() }

  private func writeMore() {
    let sent = bytes.withUnsafeBytes {
      pipe.write(UnsafeRawBufferPointer(rebasing: $0[written...].prefix(Self.most)))
    }
    switch sent {
    case .bytes(let count):
      written += count
      if written == bytes.count { end() }
    case .full: break
    case .end: end()
    }
  }

  private func end() {
    source?.cancel()
    source = nil
    // The owner releases this object, which closes the pipe.
    onEnd?()
  }
}

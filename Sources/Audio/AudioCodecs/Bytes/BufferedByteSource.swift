/// Reads a header with few reads of the medium. The small reads of a parser are served from two windows. The first
/// window is the beginning of the source, which contains the tags of most files. The second window follows the parser.
/// After a seek over a picture, only a small part after the picture is read.
final class BufferedByteSource: ByteSource {
  /// Size of the first window. Most headers without a picture are shorter, so a scan reads little more than this part
  /// of each file.
  static let firstBytes = 8 * 1024
  /// Size of a read that continues one of the windows.
  static let sequentialBytes = 16 * 1024
  /// Minimum size of a read after a seek.
  static let seekBytes = 4 * 1024

  /// A range of the source in memory.
  private struct Window {
    let byteCount: Int
    /// Allocated when it is needed. Most headers need only the first window.
    var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    var range: Range<Int64> = 0..<0

    init(_ byteCount: Int) { self.byteCount = byteCount }
  }

  private let source: any ByteSource
  private var first = Window(firstBytes)
  private var moving = Window(sequentialBytes)

  /// Creates a source with empty windows. Reads nothing yet.
  init(_ source: any ByteSource) { self.source = source }

  deinit {
    first.buffer.deallocate()
    moving.buffer.deallocate()
  }

  var size: Int64 { source.size }

  func read(at offset: Int64, into destination: UnsafeMutableRawBufferPointer)
    throws(ByteSourceError) -> Int
  {
    guard offset >= 0, offset < size, !destination.isEmpty else { return 0 }
    if let count = Self.copy(first, offset, destination) { return count }
    if let count = Self.copy(moving, offset, destination) { return count }
    if first.range.isEmpty {
      try load(&first, offset, Self.firstBytes)
      return Self.copy(first, offset, destination) ?? 0
    }
    // A large read goes directly to the source.
    guard destination.count < Self.sequentialBytes else {
      return try source.read(at: offset, into: destination)
    }
    let continues = offset == first.range.upperBound || offset == moving.range.upperBound
    try load(
      &moving, offset,
      continues ? Self.sequentialBytes : max(destination.count, Self.seekBytes))
    return Self.copy(moving, offset, destination) ?? 0
  }

  private func load(_ window: inout Window, _ offset: Int64, _ wanted: Int)
    throws(ByteSourceError)
  {
    let count = Int(min(Int64(wanted), size - offset))
    window.range = offset..<offset
    if window.buffer.isEmpty {
      window.buffer = .allocate(byteCount: window.byteCount, alignment: 16)
    }
    let read = try source.read(
      at: offset, into: UnsafeMutableRawBufferPointer(rebasing: window.buffer[..<count]))
    window.range = offset..<offset + Int64(read)
  }

  /// Copies bytes of the window, from `offset` on. Nil if the window does not contain `offset`.
  private static func copy(
    _ window: Window, _ offset: Int64, _ destination: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard window.range.contains(offset) else { return nil }
    let skipped = Int(offset - window.range.lowerBound)
    let count = min(destination.count, Int(window.range.upperBound - offset))
    destination.copyMemory(
      from: UnsafeRawBufferPointer(rebasing: window.buffer[skipped..<skipped + count]))
    return count
  }
}

/// Reads the byte stream of a D-Bus client before sd-bus gets the bytes, and finds the beginning of each message.
///
/// If a header announces 128 MB, sd-bus allocates this memory without a check. As soon as the first 16 bytes of a
/// message have arrived, this scanner rejects the message if it is too long.
struct FrameScanner {
  enum Fault: Error, Equatable { case oversized, malformed }

  private enum State: Equatable {
    case zero, line, header, body
  }

  /// The maximum length of a text line of the authentication, in bytes. The longest line of known clients has about 60
  /// bytes.
  private static let lineLimit = 4096
  private static let begin = Array("BEGIN".utf8)

  private let limit: Int
  private var state = State.zero
  private var collected: [UInt8] = []
  private var rest = 0
  /// The number of bytes of the present message that have arrived.
  private(set) var partialBytes = 0
  /// The sizes of the complete messages, oldest first.
  private var sizes: [Int] = []

  /// - Parameter limit: the maximum size of one message in bytes.
  init(limit: Int) { self.limit = limit }

  /// True if complete messages have arrived whose sizes were not taken.
  var hasSizes: Bool { !sizes.isEmpty }

  /// Removes and returns the size of the oldest complete message. Nil if there is no complete message.
  mutating func takeSize() -> Int? { sizes.isEmpty ? nil : sizes.removeFirst() }

  private mutating func endMessage() {
    sizes.append(partialBytes)
    partialBytes = 0
    state = .header
  }

  /// Scans the next bytes of the stream. The bytes can end anywhere, even within a header. Returns the number of the
  /// messages that end in them.
  @discardableResult
  mutating func scan(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> Int {
    let before = sizes.count
    var index = 0
    while index < bytes.count {
      switch state {
      case .zero:
        guard bytes[index] == 0 else { throw .malformed }
        state = .line
        index += 1
      case .line:
        try scanLine(bytes[index])
        index += 1
      case .header:
        let count = min(16 - collected.count, bytes.count - index)
        collected += bytes[index..<index + count]
        partialBytes += count
        index += count
        if collected.count == 16 { try scanHeader() }
      case .body:
        let count = min(rest, bytes.count - index)
        rest -= count
        partialBytes += count
        index += count
        if rest == 0 { endMessage() }
      }
    }
    return sizes.count - before
  }

  private mutating func scanLine(_ byte: UInt8) throws(Fault) {
    collected.append(byte)
    if collected.count > Self.lineLimit { throw .malformed }
    guard byte == UInt8(ascii: "\n"), collected.dropLast().last == UInt8(ascii: "\r") else {
      return
    }
    if collected.dropLast(2).elementsEqual(Self.begin) { state = .header }
    collected.removeAll(keepingCapacity: true)
  }

  /// Reads the first 16 bytes of a header: byte order, type, flags, version, length of the body, serial, and length of
  /// the header fields. The header fields are padded to 8 bytes (D-Bus specification, Message Format).
  private mutating func scanHeader() throws(Fault) {
    let isLittle = collected[0] == UInt8(ascii: "l")
    guard isLittle || collected[0] == UInt8(ascii: "B"), collected[3] == 1 else { throw .malformed }
    func number(_ offset: Int) -> Int {
      let bytes = collected[offset..<offset + 4]
      return (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
    }
    rest = (number(12) + 7) / 8 * 8 + number(4)
    if rest + 16 > limit { throw .oversized }
    collected.removeAll(keepingCapacity: true)
    if rest == 0 { endMessage() } else { state = .body }
  }
}

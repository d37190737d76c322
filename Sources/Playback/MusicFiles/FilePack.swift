/// The values of several files in a few large blocks of memory.
///
/// A unit has thousands of files. If each file had small blocks of its own, their memory would often stay with the
/// process after they are freed. The allocator returns the memory of a freed large block to the kernel.
final class FilePack: Sendable {
  /// Maximum number of files, so that the index of an album fits into 16 bits.
  static let maximumFiles = 4096
  /// A pack with this number of bytes of text, or more, accepts no further file.
  static let maximumText = 256 << 10

  struct Record {
    /// Offset of the name in ``FilePack/text``.
    var start: UInt32
    var nameBytes: UInt16
    /// Index in ``FilePack/albums`` of the values that the files of an album share.
    var album: UInt16
    /// Length of the title, which follows the name in ``FilePack/text``. Negative if the file has no title.
    var titleBytes: Int32
    /// See ``MusicFile/stamp``.
    var stamp: UInt32
    /// See ``MusicFile/numberInAlbum``.
    var numberInAlbum: UInt32
    /// Duration; `UInt32.max` if it is not known.
    var milliseconds: UInt32
  }

  private let text: [UInt8]
  private let records: [Record]
  let albums: [MusicFile.Common]

  private init(_ text: [UInt8], _ records: [Record], _ albums: [MusicFile.Common]) {
    self.text = text
    self.records = records
    self.albums = albums
  }

  var count: Int { records.count }

  func album(_ index: UInt32) -> MusicFile.Common { albums[Int(records[Int(index)].album)] }

  func name(_ index: UInt32) -> String { String(decoding: nameBytes(index), as: UTF8.self) }

  func nameBytes(_ index: UInt32) -> ArraySlice<UInt8> {
    let record = records[Int(index)]
    return text[Int(record.start)..<Int(record.start) + Int(record.nameBytes)]
  }

  func title(_ index: UInt32) -> String? {
    let record = records[Int(index)]
    guard record.titleBytes >= 0 else { return nil }
    let start = Int(record.start) + Int(record.nameBytes)
    return String(decoding: text[start..<start + Int(record.titleBytes)], as: UTF8.self)
  }

  func seconds(_ index: UInt32) -> Double? {
    let milliseconds = records[Int(index)].milliseconds
    return milliseconds == .max ? nil : Double(milliseconds) / 1000
  }

  func stamp(_ index: UInt32) -> UInt32 { records[Int(index)].stamp }

  func numberInAlbum(_ index: UInt32) -> UInt32 { records[Int(index)].numberInAlbum }

  /// Returns a pack of the same files with other shared values. Both packs use the same memory for the text.
  func with(_ albums: [MusicFile.Common]) -> FilePack { FilePack(text, records, albums) }

  /// Collects the files of a pack.
  struct Builder {
    private var text: [UInt8] = []
    private var records: [Record] = []
    private var albums: [MusicFile.Common] = []
    private var albumIndices: [ObjectIdentifier: UInt16] = [:]

    var isEmpty: Bool { records.isEmpty }

    /// True if the pack accepts no further file.
    var isFull: Bool { records.count >= maximumFiles || text.count >= maximumText }

    /// - Parameter name: at most 65 535 bytes; a file name of Linux has at most 255.
    mutating func add(
      _ name: some StringProtocol, title: String?, seconds: Double?, stamp: UInt32,
      numberInAlbum: UInt32 = 0, _ album: MusicFile.Common
    ) {
      let start = text.count
      text += name.utf8
      let titleStart = text.count
      if let title { text += title.utf8 }
      let index = albumIndices[ObjectIdentifier(album)] ?? UInt16(albums.count)
      if index == albums.count {
        albums.append(album)
        albumIndices[ObjectIdentifier(album)] = index
      }
      records.append(
        Record(
          start: UInt32(start), nameBytes: UInt16(titleStart - start), album: index,
          titleBytes: title == nil ? -1 : Int32(text.count - titleStart),
          stamp: stamp, numberInAlbum: numberInAlbum,
          milliseconds: MusicFile.plausible(seconds).map { UInt32(($0 * 1000).rounded()) } ?? .max))
    }

    /// Returns the pack, and empties the builder.
    mutating func take() -> FilePack {
      defer { self = Builder() }
      // `map` makes copies without spare capacity, which saves memory.
      return FilePack(text.map { $0 }, records.map { $0 }, albums)
    }
  }
}

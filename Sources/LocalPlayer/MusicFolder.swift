public import AudioCodecs
internal import AudioEngine
internal import Glibc

/// A file that can be played.
public struct MusicFile: Sendable, Equatable {
  /// As the user named it, or below the folder that the user named.
  public let path: String
  /// Its tags.
  public let metadata: AudioMetadata

  /// Joins the two.
  public init(path: String, metadata: AudioMetadata) {
    self.path = path
    self.metadata = metadata
  }

  /// The last part of the path.
  public var fileName: String { lastComponent(path) }
}

/// Something that was named, or has the name of music, and cannot be played.
public struct UnplayableFile: Sendable, Equatable {
  /// Its path.
  public let path: String
  /// Why.
  public let reason: String
}

/// Finds the music at paths: files as they are named, folders with all that is below them.
///
/// In a folder, content decides what is music. A name only decides whether it is worth a
/// word that a file is none: `cover.jpg` is not, `song.flac` is.
public struct MusicScan {
  /// In playing order.
  public private(set) var files: [MusicFile] = []
  /// In the order in which they were met.
  public private(set) var unplayable: [UnplayableFile] = []

  private static let maximumDepth = 64
  private static let maximumFiles = 100_000
  private static let musicSuffixes = [".flac", ".oga", ".ogg"]

  /// Folders that were entered, so that links in a circle end.
  private var entered: Set<FolderIdentity> = []
  private var seen = 0
  private let progress: (Int) -> Void

  private struct FolderIdentity: Hashable {
    let device: UInt
    let inode: UInt
  }

  /// Blocks while it reads folders and tags.
  /// - Parameter progress: called with the number of files looked at so far.
  public init(paths: [String], progress: @escaping (Int) -> Void = { _ in }) {
    self.progress = progress
    for path in paths {
      var status = stat()
      guard stat(FileName.cString(path), &status) == 0 else {
        unplayable.append(UnplayableFile(path: path, reason: systemWords(errno)))
        continue
      }
      if status.st_mode & S_IFMT == S_IFDIR {
        scan(trimmed(path), status, depth: 0)
      } else if let file = look(path, isNamed: true) {
        files.append(file)
      }
    }
  }

  private mutating func scan(_ folder: String, _ status: stat, depth: Int) {
    let identity = FolderIdentity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    guard depth < Self.maximumDepth, entered.insert(identity).inserted else { return }
    guard let directory = opendir(FileName.cString(folder)) else {
      unplayable.append(UnplayableFile(path: folder, reason: systemWords(errno)))
      return
    }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: UInt8.self, capacity: 256) {
          FileName.text(UnsafeBufferPointer(start: $0, count: strnlen($0, 256)))
        }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    closedir(directory)
    names.sort(by: naturallyPrecedes)

    var found: [MusicFile] = []
    var folders: [(String, stat)] = []
    for name in names {
      let path = folder + "/" + name
      var status = stat()
      guard stat(FileName.cString(path), &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        folders.append((path, status))
      } else if status.st_mode & S_IFMT == S_IFREG, seen < Self.maximumFiles,
        let file = look(path, isNamed: false)
      {
        found.append(file)
      }
    }
    files += albumOrder(found)
    for (path, status) in folders { scan(path, status, depth: depth + 1) }
  }

  private mutating func look(_ path: String, isNamed: Bool) -> MusicFile? {
    seen += 1
    progress(seen)
    do throws(DecodeError) {
      let header = try AudioFile.header(try FileByteSource(path: path))
      return MusicFile(path: path, metadata: header.metadata)
    } catch {
      let name = path.lowercased()
      if isNamed || Self.musicSuffixes.contains(where: { name.hasSuffix($0) }) {
        unplayable.append(UnplayableFile(path: path, reason: error.description))
      }
      return nil
    }
  }
}

/// The files of one folder in playing order: album by album, each by disc and track number, what
/// has none by name. An album stands where its first file name stands.
func albumOrder(_ files: [MusicFile]) -> [MusicFile] {
  var albums: [String: [MusicFile]] = [:]
  var order: [String] = []
  for file in files.sorted(by: { naturallyPrecedes($0.fileName, $1.fileName) }) {
    let album = file.metadata.album ?? ""
    if albums[album] == nil { order.append(album) }
    albums[album, default: []].append(file)
  }
  return order.flatMap { album in
    (albums[album] ?? []).enumerated().sorted { left, right in
      let a = place(left.element)
      let b = place(right.element)
      return a == b ? left.offset < right.offset : a < b
    }.map(\.element)
  }
}

private func place(_ file: MusicFile) -> (Int, Int) {
  (file.metadata.discNumber ?? 1, file.metadata.trackNumber ?? .max)
}

func lastComponent(_ path: String) -> String {
  String(trimmed(path).split(separator: "/", omittingEmptySubsequences: true).last ?? "/")
}

private func trimmed(_ path: String) -> String {
  var path = path
  while path.count > 1, path.hasSuffix("/") { path.removeLast() }
  return path
}

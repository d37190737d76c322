/// A request for the headings of a list.
package struct HeadingsRequest: Equatable, Sendable {
  package var node: LibraryNode
  /// Only the headings under this heading. Nil for all.
  package var heading: String?

  package init(of node: LibraryNode, under heading: String? = nil) {
    self.node = node
    self.heading = heading
  }
}

/// A request for the list after or before a list.
package struct NeighbourRequest: Equatable, Sendable {
  package var node: LibraryNode
  /// The list that has the lists as rows. Nil if it is not known.
  package var parent: LibraryNode?
  package var isNext: Bool

  package init(of node: LibraryNode, in parent: LibraryNode?, isNext: Bool) {
    self.node = node
    self.parent = parent
    self.isNext = isNext
  }
}

/// A file of a volume.
package struct FileReference: Equatable, Sendable {
  /// See ``LibraryVolume/identity``.
  package var volume: String
  /// The path below the volume, as bytes.
  package var path: [UInt8]

  package init(volume: String, path: [UInt8]) {
    self.volume = volume
    self.path = path
  }
}

/// A request for the present places of files.
package struct MovedRequest: Equatable, Sendable {
  /// Maximum number of paths.
  package static let maximumPaths = 200
  /// Maximum bytes of the paths together. A single path may have more.
  package static let maximumPathBytes = 32 << 10

  /// See ``LibraryVolume/identity``.
  package var volume: String
  /// The paths below the volume, as bytes.
  package var paths: [[UInt8]]

  package init(volume: String, paths: [[UInt8]]) {
    self.volume = volume
    self.paths = paths
  }
}

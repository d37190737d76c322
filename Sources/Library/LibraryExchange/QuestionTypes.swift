internal import BusMethods
internal import EventLoop
internal import LibraryModel

// The types of the values that the daemon sends to the library.

extension WireType<LibraryNode> {
  static var node: Self {
    Self("s", { .string($0.text) }) { value, _ in
      guard let node = LibraryNode(text: value.text ?? "") else {
        throw LibraryFailure.unknownNode
      }
      return node
    }
  }
}

extension WireType<LibraryNode?> {
  static var nodeOrNil: Self {
    Self("s", { .string($0?.text ?? "") }) { value, _ in LibraryNode(text: value.text ?? "") }
  }
}

extension WireType<TrackList> {
  static var trackList: Self {
    Self("s", { .string($0.text) }) { value, _ in
      guard let list = TrackList(text: value.text ?? "") else { throw LibraryFailure.unknownNode }
      return list
    }
  }
}

extension WireType<RowReference> {
  static var row: Self {
    Self("s", { .string($0.identifier) }) { value, _ in
      guard let row = RowReference(identifier: value.text ?? "") else {
        throw LibraryFailure.unknownNode
      }
      return row
    }
  }
}

extension WireType<RowReference?> {
  static var rowOrNil: Self { .orNil(.row) }
}

extension WireType<LibraryRow.Kind?> {
  static var kindOrNil: Self {
    Self("s", { .string($0?.rawValue ?? "") }) { value, _ in
      LibraryRow.Kind(rawValue: value.text ?? "")
    }
  }
}

extension WireType<UInt64> {
  static var seed: Self {
    Self("t", { .uint64($0) }) { value, _ in
      if case .uint64(let seed) = value { seed } else { 0 }
    }
  }
}

extension WireType<[[UInt8]]> {
  static var paths: Self {
    Self("aay", { .array(of: "ay", $0.map { .bytes($0) }) }) { value, _ in
      (value.elements ?? []).map { $0.byteArray ?? [] }
    }
  }
}

extension WireType<[LibraryVolume]> {
  static var volumes: Self {
    Self("a\(VolumeCoding.volume)", VolumeCoding.value) { value, _ in
      try VolumeCoding.volumes(value)
    }
  }
}

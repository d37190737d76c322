internal import BusMethods
internal import EventLoop
internal import LibraryModel
internal import NowPlaying
internal import Reports

// Wire types for values of the library and of the queue. Each value is encoded as one D-Bus value.

extension WireType<LibraryState> {
  static var state: Self { Self("a{sv}", LibraryCoding.value(of:), read: LibraryCoding.state) }
}

extension WireType<[VolumeState]> {
  static var volumes: Self {
    Self("aa{sv}", LibraryCoding.value(ofVolumes:), read: LibraryCoding.volumes)
  }
}

extension WireType<[LibraryRow]> {
  static var rows: Self { Self("aa{sv}", LibraryCoding.value(ofRows:), read: LibraryCoding.rows) }
}

extension WireType<[LetterGroup]> {
  static var groups: Self { Self("a(su)", LibraryCoding.value(of:), read: LibraryCoding.groups) }
}

extension WireType<LibraryDoubts> {
  static var doubts: Self {
    Self("a(sua(ss))", LibraryCoding.value(of:), read: LibraryCoding.doubts)
  }
}

extension WireType<LibraryNode> {
  static var node: Self {
    Self("s", { .string($0.text) }) { value, _ in
      guard let node = LibraryNode(text: value.text ?? "") else { throw Refusal(.unknownNode) }
      return node
    }
  }
}

extension WireType<LettersRequest.List> {
  /// The text for the queue. All other texts name a node of the library.
  private static var queue: String { "queue" }

  static var headedList: Self {
    Self(
      "s",
      { list in
        switch list {
        case .queue: .string(queue)
        case .node(let node): .string(node.text)
        }
      }
    ) { value, name in
      value.text == queue ? .queue : .node(try WireType<LibraryNode>.node.decode(value, name))
    }
  }
}

extension WireType<TrackList> {
  static var trackList: Self {
    Self("s", { .string($0.text) }) { value, _ in
      guard let list = TrackList(text: value.text ?? "") else { throw Refusal(.unknownNode) }
      return list
    }
  }
}

extension WireType<TrackList?> {
  static var trackListOrNil: Self { .orNil(.trackList) }
}

extension WireType<RowReference> {
  static var row: Self {
    Self("s", { .string($0.identifier) }) { value, _ in
      guard let row = RowReference(identifier: value.text ?? "") else {
        throw Refusal(.noSuchItem, "there is no such row")
      }
      return row
    }
  }
}

extension WireType<RowReference?> {
  static var rowOrNil: Self { .orNil(.row) }
}

extension WireType<[QueueReport.Entry]> {
  static var entries: Self {
    Self("aa{sv}", QueueCoding.value(ofEntries:), read: QueueCoding.entries)
  }
}

extension WireType<[RecentReport]> {
  static var recent: Self { Self("aa{sv}", QueueCoding.value(ofRecent:), read: QueueCoding.recent) }
}

extension WireType<String> {
  /// A title or a sentence. ``WireText`` truncates it when it is sent.
  static var line: Self { Self("s", WireText.line) { value, _ in value.text ?? "" } }
}

internal import BusMethods
internal import EventLoop
internal import LibraryModel

// The types of the values in answers of the library. Each value is checked when it is read.

extension WireType {
  /// A value that ``AnswerReader`` checks.
  static func checked(
    _ signature: String, _ encode: @escaping @Sendable (Value) -> BusValue,
    _ read: @escaping @Sendable (inout AnswerReader) throws(AnswerFault) -> Value
  ) -> Self {
    Self(signature, encode) { value, _ in
      var reader = AnswerReader(value)
      return try read(&reader)
    }
  }
}

extension WireType<Int> {
  static var checkedNumber: Self {
    checked("u", RowCoding.count) { answer throws(AnswerFault) in try answer.number() }
  }
}

extension WireType<[Int]> {
  static var checkedNumbers: Self {
    checked("au", { .array(of: "u", $0.map(RowCoding.count)) }) { answer throws(AnswerFault) in
      try answer.numbers(atMost: MovedRequest.maximumPaths, 0...MovedRequest.maximumPaths)
    }
  }
}

extension WireType<RowBatch> {
  static var rowBatch: Self { checked(RowCoding.batch, RowCoding.value, RowCoding.batch) }
}

extension WireType<[LibraryRow]> {
  static var rows: Self { checked("a\(RowCoding.row)", RowCoding.value, RowCoding.rows) }
}

extension WireType<[LetterGroup]> {
  static var headings: Self { checked("a(su)", RowCoding.value, RowCoding.groups) }
}

extension WireType<Set<LibraryRow.Kind>> {
  static var kinds: Self {
    checked("as", { .strings($0.map(\.rawValue).sorted()) }, RowCoding.kinds)
  }
}

extension WireType<[UInt8]> {
  static var jpeg: Self { checked("ay", { .bytes($0) }, RowCoding.thumbnail) }
}

extension WireType<LibraryDoubts> {
  static var doubts: Self { checked(DoubtCoding.doubts, DoubtCoding.value, DoubtCoding.doubts) }
}

extension WireType<TrackBatch> {
  static var trackBatch: Self { checked(TrackCoding.batch, TrackCoding.value, TrackCoding.batch) }
}

extension WireType<LibraryNode?> {
  static var checkedNode: Self {
    checked("s", { .string($0?.text ?? "") }) { answer throws(AnswerFault) in try answer.node() }
  }
}

extension WireType<[RowReference]> {
  static var checkedRows: Self {
    checked("as", { .strings($0.map(\.identifier)) }, TrackCoding.entries)
  }
}

extension WireType<[LibraryProblem]> {
  static var problems: Self {
    checked("a\(TrackCoding.problem)", TrackCoding.value, TrackCoding.problems)
  }
}

extension WireType<[String]> {
  static var volumeNames: Self { checked("as", { .strings($0) }, TrackCoding.volumes) }
}

extension WireType<[PackedTracks.Track]> {
  static var packedTracks: Self {
    checked("a\(TrackCoding.track)", TrackCoding.value, TrackCoding.tracks)
  }
}

extension WireType<LibraryReport> {
  static var report: Self { checked(VolumeCoding.report, VolumeCoding.value, VolumeCoding.report) }
}

internal import EventLoop
package import LibraryModel

extension ControlClient {
  /// Reads the thumbnail of a row, which is a JPEG; empty if the row has none.
  /// `ControlClient+Calls.swift` states when a completion is called.
  @discardableResult
  package func itemArtwork(
    of row: RowReference, width: Int = 0, height: Int = 0,
    _ completion: @escaping Completion<[UInt8]>
  ) -> Ticket? {
    call(
      ControlInterface.library, "GetItemArtwork",
      [
        .string(row.identifier), .uint32(UInt32(clamping: width)),
        .uint32(UInt32(clamping: height)),
      ],
      then: completion
    ) { values in
      guard values[0].text == "jpeg", case .bytes(let bytes) = values[1] else { return [] }
      return bytes
    }
  }
}

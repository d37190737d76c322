// The encoded state is a version, followed by fields.
//
//     1 byte   version of the layout, 1
//     fields:  1 byte number, 2 bytes length (little-endian), and the value
//
// If a field is missing, the default of its value is used. An unknown field is skipped. So a new field needs no new
// version. A new version is needed only if older programs would misread the bytes.

/// The reason why bytes are not a valid state.
public enum UnitStateError: Error, Equatable, Sendable {
  case empty
  case unknownVersion(UInt8)
  /// The field with this position, counted from 1, is cut, or there are more than the permitted number of fields.
  case incompleteField(Int)
  /// The field with this position, counted from 1, is longer than the rest of the bytes.
  case overlongField(Int)
  /// The field with this position, counted from 1, contains a number that is out of range.
  case outOfRange(Int)

  /// The reason, as text for a log.
  public var reason: String {
    switch self {
    case .empty: "it is empty"
    case .unknownVersion(let version): "it has the unknown version \(version)"
    case .incompleteField(let number): "its part \(number) is incomplete"
    case .overlongField(let number): "its part \(number) is longer than the rest"
    case .outOfRange(let number): "its part \(number) is out of range"
    }
  }
}

/// The kinds of fields, with their numbers. The number of a kind never changes.
enum StateField: UInt8 {
  case path = 1
  case folderBytes = 2
  case elapsed = 3
  case wasPlaying = 4
  case repeatMode = 5
  case shuffleMode = 6
  case volume = 7
  case isMuted = 8
  /// One field per start, oldest first.
  case start = 9
  /// The identity of the boot of the machine during which the last start happened.
  case boot = 10
  /// One field per phone, the last used phone first.
  case phone = 11
  /// One field per device that has sent a key press, the latest first.
  case controller = 12
  /// The length of the mount point, and the identity of the stick.
  case stick = 13
  /// One field per notice, the latest first.
  case shownNotice = 14
  /// One field per sound card, the latest first: the step, and the name of the card.
  case cardTest = 15
  /// The number of the saved queue, and the number of its current entry.
  case queue = 16
  /// The address of the phone to which the unit connects first.
  case firstChoice = 17
  /// The last source, if it was a phone: 1 if it was playing, else 0; the length of its address; its address; its name.
  case phoneSource = 18
  /// The file that the command *previous* plays: the lengths of its music folder, of its mount point and of the
  /// identity of its stick; this identity; the path. Without a stick, the last two lengths are 0.
  case preceding = 19
  /// One field per device whose pairing the user has not confirmed.
  case unconfirmed = 20
  /// The entries of the saved queue that were current before, the latest first: their numbers, written as in a saved
  /// queue.
  case heard = 21
  /// The program that is to play when it connects again: the length of the identity of its session; this identity; its
  /// name.
  case wantedApp = 22
}

extension UnitState {
  static let version: UInt8 = 1
  /// Maximum number of fields. Bytes with more fields are not a valid state.
  static let maximumFields = 256

  /// Maximum length in bytes of the result of ``encoded()``.
  public static let maximumEncodedBytes =
    1 + 10 * 3 + 3 + 12 + StartHistory.maximumBootBytes + FileLocation.maximumBytes + 2 + 8 + 1 + 1
    + 1
    + 2 + 1
    + 2 + FileLocation.maximumIdentityBytes
    + 3 + 5 + FileLocation.maximumIdentityBytes + maximumPrecedingBytes
    + StartHistory.maximumCount * (3 + 5 + StartHistory.maximumReasonBytes)
    + (3 + maximumHeardBytes) + (4 + maximumSessionBytes + maximumAppNameBytes)
    + (maximumPhones + maximumControllers + maximumUnconfirmed) * (3 + maximumAddressBytes)
    + (3 + maximumAddressBytes) + (3 + 2 + maximumAddressBytes + maximumNameBytes)
    + maximumShownNotices * (3 + 8) + maximumCardTests * (3 + 4 + maximumCardBytes)

  /// Encodes the state. A number outside its range is replaced by the nearest number of the range.
  public func encoded() -> [UInt8] {
    var bytes = [Self.version]
    func put(_ field: StateField, _ value: [UInt8]) {
      bytes += [field.rawValue] + littleEndian(UInt64(clamping: value.count), 2) + value
    }
    if let file {
      put(.path, file.path)
      put(.folderBytes, littleEndian(UInt64(clamping: file.folderBytes), 2))
      if let stick = file.stick {
        put(.stick, littleEndian(UInt64(clamping: stick.pointBytes), 2) + stick.identity.utf8)
      }
    }
    if let queue {
      put(
        .queue,
        littleEndian(queue.number, 8) + littleEndian(UInt64(clamping: queue.entry.number), 4))
    }
    if !heard.isEmpty {
      var writer = QueueWriter()
      for id in heard.suffix(Self.maximumHeard).reversed() {
        let count = writer.bytes.count
        writer.put(id)
        guard writer.bytes.count <= Self.maximumHeardBytes else {
          writer.bytes.removeSubrange(count...)
          break
        }
      }
      put(.heard, writer.bytes)
    }
    if let preceding, preceding.path.count <= Self.maximumPrecedingBytes {
      put(.preceding, preceding.encoded)
    }
    put(.elapsed, littleEndian(UInt64(clamping: elapsed.milliseconds), 8))
    put(.wasPlaying, [wasPlaying ? 1 : 0])
    put(.repeatMode, [repeatMode.rawValue])
    put(.shuffleMode, [shuffleMode.rawValue])
    if let volume { put(.volume, littleEndian(UInt64(clamping: min(max(volume, 0), 1000)), 2)) }
    put(.isMuted, [isMuted ? 1 : 0])
    if !starts.boot.isEmpty { put(.boot, Array(starts.boot.utf8)) }
    func put(_ field: StateField, _ addresses: some Sequence<String>) {
      for address in addresses where address.utf8.count <= Self.maximumAddressBytes {
        put(field, Array(address.utf8))
      }
    }
    put(.phone, phones.prefix(Self.maximumPhones))
    put(.controller, controllers.prefix(Self.maximumControllers))
    put(.unconfirmed, unconfirmed.prefix(Self.maximumUnconfirmed))
    put(.firstChoice, [firstChoice].compactMap { $0 })
    if let phoneSource, phoneSource.address.utf8.count <= Self.maximumAddressBytes {
      put(
        .phoneSource,
        [phoneSource.wasPlaying ? 1 : 0, UInt8(clamping: phoneSource.address.utf8.count)]
          + phoneSource.address.utf8 + cut(phoneSource.name, Self.maximumNameBytes))
    }
    if let wantedApp, wantedApp.session.utf8.count <= Self.maximumSessionBytes {
      let session = Array(wantedApp.session.utf8)
      let name = cut(wantedApp.name, Self.maximumAppNameBytes)
      put(.wantedApp, [UInt8(clamping: session.count)] + session + name)  // in range: joins arrays
    }
    for notice in shownNotices.prefix(Self.maximumShownNotices) {
      put(.shownNotice, littleEndian(notice, 8))
    }
    for test in cardTests.prefix(Self.maximumCardTests)
    where test.card.utf8.count <= Self.maximumCardBytes {
      put(
        .cardTest,
        littleEndian(UInt64(clamping: min(test.step, Self.maximumStep)), 4) + test.card.utf8)
    }
    for start in starts.starts {
      put(
        .start,
        littleEndian(UInt64(clamping: start.number), 4) + [start.progress.rawValue]
          + start.reason.utf8)
    }
    return bytes
  }
}

extension FileLocation {
  fileprivate var encoded: [UInt8] {
    let identity = Array((stick?.identity ?? "").utf8)
    return littleEndian(UInt64(clamping: folderBytes), 2)
      + littleEndian(UInt64(clamping: stick?.pointBytes ?? 0), 2)
      + [UInt8(clamping: identity.count)] + identity + path
  }
}

/// At most the first `bytes` bytes of a text. The text is cut between two characters.
private func cut(_ text: String, _ bytes: Int) -> [UInt8] {
  var end = text.utf8.prefix(bytes).endIndex
  while end.samePosition(in: text) == nil { end = text.utf8.index(before: end) }
  return Array(text.utf8[..<end])
}

private func littleEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 &* $0)) }
}

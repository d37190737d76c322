// The encoded state is a version, followed by fields.
//
//     1 byte   version of the layout, 1
//     fields:  1 byte number, 2 bytes length (little-endian), and the value
//
// If a field is missing, the default value is used. An unknown field is skipped. So a new field
// needs no new version. A new version is needed only if older programs would misread the layout.

/// The reason why bytes are not a valid state.
public enum UnitStateError: Error, Equatable, Sendable {
  case empty
  case unknownVersion(UInt8)
  /// The field with this position, counted from 1, is cut, or the bytes have too many fields.
  case incompleteField(Int)
  /// The field with this position, counted from 1, is longer than the rest of the bytes.
  case overlongField(Int)

  /// The reason, for people.
  public var reason: String {
    switch self {
    case .empty: "the saved state is empty"
    case .unknownVersion(let version): "the saved state has the unknown version \(version)"
    case .incompleteField(let number): "field \(number) of the saved state is incomplete"
    case .overlongField(let number): "field \(number) of the saved state is longer than the rest"
    }
  }
}

/// The number of a field never changes.
private enum Field: UInt8 {
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
  /// The boot of the machine after which the last start happened.
  case boot = 10
  /// One field per phone, the last used phone first.
  case phone = 11
  /// One field per device that has pressed a key, the latest one first.
  case controller = 12
  /// The length of the mount point, and the identity of the stick.
  case stick = 13
  /// One field per notice, the latest one first.
  case shownNotice = 14
  /// One field per sound card, the latest one first: the step, and the name of the card.
  case cardTest = 15
  /// The number of the saved queue, and of its entry.
  case queue = 16
  /// The address of the phone that is dialled first.
  case firstChoice = 17
  /// The phone that was the last source: 1 if it played, the length of its address, its address, its name.
  case phoneSource = 18
  /// The file to which *previous* goes: the length of its music folder, of its mount point (0 without a stick) and of
  /// the identity of its stick, this identity, the path.
  case preceding = 19
  /// One field per device whose pairing no person has confirmed.
  case unconfirmed = 20
}

extension UnitState {
  private static let version: UInt8 = 1
  /// Maximum number of fields. Bytes with more fields are not a valid state.
  private static let maximumFields = 256

  /// Maximum length of the result of ``encoded()``.
  public static let maximumEncodedBytes =
    1 + 10 * 3 + 3 + 12 + StartHistory.maximumBootBytes + FilePlace.maximumBytes + 2 + 8 + 1 + 1 + 1
    + 2 + 1
    + 2 + FilePlace.maximumIdentityBytes
    + 3 + 5 + FilePlace.maximumIdentityBytes + maximumPrecedingBytes
    + StartHistory.maximumCount * (3 + 5 + StartHistory.maximumReasonBytes)
    + (maximumPhones + maximumControllers + maximumUnconfirmed) * (3 + maximumAddressBytes)
    + (3 + maximumAddressBytes) + (3 + 2 + maximumAddressBytes + maximumNameBytes)
    + maximumShownNotices * (3 + 8) + maximumCardTests * (3 + 4 + maximumCardBytes)

  /// Encodes the state. A value outside its range is replaced by the nearest value of the range.
  public func encoded() -> [UInt8] {
    var bytes = [Self.version]
    func put(_ field: Field, _ value: [UInt8]) {
      bytes += [field.rawValue] + littleEndian(UInt64(value.count), 2) + value
    }
    if let file {
      put(.path, file.path)
      put(.folderBytes, littleEndian(UInt64(file.folderBytes), 2))
      if let stick = file.stick {
        put(.stick, littleEndian(UInt64(stick.pointBytes), 2) + stick.identity.utf8)
      }
    }
    if let queue {
      put(.queue, littleEndian(queue.number, 8) + littleEndian(UInt64(queue.entry), 4))
    }
    if let preceding, preceding.path.count <= Self.maximumPrecedingBytes {
      put(.preceding, preceding.encoded)
    }
    put(.elapsed, littleEndian(UInt64(max(0, elapsedMilliseconds)), 8))
    put(.wasPlaying, [wasPlaying ? 1 : 0])
    put(.repeatMode, [repeatMode.rawValue])
    put(.shuffleMode, [shuffleMode.rawValue])
    if let volume { put(.volume, littleEndian(UInt64(min(max(volume, 0), 1000)), 2)) }
    put(.isMuted, [isMuted ? 1 : 0])
    if !starts.boot.isEmpty { put(.boot, Array(starts.boot.utf8)) }
    func put(_ field: Field, _ addresses: some Sequence<String>) {
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
        [phoneSource.wasPlaying ? 1 : 0, UInt8(phoneSource.address.utf8.count)]
          + phoneSource.address.utf8 + cut(phoneSource.name, Self.maximumNameBytes))
    }
    for notice in shownNotices.prefix(Self.maximumShownNotices) {
      put(.shownNotice, littleEndian(notice, 8))
    }
    for test in cardTests.prefix(Self.maximumCardTests)
    where test.card.utf8.count <= Self.maximumCardBytes {
      put(.cardTest, littleEndian(UInt64(clamping: min(test.step, 1 << 30)), 4) + test.card.utf8)
    }
    for start in starts.starts {
      put(
        .start,
        littleEndian(UInt64(start.number), 4) + [start.progress.rawValue] + start.reason.utf8)
    }
    return bytes
  }

  /// Decodes saved bytes. If the value of a field is invalid, the default value is used.
  ///
  /// The time and the memory are limited by the number of bytes.
  /// - Throws: if the bytes are not a state of a known version.
  public init(decoding bytes: [UInt8]) throws(UnitStateError) {
    self.init()
    guard let version = bytes.first else { throw UnitStateError.empty }
    guard version == Self.version else {
      throw UnitStateError.unknownVersion(version)
    }
    var rest = bytes.dropFirst()
    var path: [UInt8]?
    var folderBytes = 0
    var stick: (identity: String, pointBytes: Int)?
    var count = 0
    while let number = rest.popFirst() {
      count += 1
      guard rest.count >= 2, count <= Self.maximumFields else {
        throw UnitStateError.incompleteField(count)
      }
      let length = Int(littleEndian(rest.prefix(2)))
      rest = rest.dropFirst(2)
      guard length <= rest.count else {
        throw UnitStateError.overlongField(count)
      }
      let value = rest.prefix(length)
      rest = rest.dropFirst(length)
      switch Field(rawValue: number) {
      case .path: path = Array(value)
      case .folderBytes: if value.count == 2 { folderBytes = Int(littleEndian(value)) }
      case .stick:
        guard value.count > 2, let text = String(validating: value.dropFirst(2), as: UTF8.self)
        else { break }
        stick = (text, Int(littleEndian(value.prefix(2))))
      default: take(Field(rawValue: number), value)
      }
    }
    file = path.flatMap {
      FilePlace(path: $0, folderBytes: folderBytes, stick: stick)
        ?? FilePlace(path: $0, folderBytes: 0)
    }
  }

  private mutating func take(_ field: Field?, _ value: ArraySlice<UInt8>) {
    let byte = value.count == 1 ? value.first : nil
    switch field {
    case .path, .folderBytes, .stick, nil: break
    case .queue:
      guard value.count == 12 else { break }
      queue = QueuePlace(
        number: littleEndian(value.prefix(8)), entry: UInt32(littleEndian(value.suffix(4))))
    case .preceding:
      preceding = FilePlace(decoding: value)
    case .elapsed:
      guard value.count == 8 else { break }
      elapsedMilliseconds = Int64(exactly: littleEndian(value)) ?? 0
    case .wasPlaying: wasPlaying = byte == 1
    case .repeatMode: repeatMode = byte.flatMap(Repeat.init) ?? .off
    case .shuffleMode: shuffleMode = byte.flatMap(Shuffle.init) ?? .off
    case .volume:
      guard value.count == 2, littleEndian(value) <= 1000 else { break }
      volume = Int(littleEndian(value))
    case .isMuted: isMuted = byte == 1
    case .boot:
      guard value.count <= StartHistory.maximumBootBytes else { break }
      starts.boot = String(validating: value, as: UTF8.self) ?? ""
    case .phone:
      if phones.count < Self.maximumPhones { phones += Self.address(value) }
    case .controller:
      if controllers.count < Self.maximumControllers { controllers += Self.address(value) }
    case .unconfirmed:
      if unconfirmed.count < Self.maximumUnconfirmed { unconfirmed += Self.address(value) }
    case .firstChoice: firstChoice = Self.address(value).first
    case .phoneSource: phoneSource = PhoneSource(decoding: value)
    case .shownNotice:
      guard value.count == 8, shownNotices.count < Self.maximumShownNotices else { break }
      shownNotices.append(littleEndian(value))
    case .cardTest:
      guard value.count > 4, value.count <= 4 + Self.maximumCardBytes,
        cardTests.count < Self.maximumCardTests,
        let card = String(validating: value.dropFirst(4), as: UTF8.self)
      else { break }
      cardTests.append(CardTest(card: card, step: Int(littleEndian(value.prefix(4)))))
    case .start:
      let value = Array(value)
      guard value.count >= 5,
        let progress = StartHistory.Start.Progress(rawValue: value[4]),
        let reason = String(validating: value[5...], as: UTF8.self)
      else { break }
      let start = StartHistory.Start(
        number: UInt32(littleEndian(value[..<4])), progress: progress,
        reason: StartHistory.cut(reason))
      starts.starts = (starts.starts + [start]).suffix(StartHistory.maximumCount)
    }
  }

  /// The address of a field; empty if the value is no address.
  private static func address(_ value: ArraySlice<UInt8>) -> [String] {
    guard value.count <= maximumAddressBytes,
      let address = String(validating: value, as: UTF8.self), !address.isEmpty
    else { return [] }
    return [address]
  }
}

extension FilePlace {
  fileprivate var encoded: [UInt8] {
    let identity = Array((stick?.identity ?? "").utf8)
    return littleEndian(UInt64(folderBytes), 2) + littleEndian(UInt64(stick?.pointBytes ?? 0), 2)
      + [UInt8(identity.count)] + identity + path
  }

  /// Nil if the value is no place.
  fileprivate init?(decoding value: ArraySlice<UInt8>) {
    guard value.count > 5 else { return nil }
    let rest = value.dropFirst(5)
    let count = Int(value[value.startIndex + 4])
    guard rest.count > count, rest.count - count <= UnitState.maximumPrecedingBytes,
      let identity = String(validating: rest.prefix(count), as: UTF8.self)
    else { return nil }
    let pointBytes = Int(littleEndian(value.dropFirst(2).prefix(2)))
    self.init(
      path: Array(rest.dropFirst(count)), folderBytes: Int(littleEndian(value.prefix(2))),
      stick: identity.isEmpty ? nil : (identity, pointBytes))
  }
}

extension UnitState.PhoneSource {
  /// Nil if the value is no phone.
  fileprivate init?(decoding value: ArraySlice<UInt8>) {
    var rest = value
    guard let flag = rest.popFirst(), let count = rest.popFirst(), count > 0,
      count <= UnitState.maximumAddressBytes, rest.count >= count,
      rest.count - Int(count) <= UnitState.maximumNameBytes,
      let address = String(validating: rest.prefix(Int(count)), as: UTF8.self),
      let name = String(validating: rest.dropFirst(Int(count)), as: UTF8.self)
    else { return nil }
    self.init(address: address, name: name, wasPlaying: flag == 1)
  }
}

/// The first bytes of a text, cut between two characters.
private func cut(_ text: String, _ bytes: Int) -> [UInt8] {
  var end = text.utf8.prefix(bytes).endIndex
  while end.samePosition(in: text) == nil { end = text.utf8.index(before: end) }
  return Array(text.utf8[..<end])
}

private func littleEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

private func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
  bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
}

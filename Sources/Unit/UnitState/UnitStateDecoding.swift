// Reads what `UnitStateCoding.swift` writes.

extension UnitState {
  /// Decodes saved bytes. If the value of a field is invalid, the default value is used. If the end of the bytes is
  /// missing, the fields before it are used.
  ///
  /// Time and memory are proportional to the number of bytes.
  /// - Throws: if the bytes are not a state of a known version.
  public init(decoding bytes: [UInt8]) throws(UnitStateError) {
    var damage = StoredDamage()
    try self.init(decoding: bytes, damage: &damage)
  }

  /// Decodes saved bytes, and adds the parts that were left out to `damage`.
  public init(decoding bytes: [UInt8], damage: inout StoredDamage) throws(UnitStateError) {
    self.init()
    guard let version = bytes.first else { throw UnitStateError.empty }
    guard version == Self.version else {
      throw UnitStateError.unknownVersion(version)
    }
    var fields = Fields(rest: bytes.dropFirst())
    var file = FileFields()
    do throws(UnitStateError) {
      while let (number, value) = try fields.next() {
        // A newer program can have written fields that this program does not know. They are skipped.
        guard let field = StateField(rawValue: number) else { continue }
        if !(file.decode(field, value) ?? decode(field, value)) { damage.note("\(field)") }
      }
    } catch {
      damage.end = error
    }
    let (location, isDamaged) = file.location
    self.file = location
    if isDamaged { damage.note("\(StateField.path)") }
  }

  /// Splits the bytes into fields.
  private struct Fields {
    var rest: ArraySlice<UInt8>
    private var count = 0

    init(rest: ArraySlice<UInt8>) { self.rest = rest }

    mutating func next() throws(UnitStateError) -> (number: UInt8, value: ArraySlice<UInt8>)? {
      guard let number = rest.popFirst() else { return nil }
      count &+= 1
      guard rest.count >= 2, count <= UnitState.maximumFields else {
        throw UnitStateError.incompleteField(count)
      }
      let length = Int(clamping: littleEndian(rest.prefix(2)))
      rest = rest.dropFirst(2)
      guard length <= rest.count else {
        throw UnitStateError.overlongField(count)
      }
      defer { rest = rest.dropFirst(length) }
      return (number, rest.prefix(length))
    }
  }

  /// The fields of the file that was playing. These fields are checked together after all of them were read.
  private struct FileFields {
    var path: [UInt8]?
    var folderBytes = 0
    var stick: (identity: String, pointBytes: Int)?

    /// Returns true if the value is valid, and nil if the field does not belong to the file.
    mutating func decode(_ field: StateField, _ value: ArraySlice<UInt8>) -> Bool? {
      switch field {
      case .path: path = Array(value)
      case .folderBytes:
        guard value.count == 2 else { return false }
        folderBytes = Int(clamping: littleEndian(value))
      case .stick:
        guard value.count > 2, let text = String(validating: value.dropFirst(2), as: UTF8.self)
        else { return false }
        stick = (text, Int(clamping: littleEndian(value.prefix(2))))
      default: return nil
      }
      return true
    }

    /// The location of the file. `isDamaged` is true if a part of the location was left out.
    var location: (FileLocation?, isDamaged: Bool) {
      guard let path else { return (nil, folderBytes > 0 || stick != nil) }
      guard let location = FileLocation(path: path, folderBytes: folderBytes, stick: stick) else {
        return (FileLocation(path: path, folderBytes: 0), true)
      }
      return (location, location.stick == nil && stick != nil)
    }
  }

  /// Decodes the value of a field. Returns false if the value is invalid.
  private mutating func decode(_ field: StateField, _ value: ArraySlice<UInt8>) -> Bool {
    switch field {
    case .path, .folderBytes, .stick: return false
    case .queue:
      guard value.count == 12, let entry = CurrentEntry(decoding: value) else { return false }
      queue = entry
    case .heard:
      guard value.count <= Self.maximumHeardBytes else { return false }
      var reader = QueueReader(rest: value)
      var latestFirst: [EntryID] = []
      while !reader.rest.isEmpty {
        guard let id = try? reader.id(), latestFirst.count < Self.maximumHeard else { return false }
        latestFirst.append(id)
      }
      heard = latestFirst.reversed()
    case .preceding:
      preceding = FileLocation(decoding: value)
      return preceding != nil
    case .elapsed:
      guard value.count == 8, let time = SongTime(milliseconds: littleEndian(value)) else {
        return false
      }
      elapsed = time
    case .wasPlaying: return Self.decode(value, &wasPlaying)
    case .repeatMode: return Self.decode(value, &repeatMode)
    case .shuffleMode: return Self.decode(value, &shuffleMode)
    case .volume:
      guard value.count == 2, littleEndian(value) <= 1000 else { return false }
      volume = Int(clamping: littleEndian(value))
    case .isMuted: return Self.decode(value, &isMuted)
    case .boot:
      guard value.count <= StartHistory.maximumBootBytes,
        let text = String(validating: value, as: UTF8.self)
      else { return false }
      starts.boot = text
    case .phone: return Self.decode(value, &phones, Self.maximumPhones)
    case .controller: return Self.decode(value, &controllers, Self.maximumControllers)
    case .unconfirmed: return Self.decode(value, &unconfirmed, Self.maximumUnconfirmed)
    case .wantedApp:
      wantedApp = WantedApp(decoding: value)
      return wantedApp != nil
    case .firstChoice:
      firstChoice = Self.address(value)
      return firstChoice != nil
    case .phoneSource:
      phoneSource = PhoneSource(decoding: value)
      return phoneSource != nil
    case .shownNotice:
      guard value.count == 8, shownNotices.count < Self.maximumShownNotices else { return false }
      shownNotices.append(littleEndian(value))
    case .cardTest:
      guard cardTests.count < Self.maximumCardTests, let test = CardTest(decoding: value) else {
        return false
      }
      cardTests.append(test)
    case .start:
      guard let start = StartHistory.Start(decoding: value) else { return false }
      // in range: lists
      starts.starts = (starts.starts + [start]).suffix(StartHistory.maximumCount)
    }
    return true
  }

  private static func decode(_ value: ArraySlice<UInt8>, _ flag: inout Bool) -> Bool {
    guard value.count == 1, let byte = value.first, byte <= 1 else { return false }
    flag = byte == 1
    return true
  }

  private static func decode<Mode: RawRepresentable<UInt8>>(
    _ value: ArraySlice<UInt8>, _ mode: inout Mode
  ) -> Bool {
    guard value.count == 1, let new = value.first.flatMap(Mode.init) else { return false }
    mode = new
    return true
  }

  private static func decode(
    _ value: ArraySlice<UInt8>, _ addresses: inout [String], _ maximum: Int
  ) -> Bool {
    guard addresses.count < maximum, let address = address(value) else { return false }
    addresses.append(address)
    return true
  }

  /// The value as an address. Nil if it is empty, too long or not UTF-8.
  private static func address(_ value: ArraySlice<UInt8>) -> String? {
    guard (1...maximumAddressBytes).contains(value.count) else { return nil }
    return String(validating: value, as: UTF8.self)
  }
}

// The values of fields. Each initializer returns nil if the bytes are invalid.

extension UnitState.CurrentEntry {
  fileprivate init?(decoding value: ArraySlice<UInt8>) {
    let number = littleEndian(value.prefix(8))
    guard number <= SavedQueue.maximumNumber, let entry = EntryID(littleEndian(value.suffix(4)))
    else { return nil }
    self.init(number: number, entry: entry)
  }
}

extension UnitState.WantedApp {
  fileprivate init?(decoding value: ArraySlice<UInt8>) {
    var rest = value
    guard let length = rest.popFirst() else { return nil }
    let count = Int(clamping: length)
    let end = rest.dropFirst(count)
    guard (1...UnitState.maximumSessionBytes).contains(count), rest.count >= count,
      end.count <= UnitState.maximumAppNameBytes,
      let session = String(validating: rest.prefix(count), as: UTF8.self),
      let name = String(validating: end, as: UTF8.self)
    else { return nil }
    self.init(session: session, name: name)
  }
}

extension UnitState.CardTest {
  fileprivate init?(decoding value: ArraySlice<UInt8>) {
    let name = value.dropFirst(4)
    guard (1...UnitState.maximumCardBytes).contains(name.count),
      let card = String(validating: name, as: UTF8.self),
      let step = Int(exactly: littleEndian(value.prefix(4))), step <= UnitState.maximumStep
    else { return nil }
    self.init(card: card, step: step)
  }
}

extension StartHistory.Start {
  fileprivate init?(decoding value: ArraySlice<UInt8>) {
    let text = value.dropFirst(5)
    guard let progress = value.dropFirst(4).first.flatMap(Progress.init),
      let number = UInt32(exactly: littleEndian(value.prefix(4))),
      let reason = String(validating: text, as: UTF8.self)
    else { return nil }
    self.init(number: number, progress: progress, reason: StartHistory.cut(reason))
  }
}

extension FileLocation {
  fileprivate init?(decoding value: ArraySlice<UInt8>) {
    guard value.count > 5 else { return nil }
    let rest = value.dropFirst(5)
    let count = Int(clamping: littleEndian(value.dropFirst(4).prefix(1)))
    let path = rest.dropFirst(count)
    guard (1...UnitState.maximumPrecedingBytes).contains(path.count),
      let identity = String(validating: rest.prefix(count), as: UTF8.self)
    else { return nil }
    let pointBytes = Int(clamping: littleEndian(value.dropFirst(2).prefix(2)))
    self.init(
      path: Array(path), folderBytes: Int(clamping: littleEndian(value.prefix(2))),
      stick: identity.isEmpty ? nil : (identity, pointBytes))
  }
}

extension UnitState.PhoneSource {
  fileprivate init?(decoding value: ArraySlice<UInt8>) {
    var rest = value
    guard let flag = rest.popFirst(), let length = rest.popFirst() else { return nil }
    let count = Int(clamping: length)
    let end = rest.dropFirst(count)
    guard (1...UnitState.maximumAddressBytes).contains(count), rest.count >= count,
      end.count <= UnitState.maximumNameBytes,
      let address = String(validating: rest.prefix(count), as: UTF8.self),
      let name = String(validating: end, as: UTF8.self)
    else { return nil }
    self.init(address: address, name: name, wasPlaying: flag == 1)
  }
}

/// The first eight bytes (or all bytes, if there are fewer) as a little-endian number.
private func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
  bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64(clamping: $1) }
}

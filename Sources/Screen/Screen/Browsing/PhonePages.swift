internal import NowPlaying
internal import Reports
internal import ScreenLayout

/// The pages of phones and remote controls, as a value: which page is shown.
struct PhonePages: Sendable {
  private enum Place: Equatable, Sendable {
    case list
    /// What can be done with a phone, by its address.
    case phone(String)
    /// Whether a phone is to be forgotten.
    case question(String)
    /// Phones can find the unit, and remote controls are found.
    case adding
  }

  /// What a touch causes.
  enum Outcome: Equatable, Sendable {
    case play(String)
    case connect(String)
    case disconnect(String)
    case setFirstChoice(String)
    case forget(String)
    /// Permits pairing for some time, and searches for remote controls.
    case find
    /// Ends the permission.
    case stopFinding
    /// Pairs with a device that was found.
    case add(String)
  }

  private var place = Place.list
  private var window = RowWindow()

  /// Shows the list. Returns what this causes.
  mutating func showList() -> Outcome? {
    defer {
      place = .list
      window = RowWindow()
    }
    return place == .adding ? .stopFinding : nil
  }

  /// Returns to the list if the phone of the page is gone, because the list is what the page then shows.
  private mutating func leaveGonePhone(_ phones: [PhonesState.Phone]) {
    switch place {
    case .phone(let address), .question(let address):
      if !phones.contains(where: { $0.address == address }) { place = .list }
    case .list, .adding: break
    }
  }

  /// Takes a new state. A device that was just added gets its page, and the search for it ends.
  mutating func take(_ new: PhonesState, before: PhonesState) -> Outcome? {
    // The pairing still needs the window until the device is trusted.
    func paired(_ state: PhonesState) -> [String] {
      state.phones.filter { $0.isBonded && $0.isTrusted }.map(\.address)
    }
    guard place == .adding, new.adding == nil,
      let added = paired(new).first(where: { !paired(before).contains($0) })
    else { return nil }
    place = .phone(added)
    return .stopFinding
  }

  /// Goes up one level. False if the list is shown.
  mutating func goUp(_ phones: [PhonesState.Phone]) -> (isUp: Bool, outcome: Outcome?) {
    leaveGonePhone(phones)
    switch place {
    case .list: return (false, nil)
    case .phone: place = .list
    case .question(let address): place = .phone(address)
    case .adding: return (true, showList())
    }
    return (true, nil)
  }

  mutating func perform(
    _ action: BrowseAction, _ phones: [PhonesState.Phone], _ capacity: BrowseCapacity
  ) -> Outcome? {
    leaveGonePhone(phones)
    switch (place, action) {
    case (_, .headerKey(.add)), (.list, .choose(Self.addKey)), (.adding, .choose(Self.addKey)):
      place = .adding
      return .find
    case (.adding, .choose(let address)): return .add(address)
    case (.list, .choose(let address)):
      if phones.contains(where: { $0.address == address }) { place = .phone(address) }
    case (.list, .turnPage(let direction)):
      window.turn(direction, capacity)
    case (.phone(let address), .choose(let key)): return choose(key, address, phones)
    case (.question(let address), .answer(let isYes)):
      place = isYes ? .list : .phone(address)
      return isYes ? .forget(address) : nil
    default: break
    }
    return nil
  }

  private mutating func choose(_ key: String, _ address: String, _ phones: [PhonesState.Phone])
    -> Outcome?
  {
    switch key {
    case "play": return .play(address)
    case "connect": return .connect(address)
    case "disconnect": return .disconnect(address)
    case "first":
      let isFirst = phones.first { $0.address == address }?.isFirstChoice == true
      return .setFirstChoice(isFirst ? "" : address)
    case "forget": place = .question(address)
    default: break
    }
    return nil
  }

  // MARK: Pages

  private static let addKey = "add"

  func page(
    _ words: LocalizedWords, _ state: PhonesState, canAdd: Bool, _ capacity: BrowseCapacity
  ) -> BrowsePage {
    let phones = state.phones
    switch place {
    case .adding:
      return BrowsePage(
        .phone, heading: BrowsePage.Heading(words.browse.addPhone),
        .adding(Self.adding(state, words)))
    case .phone(let address):
      if let phone = phones.first(where: { $0.address == address }) {
        return BrowsePage(
          .phone, heading: BrowsePage.Heading(phone.name, line: Self.line(phone, words).0),
          .keys(Self.keys(phone, words)))
      }
    case .question(let address):
      if let phone = phones.first(where: { $0.address == address }) {
        return BrowsePage(
          .phone, heading: BrowsePage.Heading(words.browse.forget),
          .question(
            BrowseQuestion(
              words.browse.forgetQuestion(phone.name), words.browse.forgetDetail,
              no: words.browse.keep, yes: words.browse.forget)))
      }
    case .list: break
    }
    return list(words, phones, canAdd: canAdd, capacity)
  }

  private func list(
    _ words: LocalizedWords, _ phones: [PhonesState.Phone], canAdd: Bool, _ capacity: BrowseCapacity
  ) -> BrowsePage {
    guard !phones.isEmpty else {
      let key = BrowseTile(id: Self.addKey, .plus, words.browse.addPhone)
      return BrowsePage(
        .phone,
        .message(
          BrowseMessage(
            .phone, words.browse.noPhoneYet,
            canAdd ? words.browse.noPhoneDetail : words.bluetoothOff, key: canAdd ? key : nil)))
    }
    let ordered = phones.sorted {
      ($0.isConnected ? 1 : 0, $0.lastSeen ?? .zero) > (
        $1.isConnected ? 1 : 0, $1.lastSeen ?? .zero
      )
    }
    return BrowsePage(
      .phone, key: canAdd ? .add : nil,
      window.content(ordered.map { Self.row($0, words) }, capacity))
  }

  private static func row(_ phone: PhonesState.Phone, _ words: LocalizedWords) -> BrowseRow {
    let symbol: Symbol = phone.kind == .phone ? .phone : .remote
    var row = BrowseRow(id: phone.address, .picture(BrowsePicture(symbol)), phone.name)
    (row.line, row.tone) = line(phone, words)
    row.opensPage = true
    if phone.plays { row.condition = .current }
    return row
  }

  private static func line(_ phone: PhonesState.Phone, _ words: LocalizedWords)
    -> (String, BrowseRow.Tone)
  {
    let browse = words.browse
    if phone.plays {
      return ([browse.plays, phone.app].compactMap(\.self).joined(separator: " · "), .good)
    }
    let state = phone.isConnected ? browse.connected : browse.notConnected
    let kind = phone.kind == .remote ? browse.remote : nil
    let choice = phone.isFirstChoice ? browse.firstChoice : nil
    return ([state, kind, choice].compactMap(\.self).joined(separator: " · "), .usual)
  }

  private static func keys(_ phone: PhonesState.Phone, _ words: LocalizedWords) -> [BrowseKey] {
    let browse = words.browse
    var keys: [BrowseKey] = []
    if phone.kind == .phone {
      keys.append(BrowseKey(id: "play", .play, browse.play, browse.playLine, isPrimary: true))
    }
    keys.append(
      phone.isConnected
        ? BrowseKey(id: "disconnect", .bluetoothOff, browse.disconnect, browse.disconnectLine)
        : BrowseKey(id: "connect", .bluetooth, browse.connect, browse.connectLine))
    if phone.kind == .phone {
      keys.append(
        BrowseKey(
          id: "first", phone.isFirstChoice ? .check : .bookmark, browse.firstChoice,
          browse.firstChoiceLine))
    }
    keys.append(BrowseKey(id: "forget", .cross, browse.forget, browse.forgetLine))
    return keys
  }

  // MARK: Adding

  /// How long the unit permits pairing if nothing else is configured. Only the length of a bar depends on
  /// it.
  private static let usualTime = Duration.seconds(120)

  private static func adding(_ state: PhonesState, _ words: LocalizedWords) -> BrowseAdding {
    var rows = state.found.map { device in
      var row = BrowseRow(
        id: device.address,
        .picture(BrowsePicture(device.kind == .phone ? .phone : .remote)), device.name,
        line: device.kind == .phone ? words.browse.isNoRemote : words.browse.remote)
      // A phone is paired from the phone, because its owner has to find the unit there.
      if device.kind == .phone { row.condition = .inert }
      if device.name == state.adding {
        row.line = words.browse.pairs
        row.tone = .good
      }
      return row
    }
    if rows.isEmpty, state.isSearching {
      var row = BrowseRow(id: "searching", .picture(BrowsePicture(.search)), words.browse.searching)
      row.condition = .inert
      rows = [row]
    }
    return BrowseAdding(
      state.adapters.first { $0.isPowered }?.name ?? state.adapters.first?.name ?? "",
      until: state.pairingUntil.map { MonotonicInstant(awake: $0) }, total: usualTime, rows: rows,
      again: addKey)
  }
}

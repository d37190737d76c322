internal import NowPlaying
internal import Reports
internal import ScreenLayout

/// The pages of phones and remote controls, as a value that stores which page is shown.
struct PhonePages: Sendable {
  private enum Page: Equatable, Sendable {
    case list
    /// The actions for a phone. The value is its address.
    case phone(String)
    /// The question whether to forget a phone. The value is its address.
    case question(String)
    /// The page on which devices are added. Phones can find the unit, and the unit searches for remote controls.
    case adding
  }

  private var shown = Page.list
  private var window = RowWindow()

  /// Shows the list of phones. If devices were being added, returns the request that ends the search.
  mutating func showList() -> [ScreenRequest] {
    defer {
      shown = .list
      window = RowWindow()
    }
    return shown == .adding ? [.stopFindingPhones] : []
  }

  /// Returns to the list if the phone of the page was removed. `page` already shows the list in this case.
  private mutating func leaveGonePhone(_ phones: [PhonesState.Phone]) {
    switch shown {
    case .phone(let address), .question(let address):
      if !phones.contains(where: { $0.address == address }) { shown = .list }
    case .list, .adding: break
    }
  }

  /// Receives a new state of the phones. If a device was just added, shows the page of this device and ends the search.
  mutating func receive(_ new: PhonesState, before: PhonesState) -> [ScreenRequest] {
    // Until a device is trusted, its pairing needs the pairing window. So only a trusted device counts as paired.
    func paired(_ state: PhonesState) -> [String] {
      state.phones.filter { $0.isBonded && $0.isTrusted }.map(\.address)
    }
    guard shown == .adding, new.adding == nil,
      let added = paired(new).first(where: { !paired(before).contains($0) })
    else { return [] }
    shown = .phone(added)
    return [.stopFindingPhones]
  }

  /// Goes up one level. From the list of phones, leaves the menu.
  mutating func goUp(_ phones: [PhonesState.Phone]) -> MenuPages.Outcome {
    leaveGonePhone(phones)
    switch shown {
    case .list: return .leave()
    case .phone: shown = .list
    case .question(let address): shown = .phone(address)
    case .adding: return .stay(showList())
    }
    return .stay()
  }

  mutating func perform(
    _ action: MenuAction, _ phones: [PhonesState.Phone], _ capacity: MenuCapacity
  ) -> MenuPages.Outcome {
    leaveGonePhone(phones)
    switch (shown, action) {
    case (_, .headerKey(.add)), (.list, .choose(Self.addKey)), (.adding, .choose(Self.addKey)):
      shown = .adding
      return .stay([.findPhones])
    case (.adding, .choose(let address)): return .stay([.addPhone(address)])
    case (.list, .choose(let address)):
      if phones.contains(where: { $0.address == address }) { shown = .phone(address) }
    case (.list, .turnPage(let direction)):
      window.turn(direction, capacity)
    case (.phone(let address), .choose(let key)): return choose(key, address, phones)
    case (.question(let address), .answer(let isYes)):
      shown = isYes ? .list : .phone(address)
      if isYes { return .stay([.forgetPhone(address)]) }
    default: break
    }
    return .stay()
  }

  private mutating func choose(_ key: String, _ address: String, _ phones: [PhonesState.Phone])
    -> MenuPages.Outcome
  {
    switch key {
    case "play": return .leave([.chooseSource(address)])
    case "connect": return .stay([.connectPhone(address)])
    case "disconnect": return .stay([.disconnectPhone(address)])
    case "first":
      let isFirst = phones.first { $0.address == address }?.isFirstChoice == true
      return .stay([.setFirstChoice(isFirst ? "" : address)])
    case "forget": shown = .question(address)
    default: break
    }
    return .stay()
  }

  // MARK: Pages

  private static let addKey = "add"

  func page(
    _ words: LocalizedWords, _ state: PhonesState, canAdd: Bool, _ capacity: MenuCapacity
  ) -> MenuPage {
    let phones = state.phones
    switch shown {
    case .adding:
      return MenuPage(
        .phone, heading: MenuPage.Heading(words.menu.addPhone),
        .adding(Self.adding(state, words)))
    case .phone(let address):
      if let phone = phones.first(where: { $0.address == address }) {
        return MenuPage(
          .phone, heading: MenuPage.Heading(phone.name, line: Self.line(phone, words).0),
          .keys(Self.keys(phone, words)))
      }
    case .question(let address):
      if let phone = phones.first(where: { $0.address == address }) {
        return MenuPage(
          .phone, heading: MenuPage.Heading(words.menu.forget),
          .question(
            MenuQuestion(
              words.menu.forgetQuestion(phone.name), words.menu.forgetDetail,
              no: words.menu.keep, yes: words.menu.forget)))
      }
    case .list: break
    }
    return list(words, phones, canAdd: canAdd, capacity)
  }

  private func list(
    _ words: LocalizedWords, _ phones: [PhonesState.Phone], canAdd: Bool, _ capacity: MenuCapacity
  ) -> MenuPage {
    guard !phones.isEmpty else {
      let key = MenuTile(id: Self.addKey, .plus, words.menu.addPhone)
      return MenuPage(
        .phone,
        .message(
          MenuMessage(
            .phone, words.menu.noPhoneYet,
            canAdd ? words.menu.noPhoneDetail : words.bluetoothOff, key: canAdd ? key : nil)))
    }
    let ordered = phones.sorted {
      ($0.isConnected ? 1 : 0, $0.lastSeen ?? .zero) > (
        $1.isConnected ? 1 : 0, $1.lastSeen ?? .zero
      )
    }
    return MenuPage(
      .phone, key: canAdd ? .add : nil,
      window.content(ordered.map { Self.row($0, words) }, capacity))
  }

  private static func row(_ phone: PhonesState.Phone, _ words: LocalizedWords) -> MenuRow {
    let symbol: Symbol = phone.kind == .phone ? .phone : .remote
    var row = MenuRow(id: phone.address, .picture(MenuPicture(symbol)), phone.name)
    (row.line, row.tone) = line(phone, words)
    row.opensPage = true
    if phone.plays { row.condition = .current }
    return row
  }

  private static func line(_ phone: PhonesState.Phone, _ words: LocalizedWords)
    -> (String, MenuRow.Tone)
  {
    let menu = words.menu
    if phone.plays {
      return ([menu.plays, phone.app].compactMap(\.self).joined(separator: " · "), .good)
    }
    let state = phone.isConnected ? menu.connected : menu.notConnected
    let kind = phone.kind == .remote ? menu.remote : nil
    let choice = phone.isFirstChoice ? menu.firstChoice : nil
    return ([state, kind, choice].compactMap(\.self).joined(separator: " · "), .usual)
  }

  private static func keys(_ phone: PhonesState.Phone, _ words: LocalizedWords) -> [MenuKey] {
    let menu = words.menu
    var keys: [MenuKey] = []
    if phone.kind == .phone {
      keys.append(MenuKey(id: "play", .play, menu.play, menu.playLine, isPrimary: true))
    }
    keys.append(
      phone.isConnected
        ? MenuKey(id: "disconnect", .bluetoothOff, menu.disconnect, menu.disconnectLine)
        : MenuKey(id: "connect", .bluetooth, menu.connect, menu.connectLine))
    if phone.kind == .phone {
      keys.append(
        MenuKey(
          id: "first", phone.isFirstChoice ? .check : .bookmark, menu.firstChoice,
          menu.firstChoiceLine))
    }
    keys.append(MenuKey(id: "forget", .cross, menu.forget, menu.forgetLine))
    return keys
  }

  // MARK: Adding

  /// The default time for which the unit permits pairing. It affects only the length of the bar that shows the
  /// remaining time.
  private static let usualTime = Duration.seconds(120)

  private static func adding(_ state: PhonesState, _ words: LocalizedWords) -> MenuAdding {
    var rows = state.found.map { device in
      var row = MenuRow(
        id: device.address,
        .picture(MenuPicture(device.kind == .phone ? .phone : .remote)), device.name,
        line: device.kind == .phone ? words.menu.isNoRemote : words.menu.remote)
      // The row of a phone does not react, because a user pairs a phone from the phone itself.
      if device.kind == .phone { row.condition = .inert }
      if device.name == state.adding {
        row.line = words.menu.pairs
        row.tone = .good
      }
      return row
    }
    if rows.isEmpty, state.isSearching {
      var row = MenuRow(id: "searching", .picture(MenuPicture(.search)), words.menu.searching)
      row.condition = .inert
      rows = [row]
    }
    return MenuAdding(
      state.adapters.first { $0.isPowered }?.name ?? state.adapters.first?.name ?? "",
      until: state.pairingUntil.map { MonotonicInstant(awake: $0) }, total: usualTime, rows: rows,
      again: addKey)
  }
}

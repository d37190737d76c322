internal import BusMethods
internal import EventLoop
internal import Reports

/// Encodes the state of the phones as an `a{sv}`.
enum PhonesCoding {
  static func value(of state: PhonesState) -> BusValue {
    var fields = WireBuilder()
    fields.add("service", .string(state.service.rawValue))
    fields.add("adapters", .list(state.adapters.prefix(PhonesState.largestCount).map(value)))
    fields.add("phones", .list(state.phones.prefix(PhonesState.largestCount).map(value)))
    fields.add("pairingUntil", state.pairingUntil.map { .time($0) })
    fields.add("request", state.request.map(value))
    fields.add("isSearching", .boolean(state.isSearching))
    fields.add("adding", state.adding.map(WireText.word))
    fields.add("found", .list(state.found.prefix(PhonesState.largestCount).map(value)))
    return fields.value
  }

  private static func value(of adapter: PhonesState.Adapter) -> BusValue {
    var fields = WireBuilder()
    fields.add("id", WireText.word(adapter.id))
    fields.add("address", WireText.word(adapter.address))
    fields.add("name", WireText.word(adapter.name))
    fields.add("isPowered", .boolean(adapter.isPowered))
    fields.add("isDiscoverable", .boolean(adapter.isDiscoverable))
    fields.add("isPairable", .boolean(adapter.isPairable))
    fields.add("hasPlayer", .boolean(adapter.hasPlayer))
    return fields.value
  }

  private static func value(of phone: PhonesState.Phone) -> BusValue {
    var fields = WireBuilder()
    fields.add("address", WireText.word(phone.address))
    fields.add("name", WireText.word(phone.name))
    fields.add("adapter", WireText.word(phone.adapter))
    fields.add("isConnected", .boolean(phone.isConnected))
    fields.add("isControlling", .boolean(phone.isControlling))
    fields.add("hasPressedKey", .boolean(phone.hasPressedKey))
    fields.add("isBonded", .boolean(phone.isBonded))
    fields.add("isTrusted", .boolean(phone.isTrusted))
    fields.add(
      "features",
      .array(of: "s", phone.features.prefix(PhonesState.largestCount).map(WireText.word)))
    fields.add("kind", .string(phone.kind.rawValue))
    fields.add("plays", .boolean(phone.plays))
    fields.add("app", phone.app.map(WireText.word))
    fields.add("isFirstChoice", .boolean(phone.isFirstChoice))
    fields.add("lastSeen", phone.lastSeen.map { .time($0) })
    if let signal = phone.signal {
      fields.add("signal", signal.decibels.map { .int32(Int32(clamping: $0)) })
      fields.add("isSignalAbsolute", .boolean(signal.isAbsolute))
      fields.add("quality", signal.quality.map { .int32(Int32(clamping: $0)) })
    }
    return fields.value
  }

  private static func value(of request: PhonesState.Request) -> BusValue {
    var fields = WireBuilder()
    fields.add("number", .count(request.number))
    fields.add("address", WireText.word(request.address))
    fields.add("name", WireText.word(request.name))
    fields.add("passkey", request.passkey.map(WireText.word))
    return fields.value
  }

  // MARK: Reading

  static func state(_ value: BusValue) throws(WireError) -> PhonesState {
    let fields = try WireFields(value, "")
    var state = PhonesState()
    let word = try fields.required("service", fields.text("service"))
    // An unknown service state of a newer daemon is read as `noService`.
    state.service = PhonesState.Service(rawValue: word) ?? .noService
    for adapter in try fields.list("adapters", limit: PhonesState.largestCount) {
      state.adapters.append(try self.adapter(adapter))
    }
    for phone in try fields.list("phones", limit: PhonesState.largestCount) {
      state.phones.append(try self.phone(phone))
    }
    state.pairingUntil = try fields.duration("pairingUntil")
    if let request = try fields.fields("request") {
      state.request = PhonesState.Request(
        number: try request.required("number", request.integer("number")),
        address: try request.text("address") ?? "", name: try request.text("name") ?? "",
        passkey: try request.text("passkey"))
    }
    state.isSearching = try fields.flag("isSearching") ?? false
    state.adding = try fields.text("adding")
    for device in try fields.list("found", limit: PhonesState.largestCount) {
      state.found.append(try phone(device))
    }
    return state
  }

  private static func adapter(_ fields: WireFields) throws(WireError) -> PhonesState.Adapter {
    PhonesState.Adapter(
      id: try fields.required("id", fields.text("id")),
      address: try fields.text("address") ?? "", name: try fields.text("name") ?? "",
      isPowered: try fields.flag("isPowered") ?? false,
      isDiscoverable: try fields.flag("isDiscoverable") ?? false,
      isPairable: try fields.flag("isPairable") ?? false,
      hasPlayer: try fields.flag("hasPlayer") ?? false)
  }

  private static func phone(_ fields: WireFields) throws(WireError) -> PhonesState.Phone {
    // `isSignalAbsolute` is present if the signal was measured, even if the measurement gave no values.
    let signal = try fields.flag("isSignalAbsolute").map { isAbsolute throws(WireError) in
      PhonesState.Signal(
        decibels: try fields.integer("signal"), isAbsolute: isAbsolute,
        quality: try fields.integer("quality"))
    }
    return PhonesState.Phone(
      address: try fields.required("address", fields.text("address")),
      name: try fields.text("name") ?? "", adapter: try fields.text("adapter") ?? "",
      isConnected: try fields.flag("isConnected") ?? false,
      isControlling: try fields.flag("isControlling") ?? false,
      hasPressedKey: try fields.flag("hasPressedKey") ?? false,
      isBonded: try fields.flag("isBonded") ?? false,
      isTrusted: try fields.flag("isTrusted") ?? false,
      features: try fields.texts("features") ?? [], signal: signal,
      kind: try fields.text("kind").flatMap(PhonesState.Phone.Kind.init) ?? .remote,
      plays: try fields.flag("plays") ?? false, app: try fields.text("app"),
      isFirstChoice: try fields.flag("isFirstChoice") ?? false,
      lastSeen: try fields.duration("lastSeen"))
  }
}

internal import BusMethods
internal import EventLoop
internal import Reports

/// Encodes the settings that the driver of the car can change as an `a{sv}`.
enum SettingsCoding {
  /// The maximum number of settings that are read. It is also the maximum number of words from which the user chooses
  /// the value of one setting.
  private static let limit = 200

  static func value(of state: SettingsState) -> BusValue {
    var fields = WireBuilder()
    fields.add("revision", .count(state.revision))
    fields.add("settings", .list(state.settings.map(value)))
    fields.add("clock", .string(state.clock.rawValue))
    fields.add("canSetTime", .boolean(state.canSetTime))
    return fields.value
  }

  static func value(of setting: SettingReport) -> BusValue {
    var fields = WireBuilder()
    fields.add("key", WireText.word(setting.key))
    fields.add("value", WireText.line(setting.value))
    fields.add("default", WireText.line(setting.standard))
    fields.add("source", .string(setting.source.rawValue))
    fields.add("place", setting.location.isEmpty ? nil : WireText.identity(setting.location))
    fields.add("isFixed", .boolean(setting.isFixed))
    fields.add("isForRoot", .boolean(setting.isForRoot))
    fields.add("effect", .string(setting.effect.rawValue))
    switch setting.kind {
    case .choice(let words):
      fields.add("kind", .string("choice"))
      fields.add("choices", .strings(words.map { BusText.harmless($0, limit: WireText.word) }))
    case .number(let numbers):
      fields.add("kind", .string("number"))
      add(numbers, to: &fields)
    case .timeOfDay(let numbers):
      fields.add("kind", .string("timeOfDay"))
      add(numbers, to: &fields)
    case .text(let bytes, let mayBeEmpty):
      fields.add("kind", .string("text"))
      fields.add("maximumBytes", .uint32(UInt32(clamping: bytes)))
      fields.add("mayBeEmpty", .boolean(mayBeEmpty))
    }
    return fields.value
  }

  private static func add(_ numbers: SettingReport.Numbers, to fields: inout WireBuilder) {
    fields.add("minimum", .double(numbers.minimum))
    fields.add("maximum", .double(numbers.maximum))
    fields.add("step", .double(numbers.step))
    fields.add("unit", .string(numbers.unit))
    fields.add("number", numbers.current.map { .double($0) })
    fields.add("special", numbers.special.map(WireText.word))
  }

  // MARK: Reading

  static func state(_ value: BusValue) throws(WireError) -> SettingsState {
    let fields = try WireFields(value, "")
    var state = SettingsState()
    state.revision = try fields.integer("revision") ?? 0
    for entry in try fields.list("settings", limit: limit) {
      // A setting of an unknown kind is skipped. A newer daemon can send such a setting.
      if let setting = try setting(entry) { state.settings.append(setting) }
    }
    state.clock = try fields.text("clock").flatMap(SettingsState.Clock.init) ?? .unknown
    state.canSetTime = try fields.flag("canSetTime") ?? false
    return state
  }

  static func setting(_ value: BusValue) throws(WireError) -> SettingReport? {
    try setting(try WireFields(value, "setting"))
  }

  private static func setting(_ fields: WireFields) throws(WireError) -> SettingReport? {
    guard let kind = try kind(fields) else { return nil }
    return SettingReport(
      key: try fields.required("key", fields.text("key")),
      value: try fields.text("value") ?? "", standard: try fields.text("default") ?? "",
      source: try fields.text("source").flatMap(SettingReport.Source.init) ?? .standard,
      location: try fields.text("place") ?? "",
      effect: try fields.text("effect").flatMap(SettingReport.Effect.init) ?? .now,
      isForRoot: try fields.flag("isForRoot") ?? false, kind: kind)
  }

  private static func kind(_ fields: WireFields) throws(WireError) -> SettingReport.Kind? {
    switch try fields.text("kind") {
    case "choice": return .choice(Array((try fields.texts("choices") ?? []).prefix(limit)))
    case "number": return .number(try numbers(fields))
    case "timeOfDay": return .timeOfDay(try numbers(fields))
    case "text":
      return .text(
        maximumBytes: try fields.integer("maximumBytes") ?? 0,
        mayBeEmpty: try fields.flag("mayBeEmpty") ?? false)
    default: return nil
    }
  }

  private static func numbers(_ fields: WireFields) throws(WireError) -> SettingReport.Numbers {
    SettingReport.Numbers(
      minimum: try fields.required("minimum", fields.number("minimum")),
      maximum: try fields.required("maximum", fields.number("maximum")),
      step: try fields.number("step") ?? 1, unit: try fields.text("unit") ?? "",
      current: try fields.number("number"), special: try fields.text("special"))
  }
}

internal import Reports
internal import ScreenLayout

// Languages and time zones.
extension SettingFacts {
  /// The languages of the screen, each in its own words.
  private static let languages = [
    ("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("ar", "العربية"), ("he", "עברית"),
  ]

  func languageName(_ value: String?) -> String {
    Self.languages.first { $0.0 == value }?.1
      ?? (value == "und" ? words.settings.automatic : value ?? "")
  }

  func languages(_ capacity: MenuCapacity, _ window: RowWindow) -> MenuPage.Content {
    let current = setting(Self.languageKey)?.value
    let isActive = obstacle(Self.languageKey) == nil
    let all = [("und", words.settings.automatic)] + Self.languages
    return window.keys(
      all.map { value, name in
        MenuKey(
          id: value, value == current ? .check : .globe, name, "", isPrimary: value == current,
          isActive: isActive)
      }, capacity)
  }

  // MARK: Time zones

  private var zones: [String] {
    guard case .choice(let zones)? = setting(Self.zoneKey)?.kind else { return [] }
    return zones.filter { !$0.isEmpty }
  }

  /// The name of a zone for people: its place.
  static func place(_ zone: String) -> String {
    String((zone.split(separator: "/").last ?? "").map { $0 == "_" ? " " : $0 })
  }

  private static func region(_ zone: String) -> String {
    String(zone.split(separator: "/").first ?? "")
  }

  func zones(in region: String) -> [String] { zones.filter { Self.region($0) == region } }

  var regionRows: [MenuRow] {
    var regions: [String] = []
    for zone in zones where regions.last != Self.region(zone) { regions.append(Self.region(zone)) }
    let current = setting(Self.zoneKey)?.value ?? ""
    return regions.map { region in
      let zones = zones(in: region)
      var row = row(region, region, isSelected: zones.contains(current))
      row.opensPage = zones.count > 1
      if row.opensPage {
        row.line = zones.contains(current) ? Self.place(current) : nil
      }
      return row
    }
  }

  func zoneRows(in region: String) -> [MenuRow] {
    let current = setting(Self.zoneKey)?.value
    return zones(in: region).map { row($0, Self.place($0), isSelected: $0 == current) }
  }

  private func row(_ id: String, _ title: String, isSelected: Bool) -> MenuRow {
    var row = MenuRow(
      id: id, .picture(MenuPicture(isSelected ? .check : .globe)), title)
    if obstacle(Self.zoneKey) != nil { row.condition = .inert }
    return row
  }
}

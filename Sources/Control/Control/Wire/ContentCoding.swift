internal import BusMethods
internal import EventLoop
internal import NowPlaying

/// Encodes the content that plays, with its texts in all languages.
enum ContentCoding {
  /// The maximum number of metadata items that are sent or read. Items for a surface's lines have priority.
  static let itemLimit = 64
  /// The maximum number of metadata items with the same identifier. Without this limit, a hundred artists would leave
  /// no room for the title.
  private static let itemsOfOneKind = 8
  /// The maximum number of time ranges of advertisements that are sent or read.
  private static let adLimit = 200
  private static let lineIdentifiers: [MetadataIdentifier] = [
    .title, .artist, .albumName, .stationName, .programName, .subtitle,
  ]

  static func value(of content: MediaContent, for language: LanguageTag) -> BusValue {
    var fields = WireBuilder()
    fields.add("kind", .string(kind(content)))
    fields.add("id", WireText.identity(content.id))
    fields.add("type", .string(content.type.rawValue))
    fields.add("grossDuration", content.duration.map(duration))
    fields.add("artwork", content.artwork.map { WireText.identity($0.id) })
    let ranges = content.adTimeRanges.prefix(adLimit).map {
      BusValue.structure([.time($0.start), .time($0.duration)])
    }
    if !ranges.isEmpty { fields.add("adTimeRanges", .array(of: "(xx)", ranges)) }
    fields.add("isPlaceholder", .boolean(content.isPlaceholder))
    fields.add("collection", content.collectionID.map(WireText.identity))
    fields.add("isExplicit", content.isExplicit.map { .boolean($0) })
    fields.add(
      "metadata", .array(of: "(svss)", items(content.metadata, for: language).map(item)))
    return fields.value
  }

  static func content(_ outer: WireFields) throws(WireError) -> MediaContent? {
    guard let fields = try outer.fields("content") else { return nil }
    let id = try fields.required("id", fields.text("id"))
    let type = try fields.text("type").flatMap(MediaType.init) ?? .audio
    let duration = try duration(fields, "grossDuration")
    // This artwork contains only the identity. Clients request the picture itself from the daemon.
    let artwork = try fields.text("artwork").map { Artwork(id: $0) { _ in .none } }
    let metadata = MetadataItems(try items(fields))
    let ranges = try adTimeRanges(fields)
    let isPlaceholder = try fields.flag("isPlaceholder") ?? false
    let collection = try fields.text("collection")
    let isExplicit = try fields.flag("isExplicit")
    switch try fields.text("kind") {
    case "music":
      var content = MusicContent(
        id: id, metadata: metadata, type: type, duration: duration, artwork: artwork)
      content.adTimeRanges = ranges
      content.isPlaceholder = isPlaceholder
      content.collectionID = collection
      content.isExplicit = isExplicit
      return .music(content)
    case "radio":
      var content = RadioContent(
        id: id, stationName: "", type: type, duration: duration, artwork: artwork)
      content.metadata = metadata
      content.adTimeRanges = ranges
      content.isPlaceholder = isPlaceholder
      content.collectionID = collection
      content.isExplicit = isExplicit
      return .radio(content)
    // Content of an unknown kind is read as generic content.
    default:
      var content = GenericContent(
        id: id, title: "", type: type, duration: duration, artwork: artwork)
      content.metadata = metadata
      content.adTimeRanges = ranges
      content.isPlaceholder = isPlaceholder
      content.collectionID = collection
      content.isExplicit = isExplicit
      return .generic(content)
    }
  }

  static func duration(_ duration: MediaDuration) -> BusValue {
    switch duration {
    case .finite: .time(duration.length ?? .zero)
    case .live: .string("live")
    case .continuous: .string("continuous")
    }
  }

  private static func duration(_ fields: WireFields, _ name: String) throws(WireError)
    -> MediaDuration?
  {
    guard let value = fields.value(name) else { return nil }
    if let word = value.text {
      return word == "live" ? .live : word == "continuous" ? .continuous : nil
    }
    return try fields.duration(name).map { .finite($0) }
  }

  private static func kind(_ content: MediaContent) -> String {
    switch content {
    case .music: "music"
    case .radio: "radio"
    case .generic: "generic"
    }
  }

  private static func adTimeRanges(_ fields: WireFields) throws(WireError) -> [AdTimeRange] {
    var ranges: [AdTimeRange] = []
    for element in try (fields.elements("adTimeRanges") ?? []).prefix(adLimit) {
      guard let times = element.elements?.compactMap(\.integer), times.count == 2 else {
        throw WireError(
          fields.path(of: "adTimeRanges"), "expected (xx), found \(element.signature)", .wrongType)
      }
      ranges.append(
        AdTimeRange(start: .nanoseconds(times[0]), duration: .nanoseconds(times[1])))
    }
    return ranges
  }

  // MARK: Metadata

  /// The items to send. If there are more than ``itemLimit``, the items for the lines of a surface come first. Of each
  /// identifier for lines, only the first few items and the item that is shown for `language` are sent.
  private static func items(_ metadata: MetadataItems, for language: LanguageTag)
    -> [MetadataItem]
  {
    let all = metadata.items
    if all.count <= itemLimit { return all }
    var chosen: [MetadataItem] = []
    var rest: [MetadataItem] = []
    var counts: [MetadataIdentifier: Int] = [:]
    var texts: [MetadataIdentifier: String] = [:]
    for identifier in lineIdentifiers {
      texts[identifier] = metadata.text(identifier, for: language)
    }
    for item in all {
      guard lineIdentifiers.contains(item.identifier) else {
        rest.append(item)
        continue
      }
      let isShown = item.value == texts[item.identifier].map { .text($0) }
      if isShown { texts[item.identifier] = nil }
      counts[item.identifier, default: 0] += 1
      if isShown || counts[item.identifier, default: 0] <= itemsOfOneKind { chosen.append(item) }
    }
    return chosen + rest.prefix(max(0, itemLimit &- chosen.count))
  }

  private static func item(_ item: MetadataItem) -> BusValue {
    let value: BusValue =
      switch item.value {
      case .text(let text): WireText.line(text)
      case .number(let number): .int64(Int64(clamping: number))
      case .reference(let reference): WireText.identity(reference)
      }
    return .structure([
      WireText.word(item.identifier.rawValue), .variant(value), .string(item.dataType.rawValue),
      WireText.word(item.language.description),
    ])
  }

  private static func items(_ fields: WireFields) throws(WireError) -> [MetadataItem] {
    var items: [MetadataItem] = []
    for element in try (fields.elements("metadata") ?? []).prefix(itemLimit) {
      guard let parts = element.elements, parts.count >= 4, let name = parts[0].text,
        let type = parts[2].text, let language = parts[3].text
      else {
        throw WireError(
          fields.path(of: "metadata"), "expected (svss), found \(element.signature)", .wrongType)
      }
      let identifier = MetadataIdentifier(name)
      switch (type, parts[1].text, parts[1].integer) {
      case ("utf8", let text?, _):
        items.append(MetadataItem(identifier, text, language: LanguageTag(language)))
      case ("integer", _, let number?): items.append(MetadataItem(identifier, number))
      case ("jpeg", let reference?, _): items.append(.jpeg(identifier, at: reference))
      case ("png", let reference?, _): items.append(.png(identifier, at: reference))
      default: break
      }
    }
    return items
  }
}

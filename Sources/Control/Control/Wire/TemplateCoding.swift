internal import BusMethods
internal import EventLoop
internal import NowPlaying

/// Encodes the template: the part of the screen that the source configures.
enum TemplateCoding {
  static func value(of template: TemplateState) -> BusValue {
    value(
      buttons: template.buttons, unitButtons: template.unitButtons, upNext: template.upNext,
      isAlbumArtistEnabled: template.isAlbumArtistEnabled)
  }

  static func value(of template: PublishedTemplate) -> BusValue {
    value(
      buttons: template.buttons, upNext: template.upNext,
      isAlbumArtistEnabled: template.isAlbumArtistEnabled)
  }

  private static func value(
    buttons: [TemplateState.Button], unitButtons: [TemplateState.Button] = [],
    upNext: TemplateState.UpNext, isAlbumArtistEnabled: Bool
  ) -> BusValue {
    var fields = WireBuilder()
    fields.add("buttons", .list(buttons.map(button)))
    if !unitButtons.isEmpty { fields.add("unitButtons", .list(unitButtons.map(button))) }
    switch upNext {
    case .off: break
    case .systemTitle: fields.add("upNext", .boolean(true))
    case .title(let title): fields.add("upNext", WireText.line(title))
    }
    fields.add("isAlbumArtistEnabled", .boolean(isAlbumArtistEnabled))
    return fields.value
  }

  static func template(_ outer: WireFields) throws(WireError) -> TemplateState {
    guard let fields = try outer.fields("template") else { return .empty }
    func buttons(_ name: String, _ limit: Int) throws(WireError) -> [TemplateState.Button] {
      var buttons: [TemplateState.Button] = []
      for fields in try fields.list(name, limit: limit) {
        // A button of an unknown kind is kept. A tap is reported with the index of the button, so if a button were
        // missing, the indices of the following buttons would be wrong.
        let word = try fields.required("kind", fields.text("kind"))
        buttons.append(try button(fields, try kind(word, fields) ?? .image(word)))
      }
      return buttons
    }
    return TemplateState(
      buttons: try buttons("buttons", NowPlayingTemplate.maximumButtons),
      unitButtons: try buttons("unitButtons", TemplateState.maximumUnitButtons),
      upNext: try upNext(fields),
      isAlbumArtistEnabled: try fields.flag("isAlbumArtistEnabled") ?? false)
  }

  /// Decodes the template of a source. An unknown kind of button is an error.
  static func published(_ fields: WireFields) throws(WireError) -> PublishedTemplate {
    var template = PublishedTemplate()
    for fields in try fields.list("buttons", limit: PublishedTemplate.maximumButtons) {
      let word = try fields.required("kind", fields.text("kind"))
      guard let kind = try kind(word, fields) else {
        throw fields.unknown("kind", word)
      }
      template.buttons.append(try button(fields, kind))
    }
    template.upNext = try upNext(fields)
    template.isAlbumArtistEnabled = try fields.flag("isAlbumArtistEnabled") ?? false
    return template
  }

  private static func button(_ button: TemplateState.Button) -> BusValue {
    var fields = WireBuilder()
    switch button.kind {
    case .image(let name):
      fields.add("kind", .string("image"))
      fields.add("image", WireText.line(name))
    case .shuffle: fields.add("kind", .string("shuffle"))
    case .repeat: fields.add("kind", .string("repeat"))
    case .addToLibrary: fields.add("kind", .string("addToLibrary"))
    case .more: fields.add("kind", .string("more"))
    case .playbackRate: fields.add("kind", .string("playbackRate"))
    case .stars: fields.add("kind", .string("stars"))
    }
    fields.add("isEnabled", .boolean(button.isEnabled))
    fields.add("isSelected", .boolean(button.isSelected))
    fields.add("value", button.value.map(WireText.word))
    return fields.value
  }

  /// Nil for an unknown kind.
  private static func kind(
    _ word: String, _ fields: WireFields
  ) throws(WireError) -> NowPlayingButton.Kind? {
    switch word {
    case "image": .image(try fields.text("image") ?? "")
    case "shuffle": .shuffle
    case "repeat": .repeat
    case "addToLibrary": .addToLibrary
    case "more": .more
    case "playbackRate": .playbackRate
    case "stars": .stars
    default: nil
    }
  }

  private static func button(
    _ fields: WireFields, _ kind: NowPlayingButton.Kind
  ) throws(WireError) -> TemplateState.Button {
    TemplateState.Button(
      kind: kind, isEnabled: try fields.flag("isEnabled") ?? true,
      isSelected: try fields.flag("isSelected") ?? false, value: try fields.text("value"))
  }

  private static func upNext(_ fields: WireFields) throws(WireError) -> TemplateState.UpNext {
    guard let value = fields.value("upNext") else { return .off }
    if let isOn = value.flag { return isOn ? .systemTitle : .off }
    return try fields.text("upNext").map { .title($0) } ?? .off
  }
}

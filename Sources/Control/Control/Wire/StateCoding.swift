package import BusMethods
package import EventLoop
package import NowPlaying

/// Encodes the state of Now Playing as an `a{sv}`. The value contains all data that a surface shows, and further data
/// for scripts (the table is in docs/control.md).
///
/// Pictures are omitted, because clients request them separately. Texts are truncated to the limits of ``WireText``,
/// and lists to their maximum lengths.
package enum StateCoding {
  /// Encodes a state.
  package static func value(of state: NowPlayingState) -> BusValue {
    var fields = WireBuilder()
    fields.add("revision", .count(state.revision))
    fields.add("session", state.session.map { WireText.word($0.rawValue) })
    fields.add("status", .string(state.status.rawValue))
    fields.add("title", state.lines.title.map(WireText.line))
    fields.add("subtitle", state.lines.subtitle.map(WireText.line))
    fields.add("detail", state.lines.detail.map(WireText.line))
    fields.add("duration", state.duration.map(ContentCoding.duration))
    fields.add("content", state.content.map { ContentCoding.value(of: $0, for: state.language) })
    fields.add("playback", state.playback.map(PlaybackCoding.value))
    fields.add("commands", .list(state.commands.prefix(OfferCoding.limit).map(OfferCoding.value)))
    fields.add("upNext", .list(state.upNext.prefix(NowPlayingState.upNextLimit).map(item)))
    fields.add("template", TemplateCoding.value(of: state.template))
    fields.add(
      "volume",
      .properties([
        "level": .int32(Int32(clamping: state.volume.level.thousandths)),
        "isMuted": .boolean(state.volume.isMuted),
      ]))
    fields.add(
      "interruptions",
      .array(
        of: "s",
        state.interruptions.prefix(interruptionLimit).map { WireText.word($0.description) }))
    fields.add("hold", state.hold.map(PlaybackCoding.value))
    fields.add("language", WireText.word(state.language.description))
    fields.add("isSelfPublished", .boolean(state.isSelfPublished))
    fields.add("obstacle", state.obstacle.map(RefusalCoding.value))
    return fields.value
  }

  /// Decodes a state. Unknown fields are skipped.
  /// - Throws: if the value is not a valid state.
  package static func state(_ value: BusValue) throws(WireError) -> NowPlayingState {
    let fields = try WireFields(value, "")
    let volume = try fields.required("volume", fields.fields("volume"))
    let level = try volume.required("level", volume.integer("level"))
    let revision = try fields.required("revision", fields.integer("revision"))
    guard revision >= 0 else {
      throw WireError("revision", "expected 0 or more, found \(revision)")
    }
    return NowPlayingState(
      revision: revision, session: try fields.text("session").map { SessionID($0) },
      content: try ContentCoding.content(fields),
      playback: try PlaybackCoding.snapshot(fields),
      commands: try OfferCoding.offers(fields), upNext: try upNext(fields),
      template: try TemplateCoding.template(fields),
      volume: Volume(
        level: VolumeLevel(thousandths: level), isMuted: try volume.flag("isMuted") ?? false),
      interruptions: try (fields.texts("interruptions") ?? []).prefix(interruptionLimit)
        .map(Interruption.Reason.init),
      hold: try PlaybackCoding.hold(fields),
      language: LanguageTag(try fields.text("language") ?? ""),
      isSelfPublished: try fields.flag("isSelfPublished") ?? false,
      obstacle: try fields.fields("obstacle").map { fields throws(WireError) in
        try RefusalCoding.refusal(fields)
      })
  }

  /// The maximum number of interruptions that are sent or read.
  private static let interruptionLimit = 16

  static func item(_ item: UpNextItem) -> BusValue {
    var fields = WireBuilder()
    fields.add("id", WireText.identity(item.id))
    fields.add("title", WireText.line(item.title))
    fields.add("artist", item.artist.map(WireText.line))
    fields.add("duration", item.duration.map { .time($0) })
    fields.add("artwork", item.artworkID.map(WireText.identity))
    return fields.value
  }

  static func upNext(_ fields: WireFields) throws(WireError) -> [UpNextItem] {
    var items: [UpNextItem] = []
    for fields in try fields.list("upNext", limit: NowPlayingState.upNextLimit) {
      items.append(try item(fields))
    }
    return items
  }

  static func item(_ fields: WireFields) throws(WireError) -> UpNextItem {
    UpNextItem(
      id: try fields.required("id", fields.text("id")), title: try fields.text("title") ?? "",
      artist: try fields.text("artist"), duration: try fields.duration("duration"),
      artworkID: try fields.text("artwork"))
  }
}

internal import NowPlaying

/// A scene as text, with one line for each element and hit area. The text is for golden files and for the console.
public enum SceneText {
  /// Returns the elements in the order of painting, and then the hit areas.
  public static func dump(_ scene: Scene) -> String {
    var lines = ["\(scene.size) \(scene.palette.appearance.rawValue)"]
    lines += scene.elements.map { "\($0.id)  \($0.frame)  \(words($0.content))" }
    lines += scene.hitAreas.map(words)
    if let scrubber = scene.scrubber {
      lines.append("drag  \(scrubber.frame)  track \(scrubber.track)")
    }
    if let swipe = scene.swipeLeft { lines.append("swipe left  \(words(swipe))") }
    if let swipe = scene.swipeRight { lines.append("swipe right  \(words(swipe))") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func words(_ content: Element.Content) -> String {
    switch content {
    case .shape(let shape):
      var parts = ["shape r\(shape.radius)"]
      if let fill = shape.fill { parts.append(words(fill)) }
      if let stroke = shape.stroke { parts.append("line \(words(stroke)) \(shape.strokeWidth)") }
      return parts.joined(separator: " ")
    case .text(let run):
      let style = run.style
      let cut = (style.isDisplay ? " display" : "") + (style.hasTabularDigits ? " tabular" : "")
      return "text \(style.size)/\(style.weight.rawValue)\(cut) \(words(run.paint))"
        + " \(run.alignment.rawValue) base \(run.baseline)"
        + (run.lines > 1 ? " \(run.lines) lines of \(run.pitch)" : "")
        + " \"\(run.text)\""
    case .icon(let icon):
      let name =
        switch icon.picture {
        case .symbol(let symbol): symbol.rawValue
        case .source(let name): "source's \(name)"
        }
      return "icon \(name) \(words(icon.paint))" + (icon.label.map { " \"\($0)\"" } ?? "")
        + (icon.isMirrored ? " mirrored" : "")
    case .image(let slot):
      let name =
        switch slot.source {
        case .artwork(let id, _): "artwork \(id)"
        case .placeholder(let seed): "placeholder \(seed)"
        case .thumbnail(let id): "thumbnail \(id)"
        }
      return "image \(name) r\(slot.radius)" + (slot.veil > 0 ? " veil \(slot.veil)" : "")
    case .code(let text):
      return "code \"\(text.split(separator: "\n").joined(separator: " / "))\""
    }
  }

  private static func words(_ paint: Paint) -> String {
    paint.opacity == 1 ? paint.role.rawValue : "\(paint.role.rawValue)*\(paint.opacity)"
  }

  private static func words(_ area: HitArea) -> String {
    "hit \(area.id)  \(area.frame)  \(area.action.map(words) ?? "inert")"
      + (area.hold.map { " hold \($0.begin.kind.rawValue)" } ?? "")
  }

  private static func words(_ action: ScreenAction) -> String {
    switch action {
    case .command(.media(let request)): "\(request.kind.rawValue)"
    case .command(.template(let request)): "template \(request)"
    case .command(.volume(let request)): "volume \(request)"
    case .command(.list(let request)): "\(request)"
    case .chooseRow(let id): "choose \(id)"
    case .showButtons(let all): all ? "show buttons" : "hide buttons"
    case .back: "back"
    case .answerPairing(let isAccepted): isAccepted ? "accept" : "reject"
    case .pairPhone: "pair phone"
    case .undo: "undo"
    case .dismissNotice: "dismiss notice"
    case .endSafeMode: "end safe mode"
    case .menu(let action): words(action)
    }
  }

  private static func words(_ action: MenuAction) -> String {
    switch action {
    case .showNowPlaying: "show Now Playing"
    case .showTab(let tab): "show \(tab.rawValue)"
    case .goUp: "up"
    case .headerKey(let key): "\(key)"
    case .choose(let id): "choose \(id)"
    case .play: "play"
    case .goOn: "go on"
    case .shuffle: "shuffle"
    case .turnPage(let direction): "page \(direction.rawValue)"
    case .showLetters: "letters"
    case .select(let control, let option): "select \(control) \(option)"
    case .step(let control, let direction):
      "step \(control) \(direction == .forward ? "up" : "down")"
    case .rowKey(let row, let key): "\(key.rawValue) \(row)"
    case .answer(let isYes): isYes ? "yes" : "no"
    case .type(let key): "type \(key)"
    case .space: "space"
    case .erase: "erase"
    }
  }
}

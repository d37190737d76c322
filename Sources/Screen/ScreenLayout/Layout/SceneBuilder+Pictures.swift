// The pictures of rows and covers.
extension SceneBuilder {
  /// Adds a picture, or the icon of its kind until the picture has arrived.
  mutating func picture(
    _ id: String, _ picture: MenuPicture, _ frame: PixelRect, radius: Int,
    _ condition: MenuCondition, tone: MenuRow.Tone = .usual
  ) {
    let isCurrent = condition == .current
    let isInert = condition == .absent || condition == .inert
    let opacity = isInert ? palette.inertOpacity : 1
    let corner = max(radius, frame.width / 4)
    shape(
      ElementID("\(id).tile"), frame, Shape(radius: corner, fill: Paint(.fill, opacity)))
    let role: ColorRole =
      switch tone {
      case .usual: .text
      case .good: .good
      case .warning: .warning
      }
    if !isCurrent {
      icon(
        ElementID("\(id).symbol"), picture.symbol, centerX: frame.midX, centerY: frame.midY,
        size: min(u(64), frame.width * 15 / 32), Paint(role, opacity))
    }
    let source = picture.isOfPlaying ? playingCover : picture.thumbnail.map { .thumbnail(id: $0) }
    if let source {
      image(
        ElementID("\(id).thumb"), frame, source, radius: radius,
        veil: isCurrent ? 1 : isInert ? 1.3 : 0)
    }
    if isCurrent {
      // On a picture the bars need the colour that is meant for a veil.
      icon(
        ElementID("\(id).bars"), .bars, centerX: frame.midX, centerY: frame.midY,
        size: min(u(40), frame.width * 7 / 16),
        Paint(source == nil ? .accent : .onVeil))
    }
  }
}

internal import CPango
public import ScreenLayout

/// Paints scenes into an image in memory. Only one thread at a time may use a painter. Painting blocks.
///
/// Caches the parts that do not change from picture to picture: the background, scaled covers, icons, and shaped texts.
/// All caches have a limit.
public final class Painter {
  /// The size of the image.
  public let size: PixelSize
  /// Measures texts for the layout, with the fonts with which the painter draws them.
  public let shaper: TextShaper
  /// The covers, and the pictures that sources provide for their buttons.
  public let pictures: Pictures

  let canvas: Surface
  var icons = IconCache()
  /// The painted backgrounds. At most two are kept, usually one for Now Playing and one for the menu. The background in
  /// use is the last element.
  private var grounds: [(backdrop: Background, surface: Surface)] = []
  private var shown: Scene?

  /// - Parameter fonts: the families for all texts.
  public init(size: PixelSize, fonts: FontFamilies = FontFamilies()) {
    self.size = size
    shaper = TextShaper(fonts)
    pictures = Pictures()
    canvas = Surface(.opaque, width: size.width, height: size.height)
  }

  /// Paints what has changed since the last scene, and returns the damage.
  /// - Precondition: the scene has the same size as the image.
  @discardableResult
  public func show(_ scene: Scene) -> Damage {
    var damage = Damage(from: shown, to: scene, changed: showsNewThumbnail)
    if pictures.hasNewPictures { damage = .everything(size) }
    paint(scene, damage)
    return damage
  }

  private func showsNewThumbnail(_ element: Element) -> Bool {
    guard case .image(let slot) = element.content, case .thumbnail(let id) = slot.source else {
      return false
    }
    return pictures.newThumbnails.contains(id)
  }

  /// Paints the rectangles of `damage`, even if the scene has not changed there.
  public func paint(_ scene: Scene, _ damage: Damage) {
    precondition(scene.size == size, "a scene of \(scene.size) on \(size)")
    pictures.hasNewPictures = false
    pictures.newThumbnails = []
    shown = scene
    let ground = groundSurface(scene.backdrop)
    canvas.draw { context in
      for rect in damage.rects {
        context.saved {
          context.clip(rect)
          cairo_set_operator(context.cairo, CAIRO_OPERATOR_SOURCE)
          context.image(ground, x: 0, y: 0)
          cairo_set_operator(context.cairo, CAIRO_OPERATOR_OVER)
          for element in scene.elements where element.frame.intersects(rect) {
            paint(element, scene.palette, context)
          }
        }
      }
    }
  }

  /// Passes the current picture to a closure. The picture has rows of `stride` bytes. Each pixel has four bytes: blue,
  /// green, red and an unused byte (little-endian). The bytes are valid only during the call.
  public func withPixels<Result>(
    _ body: (_ bytes: UnsafeBufferPointer<UInt8>, _ stride: Int) -> Result
  ) -> Result {
    canvas.withBytes { body(UnsafeBufferPointer($0), $1) }
  }

  private func groundSurface(_ backdrop: Background) -> Surface {
    if let known = grounds.firstIndex(where: { $0.backdrop == backdrop }) {
      grounds.swapAt(known, grounds.count - 1)
    } else {
      if grounds.count == 2 { grounds.removeFirst() }
      grounds.append((backdrop, BackdropPainter.surface(backdrop)))
    }
    return grounds[grounds.count - 1].surface
  }

  // MARK: Elements

  private func paint(_ element: Element, _ palette: Palette, _ context: DrawingContext) {
    switch element.content {
    case .shape(let shape): paint(shape, element.frame, palette, context)
    case .text(let run): paint(run, element.frame, palette, context)
    case .icon(let icon): paint(icon, element.frame, palette, context)
    case .image(let slot): paint(slot, element.frame, palette, context)
    case .code(let text):
      let frame = element.frame
      CodePicture(text)?.draw(
        context, x: frame.x, y: frame.y, size: min(frame.width, frame.height))
    }
  }

  private func use(_ paint: Paint, _ palette: Palette, _ context: DrawingContext) {
    let color = palette[paint.role]
    context.color(color.rgb, color.opacity * paint.opacity)
  }

  private func paint(
    _ shape: Shape, _ frame: PixelRect, _ palette: Palette, _ context: DrawingContext
  ) {
    if let fill = shape.fill {
      use(fill, palette, context)
      if shape.radius == 0 {
        cairo_rectangle(
          context.cairo, Double(frame.x), Double(frame.y), Double(frame.width), Double(frame.height)
        )
      } else {
        context.roundedRect(frame, Double(shape.radius))
      }
      context.fill()
    }
    if let stroke = shape.stroke {
      use(stroke, palette, context)
      context.roundedRect(frame, Double(shape.radius), inset: Double(shape.strokeWidth) / 2)
      context.stroke(Double(shape.strokeWidth))
    }
  }

  private func paint(
    _ run: TextRun, _ frame: PixelRect, _ palette: Palette, _ context: DrawingContext
  ) {
    let inner = frame.width - 2 * run.overhang
    let layout = shaper.layout(
      TextShaper.Key(
        text: run.text, style: run.style, width: run.layoutWidth, lines: run.lines))
    context.saved {
      // Stacked combining marks can be higher than a line. The clip cuts these marks off at the frame of the text.
      context.clip(frame)
      use(run.paint, palette, context)
      for (line, width) in layout.widths.prefix(run.lines).enumerated() {
        let free = Double(inner) - width
        let offset =
          switch run.alignment {
          case .left: 0.0
          case .center: (free / 2).rounded()
          case .right: free.rounded()
          }
        context.move(
          Double(frame.x + run.overhang) + offset, Double(run.baseline + line * run.pitch))
        pango_cairo_show_layout_line(
          context.cairo, pango_layout_get_line_readonly(layout.pointer, Int32(line)))
      }
      cairo_new_path(context.cairo)
    }
  }

  private func paint(
    _ icon: Icon, _ frame: PixelRect, _ palette: Palette, _ context: DrawingContext
  ) {
    let mask: Surface
    switch icon.picture {
    case .symbol(let symbol):
      mask = icons.mask(symbol, label: icon.label, isMirrored: icon.isMirrored, side: frame.width)
    case .source(let name):
      mask = pictures.mask(name, side: frame.width)
    }
    use(icon.paint, palette, context)
    context.mask(mask, x: frame.x, y: frame.y)
  }

  private func paint(
    _ slot: ImageSlot, _ frame: PixelRect, _ palette: Palette, _ context: DrawingContext
  ) {
    guard
      let picture = pictures.surface(
        slot.source, width: frame.width, height: frame.height, radius: slot.radius,
        edge: palette.appearance)
    else { return }
    context.image(picture, x: frame.x, y: frame.y)
    guard slot.veil > 0 else { return }
    use(Paint(.veil, slot.veil), palette, context)
    context.roundedRect(frame, Double(slot.radius))
    context.fill()
  }
}

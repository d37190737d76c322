internal import CPango
public import ScreenLayout

/// The pictures for image slots and for buttons of sources. The number of pictures is limited: the covers, thumbnails
/// and slots that were not used for the longest time are removed first.
public final class Pictures {
  /// The greatest size of all decoded covers together, in bytes. A screen of 1280 × 720 needs 1.1 MB for one cover.
  public static let keptBytes = 24 << 20
  /// The greatest number of thumbnails that are kept. This number is enough for some pages. A thumbnail has at most 100
  /// KB.
  static let keptThumbnails = 48
  /// The greatest number of pictures that are kept at the size of their slots. This number is enough for the rows of
  /// one page and of the previous page.
  static let keptSlots = 32

  private struct SlotKey: Hashable {
    let source: ImageSlot.Source
    let isReal: Bool
    let width: Int
    let height: Int
    let radius: Int
    let edge: Appearance
  }

  private var covers: [String: (image: CoverImage, lastUse: Int)] = [:]
  private var thumbnails: [String: (image: CoverImage, lastUse: Int)] = [:]
  private var slots: [SlotKey: (surface: Surface, lastUse: Int)] = [:]
  private var sourcePictures: [String: SourcePicture] = [:]
  private var masks: [String: [Int: Surface]] = [:]
  private var uses = 0
  /// True if a picture was added or removed that is possibly part of the shown scene. Then the scene is painted again.
  var hasNewPictures = false
  /// The identities of the thumbnails that were added since the last scene was painted.
  var newThumbnails: Set<String> = []

  init() {}

  /// Stores the cover for the artwork `id`.
  public func set(_ cover: CoverImage, for id: String) {
    uses += 1
    forget(id)
    covers[id] = (cover, uses)
    var bytes = covers.values.reduce(0) { $0 + $1.image.byteCount }
    for (old, entry) in covers.sorted(by: { $0.value.lastUse < $1.value.lastUse })
    where bytes > Self.keptBytes && old != id {
      covers[old] = nil
      bytes -= entry.image.byteCount
    }
    hasNewPictures = true
  }

  /// Stores the picture for the thumbnail `id`.
  public func setThumbnail(_ image: CoverImage, for id: String) {
    uses += 1
    thumbnails[id] = (image, uses)
    newThumbnails.insert(id)
    if thumbnails.count > Self.keptThumbnails,
      let oldest = thumbnails.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      thumbnails[oldest.key] = nil
    }
  }

  /// True if the thumbnail is stored.
  public func hasThumbnail(_ id: String) -> Bool { thumbnails[id] != nil }

  /// Removes the cover for the artwork `id`. The slots for this artwork then show the placeholder.
  public func forget(_ id: String) {
    covers[id] = nil
    slots = slots.filter { entry in
      if case .artwork(id, _) = entry.key.source { return false }
      return true
    }
    hasNewPictures = true
  }

  /// The colours of a cover; nil if the cover is not stored.
  public func colors(of id: String) -> CoverColors? { covers[id]?.image.colors }

  /// Stores the picture for the buttons that use the name `name` (T3). At most 32 pictures are stored. A button without
  /// a stored picture shows the first letter of the picture's name.
  public func set(_ picture: SourcePicture, named name: String) {
    guard sourcePictures[name] != nil || sourcePictures.count < 32 else { return }
    sourcePictures[name] = picture
    masks[name] = nil
    hasNewPictures = true
  }

  // MARK: For the painter

  func mask(_ name: String, side: Int) -> Surface {
    if let found = masks[name]?[side] { return found }
    // Sources choose the names, and can choose any number of names. So the number of masks must be limited.
    if masks.count > 64 { masks.removeAll() }
    let mask = (sourcePictures[name] ?? .letter(of: name)).mask(side: side)
    masks[name, default: [:]][side] = mask
    return mask
  }

  /// The picture for a slot, with rounded corners and a thin line at the edge. The picture fills the slot. If its
  /// proportions differ from the slot, the edges of the picture are cut off. Nil if a thumbnail is not stored.
  func surface(
    _ source: ImageSlot.Source, width: Int, height: Int, radius: Int, edge: Appearance
  ) -> Surface? {
    uses += 1
    let (cover, seed): (CoverImage?, String?) =
      switch source {
      case .artwork(let id, let seed): (covers[id]?.image, seed)
      case .placeholder(let seed): (nil, seed)
      case .thumbnail(let id): (thumbnails[id]?.image, nil)
      }
    switch source {
    case .artwork(let id, _): covers[id]?.lastUse = uses
    case .thumbnail(let id): thumbnails[id]?.lastUse = uses
    case .placeholder: break
    }
    guard cover != nil || seed != nil else { return nil }
    let key = SlotKey(
      source: source, isReal: cover != nil, width: width, height: height, radius: radius,
      edge: edge)
    if let found = slots[key] {
      slots[key]?.lastUse = uses
      return found.surface
    }
    let picture =
      cover?.surface ?? Placeholder.surface(seed: seed ?? "", side: max(width, height))
    let made = Self.framed(picture, width, height, radius, edge)
    if slots.count >= Self.keptSlots,
      let oldest = slots.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      slots[oldest.key] = nil
    }
    slots[key] = (made, uses)
    return made
  }

  private static func framed(
    _ picture: Surface, _ width: Int, _ height: Int, _ radius: Int, _ edge: Appearance
  ) -> Surface {
    let result = Surface(.alpha, width: width, height: height)
    let frame = PixelRect(x: 0, y: 0, width: width, height: height)
    result.draw { context in
      cairo_set_source_surface(context.cairo, picture.pointer, 0, 0)
      let pattern = cairo_get_source(context.cairo)
      var matrix = cairo_matrix_t()
      let scale = min(
        Double(picture.width) / Double(width), Double(picture.height) / Double(height))
      cairo_matrix_init_translate(
        &matrix, (Double(picture.width) - Double(width) * scale) / 2,
        (Double(picture.height) - Double(height) * scale) / 2)
      cairo_matrix_scale(&matrix, scale, scale)
      cairo_pattern_set_matrix(pattern, &matrix)
      cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
      cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
      context.roundedRect(frame, Double(radius))
      context.fill()
      // This line gives a visible edge to a dark cover at night, and to a white cover by day.
      context.color(edge == .night ? .white : .black, edge == .night ? 0.10 : 0.08)
      context.roundedRect(frame, Double(radius), inset: 0.5)
      context.stroke(1)
    }
    return result
  }
}

internal import CPango
public import ScreenLayout

/// Shapes and measures text with Pango. Caches shaped texts, because most texts stay the same from one scene to the
/// next. Only one thread at a time may use a shaper.
public final class TextShaper: TextMeasuring {
  struct Key: Hashable {
    let text: String
    let style: TextStyle
    /// The width at which lines break. If it is −1, there are no line breaks.
    let width: Int
    let lines: Int
  }

  /// A shaped text.
  final class Layout {
    let pointer: OpaquePointer
    /// The width of each line in pixels, from the top.
    let widths: [Double]
    var lastUse = 0

    init(_ pointer: OpaquePointer) {
      self.pointer = pointer
      widths = (0..<pango_layout_get_line_count(pointer)).map { line in
        var logical = PangoRectangle()
        pango_layout_line_get_extents(
          pango_layout_get_line_readonly(pointer, line), nil, &logical)
        return Double(logical.width) / Double(PANGO_SCALE)
      }
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }
  }

  /// The greatest number of cached texts. A page with a list contains about thirty texts.
  static let kept = 128

  private let context: OpaquePointer
  private let families: (text: String, display: String)
  private var layouts: [Key: Layout] = [:]
  private var uses = 0

  /// - Parameter fonts: the families for all texts.
  public init(_ fonts: FontFamilies = FontFamilies()) {
    // The result is never nil: if there is not enough memory, Pango ends the process.
    context = pango_font_map_create_context(pango_cairo_font_map_get_default())!
    families = (fonts.text, fonts.display)
    let options = cairo_font_options_create()
    // The antialiasing is grey, because the order of the subpixels differs between panels. The hinting is slight, so
    // that stems are sharp. Metrics are not hinted, so that widths are as designed.
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    pango_cairo_context_set_font_options(context, options)
    cairo_font_options_destroy(options)
    pango_context_set_language(context, pango_language_from_string(fonts.language))
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(context)) }

  /// Measures `text` with the installed fonts.
  public func extent(of text: String, style: TextStyle, width: Int?, lines: Int) -> TextExtent {
    let layout = layout(Key(text: text, style: style, width: width ?? -1, lines: lines))
    let widest = Int((layout.widths.max() ?? 0).rounded(.up))
    return TextExtent(
      width: width.map { min($0, widest) } ?? widest,
      lines: max(1, min(layout.widths.count, lines)))
  }

  func layout(_ key: Key) -> Layout {
    uses += 1
    if let found = layouts[key] {
      found.lastUse = uses
      return found
    }
    let made = Layout(shape(key))
    made.lastUse = uses
    if layouts.count >= Self.kept {
      // Half of the texts are removed at once, so that sorting is rare.
      let old = layouts.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(Self.kept / 2)
      for (key, _) in old { layouts[key] = nil }
    }
    layouts[key] = made
    return made
  }

  private func shape(_ key: Key) -> OpaquePointer {
    let layout = pango_layout_new(context)!
    let font = pango_font_description_new()
    pango_font_description_set_family(
      font, key.style.isDisplay ? families.display : families.text)
    pango_font_description_set_weight(font, PangoWeight(UInt32(key.style.weight.rawValue)))
    pango_font_description_set_absolute_size(font, Double(key.style.size) * Double(PANGO_SCALE))
    pango_layout_set_font_description(layout, font)
    pango_font_description_free(font)
    if key.style.hasTabularDigits {
      let attributes = pango_attr_list_new()
      pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"))
      pango_layout_set_attributes(layout, attributes)
      pango_attr_list_unref(attributes)
    }
    pango_layout_set_text(layout, key.text, Int32(key.text.utf8.count))
    if key.width >= 0 {
      pango_layout_set_width(layout, Int32(clamping: key.width * Int(PANGO_SCALE)))
      pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
      pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
      pango_layout_set_height(layout, Int32(-key.lines))
    } else {
      pango_layout_set_single_paragraph_mode(layout, 1)
    }
    return layout
  }
}

/// The font families, in the order of preference.
public struct FontFamilies: Hashable, Sendable {
  let text: String
  let display: String
  let language: String

  /// - Parameter language: the language of the user (BCP 47). It selects the font for characters that Chinese, Japanese
  ///   and Korean share but draw differently.
  public init(language: String = "en") {
    let cjk =
      switch language.lowercased() {
      case let tag where tag.hasPrefix("zh-tw") || tag.hasPrefix("zh-hant"): "Noto Sans CJK TC"
      case let tag where tag.hasPrefix("zh-hk"): "Noto Sans CJK HK"
      case let tag where tag.hasPrefix("zh"): "Noto Sans CJK SC"
      case let tag where tag.hasPrefix("ko"): "Noto Sans CJK KR"
      default: "Noto Sans CJK JP"
      }
    // No emoji font is in this list, because Noto Color Emoji contains digits and would then be used for digits. For
    // characters that no font of the list contains, fontconfig finds Noto Color Emoji.
    let others =
      "\(cjk), Noto Sans Arabic, Noto Sans Hebrew, Noto Sans Devanagari, Noto Sans Thai"
    text = "Inter, \(others)"
    display = "Inter Display, Inter, \(others)"
    self.language = language
  }
}

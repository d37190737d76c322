internal import CPango

/// The fonts that fontconfig finds on this machine.
public enum InstalledFonts {
  /// True if a family with this name is installed. The case of letters is ignored. The first call loads fontconfig's
  /// cache from disk.
  public static func has(_ family: String) -> Bool { names.contains(family.lowercased()) }

  private static let names: Set<String> = {
    var list: UnsafeMutablePointer<UnsafeMutablePointer<PangoFontFamily>?>?
    var count: Int32 = 0
    pango_font_map_list_families(pango_cairo_font_map_get_default(), &list, &count)
    defer { g_free(list) }
    return Set(
      (0..<Int(count)).compactMap { index in
        list?[index].map { String(cString: pango_font_family_get_name($0)).lowercased() }
      })
  }()
}

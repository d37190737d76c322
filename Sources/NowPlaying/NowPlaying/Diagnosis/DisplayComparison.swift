/// What a surface should show and what it shows, field by field (D3).
public struct DisplayComparison: Hashable, Sendable, CustomStringConvertible {
  /// A field.
  public struct Row: Hashable, Sendable {
    /// Which.
    public let field: String
    /// What it was given; nil is nothing.
    public let expected: String?
    /// What it shows; nil where it cannot be read back.
    public let shown: String?
    /// Whether that is the same, within the field's tolerance.
    public let isSame: Bool
  }

  /// Which surface.
  public let surface: SurfaceID
  /// All fields.
  public let rows: [Row]
  /// Readings that differed so far.
  public let differencesSeen: Int
  /// States given again so far.
  public let repairs: Int

  /// Every surface, at the moment of the inspection.
  public static func all(_ inspection: Inspection) -> [DisplayComparison] {
    inspection.surfaces.map { surface in
      let expected = surface.check.expected.map { DisplayedState(of: $0, at: inspection.at) }
      // Read some time ago: elapsed time is compared as it was judged then.
      let differing = Set(surface.check.verdict.differences.map(\.field))
      let rows = zip(
        (expected ?? DisplayedState()).fields, (surface.check.shown ?? DisplayedState()).fields
      )
      .map { expected, shown in
        Row(
          field: expected.name, expected: expected.text, shown: shown.text,
          isSame: !differing.contains(expected.name))
      }
      return DisplayComparison(
        surface: surface.id, rows: rows, differencesSeen: surface.check.differencesSeen,
        repairs: surface.check.repairs)
    }
  }

  /// A table.
  public var description: String {
    let head = "\(surface): \(differencesSeen) differences seen, \(repairs) repaired"
    return
      ([head]
      + rows.map { row in
        let mark = row.shown == nil ? "?" : row.isSame ? "=" : "≠"
        return "  \(row.field)  \(row.expected ?? "-")  \(mark)  \(row.shown ?? "not told")"
      }).joined(separator: "\n")
  }
}

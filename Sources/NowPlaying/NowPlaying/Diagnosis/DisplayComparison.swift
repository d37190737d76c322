/// Compares the values that a surface should show with the values that it shows, field by field (D3).
public struct DisplayComparison: Hashable, Sendable, CustomStringConvertible {
  /// One field of the display.
  public struct Row: Hashable, Sendable {
    /// The name of the field.
    public let field: String
    /// The value that the surface should show; nil if there is none.
    public let expected: String?
    /// The value that the surface shows; nil if it cannot be read back.
    public let shown: String?
    /// True if both values are equal within the tolerance of the field.
    public let isSame: Bool
  }

  /// The surface whose display is compared.
  public let surface: SurfaceID
  /// All fields.
  public let rows: [Row]
  /// Number of readings so far that differed from the state that the surface was given.
  public let differencesSeen: Int
  /// Number of times so far that the state was sent again.
  public let repairs: Int

  /// The comparisons of all surfaces, at the time of the inspection.
  public static func all(_ inspection: Inspection) -> [DisplayComparison] {
    inspection.surfaces.map { surface in
      let expected = surface.check.expected.map { DisplayedState(of: $0, at: inspection.at) }
      // The surface was read before the inspection, and the elapsed time has changed after this reading. So the
      // differences are taken from the verdict that was made at the reading.
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

  /// The comparison as a table.
  public var description: String {
    let head = "\(surface): \(differencesSeen) differences seen, \(repairs) repaired"
    return
      ([head]
      + rows.map { row in
        let mark = row.shown == nil ? "?" : row.isSame ? "=" : "≠"
        return "  \(row.field)  \(row.expected ?? "-")  \(mark)  \(row.shown ?? "not reported")"
      }).joined(separator: "\n")
  }
}

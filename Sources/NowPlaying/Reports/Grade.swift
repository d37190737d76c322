/// How a fact, or a check, is meant.
package enum Grade: String, Hashable, Sendable {
  /// A fact that is neither.
  case plain
  case good
  /// Not wrong, but worth knowing.
  case note
  case bad
}

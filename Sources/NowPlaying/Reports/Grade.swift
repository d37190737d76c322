/// The severity of a fact or of the finding of a check.
package enum Grade: String, Hashable, Sendable {
  /// A fact without a judgement.
  case plain
  case good
  /// Not an error, but worth knowing.
  case note
  case bad
}

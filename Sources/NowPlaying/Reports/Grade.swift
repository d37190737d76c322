/// How serious a fact or the finding of a check is.
package enum Grade: String, Hashable, Sendable {
  /// A fact without a judgement.
  case plain
  case good
  /// Not an error, but worth knowing.
  case note
  case bad
}

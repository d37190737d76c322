/// An action on the whole machine.
package enum PowerAction: String, Hashable, Sendable, CaseIterable {
  case reboot, poweroff
}

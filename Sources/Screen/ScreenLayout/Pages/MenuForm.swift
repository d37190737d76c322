/// A part of a page of settings: a value that can be changed, or a fact.
public struct MenuControl: Hashable, Sendable {
  /// A value that can be selected.
  public struct Option: Hashable, Sendable {
    /// The identity of the option in its control.
    public var id: String
    /// The text of the option.
    public var text: String

    public init(_ id: String, _ text: String) {
      self.id = id
      self.text = text
    }
  }

  /// A value with a key for less and a key for more.
  public struct Steps: Hashable, Sendable {
    /// The value as text.
    public var text: String
    /// The position of the value in its range, 0 … 1; if nil, the value is shown in large letters, without a bar.
    public var part: Double?
    /// False at the lower end of the range.
    public var canGoDown: Bool
    /// False at the upper end of the range.
    public var canGoUp: Bool

    public init(_ text: String, part: Double? = nil, canGoDown: Bool = true, canGoUp: Bool = true) {
      self.text = text
      self.part = part
      self.canGoDown = canGoDown
      self.canGoUp = canGoUp
    }
  }

  /// The kind of a control, with its values.
  public enum Kind: Hashable, Sendable {
    /// Options side by side. `selected` is the identity of the current option. Nil if no option is current.
    case choice([Option], selected: String?)
    case steps(Steps)
    /// A progress bar: the progress as a fraction, 0 … 1, and as a text.
    case bar(Double, String?)
    /// A row that opens a page or states a fact.
    case row(MenuRow)
    /// A key.
    case key(MenuTile, isPrimary: Bool)
    /// Only a note, over the whole width of the page.
    case text
    /// Room for a row that is not known yet, so that the controls below it do not move.
    case space
  }

  /// The identity that a touch reports (see ``MenuPage``).
  public var id: String
  /// The kind of the control, with its values.
  public var kind: Kind
  /// The title. Not used for the kinds `row` and `key`, which contain their own title.
  public var title: String
  /// A note about the control. Nil if there is no note.
  public var note: String?
  /// False if the control does not react now.
  public var isActive = true
  /// True if the control needs only half of a line. On a wide screen, two of these controls then stand side by side.
  public var isHalf = false

  public init(_ id: String, _ kind: Kind, title: String = "", note: String? = nil) {
    self.id = id
    self.kind = kind
    self.title = title
    self.note = note
  }

  /// A key that needs half of a line. `id` is the identity of the control and of the key.
  public static func halfKey(
    _ id: String, _ symbol: Symbol, _ title: String, isPrimary: Bool = false, isActive: Bool = true
  ) -> MenuControl {
    var control = MenuControl(id, .key(MenuTile(id: id, symbol, title), isPrimary: isPrimary))
    control.isActive = isActive
    control.isHalf = true
    return control
  }

  /// The height including the distance to the next control, in units (see ``Metrics``).
  var height: Double {
    switch kind {
    case .choice, .steps: 120
    case .bar: note == nil ? 64 : 104
    case .row, .space: 92
    case .key: 88
    case .text: 68
    }
  }
}

/// Controls from top to bottom. If one page has no room for all controls, they are divided into several pages.
public struct MenuForm: Hashable, Sendable {
  /// The controls.
  public var controls: [MenuControl]
  /// The number of the page that is shown, from 0. If there are fewer pages, the last page is shown.
  public var page: Int

  public init(_ controls: [MenuControl], page: Int = 0) {
    self.controls = controls
    self.page = page
  }
}

extension MenuCapacity {
  /// One page of a form: lines of one or two controls, and the keys that turn pages.
  struct FormPage {
    var lines: [[MenuControl]]
    var paging: MenuPaging?
  }

  /// The number of the page, from 0, that is shown after a press of a key that turns pages.
  public func turned(_ form: MenuForm, _ direction: MenuPaging.Direction) -> Int {
    let count = pages(of: form.controls).count
    let shown = min(max(form.page, 0), count - 1)
    return min(max(shown + (direction == .forward ? 1 : -1), 0), count - 1)
  }

  func page(of form: MenuForm) -> FormPage {
    let pages = pages(of: form.controls)
    let shown = min(max(form.page, 0), pages.count - 1)
    let paging =
      pages.count < 2
      ? nil : MenuPaging(canGoBack: shown > 0, canGoForward: shown < pages.count - 1)
    return FormPage(lines: pages[shown], paging: paging)
  }

  private func pages(of controls: [MenuControl]) -> [[[MenuControl]]] {
    var pages: [[[MenuControl]]] = [[]]
    var used = 0.0
    for line in lines(of: controls) {
      let height = line.map(\.height).max() ?? 0
      // The last line needs no distance (16 units) to a next line.
      if used + height - 16 > formHeight, used > 0 {
        pages.append([])
        used = 0
      }
      pages[pages.count - 1].append(line)
      used += height
    }
    return pages
  }

  private func lines(of controls: [MenuControl]) -> [[MenuControl]] {
    var lines: [[MenuControl]] = []
    for control in controls {
      if formHasPairs, control.isHalf, let last = lines.last, last.count == 1, last[0].isHalf {
        lines[lines.count - 1].append(control)
      } else {
        lines.append([control])
      }
    }
    return lines
  }
}

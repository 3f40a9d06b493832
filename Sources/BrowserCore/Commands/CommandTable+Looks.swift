extension CommandTable {
  /// What is copied to the clipboard.
  static let copying: [Command] = [
    Command(
      "value.copy", "copy value", "Copy the value to the clipboard, as the command line writes it.", keys: ["y"],
      in: .list, .copyValue, unless: noValue),
    Command(
      "field.copy", "copy value", "Copy the value to the clipboard, as the command line writes it.", keys: ["y"],
      in: .inspector, hint: 30, .copyValue, unless: noValue),
    Command(
      "object.copy", "copy object", "Copy the object to the clipboard as JSON.", keys: ["Y"], in: .list, .copyObject,
      unless: noObject),
    Command(
      "record.copy", "copy object", "Copy the object to the clipboard as JSON.", keys: ["Y"], in: .inspector,
      .copyObject, unless: noObject),
  ]

  /// The model, the palette, and the clock.
  static let looks: [Command] =
    [
      Command(
        "model.show", "model", "Show the model: its entities and properties, and where it came from.", keys: ["M"],
        hint: 75, .showModel, unless: { $0.outline?.model == nil ? "No store is open." : nil }),
      Command(
        "view.zone", "time zone", "Show dates in UTC, or in local time again.", keys: ["Z"], .switchZone,
        unless: { $0.phase == .open ? nil : "No store is open." }),
      Command(
        "palette.show", "palette", "Find everything that can be done or gone to by a few letters.", keys: [":"],
        hint: 78, .showPalette, unless: { $0.phase == .open ? nil : "No store is open." }),

      Command("palette.run", "go", "Go there, or do that.", keys: ["<enter>"], in: .palette, hint: 0, .accept),
      Command("palette.close", "close", "Close the palette.", keys: ["<esc>"], in: .palette, hint: 3, .escape),
      Command("palette.down", "down", "Go one down.", keys: ["<down>", "^N"], in: .palette, hint: 1, .move(.down)),
      Command("palette.up", "up", "Go one up.", keys: ["<up>", "^P"], in: .palette, hint: 2, .move(.up)),
      Command("palette.page.down", "page down", "Go a page down.", keys: ["<pgdn>"], in: .palette, .move(.pageDown)),
      Command("palette.page.up", "page up", "Go a page up.", keys: ["<pgup>"], in: .palette, .move(.pageUp)),

      Command(
        "model.follow", "open", "Go to the list of the entity, or to the entity that the relationship leads to.",
        keys: ["<enter>"], in: .model, hint: 0, .model(.follow)),
      Command(
        "model.side", "side", "Go to the properties, or back to the entities.", keys: ["<tab>"], in: .model, hint: 2,
        .model(.side(nil))),
      Command(
        "model.properties", "properties", "Go to the properties.", keys: ["l", "<right>"], in: .model,
        .model(.side(.properties))),
      Command(
        "model.entities", "entities", "Go to the entities.", keys: ["h", "<left>"], in: .model,
        .model(.side(.entities))),
      Command(
        "model.back", "back", "Go back to the entity before.", keys: ["<backspace>", "["], in: .model, hint: 5,
        .model(.back), unless: noTrail),
      Command("model.copy", "copy", "Copy the entity in words.", keys: ["y"], in: .model, hint: 6, .model(.copy)),
      Command("model.close", "close", "Close the model.", keys: ["<esc>", "q", "M"], in: .model, hint: 1, .escape),
    ] + steps("model", in: .model, verb: "Go", hint: 3)

  @Sendable private static func noValue(_ state: BrowserState) -> String? {
    state.editTarget == nil ? "No value is selected." : nil
  }

  @Sendable private static func noObject(_ state: BrowserState) -> String? {
    state.selectedKey == nil ? state.fallenReason ?? "No object is selected." : nil
  }

  @Sendable private static func noTrail(_ state: BrowserState) -> String? {
    guard case .model(let shown) = state.overlay, !shown.trail.isEmpty else {
      return "No relationship was followed to get here."
    }
    return nil
  }
}

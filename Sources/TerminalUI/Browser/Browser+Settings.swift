import Commands
import Configuration
import Foundation
import Layout

/// Changes of settings while the program is running.
extension Browser {
  /// Changes a setting for this session, shows its value, or asks for one.
  /// - Parameter assignment: `NAME VALUE` or `NAME = VALUE`, the name alone, or nil.
  /// - Returns: The resulting effects.
  mutating func setOrShowSetting(_ assignment: String?) -> [Effect] {
    guard let assignment, !assignment.isEmpty else {
      openPrompt(.commandLine, text: Command.set.definition.name + " ")
      return []
    }
    let end = assignment.firstIndex { $0 == " " || $0 == "=" } ?? assignment.endIndex
    let name = String(assignment[..<end])
    let value = assignment[end...].drop { $0 == " " }
    let text = value.hasPrefix("=") ? value.dropFirst().drop { $0 == " " } : value
    do throws(Settings.Mistake) {
      guard !text.isEmpty else {
        let value = try settings.value(of: name)
        notify(value.map { "\(name) = \($0)" } ?? "\(name) is not set")
        return []
      }
      return try setSetting(name, to: String(text))
    } catch {
      reportError(error.text)
      return []
    }
  }

  private mutating func setSetting(
    _ name: String, to text: String
  ) throws(Settings.Mistake) -> [Effect] {
    let new = try settings.setting(
      name, to: text, directory: URL(fileURLWithPath: settingsDirectory, isDirectory: true))
    var adopted = settings
    let command = Command.editSettings.definition.name
    guard !adopted.adopt(new, insteadOf: settings) else {
      throw Settings.Mistake(
        text: "\(name) cannot be changed while offread runs; set it with :\(command) and restart")
    }
    if new.theme != settings.theme, let content = new.theme.flatMap(unknownThemeMessage) {
      throw Settings.Mistake(text: content)
    }
    let value = (try? new.value(of: name)) ?? nil
    let effects = applySettings(adopted)
    notify("\(name) = \(value ?? text) for this session; to keep it, add it with :\(command)")
    return effects
  }

  /// Applies the settings file after it was edited.
  mutating func applySettingsFile(_ reading: SettingsFile.Reading) -> [Effect] {
    let themeMistake = reading.settings.theme.flatMap(unknownThemeMessage).map { message in
      (reading.settings.themeLocation.map { "\($0): " } ?? "") + message
    }
    let mistakes = reading.mistakes + [themeMistake].compactMap(\.self)
    let first = mistakes.first.map(shortMessage)
    guard reading.origin == .file, !reading.settings.isSavedOnly || settings.isSavedOnly else {
      reportError("the previous settings stay in force: \(first ?? "the file cannot be read")")
      return []
    }
    guard reading.settings != fileSettings || first != nil else {
      notify("the settings file has not changed")
      return []
    }
    var adopted = settings
    let isComplete = !adopted.adopt(reading.settings, insteadOf: fileSettings)
    fileSettings = reading.settings
    let effects = applySettings(adopted)
    if let first {
      let rest = mistakes.count - 1
      reportError(first + (rest > 0 ? "; and \(DateTexts.countText(rest, "more mistake"))" : ""))
    } else {
      notify(
        isComplete
          ? "the settings are in force"
          : "the settings are in force; some only after a restart")
    }
    return effects
  }

  /// Returns a message about the settings file without the directory of the file, which would fill
  /// the row.
  private func shortMessage(_ line: String) -> String {
    settingsDirectory.isEmpty
      ? line : line.replacing(settingsDirectory, with: "", maxReplacements: 1)
  }

  /// Replaces the settings, and applies them to the key bindings, the screen and later loads.
  private mutating func applySettings(_ new: Settings) -> [Effect] {
    let old = settings
    settings = new
    var effects: [Effect] = []
    if new.keys != old.keys {
      var mistakes: [String] = []
      keymap = Keymap(new.keys) { mistakes.append($0) }
      for line in mistakes { reportError(shortMessage(line)) }
    }
    glyphs = Glyphs(
      isASCII: new.ambiguousWidth > 1 || new.isASCII ?? isTerminalASCII, isLinear: new.isLinear)
    appearance.apply(
      settingsThemeName: new.theme,
      drawsImages: new.images == old.images && new.isLinear == old.isLinear
        ? nil : new.images != .off && !new.isLinear, choices)
    loading.apply(limitsOf: new.load)
    if new.usesMouse != old.usesMouse { effects.append(.setMouseReporting(new.usesMouse)) }
    relayout()
    relayoutFirstScreens()
    adaptToBannerHeight()
    refreshList()
    return effects
  }
}

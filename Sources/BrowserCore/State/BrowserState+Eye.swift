import CoreData

extension BrowserState {
  /// Lets a person's step change the list so that rows that are sliding do not make it jump, and forgets what was counted
  /// beyond an edge that is being looked at.
  mutating func keepingEye(_ change: (inout BrowserState) -> [Effect]) -> [Effect] {
    guard let before = list, !before.slides.isEmpty || !before.beyond.isEmpty else { return change(&self) }
    let plan = before.slides.isEmpty ? nil : AnimationPlan(self, now: now)
    let effects = change(&self)
    guard var list, list.id == before.id, list.cursor != before.cursor || list.top != before.top else {
      return effects
    }
    if let plan, !list.slides.isEmpty {
      list.slides.eye = list.top == before.top ? plan.line(ofRow: list.cursor) : nil
    }
    if list.top > before.top { list.beyond.below = 0 }
    if list.top < before.top { list.beyond.above = 0 }
    if list.beyond.isEmpty { list.beyond = Beyond() }
    self.list = list
    return effects
  }
}

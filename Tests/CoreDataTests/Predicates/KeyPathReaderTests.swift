import CoreData
import Testing

@Suite("The keys that Swift key paths name")
struct KeyPathReaderTests {
  private func keys(_ keyPath: AnyKeyPath) -> [String]? { KeyPathReader.keys(of: keyPath)?.keys }

  @Test func `a key path to a managed property of any type gives its name`() {
    let named: [(PartialKeyPath<SortedPet>, String)] = [
      (\.name, "name"), (\.age, "age"), (\.weight, "weight"), (\.price, "price"), (\.born, "born"),
      (\.isTame, "isTame"), (\.chip, "chip"), (\.photo, "photo"), (\.link, "link"), (\.title, "title"),
      (\.kind, "kind"), (\.owner, "owner"), (\.keeper, "keeper"),
    ]
    for (keyPath, name) in named { #expect(keys(keyPath) == [name]) }
    #expect(keys(\SortedOwner.pets) == ["pets"])
  }

  @Test func `a key path over to-one relationships gives the keys in order`() {
    #expect(keys(\SortedPet.owner?.name) == ["owner", "name"])
    #expect(keys(\SortedPet.keeper.age) == ["keeper", "age"])
    #expect(keys(\SortedPet.owner?.age) == ["owner", "age"])
    #expect(keys(\SortedPet.owner?.boss?.boss?.name) == ["owner", "boss", "boss", "name"])
    #expect(keys(\SortedOwner.boss?.pets) == ["boss", "pets"])
  }

  @Test func `a computed property names nothing, unless it gives exactly what one property holds`() {
    let computed: [PartialKeyPath<SortedPet>] = [
      \.trimmed, \.initial, \.isWild, \.described, \.nameOrEmpty, \.notZero, \.letters, \.objectID, \.self,
    ]
    for keyPath in computed { #expect(keys(keyPath) == nil, "\(keyPath)") }
    #expect(keys(\SortedPet.alias) == ["name"])
    #expect(keys(\SortedPet.owner?.pets.count) == nil)
  }

  @Test func `a property that its class reads by key has that key`() {
    #expect(keys(\SortedPet.code) == ["code"])
  }

  @Test func `a stored property of a final class gives its name, and that of another class none`() {
    final class Closed: NSObject { var size = 1 }
    class Open: NSObject { var size = 1 }
    #expect(keys(\Closed.size) == ["size"] && keys(\Open.size) == nil)
  }
}

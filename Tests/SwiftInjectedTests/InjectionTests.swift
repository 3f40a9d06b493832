import Observation
import SwiftInjected
import Testing

private protocol Greeter: Sendable {
  var greeting: String { get }
}

private struct English: Greeter {
  let greeting = "hello"
}

private struct French: Greeter {
  let greeting = "bonjour"
}

private final class Service: Sendable {
  let name: String

  init(_ name: String = "service") {
    self.name = name
  }
}

private final class Client {
  @Injected var service: Service
}

@MainActor @Observable
private final class ViewModel {
  @ObservationIgnored @Injected var service: Service
  var title = ""

  func load() {
    title = service.name
  }
}

private struct Broken: Error {}

/// The instance registered for `type`, or nil.
private func resolved<Value>(_ type: Value.Type) -> Value? { try? Dependencies.resolve(type) }

struct InjectionTests {
  @Test func `a property gets the registered instance, the same for every owner`() {
    Dependencies { Dependency { Service() } }.override {
      let (one, two) = (Client(), Client())
      #expect(one.service === two.service)
      #expect(one.service === one.service)
    }
  }

  @Test func `nothing is made before the first reading`() {
    let made = Counter()
    Dependencies { Dependency { Service(made.next()) } }.override {
      let client = Client()
      #expect(made.count == 0)
      #expect(client.service.name == "1")
      #expect(resolved(Service.self)?.name == "1")
      #expect(made.count == 1)
    }
  }

  @Test func `a unique dependency is made for each owner, once`() {
    let made = Counter()
    Dependencies { Dependency(scope: .unique) { Service(made.next()) } }.override {
      let (one, two) = (Client(), Client())
      #expect([one.service.name, one.service.name, two.service.name] == ["1", "1", "2"])
    }
  }

  @Test func `a dependency can be registered under a protocol`() {
    Dependencies { Dependency((any Greeter).self) { English() } }.override {
      #expect(resolved((any Greeter).self)?.greeting == "hello")
      #expect(throws: DependencyError.self) { try Dependencies.resolve(English.self) }
    }
  }

  @Test func `a recipe may use other dependencies`() {
    Dependencies {
      Dependency { Service(try Dependencies.resolve((any Greeter).self).greeting) }
      Dependency((any Greeter).self) { French() }
    }.override {
      #expect(resolved(Service.self)?.name == "bonjour")
    }
  }

  @Test func `what is missing is named, with what there is`() {
    Dependencies { Dependency { English() } }.override {
      #expect {
        try Dependencies.resolve(Client.self)
      } throws: { error in
        let text = "\(error)"
        return text.contains("No dependency is registered for Client.") && text.contains("English")
          && text.contains("build()")
      }
    }
  }

  @Test func `reading a property without a registration stops with the message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Client().service
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("No dependency is registered for Service."))
  }

  @Test func `build registers for the process, and the later registration counts`() async {
    await #expect(processExitsWith: .success) {
      let dependencies = Dependencies {
        Dependency { Service("old") }
        Dependency { English() }
      }
      dependencies.build()
      let early = Client()
      precondition(early.service.name == "old")
      Dependencies { Dependency { Service("new") } }.build()
      precondition(early.service.name == "old")
      precondition(Client().service.name == "new")
      precondition((try? Dependencies.resolve(English.self)) != nil)
      Dependencies.removeAll()
      precondition((try? Dependencies.resolve(English.self)) == nil)
    }
  }

  @Test func `a circle is reported with its path`() {
    Dependencies {
      Dependency { Service(try Dependencies.resolve(English.self).greeting) }
      Dependency {
        _ = try Dependencies.resolve(Service.self); return English()
      }
    }.override {
      #expect(throws: DependencyError.cycle(["Service", "English", "Service"])) {
        try Dependencies.resolve(Service.self)
      }
    }
  }

  @Test func `a recipe that throws is tried again`() {
    let made = Counter()
    Dependencies {
      Dependency {
        if made.next() == "1" { throw Broken() }
        return Service()
      }
    }.override {
      #expect(throws: Broken.self) { try Dependencies.resolve(Service.self) }
      #expect(resolved(Service.self)?.name == "service")
    }
  }

  @Test(arguments: [true, false]) func `conditions and loops build lists`(isFrench: Bool) {
    let more = Dependencies { Dependency { Service("more") } }
    Dependencies {
      if isFrench {
        Dependency((any Greeter).self) { French() }
      } else {
        Dependency((any Greeter).self) { English() }
      }
      for number in 1...3 { Dependency { number } }
      if isFrench { Dependency { "text" } }
      more
    }.override {
      #expect(resolved((any Greeter).self)?.greeting == (isFrench ? "bonjour" : "hello"))
      #expect(resolved(Int.self) == 3)
      #expect(resolved(String.self) == (isFrench ? "text" : nil))
      #expect(resolved(Service.self)?.name == "more")
    }
  }

  @Test func `an override is laid over what is below and ends with its closure`() async {
    await Dependencies {
      Dependency { Service("below") }
      Dependency { English() }
    }.override {
      await Dependencies { Dependency { Service("above") } }.override {
        await Task.yield()
        #expect(resolved(Service.self)?.name == "above")
        #expect(resolved(English.self)?.greeting == "hello")
      }
      #expect(resolved(Service.self)?.name == "below")
    }
  }

  @Test func `many threads asking at once get one instance`() async {
    let made = Counter()
    await Dependencies { Dependency { Service(made.next()) } }.override {
      await withTaskGroup(of: String.self) { group in
        for _ in 0..<200 { group.addTask { Client().service.name } }
        for await name in group { #expect(name == "1") }
      }
    }
    #expect(made.count == 1)
  }

  @Test @MainActor func `an observable view model of the main actor can be injected`() {
    Dependencies { Dependency { Service("database") } }.override {
      let model = ViewModel()
      model.load()
      #expect(model.title == "database")
    }
  }

  @Test func `a property can be set for its owner alone`() {
    Dependencies { Dependency { Service() } }.override {
      let client = Client()
      client.service = Service("mock")
      #expect(client.service.name == "mock")
      #expect(Client().service.name == "service")
    }
  }
}

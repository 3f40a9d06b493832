import Combine
import Testing

struct DemandTests {
  @Test func `unlimited swallows all arithmetic`() {
    #expect(Subscribers.Demand.unlimited + 5 == .unlimited)
    #expect(Subscribers.Demand.unlimited - .max(3) == .unlimited)
    #expect(Subscribers.Demand.max(3) + .unlimited == .unlimited)
    #expect(Subscribers.Demand.max(3) - .unlimited == .none)
    #expect(Subscribers.Demand.max(.max) + 1 == .unlimited)
    #expect(Subscribers.Demand.max(.max) * 2 == .unlimited)
  }

  @Test func `counts add, subtract and compare`() {
    #expect(Subscribers.Demand.max(2) + .max(3) == .max(5))
    #expect(Subscribers.Demand.max(2) - .max(3) == .none)
    #expect(Subscribers.Demand.max(2) * 3 == 6)
    #expect(Subscribers.Demand.max(2) < .unlimited && .max(1) < Subscribers.Demand.max(2))
    #expect(Subscribers.Demand.unlimited > 1_000_000 && !(Subscribers.Demand.unlimited < .unlimited))
    #expect("\(Subscribers.Demand.max(4)) \(Subscribers.Demand.unlimited)" == "max(4) unlimited")
    #expect(Subscribers.Demand.unlimited.max == nil && Subscribers.Demand.none.max == 0)
  }
}

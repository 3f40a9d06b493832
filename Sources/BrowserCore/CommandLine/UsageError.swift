/// What is wrong with the words of a command line, and what to do about it.
struct UsageError: Error, Equatable {
  /// What went wrong.
  var problem: String
  /// What to do.
  var remedy: String

  init(_ problem: String, _ remedy: String = "see storebrowser --help") {
    (self.problem, self.remedy) = (problem, remedy)
  }
}

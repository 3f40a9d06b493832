/// What a command met that is neither a wrong word nor an error of the framework: one line, what to do, and the status.
struct CommandFailure: Error, Equatable {
  var problem: String
  var remedy: String
  var status: ErrorLine.Status

  init(_ problem: String, _ remedy: String, _ status: ErrorLine.Status = .failure) {
    (self.problem, self.remedy, self.status) = (problem, remedy, status)
  }
}

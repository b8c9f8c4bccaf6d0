/** The process ends soon; another one resumes the work. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

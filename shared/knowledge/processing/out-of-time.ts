/** The process ends soon; another one goes on. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

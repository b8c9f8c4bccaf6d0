/** Something on this machine prevents the start of the platform. The message says what to do about it. */
export class StartupError extends Error {
  override readonly name = "StartupError";
}

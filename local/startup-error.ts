/** Something on this machine keeps the platform from starting. The message says what to do about it. */
export class StartupError extends Error {
  override readonly name = "StartupError";
}

/** Something that the user of the command line can put right. The message is one or two sentences, and says how. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

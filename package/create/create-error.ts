/** Something that the user can put right. The message is a sentence that says how. */
export class CreateError extends Error {
  override readonly name = "CreateError";
}

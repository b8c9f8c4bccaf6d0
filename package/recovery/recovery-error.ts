/** Why a recovery cannot begin or go on. The message is one or two sentences, and says what the operator can do. */
export class RecoveryError extends Error {
  override readonly name = "RecoveryError";
}

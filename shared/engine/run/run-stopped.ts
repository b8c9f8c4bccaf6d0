/** Why a run was stopped from outside; used as the abort reason. */
export class RunStopped extends Error {
  override readonly name = "RunStopped";
  readonly kind: "cancelled" | "timeout" | "lost";

  /**
   * @param kind     `lost`: another worker owns the run now, or this process ends; nothing more may be written
   * @param message  public: the run shows it as the reason of a cancellation
   */
  constructor(kind: "cancelled" | "timeout" | "lost", message: string) {
    super(message);
    this.kind = kind;
  }
}

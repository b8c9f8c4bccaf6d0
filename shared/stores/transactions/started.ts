/** Whether a run was started; if not, nothing was written. */
export type Started =
  | { readonly written: true }
  /** `changed`: the session or the run is not as it was read. `slot_taken`: another run of the user has the slot. */
  | { readonly written: false; readonly because: "changed" | "slot_taken" };

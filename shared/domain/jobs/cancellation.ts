/** How long a recorded cancellation is in force. */
export const CANCELLATION_LIFE_SECONDS = 86_400;

/** Something that carries a cancellation intent: the epoch second at which it expires. */
export type Cancellable = { readonly cancel_until?: number | undefined };

/** Whether a cancellation is recorded and neither cleared nor expired. @param now epoch seconds */
export const isCancellationLive = ({ cancel_until }: Cancellable, now: number): boolean =>
  cancel_until !== undefined && cancel_until > now;

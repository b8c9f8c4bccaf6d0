/** Why a message of a platform is not answered; for the log, so it holds nothing of the message. */
export type Dropped = { readonly dropped: string };

export const dropped = (why: string): Dropped => ({ dropped: why });

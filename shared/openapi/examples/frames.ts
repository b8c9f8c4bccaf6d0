type Told = { readonly event: string } & Readonly<Record<string, unknown>>;

/** A stream's frames as they are sent. */
export const frames = (...told: readonly Told[]): string =>
  told.map((one) => `event: ${one.event}\ndata: ${JSON.stringify(one)}\n\n`).join("");

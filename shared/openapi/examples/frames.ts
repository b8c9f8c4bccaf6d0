type Told = { readonly event: string } & Readonly<Record<string, unknown>>;

/** The text of a stream's frames. */
export const frames = (...told: readonly Told[]): string =>
  told.map((one) => `event: ${one.event}\ndata: ${JSON.stringify(one)}\n\n`).join("");

/** One event in a request to EventBridge, as its sender wrote it. */
export type BusEntry = Readonly<Record<"EventBusName" | "Source" | "DetailType" | "Detail", unknown>>;

type Body = Readonly<Record<string, unknown>>;

export const entriesIn = ({ Entries }: Body): readonly BusEntry[] => (Array.isArray(Entries) ? Entries : []);

/** The buses that a request names, for its permissions. */
export const busesOf = (body: Body): string[] =>
  entriesIn(body).map(({ EventBusName }) => String(EventBusName ?? "default"));

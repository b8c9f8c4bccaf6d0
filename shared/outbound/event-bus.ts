import type { PutEventsResultEntry } from "@aws-sdk/client-eventbridge";

/** One event, as the bus gets it. */
export type BusEntry = {
  readonly source: string;
  readonly detail_type: string;
  /** A JSON object. */
  readonly detail: string;
  /** Epoch seconds. */
  readonly time: number;
};

/** What became of it. `isFinal`: a further try cannot succeed. */
export type PutOnBus =
  | { readonly accepted: true; readonly event_id: string }
  | { readonly accepted: false; readonly error: string; readonly isFinal: boolean };

export type EventBus = {
  /** As the operator has named it. */
  readonly name: string;
  /** Puts one event on the bus, once. */
  readonly put: (entry: BusEntry) => Promise<PutOnBus>;
};

const CONNECTION_TIMEOUT_MS = 1_000;
/** Two tries of the client stay well below the lease of a delivery. */
const REQUEST_TIMEOUT_MS = 4_000;
const TRIES = 2;

/** Refusals of what was sent: it would be refused again. @source EventBridge API reference, "PutEvents" */
const finalErrors = new Set(["ValidationException", "MalformedDetail", "InvalidArgument"]);

/** A bus of this account and region. Connects with the first event. */
export function connectEventBus(name: string): EventBus {
  const connect = async () => {
    const { EventBridgeClient, PutEventsCommand } = await import("@aws-sdk/client-eventbridge");
    const requestHandler = { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS };
    return { client: new EventBridgeClient({ maxAttempts: TRIES, requestHandler }), PutEventsCommand };
  };
  let connection: ReturnType<typeof connect> | undefined;
  return {
    name,
    put: async ({ source, detail_type, detail, time }) => {
      connection ??= connect();
      const { client, PutEventsCommand } = await connection;
      const entry = {
        EventBusName: name,
        Source: source,
        DetailType: detail_type,
        Detail: detail,
        Time: new Date(time * 1000),
      };
      try {
        const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: [entry] }));
        return putOf(Entries[0]);
      } catch (error) {
        return refused(error instanceof Error ? error.name : "Error", String(error));
      }
    },
  };
}

/** The call may succeed although the bus did not take the event: then its entry has an error in place of an id. */
export function putOf(entry: PutEventsResultEntry | undefined): PutOnBus {
  if (entry?.EventId !== undefined) return { accepted: true, event_id: entry.EventId };
  const code = entry?.ErrorCode ?? "no answer";
  return refused(code, `${code}: ${entry?.ErrorMessage ?? ""}`);
}

const refused = (code: string, error: string): PutOnBus => ({
  accepted: false,
  error,
  isFinal: finalErrors.has(code),
});

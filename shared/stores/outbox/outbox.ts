import { type DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import type { EventTopic } from "../../domain/platform-events.ts";
import { cachedValue } from "../../runtime/cached-value.ts";
import type { Clock } from "../../runtime/clock.ts";

/** Who may receive events on this instance. */
export type Subscribers = {
  /** Whether signed messages are sent to callbacks and endpoints. */
  readonly webhooks: boolean;
  /** Whether there is an event bus, which receives everything. */
  readonly bus: boolean;
  /** Whether runs may end tasks of state machines. */
  readonly taskTokens: boolean;
};

/** Where there is none, no event is published, and nothing is read or written for it. */
export type Outbox = Subscribers & {
  /** How long events and deliveries are kept. */
  readonly retentionDays: number;
  /** Whether there is any endpoint; read once a minute at most. */
  readonly hasEndpoints: () => Promise<boolean>;
  /** Whether an event of this topic has subscribers: the bus, or an endpoint. */
  readonly hasSubscribers: (topic: EventTopic) => Promise<boolean>;
  /** Wakes the worker for a subject; absent in functions that only write. A lost wake-up is sent by the sweeper. */
  readonly wake?: ((partition: string) => Promise<void>) | undefined;
};

/** How late a process learns that there is an endpoint now. */
const KEPT_MS = 60_000;

/**
 * The item that says how many endpoints there are, and which kinds of events in addition to those of runs any of them has ever
 * asked for.
 */
export const presenceKey = { pk: "endpoints", sk: "endpoints" } as const;

const noEndpoints = { endpoints: 0, families: new Set<unknown>() };

/** @param table  name of the outbox's table */
export function openOutbox(
  client: DynamoDBDocumentClient,
  table: string,
  settings: Subscribers & Pick<Outbox, "retentionDays" | "wake">,
  clock: Pick<Clock, "now">,
): Outbox {
  const { webhooks, bus } = settings;
  const read = async () => {
    const { Item } = await client.send(
      new GetCommand({ TableName: table, Key: presenceKey, ProjectionExpression: "endpoints, families" }),
    );
    const families: unknown = Item?.families;
    return {
      endpoints: Number(Item?.endpoints ?? 0),
      families: families instanceof Set ? new Set<unknown>(families) : noEndpoints.families,
    };
  };
  const cached = cachedValue(read, KEPT_MS, clock);
  const presence = () => (webhooks ? cached() : Promise.resolve(noEndpoints));
  return {
    ...settings,
    hasEndpoints: async () => (await presence()).endpoints > 0,
    hasSubscribers: async (topic) => {
      if (bus) return true;
      const { endpoints, families } = await presence();
      return endpoints > 0 && (topic === "run" || families.has(topic));
    },
  };
}

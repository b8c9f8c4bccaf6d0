import { type DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { cachedValue } from "../../runtime/cached-value.ts";
import type { Clock } from "../../runtime/clock.ts";

/** Where there is none, nobody is told of anything, and nothing is read or written for it. */
export type Outbox = {
  /** How long events and deliveries are kept. */
  readonly retentionDays: number;
  /** Whether any endpoint hears the events of many runs; read once a minute at most. */
  readonly hasEndpoints: () => Promise<boolean>;
  /** Wakes the worker for a subject; absent in functions that only write. A lost wake-up is sent by the sweeper. */
  readonly wake?: ((partition: string) => Promise<void>) | undefined;
};

/** How late a process learns that there is an endpoint now. */
const KEPT_MS = 60_000;

/** The item that says how many endpoints there are. */
export const presenceKey = { pk: "endpoints", sk: "endpoints" } as const;

/** @param table  name of the outbox's table */
export function openOutbox(
  client: DynamoDBDocumentClient,
  table: string,
  settings: Pick<Outbox, "retentionDays" | "wake">,
  clock: Pick<Clock, "now">,
): Outbox {
  const read = async (): Promise<boolean> => {
    const { Item } = await client.send(
      new GetCommand({ TableName: table, Key: presenceKey, ProjectionExpression: "endpoints" }),
    );
    return Number(Item?.endpoints ?? 0) > 0;
  };
  return { ...settings, hasEndpoints: cachedValue(read, KEPT_MS, clock) };
}

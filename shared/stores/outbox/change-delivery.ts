import type { Db } from "../db.ts";
import { guardedUpdate } from "../guarded-update.ts";
import { deliveryFrom, type StoredDelivery } from "./delivery-item.ts";
import { deliveryKey, dueKeys } from "./outbox-keys.ts";

/** What a write changes; `undefined` removes a field. */
export type DeliveryChange = {
  readonly [K in
    | "status"
    | "reason"
    | "tries"
    | "attempts"
    | "lease_by"
    | "lease_until"
    | "due_at"
    | "updated_at"]?: StoredDelivery[K] | undefined;
} & { readonly [K in keyof typeof unlistedKeys]?: undefined };

/** Takes a delivery out of lists; it is read by its id. */
export const unlistedKeys = { owner_key: undefined, all_key: undefined, opened: undefined } as const;

/** A condition beside that the delivery is there. `seen` fields must be as they were read. */
export type DeliveryGuard = {
  readonly condition: string;
  readonly values: Readonly<Record<string, unknown>>;
};

type Place = Pick<StoredDelivery, "subject" | "target" | "order">;

/** One conditional write. @returns the delivery after it; undefined if the condition does not hold */
export async function changeDelivery(
  db: Db,
  { subject, target, order }: Place,
  change: DeliveryChange,
  { condition, values }: DeliveryGuard,
): Promise<StoredDelivery | undefined> {
  const due = "due_at" in change ? dueOf(subject, change.due_at) : {};
  const sets: Record<string, unknown> = { ...change, ...due };
  const written = Object.keys(sets).filter((name) => sets[name] !== undefined);
  const removed = Object.keys(sets).filter((name) => sets[name] === undefined);
  const named = [...condition.matchAll(/#(\w+)/g)].map(([, name = ""]) => name);
  const result = await guardedUpdate(db, {
    TableName: db.tables.outbox,
    Key: deliveryKey(subject, target.id, order),
    UpdateExpression: [
      `SET ${written.map((name) => `#${name} = :${name}`).join(", ")}`,
      removed.length > 0 ? `REMOVE ${removed.map((name) => `#${name}`).join(", ")}` : "",
    ].join(" "),
    ConditionExpression: `attribute_exists(pk) AND ${condition}`,
    ExpressionAttributeNames: Object.fromEntries(
      [...new Set([...Object.keys(sets), ...named])].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: {
      ...Object.fromEntries(written.map((name) => [`:${name}`, sets[name]])),
      ...values,
    },
  });
  return result.changed ? deliveryFrom(result.item) : undefined;
}

const dueOf = (subject: StoredDelivery["subject"], dueAt: number | undefined) =>
  dueAt === undefined ? { due_shard: undefined, due: undefined } : dueKeys(subject, dueAt);

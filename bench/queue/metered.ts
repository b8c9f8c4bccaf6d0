import type { Db } from "../../shared/stores/db.ts";

/** What was asked of the database, and what it said that it took. */
export type Use = { readonly operation: string; readonly writeUnits: number; readonly readUnits: number };

type Consumed = { readonly CapacityUnits?: number };

/** Operations whose units are reads; of all others they are writes. */
const reads = new Set(["GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems"]);

/** What one call took, by the answer to it. */
export function useOf(operation: string, answer: object): Use {
  const { ConsumedCapacity = [] } = answer as { readonly ConsumedCapacity?: Consumed | readonly Consumed[] };
  const units = [ConsumedCapacity].flat().reduce((sum, one) => sum + (one.CapacityUnits ?? 0), 0);
  const isRead = reads.has(operation);
  return { operation, writeUnits: isRead ? 0 : units, readUnits: isRead ? units : 0 };
}

/**
 * Asks the database for the capacity of every call that goes over this connection. Indexes are included where the
 * engine knows of them: DynamoDB Local does, the default engine does not.
 *
 * @returns what was used since the last time it was asked
 */
export function meter(db: Db): () => Use[] {
  let used: Use[] = [];
  db.client.middlewareStack.add(
    (next, context) => async (args) => {
      const input = { ...args.input, ReturnConsumedCapacity: "INDEXES" };
      const result = await next({ ...args, input });
      const operation = String(context.commandName).replace(/Command$/, "");
      used.push(useOf(operation, result.output));
      return result;
    },
    { step: "initialize", name: "meter" },
  );
  return () => {
    const taken = used;
    used = [];
    return taken;
  };
}

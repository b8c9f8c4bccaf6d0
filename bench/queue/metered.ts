import type { Db } from "../../shared/stores/db.ts";

/** A database operation and its consumed capacity. */
export type Use = { readonly operation: string; readonly writeUnits: number; readonly readUnits: number };

type Consumed = { readonly CapacityUnits?: number };

/** Operations that consume read units; all others consume write units. */
const reads = new Set(["GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems"]);

/** The capacity that one call consumed, from its answer. */
export function useOf(operation: string, answer: object): Use {
  const { ConsumedCapacity = [] } = answer as { readonly ConsumedCapacity?: Consumed | readonly Consumed[] };
  const units = [ConsumedCapacity].flat().reduce((sum, one) => sum + (one.CapacityUnits ?? 0), 0);
  const isRead = reads.has(operation);
  return { operation, writeUnits: isRead ? 0 : units, readUnits: isRead ? units : 0 };
}

/**
 * Requests the consumed capacity with every call on this connection. Indexes are included where the engine supports it:
 * DynamoDB Local does, the default engine does not.
 *
 * @returns a function with the operations since its last call
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
    const result = used;
    used = [];
    return result;
  };
}

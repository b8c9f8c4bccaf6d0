import type { TableName } from "../../../shared/settings/table-env.ts";
import { tables } from "../../../shared/stores/tables.ts";
import { compareValues, type StoredItem, textOf } from "./attributes.ts";
import { conditionOf, type Placeholders } from "./condition.ts";
import { updated } from "./update.ts";

/** The members of a request that this table understands, in the service's own names. */
export type Request = {
  readonly TableName: TableName;
  readonly Key: StoredItem;
  readonly Item: StoredItem;
  readonly ConditionExpression?: string;
  readonly UpdateExpression: string;
  readonly KeyConditionExpression: string;
  readonly FilterExpression?: string;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: StoredItem;
  readonly IndexName?: string;
  readonly Limit?: number;
  readonly ExclusiveStartKey?: StoredItem;
  readonly ScanIndexForward?: boolean;
  readonly ConsistentRead?: boolean;
  readonly Select?: "COUNT";
  readonly ReturnValues?: "ALL_NEW" | "NONE";
  readonly ReturnValuesOnConditionCheckFailure?: "ALL_OLD";
  readonly RequestItems: Readonly<Record<string, { readonly Keys: readonly StoredItem[] }>>;
  readonly TransactItems: readonly TransactEntry[];
  readonly ClientRequestToken?: string;
};
export type TransactEntry = Partial<Record<"Put" | "Update" | "ConditionCheck", Request>>;

type BatchPuts = Readonly<Record<string, readonly { readonly PutRequest: { readonly Item: StoredItem } }[]>>;

/** One item as a write found it and left it. */
export type Written = {
  readonly table: TableName;
  readonly key: string;
  readonly before: StoredItem | undefined;
  readonly after: StoredItem;
};

/** A refusal in the service's terms: `{ __type, message, … }`. */
export class Refusal extends Error {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(type: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(type);
    this.type = type;
    this.fields = fields;
  }
}

export type TableOptions = {
  /** Milliseconds. */
  readonly now: () => number;
  /** How long, in milliseconds, this write takes to show in the indexes. */
  readonly indexLagMs: () => number;
  /** How old, in milliseconds, an answer to this read without `ConsistentRead` may be. */
  readonly readLagMs: () => number;
  /** Items after which a page of a query ends. */
  readonly pageItems: number;
  /** Called with what each request wrote, as one group: a transaction's items change together. */
  readonly onWritten: (group: readonly Written[]) => void;
  /** How many entries of this transaction are written, one by one: a fault that the service never has. */
  readonly torn?: (entries: readonly TransactEntry[]) => number | undefined;
};

type Version = {
  readonly item: StoredItem;
  /** What the item was before, and until when. */
  readonly older?: { readonly item: StoredItem; readonly until: number } | undefined;
};
type Partition = Map<string, Version>;

const KEY_SEPARATOR = " | ";
const primaryKey = (item: StoredItem) => `${textOf(item.pk)}${KEY_SEPARATOR}${textOf(item.sk)}`;
const placeholdersOf = (request: Request): Placeholders => ({
  names: request.ExpressionAttributeNames ?? {},
  values: request.ExpressionAttributeValues ?? {},
});

/**
 * DynamoDB in memory, as far as the stores use it: conditions, transactions, an index that lags, reads that lag
 * unless they are consistent. Every request happens at one instant.
 */
export function simulatedTables(options: TableOptions) {
  const partitions = new Map<string, Partition>();
  const index = lateIndex(options);
  const tokens = new Set<string>();

  const partitionOf = (table: TableName, pk: string): Partition => {
    const name = `${table}${KEY_SEPARATOR}${pk}`;
    const known = partitions.get(name) ?? new Map<string, Version>();
    partitions.set(name, known);
    return known;
  };
  const versionOf = (table: TableName, key: StoredItem) =>
    partitionOf(table, textOf(key.pk) ?? "").get(textOf(key.sk) ?? "");
  const current = (table: TableName, key: StoredItem) => versionOf(table, key)?.item;
  const eventual = (table: TableName, key: StoredItem) => {
    const version = versionOf(table, key);
    const isOld = version?.older && options.now() - version.older.until < options.readLagMs();
    return isOld ? version.older?.item : version?.item;
  };
  const store = (table: TableName, item: StoredItem): Written => {
    const before = current(table, item);
    const older = before && { item: before, until: options.now() };
    partitionOf(table, textOf(item.pk) ?? "").set(textOf(item.sk) ?? "", { item, older });
    index.note(table, item);
    return { table, key: primaryKey(item), before, after: item };
  };

  /** The item as it is. @throws Refusal when the condition does not hold for it */
  const checked = (request: Request, key: StoredItem): StoredItem | undefined => {
    const { TableName, ConditionExpression, ReturnValuesOnConditionCheckFailure } = request;
    const before = current(TableName, key);
    if (ConditionExpression && !conditionOf(ConditionExpression)(before, placeholdersOf(request))) {
      const Item = ReturnValuesOnConditionCheckFailure && before;
      throw new Refusal("ConditionalCheckFailedException", Item && { Item });
    }
    return before;
  };
  /** What a write would store. @throws Refusal when its condition does not hold */
  const result = (verb: "Put" | "Update", request: Request): StoredItem => {
    const before = checked(request, verb === "Put" ? request.Item : request.Key);
    const placeholders = placeholdersOf(request);
    return verb === "Put"
      ? request.Item
      : updated(before ?? request.Key, request.UpdateExpression, placeholders);
  };
  const write = (verb: "Put" | "Update", request: Request) => {
    const written = store(request.TableName, result(verb, request));
    options.onWritten([written]);
    return request.ReturnValues === "ALL_NEW" ? { Attributes: written.after } : {};
  };

  const transact = (request: Request) => {
    const { TransactItems, ClientRequestToken } = request;
    if (ClientRequestToken !== undefined && tokens.has(ClientRequestToken)) return {};
    const planned = TransactItems.map(planEntry);
    const tornAfter = options.torn?.(TransactItems);
    const refusedAt = planned.findIndex(({ reason }) => reason !== undefined);
    if (refusedAt >= 0 && tornAfter === undefined) throw cancelled(planned);
    const length = Math.min(tornAfter ?? planned.length, refusedAt < 0 ? planned.length : refusedAt);
    options.onWritten(
      planned.slice(0, length).flatMap(({ table, item }) => (item ? [store(table, item)] : [])),
    );
    if (tornAfter !== undefined) throw new Refusal("InternalServerError");
    if (ClientRequestToken !== undefined) tokens.add(ClientRequestToken);
    return {};
  };
  const planEntry = (entry: TransactEntry) => {
    const { Put, Update, ConditionCheck } = entry;
    const request = Put ?? Update ?? ConditionCheck;
    if (!request) throw new Error(`not simulated: ${Object.keys(entry)}`);
    try {
      if (ConditionCheck) checked(ConditionCheck, ConditionCheck.Key);
      const item = ConditionCheck ? undefined : result(Put ? "Put" : "Update", request);
      return { table: request.TableName, item, reason: undefined };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { table: request.TableName, item: undefined, reason: error };
    }
  };
  const cancelled = (planned: readonly ReturnType<typeof planEntry>[]) =>
    new Refusal("TransactionCanceledException", {
      CancellationReasons: planned.map(({ reason }) =>
        reason ? { Code: "ConditionalCheckFailed", ...reason.fields } : { Code: "None" },
      ),
    });

  const query = (request: Request) => {
    const { TableName, IndexName, KeyConditionExpression } = request;
    const placeholders = placeholdersOf(request);
    const [, token = ""] = /^\w+ = (:\w+)/.exec(KeyConditionExpression) ?? [];
    const partition = textOf(placeholders.values[token]) ?? "";
    const order = IndexName === undefined ? ["sk"] : [sortKeyOf(TableName, IndexName), "pk"];
    const holds = conditionOf(KeyConditionExpression);
    const items = IndexName
      ? index.read(TableName, IndexName)
      : [...partitionOf(TableName, partition).values()].map(({ item }) => item);
    const matching = items.filter((item) => holds(item, placeholders)).sort(byKeys(order));
    return page(request, placeholders, matching, order);
  };
  const page = (
    request: Request,
    placeholders: Placeholders,
    matching: readonly StoredItem[],
    order: readonly string[],
  ) => {
    const forward = request.ScanIndexForward !== false;
    const ordered = forward ? matching : [...matching].reverse();
    const start = request.ExclusiveStartKey;
    const isAfter = (item: StoredItem) =>
      !start || (forward ? byKeys(order)(item, start) > 0 : byKeys(order)(item, start) < 0);
    const left = ordered.filter(isAfter);
    const length = Math.min(request.Limit ?? Number.POSITIVE_INFINITY, options.pageItems);
    const seen = left.slice(0, length);
    const filter = request.FilterExpression;
    const kept = filter ? seen.filter((item) => conditionOf(filter)(item, placeholders)) : seen;
    const last = seen.at(-1);
    return {
      Count: kept.length,
      ...(request.Select !== "COUNT" && { Items: kept.map((item) => projected(item, request)) }),
      ...(last &&
        left.length >= length && { LastEvaluatedKey: only(last, ["pk", "sk", ...keysOf(request)]) }),
    };
  };

  const get = (request: Request) => {
    const read = request.ConsistentRead ? current : eventual;
    const item = read(request.TableName, request.Key);
    return item ? { Item: projected(item, request) } : {};
  };
  const batchGet = ({ RequestItems }: Request) => {
    const responses = Object.entries(RequestItems).map(([table, { Keys }]) => {
      const found = Keys.map((key) => current(table as TableName, key)); // requests name the tables below
      return [table, found.filter((item) => item !== undefined)] as const;
    });
    return { Responses: Object.fromEntries(responses), UnprocessedKeys: {} };
  };
  /** No code of ours writes in batches; tests fill tables so. */
  const batchPut = ({ RequestItems }: Request) => {
    for (const [table, puts] of Object.entries(RequestItems as unknown as BatchPuts)) {
      for (const { PutRequest } of puts) store(table as TableName, PutRequest.Item); // requests name the tables
    }
    return { UnprocessedItems: {} };
  };
  const operations: Readonly<Record<string, (request: Request) => object>> = {
    GetItem: get,
    BatchGetItem: batchGet,
    Query: query,
    PutItem: (request) => write("Put", request),
    UpdateItem: (request) => write("Update", request),
    BatchWriteItem: batchPut,
    DeleteItem: ({ TableName, Key }) => {
      partitionOf(TableName, textOf(Key.pk) ?? "").delete(textOf(Key.sk) ?? "");
      index.drop(TableName, Key);
      return {};
    },
    TransactWriteItems: transact,
  };
  return {
    /** @throws Refusal as the service refuses; Error for what is not simulated */
    perform(operation: string, request: Request): object {
      const act = operations[operation];
      if (!act) throw new Error(`not simulated: ${operation}`);
      return act(request);
    },
    /** Every item of a table as it is now, in the order of keys. */
    items: (table: TableName): StoredItem[] =>
      [...partitions]
        .filter(([name]) => name.startsWith(`${table}${KEY_SEPARATOR}`))
        .flatMap(([, partition]) => [...partition.values()].map(({ item }) => item))
        .sort(byKeys(["pk", "sk"])),
    item: (table: TableName, pk: string, sk: string): StoredItem | undefined =>
      partitions.get(`${table}${KEY_SEPARATOR}${pk}`)?.get(sk)?.item,
  };
}
export type SimulatedTables = ReturnType<typeof simulatedTables>;

/** The secondary indexes, as they show after their lag: changes of one item arrive in their order. */
function lateIndex({ now, indexLagMs }: TableOptions) {
  type Change = { readonly at: number; readonly name: string; readonly item: StoredItem | undefined };
  const coming: Change[] = [];
  const lastOf = new Map<string, number>();
  const shown = new Map<string, StoredItem>();
  const placeOf = (table: TableName, index: string) => [table, index].join(KEY_SEPARATOR) + KEY_SEPARATOR;
  const arrive = () => {
    for (const change of coming.splice(0)) {
      if (change.at > now()) coming.push(change);
      else if (change.item) shown.set(change.name, change.item);
      else shown.delete(change.name);
    }
  };
  return {
    note(table: TableName, item: StoredItem) {
      const changes = Object.entries(tables[table].indexes).flatMap(([index, layout]) => {
        const name = placeOf(table, index) + primaryKey(item);
        const isIn = item[layout.pk] !== undefined && item[layout.sk] !== undefined;
        const projection = layout.project === "keys" ? [] : layout.project;
        const row = only(item, ["pk", "sk", layout.pk, layout.sk, ...projection]);
        const isChanged = isIn || shown.has(name) || coming.some((change) => change.name === name);
        return isChanged ? [{ name, item: isIn ? row : undefined }] : [];
      });
      if (changes.length === 0) return;
      const at = Math.max(now() + indexLagMs(), lastOf.get(primaryKey(item)) ?? 0);
      lastOf.set(primaryKey(item), at);
      coming.push(...changes.map((change) => ({ ...change, at })));
    },
    /** Without a lag. */
    drop(table: TableName, key: StoredItem) {
      for (const index of Object.keys(tables[table].indexes))
        shown.delete(placeOf(table, index) + primaryKey(key));
    },
    read(table: TableName, index: string): StoredItem[] {
      arrive();
      return [...shown].filter(([name]) => name.startsWith(placeOf(table, index))).map(([, item]) => item);
    },
  };
}

function layoutOf(table: TableName, indexName: string) {
  const layout = Object.entries(tables[table].indexes).find(([name]) => name === indexName)?.[1];
  if (!layout) throw new Error(`no index ${indexName} of ${table}`);
  return layout;
}
const sortKeyOf = (table: TableName, indexName: string): string => layoutOf(table, indexName).sk;
const keysOf = ({ TableName, IndexName }: Request): string[] =>
  IndexName ? [layoutOf(TableName, IndexName).pk, layoutOf(TableName, IndexName).sk] : [];

const byKeys = (order: readonly string[]) => (a: StoredItem, b: StoredItem) => {
  for (const name of order) {
    const difference = compareValues(a[name], b[name]) ?? 0;
    if (difference !== 0) return difference;
  }
  return 0;
};

function projected(item: StoredItem, request: Request): StoredItem {
  const { ProjectionExpression, ExpressionAttributeNames } = request;
  if (!ProjectionExpression) return item;
  const names = ProjectionExpression.split(",").map((name) => name.trim());
  return only(
    item,
    names.map((name) => ExpressionAttributeNames?.[name] ?? name),
  );
}

const only = (item: StoredItem, names: readonly string[]): StoredItem =>
  Object.fromEntries(
    [...new Set(names)].flatMap((name) => (item[name] ? [[name, item[name]] as const] : [])),
  );

import type { Db } from "../../shared/stores/db.ts";
import { openedKey } from "../../shared/stores/index-keys.ts";

/** Runs of each session, and tokens of each run. */
export const RUNS = 2;
export const TOKENS = 30;

const SESSIONS_OF_A_USER = 4;
const PARTITIONS = 4;
const DAY_SECONDS = 86_400;

type Item = Record<string, unknown>;
type Input = {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly Limit?: number;
  readonly ExclusiveStartKey?: { readonly place: number };
  readonly ExpressionAttributeValues?: Readonly<Record<string, string>>;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
};

/**
 * As much of the database as counting a day asks: sessions of one day with their runs, which are made up as they are read and so take no
 * memory, and the items of the metrics table, which are kept.
 *
 * @param midnight  of the day, epoch seconds
 */
export function storeOfSessions(sessions: number, midnight: number) {
  const users = Math.ceil(sessions / SESSIONS_OF_A_USER);
  const idOf = (n: number): string => `s-${String(n).padStart(8, "0")}`;
  const createdAt = (n: number): number => midnight + Math.floor((n / sessions) * DAY_SECONDS);
  const rowOf = (n: number) => ({
    session_id: idOf(n),
    session_type: "agent",
    // Those of a user are spread over the day.
    user_id: `user-${n % users}`,
    created_at: createdAt(n),
    opened: openedKey(createdAt(n), idOf(n)),
  });
  const kept = new Map<string, Map<string, Item>>();
  const partition = (pk: unknown): Map<string, Item> => {
    const found = kept.get(String(pk)) ?? new Map<string, Item>();
    kept.set(String(pk), found);
    return found;
  };
  const put = (item: Item = {}) => partition(item.pk).set(String(item.sk), item);

  /** Rows of the index over everybody's sessions. */
  const listed = ({ ExpressionAttributeValues: values = {}, Limit = 1_000, ExclusiveStartKey }: Input) => {
    const shard = Number(values[":partition"]?.slice("all#".length));
    const inShard = Math.ceil((sessions - shard) / PARTITIONS);
    const at = (place: number) => rowOf(shard + place * PARTITIONS);
    let from =
      ExclusiveStartKey?.place ?? firstWhere(inShard, (place) => at(place).opened > (values[":after"] ?? ""));
    const Items = [];
    for (; from < inShard && Items.length < Limit; from += 1) Items.push(at(from));
    return { Items, ...(from < inShard && { LastEvaluatedKey: { place: from } }) };
  };
  const query = (input: Input) => {
    if (input.TableName === "runs") return runsOf(input);
    if (input.TableName === "sessions") return listed(input);
    if (input.TableName === "evals") return { Items: [] };
    const { ":pk": pk, ":part": part = "" } = input.ExpressionAttributeValues ?? {};
    return { Items: [...partition(pk).values()].filter(({ sk }) => String(sk).startsWith(part)) };
  };
  const batchGet = ({ RequestItems = {} }: Input) => {
    // No run was judged.
    if (!RequestItems.sessions) return { Responses: {} };
    const { Keys } = Object(RequestItems.sessions) as { Keys: readonly { pk: string }[] };
    const read = ({ pk }: { pk: string }) => {
      const session_id = pk.slice("session#".length);
      return { session_id, created_at: createdAt(numberOf(session_id)), total_tokens: RUNS * TOKENS };
    };
    return { Responses: { sessions: Keys.map(read) } };
  };
  const batchWrite = ({ RequestItems = {} }: Input) => {
    for (const { PutRequest } of RequestItems.metrics as { PutRequest: { Item: Item } }[])
      put(PutRequest.Item);
    return {};
  };
  const answers: Readonly<Record<string, (input: Input) => object>> = {
    QueryCommand: query,
    BatchGetCommand: batchGet,
    BatchWriteCommand: batchWrite,
    PutCommand: ({ Item }) => put(Item),
    GetCommand: ({ Key = {} }) => ({ Item: partition(Key.pk).get(String(Key.sk)) }),
  };
  const send = async (command: {
    readonly constructor: { readonly name: string };
    readonly input: Input;
  }) => {
    const answer = answers[command.constructor.name];
    if (!answer) throw new Error(`the made-up store has no ${command.constructor.name}`);
    return answer(command.input);
  };
  const tables = { sessions: "sessions", runs: "runs", evals: "evals", metrics: "metrics" };
  return { users, db: { client: { send }, tables } as unknown as Db }; // all that counting a day uses
}

const numberOf = (id: string): number => Number(id.slice(2));

/** The runs of the session that is in the key. */
function runsOf({ ExpressionAttributeValues: values = {} }: Input) {
  const n = numberOf(String(values[":pk"]).split("#").at(-1) ?? "");
  const run = (at: number) => ({
    run_id: `${n}-${at}`,
    component_type: "agent",
    component_id: `agent-${n % 20}`,
    output: {
      model: `model-${(n + at) % 7}`,
      model_provider: "Acme",
      metrics: { input_tokens: 10, output_tokens: 20 },
    },
  });
  return { Items: Array.from({ length: RUNS }, (_, at) => run(at)) };
}

/** The first of some numbers for which something holds that holds for all after it. */
function firstWhere(count: number, holds: (n: number) => boolean): number {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

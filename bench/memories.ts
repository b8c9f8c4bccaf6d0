/**
 * Measures lists of memories as they grow to 100,000, directly against the stores. In addition to the time it prints the number
 * of items read, which does not depend on the machine's load. `node bench/memories.ts`.
 */
import { ServiceError } from "../shared/errors.ts";
import { listMemories, type MemoriesQuery } from "../shared/stores/owned/list-memories.ts";
import { listOwners, SEARCH_DEPTH } from "../shared/stores/owned/list-owned.ts";
import { memoryKind } from "../shared/stores/owned/memory-item.ts";
import { counterKey, ownerPlace, recordKey, recordPlace, summaryKey } from "../shared/stores/owned/owned.ts";
import { putItems } from "../test/support/put-items.ts";
import { aMemory } from "../test/support/records.ts";
import { startStores } from "../test/support/stores.ts";
import { printTable, type Row } from "./figures.ts";
import { timedItems } from "./timed-items.ts";

const SIZES = [1_000, 10_000, 100_000];
const OWNERS = 50;
const START_MS = Date.now() - 1_000_000;

const cases: Record<string, Partial<MemoriesQuery>> = {
  "page 1, everybody's": {},
  "page 1, one user's": { owner: "kim" },
  "page 20, one user's": { owner: "kim", page: 20 },
  "page 1, one user's by text": { owner: "kim", search_content: "number 99" },
};

const { db, stop } = await startStores();
const timed = timedItems(db);
const rows: Row[] = [];
try {
  let seeded = 0;
  for (const size of SIZES) {
    await seed(seeded, size);
    seeded = size;
    for (const [name, query] of Object.entries(cases)) {
      const what = `${name} of ${size.toLocaleString("en")}`;
      const isTooDeep = query.search_content !== undefined && size / 2 > SEARCH_DEPTH;
      const times = query.search_content ? 3 : 20;
      rows.push(
        isTooDeep
          ? await timed(`${what}, refused`, times, () => refused(query))
          : await timed(what, times, () => list(query)),
      );
    }
    rows.push(await timed(`page 1 of their ${OWNERS} owners, of ${size.toLocaleString("en")}`, 20, owners));
  }
} finally {
  await stop();
}
printTable(rows);

async function list(query: Partial<MemoriesQuery>): Promise<void> {
  const { records } = await listMemories(db, {
    owner: undefined,
    agent_id: undefined,
    team_id: undefined,
    topics: [],
    search_content: undefined,
    sort_by: "updated_at",
    sort_order: "desc",
    page: 1,
    limit: 20,
    ...query,
  });
  if (records.length === 0) throw new Error("nothing was listed");
}

async function refused(query: Partial<MemoriesQuery>): Promise<void> {
  const answer = await list(query).catch((error: unknown) => error);
  if (!(answer instanceof ServiceError && answer.code === "BAD_REQUEST"))
    throw new Error("it was not refused");
}

async function owners(): Promise<void> {
  const query = { owner: undefined, sort_by: "changed_at", sort_order: "desc", page: 1, limit: 20 } as const;
  await listOwners(db, "memories", query);
}

/** Half of the memories are one user's. They are written without the transactions that count them, so the counts are written too. */
async function seed(from: number, to: number): Promise<void> {
  const ownerOf = (n: number) => (n % 2 === 0 ? "kim" : `user-${n % (2 * (OWNERS - 1))}`);
  const items = Array.from({ length: to - from }, (_, i) => {
    const n = from + i;
    const memory = aMemory({
      memory_id: `memory-${n}`,
      memory: `Something to remember, number ${n}`,
      user_id: ownerOf(n),
      changed_at_ms: START_MS + n,
    });
    const id = memoryKind.idOf(memory);
    return { ...recordKey(memory.user_id, id), ...memory, ...recordPlace(id, memory) };
  });
  await putItems(db, "memories", items);
  const counts = Map.groupBy(
    Array.from({ length: to }, (_, n) => n),
    ownerOf,
  );
  await putItems(db, "memories", [
    ...[...counts].map(([owner, owned]) => ({
      ...summaryKey(owner),
      user_id: owner,
      records: owned.length,
      changed_at_ms: START_MS + to,
      ...ownerPlace(owner, START_MS + to),
    })),
    { ...counterKey(null, 0), records: to, owners: counts.size },
  ]);
}

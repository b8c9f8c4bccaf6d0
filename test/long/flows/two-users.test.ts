import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guardedRows, ordinaryScopes } from "../../flows/credential-matrix.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

/**
 * Two users do random things over every served route, each with the ids that either has ever seen. Whatever one
 * writes carries a mark, and no answer to the other may ever hold it.
 */
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({ context: { serviceAccountCacheSeconds: "0" } });
});
afterAll(() => platform.stop());

const step = fc.record({
  row: fc.constantFrom(...guardedRows),
  who: fc.constantFrom(0, 1),
  /** Which of the known ids go into the path and the query. */
  pick: fc.nat(1000),
  background: fc.boolean(),
});

/** Whoever holds `audit:read` is to see what everybody did, names included: these two do not. */
const scopes = ordinaryScopes.filter((scope) => scope !== "audit:read");

type User = { readonly name: string; readonly mark: string; readonly client: Client };

/** Every id in an answer, by the name it has there: `run_id`, `id`, … */
function idsIn(value: unknown, found: Map<string, string[]>): void {
  if (value === null || typeof value !== "object") return;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === "string" && /(^|_)id$/.test(key)) found.set(key, [...(found.get(key) ?? []), inner]);
    else idsIn(inner, found);
  }
}

function requestOf(
  row: (typeof guardedRows)[number],
  user: User,
  other: User,
  known: Map<string, string[]>,
  pick: number,
) {
  const idNamed = (name: string): string => {
    if (name === "agent_id") return "assistant";
    const all = known.get(name) ?? known.get("id") ?? [];
    return all[pick % Math.max(all.length, 1)] ?? "unknown";
  };
  const path = row.route.path.replace(/\{([^}]*)\}/g, (_, name: string) => encodeURIComponent(idNamed(name)));
  const query = `?session_id=${idNamed("session_id")}&user_id=${other.name}`;
  const fields = {
    message: user.mark,
    memory: user.mark,
    name: user.mark.toLowerCase(),
    user_id: other.name,
    metadata: "{}",
  };
  return { path: path + query, fields };
}

test("no byte of one user's ever reaches the other", async () => {
  let round = 0;
  const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
    round += 1;
    const users = ["maria", "otto"].map((who): User => {
      const name = `${who}-${round}`;
      return {
        name,
        mark: `mark-of-${name}`,
        client: clientOf(platform.url, platform.token(name, scopes)),
      };
    });
    const known = new Map<string, string[]>();
    for (const [at, { row, who, pick, background }] of steps.entries()) {
      const [user, other] = who === 0 ? users : users.toReversed();
      if (!user || !other) throw new Error("there are two");
      const { path, fields } = requestOf(row, user, other, known, pick);
      const form = { ...fields, stream: "false", background: String(background) };
      const json = { ...fields, name: `${fields.name}-${at}`, scopes: [] };
      const body = row.route.body && ("form" in row.route.body ? { form } : { json });
      const answer = await user.client.call(row.route.method, path, body ?? {});
      expect(answer.status, `${row.operation} ${path}`).toBeLessThan(500);
      // What a user asks for comes back in "… not found"; it is the other's only if the other wrote it.
      expect(answer.text, `${row.operation} ${path} for ${user.name}`).not.toContain(other.mark);
      idsIn(answer.json, known);
    }
  });
  await fc.assert(property, { numRuns: 12 });
}, 180_000);

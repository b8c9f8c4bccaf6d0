import { setTimeout as pause } from "node:timers/promises";
import { isAtRest } from "./at-rest.ts";
import { inOneOrder } from "./one-order.ts";
import { type Answer, request, type Sent } from "./requests.ts";
import type { RunningPlatform } from "./running-platform.ts";
import { createStandIns, idsIn, uuidsIn } from "./stand-ins.ts";
import type { IsWanted, Item, StoredItem } from "./stored-item.ts";
import type { ReadStored } from "./stored-items.ts";

/** The parts of a run's response that scenarios use. */
export type Run = {
  readonly run_id: string;
  readonly session_id: string;
  readonly status: string;
  readonly tools?: readonly Fields[];
  readonly requirements?: readonly Fields[];
  readonly step_requirements?: readonly Fields[];
};
export type Fields = Readonly<Record<string, unknown>>;
export type Form = Readonly<Record<string, string>>;

/** One part of the recording: requests of a user of its own, their responses, and what is stored. */
export type Scenario = (stage: Stage) => Promise<void>;

export type Stage = Awaited<ReturnType<typeof openStage>>;

const nouns = [
  "agents",
  "teams",
  "workflows",
  "sessions",
  "schedules",
  "components",
  "memories",
  "learnings",
];
const more = ["knowledge", "evals", "approvals", "traces", "metrics", "config", "service_accounts"];
const verbs = ["read", "write", "delete", "run"];
const scopes = [...nouns, ...more].flatMap((noun) => verbs.map((verb) => `${noun}:${verb}`));

/** Where something takes longer, the record says so. */
const ENDS_WITHIN_MS = 120_000;
/** Time for what a function does after its response. On a busy machine that takes longer, and so does reading. */
const QUIET_MS = 400;
const QUIET_READS = 3;

/**
 * @param name    name of the scenario and of its user; ids that the scenario chooses begin with it
 * @param stored  reads what the platform stores
 */
export async function openStage(
  platform: Pick<RunningPlatform, "url" | "tokens">,
  name: string,
  stored: ReadStored,
) {
  const standIns = createStandIns(Date.now() / 1000);
  const steps: unknown[] = [];
  const tokens = {
    user: await platform.tokens.token(name, scopes),
    admin: await platform.tokens.token("admin", ["platform:admin"]),
  };
  type Who = keyof typeof tokens;
  const query = (method: string, path: string, sent?: Sent, who: Who = "user"): Promise<Answer> =>
    request(platform.url, tokens[who], method, path, sent);
  const record = (step: Fields): void => void steps.push(standIns.plain(inOneOrder(step, standIns.masked)));

  /** Sends a request, records it with its response, and returns the body. */
  const send = async <Body = Run>(method: string, path: string, sent?: Sent, who?: Who): Promise<Body> => {
    const answer = await query(method, path, sent, who);
    record({ request: `${method} ${path}`, ...(who && { who }), ...shown(sent), answer });
    return answer.body as Body; // every revision has the fields that scenarios read
  };
  /** Repeats a request until the response is the expected one, and records only that one. */
  const until = async <Body = Run>(
    path: string,
    isExpected: (body: Body) => boolean,
    who?: Who,
  ): Promise<Body> => {
    for (const end = Date.now() + ENDS_WITHIN_MS; ; await pause(50)) {
      const answer = await query("GET", path, undefined, who);
      const body = answer.body as Body; // as above
      const isReached = answer.status === 200 && isExpected(body);
      if (isReached || Date.now() > end) {
        record({ waited: `GET ${path}`, ...(!isReached && { reached: false }), answer });
        return body;
      }
    }
  };
  /** Records what this scenario has stored, once that is as expected and does not change any more. */
  const recordStored = async (isExpected: (items: readonly Item[]) => boolean = isAtRest): Promise<void> => {
    let items = await ownItems();
    let isReached = false;
    for (const end = Date.now() + ENDS_WITHIN_MS; !isReached && Date.now() < end; ) {
      await pause(Math.max(QUIET_MS, QUIET_READS * items.tookMs));
      const before = items.found;
      items = await ownItems();
      const { found } = items;
      const isQuiet =
        found.length === before.length && found.every(({ text }, i) => text === before[i]?.text);
      isReached = isQuiet && isExpected(found.map(({ entry }) => entry.item));
    }
    record({
      ...(!isReached && { reached: false }),
      stored: items.found.map(({ entry: { table, item } }) => ({ table, ...item })),
    });
  };
  /** Ids in a key may be of any form. Elsewhere a digest, such as that of the code, is in the items of other scenarios too. */
  const isOwn: IsWanted = ({ key, text }) =>
    text.includes(name) || idsIn(key).some(standIns.knows) || uuidsIn(text).some(standIns.knows);
  /** Sorted without regard to new ids, which differ between recordings. Items that are otherwise equal sort by key. */
  const ownItems = async () => {
    const startedAt = performance.now();
    const found = (await stored(isOwn))
      .map((entry) => ({ entry, text: JSON.stringify(standIns.masked(entry)), key: keyOf(entry) }))
      .sort((one, other) => compareTexts(one.text, other.text) || compareTexts(one.key, other.key));
    return { found, tookMs: performance.now() - startedAt };
  };
  return { name, send, until, recordStored, steps: (): readonly unknown[] => steps };
}

const keyOf = ({ item }: StoredItem): string => `${item.pk} ${item.sk} ${item.key}`;
const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const shown = ({ form, json, headers }: Sent = {}): Fields => ({
  ...(headers && { headers }),
  ...(json !== undefined && { json }),
  ...(form && { form: form instanceof FormData ? [...form.keys()] : form }),
});

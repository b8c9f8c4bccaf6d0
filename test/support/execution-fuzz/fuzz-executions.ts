import { ScanCommand, type ScanCommandOutput } from "@aws-sdk/lib-dynamodb";
import type { Item } from "../../../shared/data/item.ts";
import type { TableName } from "../../../shared/settings/table-env.ts";
import { type Answer, type Client, clientOf } from "../client.ts";
import type { TestPlatform } from "../platform.ts";
import { seededRandom } from "../simulated/random.ts";
import { type StoreView, viewStores } from "../stored.ts";
import {
  adminsDraft,
  archiveOrRestore,
  makeLive,
  writeComponent,
  writeVersion,
} from "./component-requests.ts";
import {
  callTool,
  changeSchedule,
  continueRun,
  evaluate,
  run,
  runDraft,
  schedule,
  sendAgui,
  sendMessage,
} from "./run-requests.ts";
import {
  type Config,
  contained,
  forbiddenIds,
  hasAny,
  type Kind,
  newWorld,
  type Request,
  type World,
} from "./world.ts";

/** Requests after which the users go on with new ids, so that no component collects versions for ever. */
const GENERATION = 200;
/** How often everything that is stored is looked at, so that a long campaign does not read most of the time. */
const LOOKS = 10;
const AT_A_TIME = 8;

export type Campaign = {
  /** By request, how often each status answered it. */
  readonly answers: Readonly<Record<string, Readonly<Record<number, number>>>>;
  /** Runs that were executed, those within others included. */
  readonly runs: number;
};

type Options = {
  readonly platform: TestPlatform;
  readonly count: number;
  readonly seed: number;
  /** Requests, by name, that must have been admitted and refused before the campaign ends; up to ten times the count. */
  readonly both?: readonly string[];
  readonly progress?: (done: number) => void;
};

/**
 * Users who write components, drafts, schedules and evaluations and send messages, at random, try to execute what they
 * may not run; an admin adds it to their drafts too. Whatever the order: no version of theirs links it, none of the
 * forbidden is executed, and nothing is answered with a fault.
 *
 * @param options.count  requests to make up
 * @param options.seed   repeats the requests of an earlier campaign; their order of arrival is the machine's, and so is
 *                       what later requests find
 * @param options.both   goes on beyond the count until each of these has been admitted and refused
 * @throws when one gets through, with the request or what it left behind
 */
export async function fuzzExecutions(options: Options): Promise<Campaign> {
  const { platform, count, seed, both = [], progress } = options;
  const stores = viewStores(platform);
  const admin = clientOf(platform.url, platform.adminToken);
  const answers: Record<string, Record<number, number>> = {};
  const random = seededRandom(seed);
  const changedByAdmin = new Set<string>();
  try {
    await wrapForbidden(admin);
    const isDone = (done: number) =>
      done >= count && (done >= 10 * count || both.every((name) => hadBoth(answers[name] ?? {})));
    for (let done = 0; !isDone(done); ) {
      const world = newWorld(platform, { random, admin, changedByAdmin }, done);
      const from = done;
      const until = done < count ? Math.min(count, done + GENERATION) : done + GENERATION;
      const workers = Array.from({ length: AT_A_TIME }, async () => {
        while (done < until) {
          done += 1;
          const request = randomRequest(world);
          const answer = await request.send();
          const counted = answers[request.name] ?? {};
          answers[request.name] = { ...counted, [answer.status]: (counted[answer.status] ?? 0) + 1 };
          requireRefused(request, answer);
        }
      });
      await Promise.all(workers);
      const isTime = Math.floor((done * LOOKS) / count) > Math.floor((from * LOOKS) / count);
      if (isTime || done >= count) await requireClean(stores, world);
      progress?.(done);
    }
    return { answers, runs: (await itemsOf(stores, "runs")).length };
  } finally {
    stores.close();
  }
}

/** Whether a request was admitted and, another time, refused for lack of a right. */
export const hadBoth = (statuses: Readonly<Record<number, number>>): boolean =>
  statuses[403] !== undefined && Object.keys(statuses).some((status) => Number(status) < 300);

async function wrapForbidden(admin: Client): Promise<void> {
  const step = (id: string, name = "agent_id") => ({ steps: [{ name: "s", [name]: id }] });
  const configs: readonly (readonly [Kind, string, Config])[] = [
    ["agent", "wrapped-agent", { tools: ["issue_refund"] }],
    ["team", "wrapped-team", { members: [{ agent_id: "refund-desk" }] }],
    ["workflow", "wrapped-flow", step("refund-desk")],
    ["workflow", "wrapped-twice", step("wrapped-flow", "workflow_id")],
  ];
  for (const [component_type, component_id, config] of configs) {
    const json = { name: component_id, component_type, component_id, config, stage: "published" };
    const { status, text } = await admin.post("/components", { json });
    if (status !== 201) throw new Error(`${component_id}: ${status} ${text}`);
  }
}

function requireRefused({ name, method, path, sent, mustFail }: Request, { status, text }: Answer): void {
  const report = `${name}: ${method} ${path} ${JSON.stringify(sent)} was answered ${status} ${text.slice(0, 500)}`;
  if (status >= 500 && status !== 503) throw new Error(report);
  // An event stream and a call of JSON-RPC or of a tool may say in their bodies that they are refused.
  if (mustFail && status < 300 && !/"(error|code|isError)":/.test(text)) throw new Error(report);
}

/** Every item of a table. */
async function itemsOf({ db }: StoreView, name: TableName): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const start = ExclusiveStartKey && { ExclusiveStartKey };
    const scan = { TableName: db.tables[name], ConsistentRead: true, ...start };
    const page: ScanCommandOutput = await db.client.send(new ScanCommand(scan));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

/** Looks at what is stored: no forbidden run, no version that leads to one, no schedule and no evaluation of one. */
async function requireClean(stores: StoreView, world: World): Promise<void> {
  for (const name of ["runs", "jobs", "evals", "schedules"] as const) {
    for (const item of await itemsOf(stores, name)) {
      const named = [item.component_id, item.agent_id, item.team_id, item.endpoint].map(String);
      const found = named.find((text) =>
        [...forbiddenIds].some((id) => text === id || text.includes(`/${id}/`)),
      );
      if (found !== undefined)
        throw new Error(`${name} has ${found}: ${JSON.stringify(item).slice(0, 2000)}`);
    }
  }
  const components = await itemsOf(stores, "components");
  const types = new Map(
    components.flatMap(({ component_id, component_type }) =>
      component_type === undefined ? [] : [[component_id, component_type]],
    ),
  );
  for (const { component_id, version, stage, config, links } of components) {
    if (typeof config !== "string" || forbiddenIds.has(String(component_id))) continue;
    if (stage === "draft" && world.changedByAdmin.has(`${component_id}`)) continue;
    const content = contained(types.get(component_id), JSON.parse(config));
    if (hasAny(forbiddenIds, [content, JSON.parse(String(links))]))
      throw new Error(`version ${version} of ${component_id} (${stage}) links it: ${config} ${links}`);
  }
}

function randomRequest(world: World): Request {
  const { random } = world;
  const make = random.pick([
    writeComponent,
    writeComponent,
    writeVersion,
    writeVersion,
    makeLive,
    archiveOrRestore,
    adminsDraft,
    run,
    run,
    runDraft,
    continueRun,
    sendMessage,
    sendAgui,
    callTool,
    schedule,
    changeSchedule,
    evaluate,
  ]);
  return make(world);
}

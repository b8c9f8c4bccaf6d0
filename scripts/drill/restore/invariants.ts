import type { Client } from "../../../test/support/client.ts";
import type { Stored } from "../../../test/support/stored.ts";
import { confirm, ends, type Made, type Submitted } from "./work.ts";

/** One thing that must hold after a restore, and where it does not. */
export type Finding = {
  readonly invariant: string;
  readonly checked: number;
  readonly broken: readonly string[];
};

const CLIENTS = 12;
const MOST_SHOWN = 5;

/** A job that was queued or running at the instant. */
export type LiveJob = {
  /** Whether it was being executed, with no further attempt: then it fails, as after a crash of its worker. */
  readonly isLast: boolean;
};

export type Checked = {
  readonly client: Client;
  readonly instant: Date;
  readonly runs: readonly Submitted[];
  readonly liveThen: ReadonlyMap<string, LiveJob>;
  readonly schedules: { readonly kept: readonly Made[]; readonly later: readonly Made[] };
  /** Names of the entries that the scheduler has. */
  readonly entries: () => readonly string[];
  readonly stored: () => Promise<Stored>;
};

/** Asks the restored platform what it knows of each run, session and schedule. */
export async function checkInvariants(world: Checked): Promise<Finding[]> {
  const at = world.instant.getTime();
  const before = world.runs.filter(({ acceptedAt }) => acceptedAt < at);
  const after = world.runs.filter(({ sentAt }) => sentAt > at);
  const between = world.runs.filter(({ sentAt, acceptedAt }) => sentAt <= at && acceptedAt >= at);
  const { client } = world;
  const read = ({ agent, run_id, session_id }: Submitted) =>
    client.get(`/agents/${agent}/runs/${run_id}?session_id=${session_id}`);
  const mayFail = ({ run_id }: Submitted): boolean => world.liveThen.get(run_id)?.isLast === true;
  const expected = (run: Submitted): string => {
    if (mayFail(run)) return "ERROR";
    return run.agent === "refund-desk" ? "PAUSED" : "COMPLETED";
  };
  const present = new Set<string>();
  return [
    await each(
      "no run that was accepted before is lost: it ends, waits, or has failed in its last attempt",
      before,
      async (run) => {
        const { status, json } = await read(run);
        if (status === 200) present.add(run.run_id);
        if (status === 200 && json.status === expected(run)) return undefined;
        return `${status} ${json?.status} ${String(json?.content ?? "").slice(0, 120)}`;
      },
    ),
    await each("its input is what was sent, also where it is an object", before, async (run) => {
      const { json } = await read(run);
      const input = json?.input?.input_content ?? json?.run_input ?? "";
      return String(input) === run.message ? undefined : `input of ${String(input).length} characters`;
    }),
    await each("no run that was sent later is left", after, async (run) => {
      const { status } = await read(run);
      return status === 404 ? undefined : `${status}`;
    }),
    await each(
      "a run that was under way to the platform is there whole, or not at all",
      between,
      async (run) => {
        const { status, json } = await read(run);
        if (status === 200) present.add(run.run_id);
        return status === 404 || json?.status === expected(run) ? undefined : `${status} ${json?.status}`;
      },
    ),
    await checkSessions(client, world.runs, present),
    await each(
      "a confirmation of later is asked for again, and the tool is executed then",
      before.filter((run) => run.agent === "refund-desk" && !mayFail(run)),
      async (run) => {
        const ended = await confirm(client, run);
        return ended === "COMPLETED" ? undefined : ended;
      },
    ),
    await checkTables(world),
    await checkSchedules(world),
  ];
}

/** Each session has exactly its runs, each once, in the order in which they were submitted. */
async function checkSessions(
  client: Client,
  runs: readonly Submitted[],
  present: ReadonlySet<string>,
): Promise<Finding> {
  const bySession = Map.groupBy(runs, ({ session_id }) => session_id);
  return each("a session has its runs, each once and in order", [...bySession], async ([id, ofSession]) => {
    const wanted = ofSession
      .filter(({ run_id }) => present.has(run_id))
      .sort((a, b) => a.number - b.number)
      .map(({ run_id }) => run_id);
    const { status, json } = await client.get(`/sessions/${id}/runs?type=agent`);
    if (status === 404) return wanted.length === 0 ? undefined : "is gone";
    const found = (json?.data ?? json ?? []).map(({ run_id }: { run_id: string }) => run_id);
    return found.join() === wanted.join() ? undefined : `${found.length} runs, not ${wanted.length}`;
  });
}

/** A job and its run say the same, and neither is without the other. */
async function checkTables({ client, stored }: Checked): Promise<Finding> {
  const tables = await stored();
  const runs = new Map(
    (tables.runs ?? [])
      .filter(({ sk }) => String(sk).startsWith("run#"))
      .map((row) => [String(row.sk).slice("run#".length), row]),
  );
  const jobs = (tables.jobs ?? []).filter(({ sk }) => sk === "job");
  return each("each job has its run, and both rest or both are live", jobs, async (job) => {
    const id = String(job.pk).slice("job#".length);
    if (job.component_type === undefined) return undefined;
    const run = runs.get(id);
    if (!run) return `${job.status} without a run`;
    const isLive = job.status === "queued" || job.status === "running";
    // A schedule may have begun one since the queue was empty.
    return isLive && !(await ends(client, id)) ? `still ${job.status}` : undefined;
  });
}

/** The scheduler has the entries of the schedules that there are, and no other. */
async function checkSchedules({ client, schedules, entries, stored }: Checked): Promise<Finding> {
  const { schedules: rows = [] } = await stored();
  const all = [...schedules.kept, ...schedules.later];
  return each(
    "schedules are those of the instant, each with its entry, and its slots ran once",
    all,
    async (one) => {
      const isKept = schedules.kept.includes(one);
      const { status } = await client.get(`/schedules/${one.id}`);
      if ((status === 200) !== isKept) return `${one.name} answers ${status}`;
      const found = entries().filter((name) => name.includes(one.id)).length;
      if (found !== (isKept ? 1 : 0)) return `${one.name} has ${found} entries`;
      if (!isKept) return undefined;
      const slots = rows
        .filter(({ pk, slot }) => pk === `schedule#${one.id}` && slot !== undefined)
        .map(({ slot, attempt }) => `${slot} ${attempt}`);
      return new Set(slots).size === slots.length ? undefined : `${one.name} ran a slot twice`;
    },
  );
}

async function each<T>(
  invariant: string,
  all: readonly T[],
  check: (one: T) => Promise<string | undefined>,
): Promise<Finding> {
  const broken: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < all.length; at = next++) {
      const one = all[at] as T;
      const problem = await check(one);
      if (problem !== undefined) broken.push(`${nameOf(one)}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  return { invariant, checked: all.length, broken };
}

function nameOf(one: unknown): string {
  if (Array.isArray(one)) return String(one[0]);
  const { number, name, pk } = one as { number?: number; name?: string; pk?: string };
  return number === undefined ? String(name ?? pk) : `run ${number}`;
}

/** The lines that a person reads. */
export const findingLines = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ invariant, checked, broken }) => [
    `${broken.length === 0 ? "holds " : "BROKEN"}  ${invariant} (${checked})`,
    ...broken.slice(0, MOST_SHOWN).map((one) => `          ${one}`),
    ...(broken.length > MOST_SHOWN ? [`          and ${broken.length - MOST_SHOWN} more`] : []),
  ]);

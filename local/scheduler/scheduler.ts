import { randomUUID } from "node:crypto";
import * as v from "valibot";
import type { AwsRequest } from "../iam/required-permissions.ts";
import { accountId, region } from "../template/names.ts";
import { type Entry, EntryRequest, type LiveEntry, liveEntry } from "./entry.ts";
import { openEntryFile } from "./entry-file.ts";

export type SchedulerAnswer = { readonly status: number; readonly fault?: string; readonly body: object };

/** One slot on its way. `input` is the message. */
export type Delivery = { readonly entry: Entry; readonly input: string };

export type SchedulerOptions = {
  /** File that keeps the entries; in memory when absent. */
  readonly file?: string;
  /** Names of the schedule groups. */
  readonly groups: readonly string[];
  /** Hands a message to its target. */
  readonly deliver: (delivery: Delivery) => Promise<void>;
  /** Why a role cannot be used; undefined when it can. */
  readonly roleProblem: (roleArn: string) => string | undefined;
};

export type Scheduler = {
  /** Answers one request of a scheduler client. */
  readonly answer: (asked: AwsRequest) => SchedulerAnswer;
  /** The scheduler's clock; epoch milliseconds. */
  readonly now: () => number;
  /** Moves the clock, and delivers every slot up to there, in order. Time goes on from there by itself. */
  readonly moveTo: (ms: number) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Timers hold no longer wait than this. */
const MAX_WAIT_MS = 60_000;
const PAGE_ENTRIES = 100;
const NEVER = Number.POSITIVE_INFINITY;

/**
 * EventBridge Scheduler in this process: the operations on entries that a service makes, and their slots.
 *
 * @decided  While the platform was down nothing was delivered. Afterwards each entry delivers its latest slot, if that
 *           is not older than its event age: AWS would still be trying.
 */
export function openScheduler({ file, groups, deliver, roleProblem }: SchedulerOptions): Scheduler {
  const kept = openEntryFile(file);
  const entries = new Map<string, LiveEntry>();
  let movedMs = 0;
  let armedMs = NEVER;
  let timer: NodeJS.Timeout | undefined;
  let delivering: Promise<void> = Promise.resolve();
  const now = () => Date.now() + movedMs;

  /** @returns when it fires first; never is infinity */
  const keep = (entry: Entry, fromMs: number): number => {
    const live = liveEntry(entry, fromMs);
    entries.set(keyOf(entry), live);
    kept.put(entry);
    return live.dueMs ?? NEVER;
  };
  const drop = (entry: Entry): void => {
    entries.delete(keyOf(entry));
    kept.remove(entry);
  };

  const fireUntil = async (ms: number): Promise<void> => {
    for (let next = earliest(entries.values()); next <= ms; next = earliest(entries.values())) {
      for (const live of [...entries.values()].filter(({ dueMs }) => dueMs === next))
        await fireOne(live, next);
    }
    kept.putDelivered(ms);
  };
  const fireOne = async (live: LiveEntry, dueMs: number): Promise<void> => {
    live.dueMs = live.nextFire(dueMs);
    if (live.dueMs === undefined && live.entry.ActionAfterCompletion === "DELETE") drop(live.entry);
    await deliver({ entry: live.entry, input: inputOf(live.entry, dueMs) });
  };
  const fire = (ms: number): Promise<void> => {
    delivering = delivering.then(() => fireUntil(ms)).finally(() => armFor(earliest(entries.values())));
    return delivering;
  };
  const armFor = (dueMs: number): void => {
    armedMs = dueMs;
    clearTimeout(timer);
    const waitMs = Math.min(Math.max(dueMs - now(), 0), MAX_WAIT_MS);
    timer = setTimeout(() => void fire(now()), waitMs);
    timer.unref();
  };

  const operations: Readonly<Record<string, (body: AwsRequest["body"]) => SchedulerAnswer>> = {
    CreateSchedule: (body) => write(body, undefined),
    UpdateSchedule: (body) => onEntry(body, (live) => write(body, live.entry)),
    GetSchedule: (body) => onEntry(body, ({ entry }) => ({ status: 200, body: shown(entry) })),
    DeleteSchedule: (body) =>
      onEntry(body, ({ entry }) => {
        drop(entry);
        return { status: 200, body: {} };
      }),
    ListSchedules: (body) => listed([...entries.values()], body),
  };

  const onEntry = (body: AwsRequest["body"], act: (live: LiveEntry) => SchedulerAnswer): SchedulerAnswer => {
    const live = entries.get(`${body.GroupName}/${body.Name}`);
    return live
      ? act(live)
      : fault(404, "ResourceNotFoundException", `Schedule ${body.Name} does not exist.`);
  };

  const write = (body: AwsRequest["body"], before: Entry | undefined): SchedulerAnswer => {
    const parsed = v.safeParse(EntryRequest, body);
    if (!parsed.success) {
      const [issue] = parsed.issues;
      return fault(400, "ValidationException", `${v.getDotPath(issue)}: ${issue.message}`);
    }
    const asked = parsed.output;
    if (!groups.includes(asked.GroupName)) {
      return fault(404, "ResourceNotFoundException", `Schedule group ${asked.GroupName} does not exist.`);
    }
    const problem = roleProblem(asked.Target.RoleArn);
    if (problem !== undefined) return fault(400, "ValidationException", problem);
    const present = entries.get(keyOf(asked))?.entry;
    if (present && !before) {
      const isSame = asked.ClientToken !== undefined && present.ClientToken === asked.ClientToken;
      if (!isSame) return fault(409, "ConflictException", `Schedule ${asked.Name} already exists.`);
      return { status: 200, body: { ScheduleArn: arnOf(present) } };
    }
    const nowMs = now();
    try {
      const dueMs = keep({ ...asked, createdMs: before?.createdMs ?? nowMs, modifiedMs: nowMs }, nowMs - 1);
      if (dueMs < armedMs) armFor(dueMs);
    } catch (error) {
      return fault(400, "ValidationException", String(error));
    }
    return { status: 200, body: { ScheduleArn: arnOf(asked) } };
  };

  const deliveredMs = kept.readDelivered();
  for (const entry of kept.read()) {
    entries.set(keyOf(entry), liveEntry(entry, resumedFrom(entry, deliveredMs ?? now(), now())));
  }
  armFor(earliest(entries.values()));
  return {
    answer: ({ operation, body }) =>
      operations[operation]?.(body) ?? fault(400, "ValidationException", `${operation} is not played here.`),
    now,
    moveTo: async (ms) => {
      movedMs = ms - Date.now();
      await fire(ms);
    },
    stop: async () => {
      clearTimeout(timer);
      await delivering;
      clearTimeout(timer);
      kept.putDelivered(now());
      kept.close();
    },
  };
}

const keyOf = ({ GroupName, Name }: Pick<Entry, "GroupName" | "Name">): string => `${GroupName}/${Name}`;

const arnOf = (entry: Pick<Entry, "GroupName" | "Name">): string =>
  `arn:aws:scheduler:${region}:${accountId}:schedule/${keyOf(entry)}`;

const fault = (status: number, name: string, Message: string): SchedulerAnswer => ({
  status,
  fault: name,
  body: { Message },
});

/** When the first entry fires; epoch milliseconds. */
function earliest(entries: Iterable<LiveEntry>): number {
  let first = NEVER;
  for (const { dueMs = NEVER } of entries) first = Math.min(first, dueMs);
  return first;
}

/** The instant before the latest slot that was missed; epoch milliseconds. */
function resumedFrom(entry: Entry, deliveredMs: number, nowMs: number): number {
  const { nextFire } = liveEntry(entry, nowMs);
  const ageMs = entry.Target.RetryPolicy.MaximumEventAgeInSeconds * 1000;
  let from = Math.max(deliveredMs, nowMs - ageMs);
  for (let slot = nextFire(from); slot !== undefined && slot <= nowMs; slot = nextFire(slot)) from = slot - 1;
  return from;
}

/** Words that are replaced in what is sent. @source EventBridge Scheduler user guide, "Context attributes" */
function inputOf(entry: Entry, dueMs: number): string {
  const words: Readonly<Record<string, string>> = {
    "<aws.scheduler.schedule-arn>": arnOf(entry),
    "<aws.scheduler.scheduled-time>": new Date(dueMs).toISOString().replace(".000Z", "Z"),
    "<aws.scheduler.execution-id>": randomUUID(),
    "<aws.scheduler.attempt-number>": "1",
  };
  return entry.Target.Input.replaceAll(/<aws\.scheduler\.[a-z-]+>/g, (word) => words[word] ?? word);
}

const seconds = (ms: number): number => ms / 1000;

function shown(entry: Entry): object {
  const { createdMs, modifiedMs, ClientToken: _, ...rest } = entry;
  return {
    ...rest,
    Arn: arnOf(entry),
    CreationDate: seconds(createdMs),
    LastModificationDate: seconds(modifiedMs),
  };
}

function listed(all: readonly LiveEntry[], body: AwsRequest["body"]): SchedulerAnswer {
  const { GroupName, NamePrefix = "", State, MaxResults = PAGE_ENTRIES, NextToken } = body;
  const after = NextToken === undefined ? "" : Buffer.from(String(NextToken), "base64url").toString();
  const matching = all
    .map(({ entry }) => entry)
    .filter((entry) => GroupName === undefined || entry.GroupName === GroupName)
    .filter((entry) => State === undefined || entry.State === State)
    .filter((entry) => entry.Name.startsWith(String(NamePrefix)) && keyOf(entry) > after)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const page = matching.slice(0, Math.min(Number(MaxResults), PAGE_ENTRIES));
  const last = page.at(-1);
  const more = last && page.length < matching.length;
  return {
    status: 200,
    body: {
      Schedules: page.map((entry) => ({
        Arn: arnOf(entry),
        Name: entry.Name,
        GroupName: entry.GroupName,
        State: entry.State,
        CreationDate: seconds(entry.createdMs),
        LastModificationDate: seconds(entry.modifiedMs),
        Target: { Arn: entry.Target.Arn },
      })),
      ...(more && { NextToken: Buffer.from(keyOf(last)).toString("base64url") }),
    },
  };
}

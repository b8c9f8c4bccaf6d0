import { randomUUID } from "node:crypto";
import * as v from "valibot";
import type { AwsRequest } from "../iam/required-permissions.ts";
import { accountId, region } from "../template/names.ts";
import { type Entry, EntryRequest, type LiveEntry, liveEntry } from "./entry.ts";
import { openEntryFile } from "./entry-file.ts";

/** `type` is the error type. */
export type SchedulerReply = { readonly status: number; readonly type?: string; readonly body: object };

/** One slot to deliver. `input` is the message. */
export type Delivery = { readonly entry: Entry; readonly input: string };

export type SchedulerOptions = {
  /** File that stores the entries; in memory when absent. */
  readonly file?: string;
  /** Names of the schedule groups. */
  readonly groups: readonly string[];
  /** Sends a message to its target. */
  readonly deliver: (delivery: Delivery) => Promise<void>;
  /** The reason why a role cannot be used; undefined when it can. */
  readonly roleProblem: (roleArn: string) => string | undefined;
};

export type Scheduler = {
  /** Answers one request of a scheduler client. */
  readonly answer: (request: AwsRequest) => SchedulerReply;
  /** The scheduler's clock; epoch milliseconds. */
  readonly now: () => number;
  /** Sets the clock, and delivers every slot up to that time, in order. The clock then runs on from there. */
  readonly moveTo: (ms: number) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Longest wait of one timer. */
const MAX_WAIT_MS = 60_000;
const PAGE_ENTRIES = 100;
const NEVER = Number.POSITIVE_INFINITY;

/**
 * EventBridge Scheduler in this process: the operations on entries, and the delivery of their slots.
 *
 * @decided  Nothing is delivered while the platform is down. After a restart each entry delivers its latest missed
 *           slot, unless that is older than the entry's maximum event age: AWS would still be retrying it.
 */
export function openScheduler({ file, groups, deliver, roleProblem }: SchedulerOptions): Scheduler {
  const store = openEntryFile(file);
  const entries = new Map<string, LiveEntry>();
  let movedMs = 0;
  let armedMs = NEVER;
  let timer: NodeJS.Timeout | undefined;
  let delivering: Promise<void> = Promise.resolve();
  const now = () => Date.now() + movedMs;

  /** @returns when the entry fires next; infinity if never */
  const save = (entry: Entry, fromMs: number): number => {
    const live = liveEntry(entry, fromMs);
    entries.set(keyOf(entry), live);
    store.put(entry);
    return live.dueMs ?? NEVER;
  };
  const remove = (entry: Entry): void => {
    entries.delete(keyOf(entry));
    store.remove(entry);
  };

  const fireUntil = async (ms: number): Promise<void> => {
    for (let next = earliest(entries.values()); next <= ms; next = earliest(entries.values())) {
      for (const live of [...entries.values()].filter(({ dueMs }) => dueMs === next))
        await fireOne(live, next);
    }
    store.putDelivered(ms);
  };
  const fireOne = async (live: LiveEntry, dueMs: number): Promise<void> => {
    live.dueMs = live.nextFire(dueMs);
    if (live.dueMs === undefined && live.entry.ActionAfterCompletion === "DELETE") remove(live.entry);
    await deliver({ entry: live.entry, input: inputOf(live.entry, dueMs) });
  };
  const fire = (ms: number): Promise<void> => {
    delivering = delivering.then(() => fireUntil(ms)).finally(() => setTimer(earliest(entries.values())));
    return delivering;
  };
  const setTimer = (dueMs: number): void => {
    armedMs = dueMs;
    clearTimeout(timer);
    const waitMs = Math.min(Math.max(dueMs - now(), 0), MAX_WAIT_MS);
    timer = setTimeout(() => void fire(now()), waitMs);
    timer.unref();
  };

  const operations: Readonly<Record<string, (body: AwsRequest["body"]) => SchedulerReply>> = {
    CreateSchedule: (body) => write(body, undefined),
    UpdateSchedule: (body) => onEntry(body, (live) => write(body, live.entry)),
    GetSchedule: (body) => onEntry(body, ({ entry }) => ({ status: 200, body: shown(entry) })),
    DeleteSchedule: (body) =>
      onEntry(body, ({ entry }) => {
        remove(entry);
        return { status: 200, body: {} };
      }),
    GetScheduleGroup: ({ Name }) => shownGroup(String(Name)),
    ListSchedules: (body) => listed([...entries.values()], body),
  };

  const madeMs = new Map(groups.map((name) => [name, store.groupMadeMs(name, now())]));
  const shownGroup = (Name: string): SchedulerReply => {
    const ms = madeMs.get(Name);
    if (ms === undefined)
      return errorReply(404, "ResourceNotFoundException", `Schedule group ${Name} does not exist.`);
    const Arn = `arn:aws:scheduler:${region}:${accountId}:schedule-group/${Name}`;
    const at = seconds(ms);
    return { status: 200, body: { Arn, Name, State: "ACTIVE", CreationDate: at, LastModificationDate: at } };
  };

  const onEntry = (body: AwsRequest["body"], act: (live: LiveEntry) => SchedulerReply): SchedulerReply => {
    const live = entries.get(`${body.GroupName}/${body.Name}`);
    return live
      ? act(live)
      : errorReply(404, "ResourceNotFoundException", `Schedule ${body.Name} does not exist.`);
  };

  const write = (body: AwsRequest["body"], before: Entry | undefined): SchedulerReply => {
    const parsed = v.safeParse(EntryRequest, body);
    if (!parsed.success) {
      const [issue] = parsed.issues;
      return errorReply(400, "ValidationException", `${v.getDotPath(issue)}: ${issue.message}`);
    }
    const request = parsed.output;
    if (!groups.includes(request.GroupName)) {
      return errorReply(
        404,
        "ResourceNotFoundException",
        `Schedule group ${request.GroupName} does not exist.`,
      );
    }
    const problem = roleProblem(request.Target.RoleArn);
    if (problem !== undefined) return errorReply(400, "ValidationException", problem);
    const present = entries.get(keyOf(request))?.entry;
    if (present && !before) {
      const isSame = request.ClientToken !== undefined && present.ClientToken === request.ClientToken;
      if (!isSame) return errorReply(409, "ConflictException", `Schedule ${request.Name} already exists.`);
      return { status: 200, body: { ScheduleArn: arnOf(present) } };
    }
    const nowMs = now();
    try {
      const dueMs = save({ ...request, createdMs: before?.createdMs ?? nowMs, modifiedMs: nowMs }, nowMs - 1);
      if (dueMs < armedMs) setTimer(dueMs);
    } catch (error) {
      return errorReply(400, "ValidationException", String(error));
    }
    return { status: 200, body: { ScheduleArn: arnOf(request) } };
  };

  const deliveredMs = store.readDelivered();
  for (const entry of store.read()) {
    entries.set(keyOf(entry), liveEntry(entry, resumeFrom(entry, deliveredMs ?? now(), now())));
  }
  setTimer(earliest(entries.values()));
  return {
    answer: ({ operation, body }) =>
      operations[operation]?.(body) ??
      errorReply(400, "ValidationException", `${operation} is not supported locally.`),
    now,
    moveTo: async (ms) => {
      movedMs = ms - Date.now();
      await fire(ms);
    },
    stop: async () => {
      clearTimeout(timer);
      await delivering;
      clearTimeout(timer);
      store.putDelivered(now());
      store.close();
    },
  };
}

const keyOf = ({ GroupName, Name }: Pick<Entry, "GroupName" | "Name">): string => `${GroupName}/${Name}`;

const arnOf = (entry: Pick<Entry, "GroupName" | "Name">): string =>
  `arn:aws:scheduler:${region}:${accountId}:schedule/${keyOf(entry)}`;

const errorReply = (status: number, type: string, Message: string): SchedulerReply => ({
  status,
  type,
  body: { Message },
});

/** The next fire time of all entries; epoch milliseconds. */
function earliest(entries: Iterable<LiveEntry>): number {
  let first = NEVER;
  for (const { dueMs = NEVER } of entries) first = Math.min(first, dueMs);
  return first;
}

/** The instant just before the latest missed slot; epoch milliseconds. */
function resumeFrom(entry: Entry, deliveredMs: number, nowMs: number): number {
  const { nextFire } = liveEntry(entry, nowMs);
  const ageMs = entry.Target.RetryPolicy.MaximumEventAgeInSeconds * 1000;
  let from = Math.max(deliveredMs, nowMs - ageMs);
  for (let slot = nextFire(from); slot !== undefined && slot <= nowMs; slot = nextFire(slot)) from = slot - 1;
  return from;
}

/** The input with its context attributes replaced. @source EventBridge Scheduler user guide, "Context attributes" */
function inputOf(entry: Entry, dueMs: number): string {
  const attributes: Readonly<Record<string, string>> = {
    "<aws.scheduler.schedule-arn>": arnOf(entry),
    "<aws.scheduler.scheduled-time>": new Date(dueMs).toISOString().replace(".000Z", "Z"),
    "<aws.scheduler.execution-id>": randomUUID(),
    "<aws.scheduler.attempt-number>": "1",
  };
  return entry.Target.Input.replaceAll(/<aws\.scheduler\.[a-z-]+>/g, (name) => attributes[name] ?? name);
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

function listed(all: readonly LiveEntry[], body: AwsRequest["body"]): SchedulerReply {
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

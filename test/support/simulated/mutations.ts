import type { Random } from "./random.ts";
import type { Request, TransactEntry } from "./table.ts";
import type { Clients } from "./world.ts";

/** A guard taken away. */
export type Mutation = {
  readonly name: string;
  /** In which worlds it is looked for; in those of clients that only submit, unless said. */
  readonly clients?: Clients;
  /** What holds in its place, where nothing has to notice that it is gone. */
  readonly coveredBy?: string;
  /** Rewrites a request before it is done. */
  readonly weaken?: (request: Request) => Request;
  /** How many entries of a transaction are written, one by one; undefined where it stays whole. */
  readonly torn?: (entries: readonly TransactEntry[], random: Random) => number | undefined;
};

type Entry = Partial<Request>;
const ALWAYS = "(attribute_exists(pk) OR attribute_not_exists(pk))";

/** Takes a part out of the conditions of some writes. */
export function without(
  part: string | RegExp,
  of: (entry: Entry) => boolean = () => true,
): Pick<Mutation, "weaken"> {
  const weakened = <E extends Entry>(entry: E): E =>
    entry.ConditionExpression && of(entry)
      ? { ...entry, ConditionExpression: entry.ConditionExpression.replace(part, ALWAYS) }
      : entry;
  const inTransaction = ({ Put, Update, ...entry }: TransactEntry): TransactEntry => ({
    ...entry,
    ...(Put && { Put: weakened(Put) }),
    ...(Update && { Update: weakened(Update) }),
  });
  return {
    weaken: (request) => ({
      ...weakened(request),
      ...(request.TransactItems && { TransactItems: request.TransactItems.map(inTransaction) }),
    }),
  };
}

/** Takes every part of a form out of the conditions in transactions. */
function withoutAll(form: RegExp): Pick<Mutation, "weaken"> {
  const weakened = ({ Update, ...entry }: TransactEntry): TransactEntry => ({
    ...entry,
    ...(Update && {
      Update: {
        ...Update,
        ...(Update.ConditionExpression && {
          ConditionExpression: Update.ConditionExpression.replace(form, ALWAYS),
        }),
      },
    }),
  });
  return inTransactions(weakened);
}

/** Takes an assignment out of the updates in transactions. */
function forgetting(assignment: string): Pick<Mutation, "weaken"> {
  const forgotten = ({ Update, ...entry }: TransactEntry): TransactEntry => ({
    ...entry,
    ...(Update && {
      Update: { ...Update, UpdateExpression: Update.UpdateExpression.replace(`, ${assignment}`, "") },
    }),
  });
  return inTransactions(forgotten);
}

const inTransactions = (change: (entry: TransactEntry) => TransactEntry): Pick<Mutation, "weaken"> => ({
  weaken: (request) => ({
    ...request,
    ...(request.TransactItems && { TransactItems: request.TransactItems.map(change) }),
  }),
});

const TEAR = 0.2;

/** Some transactions of a kind are written as single writes, and end in their middle. */
const inPieces = (of: (entries: readonly TransactEntry[]) => boolean): Pick<Mutation, "torn"> => ({
  torn: (entries, random) =>
    of(entries) && random.chance(TEAR) ? random.between(1, entries.length - 1) : undefined,
});

const sets = (assignment: string) => (entry: Entry) => entry.UpdateExpression?.includes(assignment) === true;
const isClaim = sets("#attempt = #attempt + :attempt_more");
const isOfJob = (entry: Entry) => entry.TableName === "jobs";
const isHandOff = (entry: Entry) => isOfJob(entry) && sets("#hops = :hops")(entry) && !isClaim(entry);
const movesTo = (status: string) => (entry: Entry) =>
  entry.ExpressionAttributeValues?.[":status"]?.S === status && sets("#status_shard")(entry);
const isAlone = (entry: Entry) => !entry.ConditionExpression?.includes("locked_");
const isTakeOver = (entry: Entry) =>
  sets("#locked_by = :locked_by")(entry) && !isClaim(entry) && !isHandOff(entry) && !sets("#status")(entry);
const isPutIn = (table: string, sk: string) => (entry: Entry) =>
  entry.TableName === table && String(entry.Item?.sk?.S).startsWith(sk);
const someUpdate = (matches: (entry: Entry) => boolean) => (entries: readonly TransactEntry[]) =>
  entries.some(({ Update }) => Update !== undefined && matches(Update));

/** A foreground run gets a job. */
const isHandOver = sets("#queued = :queued");

const endings = ["completed", "failed", "cancelled", "paused"];
const isEnding = (entry: Entry) => endings.some((status) => movesTo(status)(entry));
const isRelease = (entry: Entry) => movesTo("queued")(entry) && !movesToByRequeue(entry);
const movesToByRequeue = (entry: Entry) => movesTo("queued")(entry) && sets("#max_attempts")(entry);

const FENCE = "#locked_by = :if_locked_by AND #attempt = :if_attempt";
const NOT_CANCELLED = "(attribute_not_exists(#cancel_until) OR #cancel_until <= :if_cancel_until)";

/** Every guard of the queue, by the words in which the stores write it. */
export const mutations: readonly Mutation[] = [
  { name: "fence: holder and attempt", ...without(FENCE) },
  { name: "fence: holder only", ...without("#locked_by = :if_locked_by") },
  {
    name: "fence: attempt only",
    coveredBy: "a holder's name is used for one claim; a hand-off's token is the only name that comes again",
    ...without(
      "#attempt = :if_attempt",
      (entry) => entry.ConditionExpression?.includes("locked_by") === true,
    ),
  },
  { name: "claim: status queued", ...without("#status IN (:if_status)", isClaim) },
  {
    name: "claim: the version that the run began with",
    ...without("(attribute_not_exists(#code_version) OR #code_version = :if_code_version)", isClaim),
  },
  {
    name: "take-over: the version that the run began with",
    ...without("(attribute_not_exists(#code_version) OR #code_version = :if_code_version)", isTakeOver),
  },
  { name: "claim: due", ...without("#available_at <= :if_available_at") },
  { name: "hand-off: fence", ...without(FENCE, isHandOff) },
  {
    name: "hand-off: no cancellation is recorded",
    ...without(NOT_CANCELLED, isHandOff),
  },
  {
    name: "take-over: token and attempt",
    ...without(FENCE, isTakeOver),
  },
  {
    name: "pause, retry, release: no cancellation is recorded",
    ...without(NOT_CANCELLED, (e) => isOfJob(e) && !isHandOff(e)),
  },
  {
    name: "hand-over: it is running",
    coveredBy: "only its own process ends a foreground run, and it asks for no job then",
    clients: "also wait",
    ...without("#status = :if_status AND #attempt = :if_attempt", isHandOver),
  },
  {
    name: "hand-over: no cancellation is recorded",
    clients: "also wait",
    ...without(NOT_CANCELLED, isHandOver),
  },
  { name: "sweep: lock is stale", ...without("#locked_at <= :if_locked_at") },
  {
    name: "sweep: status running",
    coveredBy: "only a running job has `locked_at`",
    ...without("#status IN (:if_status)", (e) => e.ConditionExpression?.includes(":if_locked_at") === true),
  },
  {
    name: "cancel: status queued or paused",
    ...without("#status IN (:if_status, :if_status_2)", movesTo("cancelled")),
  },
  {
    name: "give up: status queued",
    coveredBy: "the attempt on the run record, but for the moment between a claim and its beginning",
    ...without("#status IN (:if_status)", (e) => movesTo("failed")(e) && isAlone(e)),
  },
  {
    name: "requeue: status failed or cancelled",
    coveredBy: "an ended job changes by a requeue alone, and that is seen in its budget",
    ...without("#status IN (:if_status, :if_status_2)", movesToByRequeue),
  },
  { name: "requeue: not requeued since", ...without("#max_attempts = :if_max_attempts") },
  {
    name: "run record: this attempt may begin",
    ...without(
      "(#attempt < :if_attempt OR #attempt = :if_attempt_2 AND #status = :if_status AND (attribute_not_exists(#hops) OR #hops <= :if_hops))",
    ),
  },
  { name: "run record: not handed off", ...without("(attribute_not_exists(#hops) OR #hops <= :if_hops)") },
  {
    name: "run record: no later attempt has written",
    coveredBy: "the job's fence in the same transaction",
    ...without("#attempt <= :if_attempt"),
  },
  {
    name: "run record: not ended",
    coveredBy: "the job's fence in the same transaction, and the beginning's own condition",
    ...without(/NOT #status IN \([^)]*\)/),
  },
  {
    name: "tool call: not started before",
    ...without("attribute_not_exists(#pk)", isPutIn("runs", "tool#")),
  },
  {
    name: "acceptance: key is free",
    ...without("attribute_not_exists(#pk) OR #expires_at <= :if_expires_at"),
  },
  {
    name: "acceptance: session is new",
    ...without("attribute_not_exists(#pk)", isPutIn("sessions", "session")),
  },
  {
    name: "acceptance: job is new",
    coveredBy: "run ids are never used twice",
    ...without("attribute_not_exists(#pk)", isPutIn("jobs", "job")),
  },
  {
    name: "ending: no job waits for it",
    ...without("attribute_not_exists(#awaited_by)"),
  },
  {
    name: "ending: no others wait for it by now",
    coveredBy:
      "the sweeper wakes what has waited for a minute; two jobs must begin to wait between two calls",
    ...without("#awaited_by = :if_awaited_by"),
  },
  {
    name: "ending: the session's state is as it was read",
    clients: "count",
    ...withoutAll(/#session_state\.#\w+ = :if_session_state\w*/g),
  },
  {
    name: "ending: what a requeue takes back of the state",
    clients: "count",
    ...forgetting("#state_written = :state_written"),
  },
  {
    name: "wait for a run: it is live",
    coveredBy: "the sweeper wakes what has waited for a minute; the run must end between two calls",
    ...without(
      "#status = :if_status OR #status = :if_status_2 AND (attribute_not_exists(#lease_until) OR #lease_until >= :if_lease_until)",
    ),
  },
  {
    name: "wake: the note is there",
    coveredBy: "a message too many finds its job claimed",
    ...without("attribute_exists(#pk)", (entry) => entry.UpdateExpression === undefined),
  },
  {
    name: "transaction: acceptance",
    ...inPieces((entries) => entries.some(({ Put }) => Put !== undefined && isPutIn("jobs", "job")(Put))),
  },
  { name: "transaction: ending", ...inPieces(someUpdate(isEnding)) },
  { name: "transaction: retry and release", ...inPieces(someUpdate(isRelease)) },
  { name: "transaction: requeue", ...inPieces(someUpdate(movesToByRequeue)) },
  { name: "transaction: hand-off", ...inPieces(someUpdate(isHandOff)) },
  { name: "transaction: hand-over", clients: "also wait", ...inPieces(someUpdate(isHandOver)) },
];

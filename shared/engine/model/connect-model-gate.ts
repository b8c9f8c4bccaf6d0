import { createHash } from "node:crypto";
import { backOff } from "../../data/index.ts";
import {
  type Allowance,
  heldBy,
  LEASE_MS,
  leaseOf,
  type ModelLimit,
  newAllowance,
  slowedDown,
} from "../../domain/models/allowance.ts";
import { admissionOf, afterFailure, type Breaker } from "../../domain/models/breaker.ts";
import { blockAfter, startAfter } from "../../domain/models/rate-limit.ts";
import { after, type Clock } from "../../runtime/clock.ts";
import { newId } from "../../runtime/ids.ts";
import type { Log } from "../../runtime/log.ts";
import type { Db } from "../../stores/db.ts";
import {
  noteModel,
  readModel,
  type SeenModel,
  type StoredModelKey,
  writeBreaker,
  writeModelKey,
} from "../../stores/models/model-item.ts";
import type { AdmittedCall, AskedCall, CallResult, ClosedGate, Entered, ModelGate } from "./model-gate.ts";
import { freeCall } from "./model-gate.ts";

type Deps = { readonly db: Db; readonly clock: Clock; readonly log: Pick<Log, "warn"> };
type Settings = {
  readonly MODEL: string;
  readonly MODEL_HEALTH?: "shared" | "own" | undefined;
  readonly MODEL_LIMITS?: Readonly<Record<string, ModelLimit>> | undefined;
};

/** What was read counts for so long. */
const CACHE_MS = 1_000;
const WRITE_TRIES = 12;
/** A service may take more one day. */
const WINDOW_MS = 7 * 86_400_000;
const SCRIPTED = "scripted";

/** A model and a key, as this process knows them. */
type Known = {
  readonly spec: string;
  readonly account: string;
  readonly limit: ModelLimit | undefined;
  seen: SeenModel;
  readAt: number;
  /** A read that is under way. */
  reading?: Promise<void> | undefined;
  /** Calls that are under way here. */
  underWay: number;
  /** Tokens that calls used beyond what was foreseen. */
  owed: number;
  /** Requests that are leased and not used, by the digest of their user. */
  readonly spare: Map<string, { requests: number; readonly until: number }>;
  stopRenewing?: () => void;
};

/**
 * Connects what all workers know of models with its items. Where these cannot be read or written, calls are made all the same:
 * the model's service has limits of its own.
 *
 * @returns undefined where each call finds out for itself
 */
export function connectModelGate(
  deps: Deps,
  { MODEL, MODEL_HEALTH = "shared", MODEL_LIMITS = {} }: Settings,
): ModelGate | undefined {
  if (MODEL_HEALTH === "own") return undefined;
  const known = new Map<string, Known>();
  const holder = newId();
  const unread = (spec: string, account: string): Known => ({
    ...{ spec, account, limit: MODEL_LIMITS[spec] },
    ...{ seen: { model: {}, key: {} }, readAt: Number.NEGATIVE_INFINITY, underWay: 0, owed: 0 },
    spare: new Map(),
  });
  const read = async (one: Known): Promise<void> => {
    try {
      one.seen = await readModel(deps.db, one.spec, one.account);
      one.readAt = deps.clock.now();
    } finally {
      one.reading = undefined;
    }
  };
  const knownOf = async (spec: string, account: string): Promise<Known> => {
    const name = `${spec}#${account}`;
    const one = known.get(name) ?? unread(spec, account);
    known.set(name, one);
    if (deps.clock.now() - one.readAt >= CACHE_MS) {
      one.reading ??= read(one);
      await one.reading;
    }
    return one;
  };
  return {
    enter: async (call) => {
      const { spec = MODEL } = call;
      // It is no service.
      if (spec === SCRIPTED) return freeCall;
      try {
        return await enter(deps, holder, await knownOf(spec, call.account), call);
      } catch (error) {
        deps.log.warn("what is known of a model could not be read", { model: spec, error });
        return freeCall;
      }
    },
    prepare: async (spec = MODEL, account) => {
      // A read that fails is made again, and noted, by the call.
      if (spec !== SCRIPTED) await knownOf(spec, account).catch(() => undefined);
    },
    noteRefusedMarks: (spec = MODEL, marks_refused_until) =>
      noteModel(deps.db, spec, { marks_refused_until }, deps.clock.now()).catch((error) =>
        deps.log.warn("a refused cache could not be noted", { model: spec, error }),
      ),
    learnedWindow: async (spec = MODEL, account) => {
      if (spec === SCRIPTED) return undefined;
      // Where it cannot be read, the service says it again.
      const one = await knownOf(spec, account).catch(() => undefined);
      const { window } = one?.seen.model ?? {};
      return window && window.until > deps.clock.now() ? window.tokens : undefined;
    },
    noteWindow: (spec = MODEL, tokens) => {
      const window = { tokens, until: deps.clock.now() + WINDOW_MS };
      return noteModel(deps.db, spec, { window }, deps.clock.now()).catch((error) =>
        deps.log.warn("what a model takes could not be noted", { model: spec, error }),
      );
    },
  };
}

async function enter(deps: Deps, holder: string, known: Known, call: AskedCall): Promise<Entered> {
  const { clock } = deps;
  const shut = (because: ClosedGate["because"], until_ms: number): Entered => ({
    ...{ admitted: false, because, until_ms },
  });
  const open = admissionOf(known.seen.model.breaker, clock.now());
  if (open.admits === "none") return shut("unavailable", open.until_ms);
  const startsAt = startAfter(known.seen.key.block, call.share);
  if (startsAt > clock.now()) return shut("rate_limit", startsAt);
  const tokens = known.limit?.tokens_per_minute === undefined ? 0 : call.tokens();
  const againMs = known.limit && (await lease(deps, holder, known, known.limit, tokens, call));
  if (againMs) return shut("rate_limit", clock.now() + againMs);
  for (;;) {
    const now = clock.now();
    const admission = admissionOf(known.seen.model.breaker, now);
    if (admission.admits === "none") return shut("unavailable", admission.until_ms);
    if (admission.admits === "all") return admitted(deps, holder, known, tokens, false);
    if (await replaceBreaker(deps, known, admission.claimed))
      return admitted(deps, holder, known, tokens, true);
  }
}

/** @returns false where another worker has written it meanwhile; what that wrote is known then */
async function replaceBreaker(
  { db, clock }: Deps,
  known: Known,
  breaker: Breaker | undefined,
): Promise<boolean> {
  const { spec, seen } = known;
  const now = clock.now();
  const result = await writeBreaker(db, spec, seen.model, breaker, now);
  const { breaker: _, ...rest } = seen.model;
  const breaker_revision = (seen.model.breaker_revision ?? 0) + 1;
  known.seen = {
    ...known.seen,
    model: result.written ? { ...rest, ...(breaker && { breaker }), breaker_revision } : result.seen,
  };
  known.readAt = now;
  return result.written;
}

/** Changes what is known of a key; again where another worker was faster. @param change undefined changes nothing */
async function changeKey(
  { db, clock }: Deps,
  known: Known,
  change: (
    key: StoredModelKey,
    now: number,
  ) => Partial<Pick<StoredModelKey, "block" | "allowance">> | undefined,
): Promise<void> {
  for (let tryNumber = 0; tryNumber < WRITE_TRIES; tryNumber += 1) {
    const now = clock.now();
    const { key } = known.seen;
    const changed = change(key, now);
    if (!changed) return;
    const { block, allowance } = changed;
    const given = { ...(block && { block }), ...(allowance && { allowance }) };
    const result = await writeModelKey(db, known.spec, known.account, key, given, now);
    const next = result.written ? { ...key, ...given, revision: (key.revision ?? 0) + 1 } : result.seen;
    known.seen = { ...known.seen, key: next };
    known.readAt = now;
    if (result.written) return;
    if (tryNumber > 1) await backOff(tryNumber);
  }
  throw new Error("what is known of a model changes all the time");
}

/**
 * Leases a request, from what this process has spare or from what all have left.
 *
 * @returns milliseconds until it may be tried again; undefined where it was leased
 */
async function lease(
  deps: Deps,
  holder: string,
  known: Known,
  limit: ModelLimit,
  tokens: number,
  { user_id, share }: AskedCall,
): Promise<number | undefined> {
  const user = createHash("sha256")
    .update(user_id ?? "")
    .digest("hex")
    .slice(0, 10);
  const spare = known.spare.get(user);
  if (spare && spare.requests > 0 && spare.until > deps.clock.now() && limit.concurrent === undefined) {
    spare.requests -= 1;
    return undefined;
  }
  const asking = { user, holder, tokens, under_way: known.underWay, owed: known.owed };
  // Taken before anything is awaited: another call that asks meanwhile must not charge it too.
  known.owed = 0;
  let againMs: number | undefined;
  const charging = changeKey(deps, known, ({ allowance = newAllowance(limit, deps.clock.now()) }, now) => {
    const leased = leaseOf(allowance, limit, asking, now);
    againMs = leased.leased ? undefined : Math.max(50, Math.ceil(leased.again_ms * (1 + share / 4)));
    if (leased.leased) known.spare.set(user, { requests: leased.spare, until: now + LEASE_MS });
    const isNoted = !leased.leased && (allowance.waiting[user] ?? 0) > now + leased.again_ms;
    return isNoted && asking.owed === 0 ? undefined : { allowance: leased.next };
  });
  try {
    await charging;
  } catch (error) {
    known.owed += asking.owed;
    throw error;
  }
  return againMs;
}

function admitted(deps: Deps, holder: string, known: Known, tokens: number, isProbe: boolean): AdmittedCall {
  const { clock, log } = deps;
  const startedMs = clock.now();
  let closing: Promise<unknown> | undefined;
  const safely = (work: Promise<unknown>) =>
    work.catch((error) =>
      log.warn("what is known of a model could not be written", { model: known.spec, error }),
    );
  const close = () => {
    if (isProbe) closing ??= safely(replaceBreaker(deps, known, undefined));
  };
  known.underWay += 1;
  renewHeld(deps, holder, known);
  return {
    admitted: true,
    marks_refused_until: known.seen.model.marks_refused_until,
    begun: close,
    ended: async (result) => {
      known.underWay -= 1;
      const isCounted = known.limit?.tokens_per_minute !== undefined;
      if (isCounted && result?.was === "answered") known.owed += result.tokens - tokens;
      // A probe that was aborted says nothing; another one follows.
      if (result && result.was !== "unavailable") close();
      await Promise.all([closing, safely(noteEnd(deps, holder, known, startedMs, isProbe, result))]);
    },
  };
}

async function noteEnd(
  deps: Deps,
  holder: string,
  known: Known,
  startedMs: number,
  isProbe: boolean,
  result: CallResult | undefined,
): Promise<void> {
  if (result?.was === "unavailable") await noteFailure(deps, known, isProbe);
  const { limit } = known;
  if (result?.was === "throttled") {
    await changeKey(deps, known, ({ block, allowance }, now) => {
      const next = blockAfter(block, startedMs, now, result.after_seconds);
      if (next === block) return undefined;
      const slower: Allowance | undefined = limit && slowedDown(allowance ?? newAllowance(limit, now), now);
      return { block: next, ...(slower && { allowance: slower }) };
    });
  }
  if (limit?.concurrent === undefined) return;
  if (known.underWay === 0) known.stopRenewing?.();
  await changeKey(
    deps,
    known,
    ({ allowance }, now) => allowance && { allowance: heldBy(allowance, holder, known.underWay, now) },
  );
}

async function noteFailure(deps: Deps, known: Known, isProbe: boolean): Promise<void> {
  for (let tryNumber = 0; tryNumber < WRITE_TRIES; tryNumber += 1) {
    const next = afterFailure(known.seen.model.breaker, deps.clock.now(), isProbe);
    if (!next || (await replaceBreaker(deps, known, next))) return;
    if (tryNumber > 1) await backOff(tryNumber);
  }
}

/** Keeps the places of calls that are under way, where their number is limited. */
function renewHeld(deps: Deps, holder: string, known: Known): void {
  if (known.limit?.concurrent === undefined || known.underWay !== 1) return;
  known.stopRenewing?.();
  let stopped = false;
  let stop = () => {};
  const renew = () => {
    stop = after(deps.clock, LEASE_MS / 2, () => {
      if (stopped) return;
      const renewed = changeKey(
        deps,
        known,
        ({ allowance }, now) => allowance && { allowance: heldBy(allowance, holder, known.underWay, now) },
      );
      void renewed.catch(() => undefined).then(renew);
    });
  };
  renew();
  known.stopRenewing = () => {
    stopped = true;
    stop();
  };
}

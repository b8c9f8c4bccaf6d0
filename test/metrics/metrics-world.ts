import { refreshDays } from "../../functions/housekeeper/figures/refresh-days.ts";
import { SLICE_SIZE } from "../../functions/housekeeper/figures/refresher-deps.ts";
import { startRefresh } from "../../functions/metrics/start-refresh.ts";
import type { RefreshCall } from "../../shared/domain/metrics/refresh-call.ts";
import type { Db } from "../../shared/stores/db.ts";
import { listDays } from "../../shared/stores/metrics/day-item.ts";
import type { MetricsScope } from "../../shared/stores/metrics/metrics-scope.ts";
import { getRefresh } from "../../shared/stores/metrics/refresh-item.ts";
import { runItem, type StoredRun } from "../../shared/stores/runs/run-item.ts";
import { type StoredSession, sessionItem } from "../../shared/stores/sessions/session-item.ts";
import { putItems } from "../support/put-items.ts";
import { aJob, aRunOf, aSession } from "../support/records.ts";

const LIFE_MS = 900_000;
export const everybody: MetricsScope = { user_id: undefined };

let refreshes = 0;

/** API function and refresher over one store, with the calls between them and the time in the test's hand. */
export function metricsWorld(db: Db, startAt: number) {
  let now = startAt;
  const calls: RefreshCall[] = [];
  const errors: string[] = [];
  const log = { info: () => {}, warn: () => {}, error: (text: string) => void errors.push(text) };
  const sleep = async (ms: number) => {
    now += ms / 1000;
  };
  const clock = { now: () => now * 1000, sleep };
  const routeDeps = {
    db,
    clock,
    log,
    settings: {
      DAILY_TOKENS_PER_USER: 0,
      DAILY_COST_PER_USER: 0,
      DAILY_TOKENS_PER_DEPLOYMENT: 0,
      DAILY_COST_PER_DEPLOYMENT: 0,
    },
    newId: () => {
      refreshes += 1;
      return `refresh-${refreshes}`;
    },
    callRefresher: async (call: RefreshCall) => void calls.push(call),
  };
  /** Makes the calls that the route has asked for; a dead process's store may take the place of the real one. */
  const work = async (
    over: { readonly db?: Db; readonly lifeMs?: number; readonly sliceSize?: number } = {},
  ) => {
    for (let call = calls.shift(); call; call = calls.shift()) {
      const { sliceSize = SLICE_SIZE } = over;
      await refreshDays({ db: over.db ?? db, clock, log, sliceSize }, call, over.lifeMs ?? LIFE_MS);
    }
  };
  return {
    routeDeps,
    calls,
    errors,
    work,
    now: () => now,
    /** @param at epoch seconds */
    setTime: (at: number) => {
      now = at;
    },
    ask: (scope = everybody) => startRefresh(routeDeps, scope),
    /** Asks and works; the days as they are stored then. */
    async refresh(scope = everybody) {
      await startRefresh(routeDeps, scope);
      await work();
      return listDays(db, scope, {});
    },
    days: (scope = everybody) => listDays(db, scope, {}),
    state: (scope = everybody) => getRefresh(db, scope),
  };
}

/** Sessions with the runs in them, as they are stored. */
export type Conversation = { readonly session: StoredSession; readonly runs: readonly StoredRun[] };

/** A run as metrics see it. */
export type RunMade = {
  readonly model?: string | undefined;
  readonly tokens?: number;
  readonly cost?: number | undefined;
};

export function aConversation(changed: Partial<StoredSession>, made: readonly RunMade[]): Conversation {
  const session = aSession({ user_id: "maria", ...changed });
  const runs = made.map(({ model, tokens = 0, cost }) => {
    const job = aJob({ session_id: session.session_id, owner: session.user_id });
    const run = aRunOf(job, { status: "COMPLETED" });
    const metrics = { input_tokens: tokens, output_tokens: 2 * tokens, ...(cost !== undefined && { cost }) };
    const answered = model === undefined ? {} : { model, model_provider: "Acme", metrics };
    return { ...run, output: { ...run.output, ...answered } };
  });
  return { session, runs };
}

export async function keep(db: Db, conversations: readonly Conversation[]): Promise<void> {
  await putItems(
    db,
    "sessions",
    conversations.map(({ session }) => sessionItem(session)),
  );
  await putItems(
    db,
    "runs",
    conversations.flatMap(({ runs }) => runs.map((run) => runItem(run))),
  );
}

import { useQuery } from "@tanstack/react-query";
import type { Operations } from "../../../client/index.ts";
import { useMay, useMayReadRuns } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { approvalsCount, health, refreshStatus } from "../../api/queries.ts";
import { countText } from "../../parts/amounts.ts";
import { durationText } from "../../parts/time.tsx";
import { type BadVerdicts, useBadVerdicts } from "./use-bad-verdicts.ts";
import { type FailedDeliveries, useFailedDeliveries } from "./use-failed-deliveries.ts";
import { useQueueStats } from "./use-queue-stats.ts";
import { LOOKED_AT, useScheduleProblems } from "./use-schedule-problems.ts";

/** One thing that needs attention, and where that is done. */
export type Concern = {
  readonly id: string;
  readonly tone: "bad" | "warn";
  readonly text: string;
  readonly about?: string;
  readonly to: string;
};

const APPROVALS_MS = 10_000;
const SLOW_MS = 30_000;
const SLOWEST_MS = 120_000;
/** Of paused runs: enough to say that there are many. */
const PAUSED = 20;
/** A job that has waited longer is reported, in seconds. */
const LONG_WAIT = 60;

/** What needs attention now, the worst first, as far as the reader may see it; and what was looked at for it. */
export function useAttention() {
  const may = useMay();
  const mayReadRuns = useMayReadRuns();
  const approvals = useQuery({
    ...approvalsCount,
    enabled: may("approvals:read"),
    refetchInterval: APPROVALS_MS,
  });
  const paused = useQuery({
    queryKey: ["runs", "paused"],
    enabled: mayReadRuns,
    queryFn: () => platform.listRuns({ query: { status: ["PAUSED"], limit: PAUSED } }),
    refetchInterval: SLOW_MS,
  });
  const stats = useQueueStats();
  const verdicts = useBadVerdicts();
  const deliveries = useFailedDeliveries();
  const schedules = useScheduleProblems(may("schedules:read"));
  const databases = useQuery({
    queryKey: ["all-databases"],
    enabled: may("config:read"),
    queryFn: async () => {
      const { databases: ids } = await platform.getConfig();
      return Promise.all(ids.map((db_id) => platform.getDatabase({ path: { db_id } })));
    },
    refetchInterval: SLOWEST_MS,
  });
  const metrics = useQuery({
    ...refreshStatus,
    enabled: may("metrics:read"),
    refetchInterval: SLOWEST_MS,
  });
  const state = useQuery({ ...health, refetchInterval: SLOW_MS });

  const concerns: Concern[] = [...approvalConcerns(approvals.data?.count)];
  const waiting = paused.data?.data.length ?? 0;
  if (waiting > 0) {
    const isMore = paused.data?.meta.next_cursor !== null;
    concerns.push({
      id: "paused",
      tone: "warn",
      text: `${atLeast(isMore)}${counted(waiting, "run")} ${waiting === 1 ? "is" : "are"} paused`,
      about: "A paused run continues when its questions are answered.",
      to: "/runs?status=PAUSED",
    });
  }
  const failed = stats.data?.counts.failed ?? 0;
  if (failed > 0) {
    concerns.push({
      id: "failed-jobs",
      tone: "bad",
      text: `${counted(failed, "job")} failed for good`,
      about: "Look at the error, then requeue or leave it.",
      to: "/queue?status=failed",
    });
  }
  const oldest = stats.data?.oldest_queued_age_seconds ?? 0;
  if (oldest > LONG_WAIT) {
    concerns.push({
      id: "waiting-jobs",
      tone: "warn",
      text: `The oldest job has waited for ${durationText(oldest)}`,
      to: "/queue?status=queued",
    });
  }
  for (const { schedule, text, about } of schedules.data?.problems ?? []) {
    concerns.push({
      id: `schedule-${schedule}`,
      tone: "warn",
      text,
      ...(about !== undefined && { about }),
      to: `/schedules/${encodeURIComponent(schedule)}`,
    });
  }
  concerns.push(...deliveryConcerns(deliveries.data), ...verdictConcerns(verdicts.data));
  concerns.push(...(databases.data ?? []).flatMap(databaseConcerns));
  if (metrics.data?.status === "failed") {
    concerns.push({
      id: "metrics",
      tone: "bad",
      text: "The metrics could not be computed",
      ...(metrics.data.error !== null && { about: metrics.data.error }),
      to: "/metrics",
    });
  }
  if (state.isError) {
    concerns.push({
      id: "state",
      tone: "bad",
      text: "The platform does not answer as it should",
      to: "/system",
    });
  }
  const all = {
    approvals,
    "paused runs": paused,
    "failed jobs": stats,
    deliveries,
    feedback: verdicts,
    schedules,
    databases,
    metrics,
  };
  const read = Object.entries(all).filter(([, { data }]) => data !== undefined);
  const { total = 0 } = schedules.data ?? {};
  return {
    concerns: concerns.toSorted((a, b) => Number(b.tone === "bad") - Number(a.tone === "bad")),
    isPending: Object.values({ ...all, state }).some(({ isLoading }) => isLoading),
    lookedAt: read.map(([name]) =>
      name === "schedules" && total > LOOKED_AT ? `${LOOKED_AT} of ${countText(total)} schedules` : name,
    ),
    notRead: Object.entries(all)
      .filter(([, { isError, data }]) => isError && data === undefined)
      .map(([name]) => name),
  };
}

function approvalConcerns(pending = 0): readonly Concern[] {
  if (pending === 0) return [];
  const text = `${counted(pending, "approval")} ${pending === 1 ? "waits" : "wait"} for a decision`;
  const about = "The runs that asked for it are paused until then.";
  return [{ id: "approvals", tone: "warn", text, about, to: "/approvals" }];
}

function deliveryConcerns({ deliveries = 0, isMore = false }: FailedDeliveries = {}): readonly Concern[] {
  if (deliveries === 0) return [];
  const text = `${atLeast(isMore)}${countText(deliveries)} ${deliveries === 1 ? "delivery" : "deliveries"} failed within a day`;
  const about = "The receivers of webhooks did not get them: see why, then redeliver.";
  return [{ id: "deliveries", tone: "warn", text, about, to: "/webhooks?view=deliveries&status=failed" }];
}

function verdictConcerns({ runs = 0, isMore = false }: BadVerdicts = {}): readonly Concern[] {
  if (runs === 0) return [];
  const text = `${atLeast(isMore)}${counted(runs, "run")} ${runs === 1 ? "was" : "were"} called bad`;
  const about = "What was said about it was not reviewed yet.";
  return [{ id: "verdicts", tone: "warn", text, about, to: "/runs?feedback=thumb%3A0" }];
}

function databaseConcerns({ db_id, migration }: Operations["getDatabase"]["answer"]): readonly Concern[] {
  if (migration?.status !== "failed") return [];
  const text = `The migration of the database ${db_id} failed`;
  const about = migration.error !== undefined && { about: migration.error };
  return [{ id: `database-${db_id}`, tone: "bad", text, ...about, to: "/system" }];
}

/** Where a page had not all of them. */
const atLeast = (isMore: boolean): string => (isMore ? "At least " : "");
const counted = (count: number, what: string): string =>
  `${countText(count)} ${what}${count === 1 ? "" : "s"}`;

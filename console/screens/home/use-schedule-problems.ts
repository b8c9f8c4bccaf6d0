import { useQuery } from "@tanstack/react-query";
import type { Operations, ScheduleRun } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { countOf } from "../../parts/amounts.ts";

/** Schedules whose last slots are looked at, in one request. */
export const LOOKED_AT = 100;
const LAST_SLOTS = 5;
const EVERY_MS = 120_000;
const RECENT_SECONDS = 86_400;

type ListedSchedule = Operations["listSchedules"]["answer"]["data"][number];
export type ScheduleProblem = { readonly schedule: string; readonly text: string; readonly about?: string };

/** Schedules that were disabled for a reason, and those that missed a slot or failed within the last day. */
export function useScheduleProblems(enabled: boolean) {
  return useQuery({
    queryKey: ["schedules", "problems"],
    enabled,
    queryFn: readProblems,
    refetchInterval: EVERY_MS,
  });
}

async function readProblems(): Promise<{
  readonly problems: readonly ScheduleProblem[];
  readonly total: number;
}> {
  const { data, meta } = await platform.listSchedules({
    query: { limit: LOOKED_AT, latest_runs: LAST_SLOTS },
  });
  const disabled = data.flatMap(({ id, name, disabled_reason }) =>
    disabled_reason === null
      ? []
      : [{ schedule: id, text: `The schedule ${name} was disabled`, about: disabled_reason }],
  );
  const slots = data.filter(({ enabled }) => enabled).flatMap(problemsOf);
  return { problems: [...disabled, ...slots], total: meta.total_count };
}

function problemsOf({ id, name, latest_runs = [] }: ListedSchedule): ScheduleProblem[] {
  const recent = latest_runs.filter(({ triggered_at }) => Date.now() / 1000 - triggered_at < RECENT_SECONDS);
  const missed = recent.filter(({ status }) => status === "missed");
  const [latest] = recent;
  const texts = [
    missed.length > 0 &&
      `The schedule ${name} missed ${missed.length === 1 ? "a slot" : countOf(missed.length, "slot")}`,
    latest?.status === "failed" && `The last run of the schedule ${name} failed`,
  ].filter((text) => text !== false);
  const [text] = texts;
  const about = aboutOf(missed[0] ?? latest);
  return text === undefined ? [] : [{ schedule: id, text, ...(about !== undefined && { about }) }];
}

const aboutOf = (slot: ScheduleRun | undefined): string | undefined => slot?.error ?? undefined;

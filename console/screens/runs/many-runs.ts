import { inputOf, type Run, runsOf } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { isLive } from "../../api/use-run.ts";
import { errorText } from "../../parts/state.tsx";
import type { RunEntry, RunFilter } from "./use-run-list.ts";

/** What became of many runs, or would. */
export type Outcome = {
  readonly done: readonly string[];
  readonly refused: readonly { readonly id: string; readonly detail: string }[];
  /** More runs match than one request takes. */
  readonly more: boolean;
};

/** Runs that an act is for: those that were selected, or all that a filter lets through. */
export type Target =
  | { readonly which: "chosen"; readonly runs: readonly RunEntry[] }
  | { readonly which: "matching"; readonly filter: RunFilter };

/** The most that one request takes. */
export const MOST = 1000;
const AT_A_TIME = 4;

/** Runs of the list that can be cancelled. */
export const liveOf = (runs: readonly RunEntry[]): readonly RunEntry[] =>
  runs.filter(({ status }) => isLive(status));

/** What cancelling would do; nothing is changed. */
export async function rehearseCancel(target: Target): Promise<Outcome> {
  if (target.which === "matching") return cancelMatching(target.filter, true);
  return { done: liveOf(target.runs).map(({ run_id }) => run_id), refused: [], more: false };
}

export const cancelRuns = (target: Target): Promise<Outcome> =>
  target.which === "matching"
    ? cancelMatching(target.filter, false)
    : oneByOne(liveOf(target.runs), ({ component_type, component_id, run_id, session_id }) =>
        runsOf(component_type, component_id).cancel(run_id, session_id),
      );

async function cancelMatching(
  { component_type, component_id, user_id, created_after }: RunFilter,
  dry_run: boolean,
): Promise<Outcome> {
  const { cancelled, refused, more } = await platform.cancelRuns({
    body: {
      ...(component_type && { component_type }),
      ...(component_id && { component_id }),
      ...(user_id && { user_id }),
      ...(created_after !== undefined && { created_after }),
      limit: MOST,
      dry_run,
    },
  });
  return { done: cancelled, refused, more };
}

/** Asks each component the same again, in the background and in a new session of whoever asks. */
export const runAgain = (runs: readonly RunEntry[]): Promise<Outcome> =>
  oneByOne(runs, async (entry) => {
    const run = await wholeRun(entry);
    if (hasFiles(run)) throw new Error("It was sent files, which a new run would not have.");
    const body = { message: inputOf(run), background: true, stream: false } as const;
    const { component_type: kind, component_id: id } = entry;
    if (kind === "agent") await platform.createAgentRun({ path: { agent_id: id }, body });
    else if (kind === "team") await platform.createTeamRun({ path: { team_id: id }, body });
    else await platform.createWorkflowRun({ path: { workflow_id: id }, body });
  });

/** Runs with all that is recorded of them, in their order. */
export async function wholeRuns(runs: readonly RunEntry[]): Promise<readonly Run[]> {
  const whole: Run[] = [];
  for (let from = 0; from < runs.length; from += AT_A_TIME)
    whole.push(...(await Promise.all(runs.slice(from, from + AT_A_TIME).map(wholeRun))));
  return whole;
}

const wholeRun = ({ component_type, component_id, run_id, session_id }: RunEntry): Promise<Run> =>
  runsOf(component_type, component_id).get(run_id, session_id);

function hasFiles(run: Run): boolean {
  if ("step_results" in run) return false;
  const { images, audios, videos, files } = run.input;
  return [images, audios, videos, files].some((media) => (media ?? []).length > 0);
}

async function oneByOne(
  runs: readonly RunEntry[],
  act: (run: RunEntry) => Promise<unknown>,
): Promise<Outcome> {
  const done: string[] = [];
  const refused: { id: string; detail: string }[] = [];
  for (let from = 0; from < runs.length; from += AT_A_TIME) {
    await Promise.all(
      runs.slice(from, from + AT_A_TIME).map(async (run) => {
        try {
          await act(run);
          done.push(run.run_id);
        } catch (error) {
          refused.push({ id: run.run_id, detail: errorText(error) });
        }
      }),
    );
  }
  return { done, refused, more: false };
}

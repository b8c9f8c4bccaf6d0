import * as v from "valibot";
import { type Agent, defineAgent } from "../../../shared/engine/define/agent.ts";
import { defineTeam, type Member, type Team } from "../../../shared/engine/define/team.ts";
import { executeSlice } from "../../../shared/engine/loop/execute-slice.ts";
import { answerRun } from "../../../shared/engine/pause/answer-run.ts";
import type { SlicePorts, Yielded } from "../../../shared/engine/run/execution.ts";
import type { RunOutcome } from "../../../shared/engine/run/run-outcome.ts";
import type { RunRequest } from "../../../shared/engine/run/run-request.ts";
import type { RunState } from "../../../shared/engine/run/run-state.ts";
import { RequirementAnswer } from "../../../shared/schemas/runs/pause-answers.ts";
import type { RunOutput } from "../../../shared/schemas/runs/run.ts";
import type { RunEvent } from "../../../shared/schemas/runs/run-event.ts";
import type { StoredApproval } from "../../../shared/stores/approvals/approval-item.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { aRequest, START_SECONDS, scripted, tickingClock } from "../support/run-agent.ts";

export const aMember = (id: string, parts: Partial<Agent> = {}): Agent => ({
  ...defineAgent({ id, name: id.toUpperCase() }),
  ...parts,
});

export const aTeam = (parts: Partial<Team> = {}): Team => ({
  ...defineTeam({ id: "desk", name: "Desk", members: [aMember("ann"), aMember("ben")] }),
  ...parts,
});

/** What makes the scripted leader hand on a task. */
export const handOn = (member_id: string, task: string): string =>
  directive("delegate_task_to_member", { member_id, task });

export const directive = (tool: string, args: Record<string, unknown> = {}): string =>
  `[[tool:${tool} ${JSON.stringify(args)}]]`;

export type Played<Outcome = RunOutcome> = {
  readonly outcome: Outcome;
  readonly events: readonly RunEvent[];
};

export type How = Partial<SlicePorts> & { readonly request?: Partial<RunRequest>; readonly from?: RunState };

/** Executes a run, or one slice of it, and collects what it emitted. A state goes in as another process gets it. */
export async function play(
  runnable: Member,
  input: string,
  { request, from, ...ports }: How = {},
): Promise<Played<RunOutcome | Yielded>> {
  const events: RunEvent[] = [];
  const outcome = await executeSlice(
    runnable,
    aRequest(input, request),
    {
      models: scripted(),
      clock: tickingClock(),
      newId: newIds(),
      signal: new AbortController().signal,
      ...ports,
      emit: (event) => {
        events.push(structuredClone(event));
        ports.emit?.(event);
      },
    },
    from && JSON.parse(JSON.stringify(from)),
  );
  return { outcome, events };
}

/** The same to its end. */
export async function playOut(runnable: Member, input: string, how: How = {}): Promise<Played> {
  const { outcome, events } = await play(runnable, input, how);
  if (outcome.status === "YIELDED") throw new Error("the run yielded without a request");
  return { outcome, events };
}

/** Executes a run in as many slices as it has steps. */
export async function playInSlices(runnable: Member, input: string, how: How = {}): Promise<Played> {
  const newId = newIds();
  const clock = tickingClock();
  let { from } = how;
  let { continues } = how;
  const events: RunEvent[] = [];
  for (;;) {
    const { continues: _, from: _f, ...rest } = how;
    const slice = await play(runnable, input, {
      newId,
      clock,
      ...rest,
      ...(from && { from }),
      ...(continues && { continues }),
      shouldYield: () => true,
    });
    events.push(...slice.events);
    if (slice.outcome.status !== "YIELDED") return { outcome: slice.outcome, events };
    from = slice.outcome.state;
    continues = false;
  }
}

let runs = 0;
/** Ids that no other run of a test has. */
export function newIds(): () => string {
  runs += 1;
  const run = runs;
  let ids = 0;
  return () => `id-${run}-${++ids}`;
}

/** Events as `who type`, runs of the same one written once; the leader has no name before it. */
export const orderOf = (events: readonly RunEvent[]): string[] =>
  events
    .map((event) => ("agent_id" in event ? `${event.agent_id} ${event.event}` : `${event.event}`))
    .filter((line, i, all) => line !== all[i - 1]);

export const outputOf = ({ outcome }: Played): RunOutput => outcome.output;

/** What is the same in two executions of a run: ids and times are not. */
export function timeless<T>(value: T): T {
  const names = new Map<string, string>();
  const text = JSON.stringify(value, (key, one) =>
    /_at$|_at_ms$|duration|time_to_first|_time$/.test(key) ? undefined : one,
  );
  const nameless = text.replace(/in \d+\.\d{4}s/g, "in time").replace(/id-\d+-\d+/g, (id) => {
    const name = names.get(id) ?? `#${names.size + 1}`;
    names.set(id, name);
    return name;
  });
  return JSON.parse(nameless);
}

/** The record of a run that paused. */
export function paused(runnable: Member, { outcome }: Played): StoredRun {
  if (outcome.status !== "PAUSED") throw new Error(`the run is ${outcome.status}`);
  const { output, digests } = outcome;
  return {
    run_id: output.run_id,
    session_id: output.session_id,
    owner: "maria",
    component_type: runnable.kind,
    component_id: runnable.id,
    status: "PAUSED",
    attempt: 1,
    queued: false,
    opens_session: false,
    kwargs: {},
    digests,
    output: JSON.parse(JSON.stringify(output)),
  };
}

/** An answer to a requirement as a client sends it: what it was shown, filled in. */
export const answerTo = (asked: object | undefined, filled: Partial<RequirementAnswer>): RequirementAnswer =>
  v.parse(RequirementAnswer, { ...asked, ...filled });

/** The same to every requirement of a run. */
export const answersTo = ({ output }: StoredRun, filled: Partial<RequirementAnswer>): RequirementAnswer[] =>
  (output.requirements ?? []).map((one) => answerTo(one, filled));

/** Enters answers as the wire gives them. */
export const answer = (
  run: StoredRun,
  runnable: Member,
  requirements: readonly RequirementAnswer[],
  approvals: readonly StoredApproval[] = [],
) =>
  answerRun(
    run,
    {
      tools: [],
      requirements,
      input: undefined,
      continue_from: "end",
      fork: false,
      regenerate: false,
      replace_original: false,
    },
    approvals,
    runnable,
    { resolved_by: "maria", now: START_SECONDS },
    { clock: tickingClock(), newId: newIds() },
  );

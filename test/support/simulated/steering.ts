import { steeredIds } from "../../../shared/domain/runs/steered-ids.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { SentMessage } from "../../../shared/schemas/runs/run-message.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { readCheckpoint } from "../../../shared/stores/runs/checkpoint.ts";
import { getRun } from "../../../shared/stores/runs/get-run.ts";
import { listInbox } from "../../../shared/stores/runs/inbox-item.ts";
import { listRuns } from "../../../shared/stores/runs/listing/list-runs.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import type { Asked, RunRef, SimulatedProduct } from "./product.ts";
import type { Random } from "./random.ts";
import type { Process, Scheduler } from "./scheduler.ts";

/** Something that a person said to a run, and what the platform has answered. */
export type Said = {
  readonly asked: Asked;
  readonly run: RunRef;
  readonly message_id: string;
  readonly if_ended: "run" | "reject";
  /** Once it was accepted. */
  answer?: SentMessage;
};

type World = { readonly random: Random; readonly scheduler: Scheduler; readonly product: SimulatedProduct };

const MOST_MESSAGES = 4;
/** When they are said: at once, while most runs work, or when most have ended. */
const SAID_MS = [300, 6_000, 30_000] as const;
const TRIES = 6;

/** The words by which a message is found in a transcript or an input: no two are the same. */
export const wordsOf = (message_id: string): string => `(${message_id})`;

/** People who talk to a run, some of whom say the same twice or take it back. @returns what they say, answered as time goes on */
export function planTalk({ random, scheduler, product }: World, asked: Asked, run: RunRef): Said[] {
  const count = random.between(0, MOST_MESSAGES);
  return Array.from({ length: count }, (_, n) => {
    const message_id = `${run.run_id}.${n}`;
    const if_ended = random.chance(0.25) ? ("reject" as const) : ("run" as const);
    const said: Said = { asked, run, message_id, if_ended };
    const times = random.chance(0.2) ? 2 : 1;
    const atMs = random.between(0, random.pick([...SAID_MS]));
    const script = random.chance(0.3) ? `[[sleep:${random.between(10, 2_000)}]] ` : "";
    for (let i = 0; i < times; i += 1) {
      scheduler.after(atMs + (i === 0 ? 0 : random.between(0, 4_000)), "client", () =>
        insist(scheduler, `client says ${message_id}`, async (process) => {
          const message = { message_id, if_ended, message: `${script}${wordsOf(message_id)}` };
          const answer = await product.say(process, asked, run, message);
          if (said.answer && JSON.stringify(said.answer) !== JSON.stringify(answer))
            throw new Error(`${message_id} is answered ${JSON.stringify([said.answer, answer])}`);
          said.answer = answer;
        }),
      );
    }
    if (random.chance(0.15)) {
      const withdraw = (process: Process) => product.withdraw(process, asked, run, message_id);
      scheduler.after(atMs + random.between(0, 3_000), "client", () =>
        insist(scheduler, `client withdraws ${message_id}`, withdraw),
      );
    }
    return said;
  });
}

/** Asks again as long as there is no answer; a refusal is one. */
function insist(
  scheduler: Scheduler,
  name: string,
  work: (process: Process) => Promise<unknown>,
  tries = TRIES,
): void {
  const answered = (process: Process) =>
    work(process).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
  scheduler.start(name, "client", answered, (how) => {
    if (how !== "done" && tries > 1) insist(scheduler, name, work, tries - 1);
  });
}

/**
 * What is wrong with what was said: an accepted message is at one place, which its state in the inbox names.
 *
 *   taken               once in the messages of its run, or of a run within that
 *   moved               once in the input of one other run
 *   refused, withdrawn  nowhere
 *   unread              nowhere, of a run that was cancelled, that waits, that was lost with its process, or that failed where its
 *                       sender wanted no other run
 *
 * @param now  epoch seconds
 */
export async function misplaced(db: Db, all: readonly Said[], now: number): Promise<string[]> {
  const faults: string[] = [];
  const sessions = new Map<string, Promise<readonly StoredRun[]>>();
  const runsOf = ({ asked, run }: Said) => {
    const known = sessions.get(run.session_id) ?? wholeRuns(db, asked.user, run.session_id, now);
    sessions.set(run.session_id, known);
    return known;
  };
  for (const said of all) {
    if (!said.answer) continue;
    const runs = await runsOf(said);
    const found = await faultOf(db, said, runs);
    if (found !== undefined) faults.push(`message ${said.message_id} ${found}`);
  }
  return faults;
}

async function wholeRuns(db: Db, owner: string, session_id: string, now: number) {
  const listed = await listRuns(db, owner, session_id, now);
  const whole = await Promise.all(listed.map(({ run_id }) => getRun(db, { owner, session_id, run_id }, now)));
  // Runs within others are shown with those.
  return whole.filter((run) => run !== undefined).filter(({ output }) => output.parent_run_id === undefined);
}

async function faultOf(db: Db, { run, message_id, answer, if_ended }: Said, runs: readonly StoredRun[]) {
  const own = runs.find(({ run_id }) => run_id === run.run_id);
  if (!own) return "was said to a run that is gone";
  const checkpoint = await readCheckpoint<unknown>(db, own);
  const times = (value: unknown) => steeredIds(value).filter((id) => id === message_id).length;
  const inRun = Math.max(times(own.output), times(checkpoint?.state));
  const elsewhere = runs.filter((one) => one.run_id !== own.run_id && times(one.output) > 0).length;
  const asInput = runs.filter(({ output }) => output.input.input_content.includes(wordsOf(message_id)));
  const stored = (await listInbox(db, run.run_id)).filter((one) => one.message_id === message_id);
  const [message] = stored;
  const state = message?.state;
  const where = `${state} of a run that is ${own.status}: ${inRun} times in it, in the input of ${asInput.length}`;
  if (stored.length !== 1) return `is ${stored.length} times in the inbox`;
  if (elsewhere > 0) return `is in another run: ${where}`;
  switch (state) {
    case "taken": {
      const isLost = inRun === 0 && own.status !== "CANCELLED" && own.component_type !== "workflow";
      // A paused run takes it again once it is continued; of one whose process is gone nothing was written since.
      const stays =
        (own.status === "ERROR" && if_ended === "reject") ||
        own.status === "PAUSED" ||
        own.lease_until !== undefined;
      return (isLost && !stays) || inRun > 1 || asInput.length > 0 ? where : undefined;
    }
    case "moved": {
      const to = answer?.delivery === "new_run" ? answer.run_id : message?.moved_to;
      return inRun === 0 && asInput.length === 1 && asInput[0]?.run_id === to ? undefined : where;
    }
    case "refused":
    case "withdrawn":
      return inRun === 0 && asInput.length === 0 ? undefined : where;
    default: {
      const mayStay =
        ["CANCELLED", "PAUSED"].includes(own.status) ||
        // Its process is gone, and with it the run: nothing writes its end.
        own.lease_until !== undefined ||
        own.component_type === "workflow" ||
        (own.status === "ERROR" && if_ended === "reject");
      return inRun === 0 && asInput.length === 0 && mayStay ? undefined : where;
    }
  }
}

import { epochSeconds } from "../../shared/runtime/clock.ts";
import { noteInLogScope } from "../../shared/runtime/log-scope.ts";
import { getMessage } from "../../shared/stores/chats/get-message.ts";
import { leaseMessage, releaseMessage } from "../../shared/stores/chats/lease-message.ts";
import { answerCommand } from "./answer-command.ts";
import { answerRun, finish, reportRun } from "./answer-run.ts";
import { applyDecision } from "./apply-decision.ts";
import type { ChatWorkerDeps, Handled, LeasedMessage } from "./chat-worker-deps.ts";
import { sendText } from "./deliver.ts";
import { startLeaseHeartbeat } from "./lease-heartbeat.ts";
import { end, purged } from "./leased-message.ts";
import { logUnanswered } from "./log-unanswered.ts";
import { postpone } from "./postpone.ts";
import { takeWords } from "./take-answer.ts";

/** After so many executions that failed, or whose process died, the person gets an error message. */
const MAX_FAULTS = 3;
const AFTER_FAULT_SECONDS = 10;

/**
 * Takes the next step of a message, if there is any. Any wake-up, however late or often it comes, may call this: of two
 * workers one gets the lease.
 *
 * @param until  when this process has to end; epoch milliseconds
 */
export async function handleMessage(deps: ChatWorkerDeps, key: string, until: number): Promise<Handled> {
  const worker = deps.newWorkerId();
  const message = await leaseMessage(deps.db, key, worker, epochSeconds(deps.clock));
  if (!message) return "done";
  if (message.run) noteInLogScope({ run_id: message.run.run_id });
  const port = deps.ports[message.target.platform];
  const lease = startLeaseHeartbeat(deps, key, worker);
  try {
    if (!port) throw new Error(`the interface ${message.target.platform} is off`);
    const leased: LeasedMessage = { deps, port, message, worker, until, signal: lease.signal };
    // The executions before this one ended without a word: their processes died.
    if (message.faults > MAX_FAULTS) return await giveUp(leased);
    return await processMessage(leased).then(
      (handled) => (handled === "done" || handled.released ? handled : tryAgain(leased, handled)),
      failed(leased),
    );
  } finally {
    await lease.release();
  }
}

async function processMessage(leased: LeasedMessage): Promise<Handled> {
  const { port, message } = leased;
  if (message.run) return reportRun(leased);
  const work = message.work && (await port.admit({ ...message, work: message.work }));
  if (work === "later") return postpone(leased, 0);
  if (!work) return unanswered(leased, "does not name the bot");
  if (await wasAnswered(leased)) return unanswered(leased, "an edit of a message that was taken");
  switch (work.kind) {
    case "unsupported":
      return finish(
        leased,
        await sendText(leased, "unsupported", port.texts.unsupported.replace("{type}", work.type)),
      );
    case "command":
      return answerCommand(leased, work.command);
    case "decision":
      return applyDecision(leased, work);
    case "run":
      return (await takeWords(leased, work)) ?? answerRun(leased, work);
  }
}

function unanswered(leased: LeasedMessage, why: string): Promise<Handled> {
  logUnanswered(leased, why);
  return end(leased);
}

/** Whether the message that this one edits has a run, or will have one. */
async function wasAnswered({ deps, message: { edit_of } }: LeasedMessage): Promise<boolean> {
  const original = edit_of && (await getMessage(deps.db, edit_of, epochSeconds(deps.clock)));
  return original ? original.run !== undefined || !["done", "failed"].includes(original.status) : false;
}

/** An error may have many causes; the next execution may succeed. */
const failed = (leased: LeasedMessage) => async (error: unknown) => {
  if (leased.signal.aborted) return "done";
  leased.deps.log.error("a message of a chat could not be answered", { error });
  return tryAgain(leased, { again_after_seconds: AFTER_FAULT_SECONDS });
};

async function tryAgain(leased: LeasedMessage, handled: Exclude<Handled, "done">): Promise<Handled> {
  const { deps, message, worker } = leased;
  if (message.faults >= MAX_FAULTS) return giveUp(leased);
  const due_at = epochSeconds(deps.clock) + handled.again_after_seconds;
  const released = await releaseMessage(deps.db, message.key, worker, { due_at, status: "enqueued" });
  return released ? handled : "done";
}

async function giveUp(leased: LeasedMessage): Promise<"done"> {
  const { deps, message, worker, port } = leased;
  deps.log.error("a message of a chat was given up", { faults: message.faults });
  await sendText(leased, "error", port.texts.error).catch(() => undefined);
  await releaseMessage(deps.db, message.key, worker, { status: "failed", ...purged(message) });
  return "done";
}

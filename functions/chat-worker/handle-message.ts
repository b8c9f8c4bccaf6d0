import { epochSeconds } from "../../shared/runtime/clock.ts";
import { noteInLogScope } from "../../shared/runtime/log-scope.ts";
import { chatWork, getMessage, type StoredChatMessage } from "../../shared/stores/chats/index.ts";
import { type Leased, runWork } from "../../shared/work/index.ts";
import { answerCommand } from "./answer-command.ts";
import { answerRun, finish, reportRun } from "./answer-run.ts";
import { applyDecision } from "./apply-decision.ts";
import { type ChatWorkerDeps, type Handled, type LeasedMessage, logUnanswered } from "./chat-worker-deps.ts";
import { sendText } from "./deliver.ts";
import { end, MessageLost, release } from "./leased-message.ts";
import { postpone } from "./postpone.ts";
import { takeWords } from "./take-answer.ts";
import { takeFeedback } from "./take-feedback.ts";

/**
 * Takes the next step of a message, if there is any. After some executions that failed, or whose process died, the person
 * gets an error message.
 *
 * @param until  when this process has to end; epoch milliseconds
 */
export function handleMessage(deps: ChatWorkerDeps, key: string, until: number): Promise<Handled> {
  return runWork(
    chatWork,
    deps,
    key,
    {
      idle: (): Handled => "done",
      // The executions before this one ended without a word: their processes died.
      exhausted: (lease) => giveUp(inHand(deps, lease, until)),
      work: async (lease) => {
        if (lease.record.run) noteInLogScope({ run_id: lease.record.run.run_id });
        const leased = inHand(deps, lease, until);
        return processMessage(leased).then(
          (handled) => (handled === "done" || handled.released ? handled : tryAgain(leased, handled)),
          failed(leased),
        );
      },
    },
    { claim: { change: { set: { status: "open" } } } },
  );
}

/** @throws where the interface is off: its messages wait */
function inHand(deps: ChatWorkerDeps, lease: Leased<StoredChatMessage>, until: number): LeasedMessage {
  const { record: message, worker, signal } = lease;
  const { platform } = message.target;
  const port = deps.ports[platform];
  if (!port) throw new Error(`the interface ${platform} is off`);
  return { deps, port, message, worker, until, signal };
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
    case "feedback":
      return takeFeedback(leased, work);
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
  if (error instanceof MessageLost) {
    leased.deps.log.warn("lost the lease of a message of a chat; another worker answers it");
    return "done";
  }
  leased.deps.log.error("a message of a chat could not be answered", { error });
  return tryAgain(leased, { again_after_seconds: chatWork.retryDelay(leased.message.faults) });
};

async function tryAgain(leased: LeasedMessage, handled: Exclude<Handled, "done">): Promise<Handled> {
  const { deps, message } = leased;
  if (message.faults >= chatWork.retry.most) return giveUp(leased);
  const due = epochSeconds(deps.clock) + handled.again_after_seconds;
  return (await release(leased, { set: { status: "enqueued" }, due })) ? handled : "done";
}

async function giveUp(leased: LeasedMessage): Promise<"done"> {
  const { deps, message, port } = leased;
  deps.log.error("a message of a chat was given up", { faults: message.faults });
  // Who only pressed a button waits for no words.
  if (message.work?.kind !== "feedback")
    await sendText(leased, "error", port.texts.error).catch(() => undefined);
  return end(leased, "failed");
}

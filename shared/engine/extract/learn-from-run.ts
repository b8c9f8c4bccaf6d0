import * as v from "valibot";
import type { LearningContext } from "../learning/learning-kind.ts";
import { learningKinds } from "../learning/learning-kinds.ts";
import { type LearningKindName, learnedBy } from "../learning/learning-modes.ts";
import { parseArguments } from "../model/parse-arguments.ts";
import type { RequestedCall } from "../model/streamed-answer.ts";
import { noUsage, type Usage } from "../model/usage.ts";
import { learningLines } from "../prompt/learning-text.ts";
import { authorOf } from "../run/author-of.ts";
import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import { defineTool } from "../tool/tool.ts";
import { queryModel } from "./query-model.ts";

const TASK = [
  "You keep what was learned in conversations. You are shown what was said last. Record by the tools what will matter",
  "later and is not known yet; change what is not true any more. Call no tool where nothing is worth it.",
].join(" ");

/**
 * Queries the model after the answer for what it has learned, and records that. A failure does not fail the run: it is
 * logged.
 *
 * @returns the model's usage; undefined when no kind is learned like this
 * @throws  the signal's reason
 */
export async function learnFromRun(state: RunState, execution: Execution): Promise<Usage | undefined> {
  const { agent, ports, request } = execution;
  const names = learnedBy(agent.learning, "always");
  if (names.length === 0 || !ports.learnings) return undefined;
  const book = ports.learnings(authorOf(agent));
  const context = { book, user_id: request.user_id, session_id: request.session_id };
  let usage = noUsage;
  try {
    const known = await learningLines(book, request.session_id);
    const material = `The user: ${request.input}\n\nThe answer: ${state.content}`;
    const task = known.length === 0 ? TASK : `${TASK}\n\nKnown:\n${known.join("\n")}`;
    const tools = names.map(offeredTool);
    const answer = await queryModel({ name: "learnings", task, material, tools }, state, execution);
    if (!answer) return usage;
    usage = answer.usage;
    for (const [position, call] of answer.calls.entries()) {
      // A worker that lost the run must save nothing more for it.
      ports.signal.throwIfAborted();
      await recordCall(call, names, { ...context, key: `${request.run_id}/learnings/${position}` });
    }
  } catch (thrown) {
    ports.signal.throwIfAborted();
    ports.warn?.("learnings could not be saved", { run_id: request.run_id, error: String(thrown) });
  }
  return usage;
}

/** A tool with the name of the kind; it executes nothing. */
function offeredTool(name: LearningKindName) {
  const { description, parameters } = learningKinds[name];
  return defineTool({ name, description, parameters, effect: "keyed", external_execution: true });
}

/** Records one call; an invalid one is left out. */
async function recordCall(
  call: RequestedCall,
  names: readonly LearningKindName[],
  context: LearningContext,
): Promise<void> {
  const name = names.find((one) => one === call.name);
  if (name === undefined) return;
  const { parameters, record } = learningKinds[name];
  const args = v.safeParse(parameters, parseArguments(call.arguments));
  if (args.success) await record(args.output, context);
}

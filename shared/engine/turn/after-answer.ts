import * as v from "valibot";
import type { SessionSummary } from "../../schemas/sessions/session.ts";
import { parseArguments, type RequestedCall } from "../model/streamed-answer.ts";
import { noUsage } from "../model/usage.ts";
import { type LearningContext, type LearningKindName, learnedBy } from "../recall/learning-kind.ts";
import { learningKinds } from "../recall/learning-kinds.ts";
import { authorOf, type Execution } from "../run/execution.ts";
import type { RoleUsage, UsageOfModel } from "../run/metrics.ts";
import type { RunState } from "../run/run-state.ts";
import { transcript } from "../run/transcript.ts";
import { defineTool } from "../tool/tool.ts";
import { learningLines } from "./context-block.ts";
import { type ExtractedMemories, extractMemories } from "./extract-memories.ts";
import { type ExtraAnswer, queryModel } from "./query-model.ts";

/** What a run adds after its answer, before it ends. */
export type AfterAnswer = {
  readonly session_summary?: SessionSummary;
  readonly followups?: string[];
  readonly usages: readonly RoleUsage[];
};

/** Does what the agent's settings ask for after the answer. @throws the signal's reason */
export async function afterAnswer(state: RunState, execution: Execution): Promise<AfterAnswer> {
  const { agent } = execution;
  const remembered = agent.update_memory_on_run ? await rememberRun(state, execution) : undefined;
  const learned = await learnFromRun(state, execution);
  const summarized = agent.enable_session_summaries ? await summarizeSession(state, execution) : {};
  const suggested = agent.followups ? await suggestFollowups(state, execution) : undefined;
  const { model } = execution;
  return {
    ...(summarized.session_summary && { session_summary: summarized.session_summary }),
    ...(suggested && { followups: suggested.followups }),
    usages: [
      ...(remembered
        ? [{ role: "memory_model" as const, usage: remembered.usage, model: remembered.by?.model ?? model }]
        : []),
      ...(learned ? [{ role: "learning_model" as const, ...learned }] : []),
      ...(summarized.answer
        ? [
            {
              role: "session_summary_model" as const,
              usage: summarized.answer.usage,
              model: summarized.answer.model,
            },
          ]
        : []),
      ...(suggested?.answer
        ? [{ role: "followup_model" as const, usage: suggested.answer.usage, model: suggested.answer.model }]
        : []),
    ],
  };
}

/** What was said in the run itself. */
const saidIn = ({ messages }: RunState): string =>
  transcript(messages.filter(({ from_history }) => !from_history));

/** Summary and follow-ups share what was said where both are asked for of one model: alone, caching it would cost more than it saves. */
const sharing = (said: string, { agent }: Execution): { readonly said?: string } =>
  agent.enable_session_summaries && agent.followups && agent.followup_model === undefined ? { said } : {};

export type Followups = { readonly followups: string[]; readonly answer?: ExtraAnswer };

/**
 * Suggests what the user may ask next.
 *
 * @returns no more questions than the agent wants; none when the model gave none
 * @throws  the signal's reason
 */
async function suggestFollowups(state: RunState, execution: Execution): Promise<Followups> {
  const { agent, emit } = execution;
  emit({ event: "FollowupsStarted" });
  const said = saidIn(state);
  const question = {
    name: "followups",
    task:
      agent.followup_instructions ??
      `Write ${agent.num_followups} short questions that the user may want to ask next, one on each line and nothing else.`,
    model: agent.followup_model,
    material: said,
    ...sharing(said, execution),
  };
  const answer = await queryModel(question, state, execution);
  const followups = answer ? linesOf(answer.text).slice(0, agent.num_followups) : [];
  emit({ event: "FollowupsCompleted", followups });
  return { followups, ...(answer && { answer }) };
}

/** Models number their lines in spite of the instruction. */
const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim())
    .filter((line) => line !== "");

const SUMMARY_TASK =
  "Sum the conversation up in a few sentences for whoever continues it: what was asked, what was found or decided, what is open. Keep what an earlier summary says and is still true. Answer with the summary alone.";

export type Summarized = { readonly session_summary?: SessionSummary; readonly answer?: ExtraAnswer };

/**
 * Summarizes the session from its earlier summary and the messages of this run.
 *
 * @throws the signal's reason
 * @source docs/interface/runs.md 5.7
 */
async function summarizeSession(state: RunState, execution: Execution): Promise<Summarized> {
  const { emit, ports, request } = execution;
  emit({ event: "SessionSummaryStarted" });
  const earlier = request.session_summary?.summary;
  const said = saidIn(state);
  const material = earlier === undefined ? said : `Earlier summary: ${earlier}\n\n${said}`;
  const answer = await queryModel(
    {
      name: "session-summary",
      task: SUMMARY_TASK,
      material,
      ...sharing(said, execution),
      ...(earlier !== undefined && { beside: `Earlier summary: ${earlier}` }),
    },
    state,
    execution,
  );
  const session_summary =
    answer && answer.text !== ""
      ? { summary: answer.text, updated_at: new Date(ports.clock.now()).toISOString() }
      : undefined;
  emit({ event: "SessionSummaryCompleted", ...(session_summary && { session_summary }) });
  return { ...(session_summary && { session_summary }), ...(answer && { answer }) };
}

/**
 * Saves what is worth remembering of a run's input.
 *
 * @throws the signal's reason
 * @source docs/interface/runs.md 5.7
 */
async function rememberRun(state: RunState, execution: Execution): Promise<ExtractedMemories> {
  const { emit, request } = execution;
  emit({ event: "MemoryUpdateStarted" });
  const extracted = await extractMemories(request.input, "run", state, execution);
  emit({ event: "MemoryUpdateCompleted", ...(extracted.memories && { memories: [...extracted.memories] }) });
  return extracted;
}

const LEARNING_TASK = [
  "You keep what was learned in conversations. You are shown what was said last. Record by the tools what will matter",
  "later and is not known yet; change what is not true any more. Call no tool where nothing is worth it.",
].join(" ");

/**
 * Queries the model after the answer for what it has learned, and records that. A failure does not fail the run: it is
 * logged.
 *
 * @returns what was used, and by which model; undefined when no kind is learned like this
 * @throws  the signal's reason
 */
async function learnFromRun(state: RunState, execution: Execution): Promise<UsageOfModel | undefined> {
  const { agent, ports, request } = execution;
  const names = learnedBy(agent.learning, "always");
  if (names.length === 0 || !ports.learnings) return undefined;
  const book = ports.learnings(authorOf(agent));
  const context = { book, user_id: request.user_id, session_id: request.session_id };
  let used: UsageOfModel = { usage: noUsage, model: execution.model };
  try {
    const known = await learningLines(book, request.session_id);
    const material = `The user: ${request.input}\n\nThe answer: ${state.content}`;
    const task = known.length === 0 ? LEARNING_TASK : `${LEARNING_TASK}\n\nKnown:\n${known.join("\n")}`;
    const tools = names.map(offeredTool);
    const answer = await queryModel({ name: "learnings", task, material, tools }, state, execution);
    if (!answer) return used;
    used = { usage: answer.usage, model: answer.model };
    for (const [position, call] of answer.calls.entries()) {
      // A worker that lost the run must save nothing more for it.
      ports.signal.throwIfAborted();
      await recordCall(call, names, { ...context, key: `${request.run_id}/learnings/${position}` });
    }
  } catch (thrown) {
    ports.signal.throwIfAborted();
    ports.warn?.("learnings could not be saved", { run_id: request.run_id, error: String(thrown) });
  }
  return used;
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

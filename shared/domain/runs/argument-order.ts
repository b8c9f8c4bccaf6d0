import type { Message, RunOutput, ToolExecution } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import { isObject, ownMember, parsedJson } from "../../schemas/values/json-values.ts";

/**
 * A value whose objects have their members in the order of a pattern. The database does not keep the order in which a
 * model wrote the arguments of a call; their text does. Members that the pattern lacks are last, and values stay as they are.
 */
export function inOrderOf<Value>(value: Value, pattern: unknown): Value;
export function inOrderOf(value: unknown, pattern: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(pattern)) {
    return value.map((item, index) => inOrderOf(item, pattern[index]));
  }
  if (!isObject(value) || !isObject(pattern)) return value;
  const known = Object.keys(pattern).filter((name) => Object.hasOwn(value, name));
  const names = new Set([...known, ...Object.keys(value)]);
  return Object.fromEntries(
    [...names].map((name) => [name, inOrderOf(value[name], ownMember(pattern, name))]),
  );
}

/** The names within a value in their order, as JSON: a pattern without what the value says. */
export const orderOf = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) => (typeof member === "object" ? member : 0));

type Nested = Pick<
  StoredOutput,
  "messages" | "tools" | "requirements" | "member_responses" | "step_executor_runs"
>;
type PatternOf = (callId: string | undefined) => unknown;

/**
 * A stored run with the arguments of its calls, and of the runs within it, in the order in which the model wrote them.
 *
 * @param output  of the run; where its messages were left out, the order stays that of the database
 */
export function withArgumentOrder<Output extends Partial<Nested>>(output: Output): Output {
  const patternOf = patternsIn(output);
  const { messages, tools, requirements, member_responses, step_executor_runs } = output;
  return {
    ...output,
    ...(messages && { messages: messages.map((message) => orderedMessage(message, patternOf)) }),
    ...(tools && { tools: tools.map((call) => orderedCall(call, patternOf)) }),
    ...(requirements && {
      requirements: requirements.map((one) => ({
        ...one,
        tool_execution: orderedCall(one.tool_execution, patternOf),
      })),
    }),
    ...(member_responses && { member_responses: member_responses.map(withArgumentOrder<RunOutput>) }),
    ...(step_executor_runs && { step_executor_runs: step_executor_runs.map(withArgumentOrder<RunOutput>) }),
  };
}

const orderedCall = (call: ToolExecution, patternOf: PatternOf): ToolExecution => {
  const pattern = patternOf(call.tool_call_id);
  if (pattern === undefined) return call;
  return {
    ...call,
    tool_args: inOrderOf(call.tool_args, pattern),
    ...(call.proposed_args && { proposed_args: inOrderOf(call.proposed_args, pattern) }),
  };
};

const orderedMessage = (message: Message, patternOf: PatternOf): Message =>
  message.tool_args
    ? { ...message, tool_args: inOrderOf(message.tool_args, patternOf(message.tool_call_id)) }
    : message;

/** The arguments as the model wrote them, by the ids of calls, of a run and of the runs within it. Each is parsed when it is asked for. */
function patternsIn(output: Partial<Nested>): PatternOf {
  const texts = new Map(textsIn(output));
  return (callId) => {
    const text = callId === undefined ? undefined : texts.get(callId);
    return text === undefined ? undefined : parsedJson(text);
  };
}

/** The run's own are last: an id that a member's run has too means the run's own call there. */
function textsIn({ messages, member_responses, step_executor_runs }: Partial<Nested>): [string, string][] {
  const within = [...(member_responses ?? []), ...(step_executor_runs ?? [])].flatMap((run) => textsIn(run));
  const calls = (messages ?? []).flatMap(({ tool_calls = [] }) => tool_calls);
  return [...within, ...calls.map((call): [string, string] => [call.id, call.function.arguments])];
}

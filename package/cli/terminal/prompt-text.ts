import type { RunOutput } from "../../../client/index.ts";

type Message = NonNullable<RunOutput["messages"]>[number];

/**
 * What the model of a run was asked with, message by message: all up to its last answer, with those that come from earlier
 * runs, and the context that stands in a message.
 */
export function promptText(messages: readonly Message[]): string {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages
    .slice(0, last < 0 ? messages.length : last)
    .map(textOf)
    .join("\n");
}

function textOf({ role, content = "", context, tool_calls, tool_name, from_history }: Message): string {
  const name = tool_name === undefined ? role : `${role} ${tool_name}`;
  return [
    `--- ${name}${from_history ? ", of an earlier run" : ""} ---`,
    ...(context === undefined ? [] : [context]),
    ...(content === "" ? [] : [content]),
    ...(tool_calls === undefined ? [] : [JSON.stringify(tool_calls)]),
  ].join("\n");
}

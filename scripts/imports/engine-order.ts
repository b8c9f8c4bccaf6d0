/**
 * The folders of `shared/engine/` in the order in which they may import: a folder imports what stands before it, never
 * what stands after it. What two folders share stands before both.
 */
export const engineOrder = [
  /** Stops work that a signal or a clock ends. */
  "abort",
  /** The model port: providers, streamed answers, faults, tokens and prices. */
  "model",
  /** What the engine needs from outside, as interfaces. */
  "ports",
  /** What a tool is: declaration, parameters, questions to people. */
  "tool",
  /** Tools of MCP servers. */
  "mcp",
  /** What is remembered of a user: settings, tool, store. */
  "memory",
  /** What is learned: its kinds, tools, store. */
  "learning",
  /** Knowledge bases: settings, search tool. */
  "knowledge",
  /** What `registry/` declares: agents, teams, workflows, hooks. */
  "define",
  /** How they are shown on the wire. */
  "describe",
  /** Stored components made into what a declaration would be. */
  "stored",
  /** A run between two steps: request, state, execution, outcome. */
  "run",
  /** The messages and tools that the model is shown. */
  "prompt",
  /** What guards get of people and of models, and what becomes of a refusal. */
  "guard",
  /** Files that go in and come out. */
  "media",
  /** Spans of a run. */
  "trace",
  /** Limits of tokens and money. */
  "budget",
  /** One model call of a run and its record. */
  "turn",
  /** Model calls beside the answer: memories, learnings, summaries, follow-ups, names. */
  "extract",
  /** One tool call: admission, ledger, execution, events. */
  "call",
  /** Questions to people: requirements, approvals, answers, continue, fork. */
  "pause",
  /** Agents of other organizations: their card, message, task and answer. */
  "remote",
  /** What a leader does with its members. */
  "team",
  /** The steps of an agent's or a team's run, until it ends, pauses or yields. */
  "loop",
  /** The steps of a workflow's run. */
  "workflow",
  /** A run from its stored record to execution, and back to what is stored of its end. */
  "lifecycle",
] as const;

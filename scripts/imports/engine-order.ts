/**
 * The folders of `shared/engine/` in the order in which they may import: a folder imports what stands before it, never
 * what stands after it. What two folders share stands before both.
 */
export const engineOrder = [
  /** The model port: providers, streamed answers, faults, tokens and prices. */
  "model",
  /** What the engine needs from outside, as interfaces. */
  "ports",
  /** What a tool is: declaration, parameters, questions to people; tools of MCP servers. */
  "tool",
  /** Skills in the open format: what they are, how a model reads them. */
  "skill",
  /** What an agent recalls: memories of a user, learnings, knowledge bases; their settings and tools. */
  "recall",
  /** What `registry/` declares: agents, teams, workflows, hooks. */
  "define",
  /** Agents, teams and workflows as components: built from what is stored, found, described on the wire. */
  "component",
  /** A run between two steps: request, state, execution, outcome, files, spans. */
  "run",
  /** One turn of a run: prompt, guards, budget, model call, tool calls, and the model calls beside the answer. */
  "turn",
  /** Questions to people: requirements, approvals, answers, continue, fork. */
  "pause",
  /** Agents of other organizations: their card, message, task and answer. */
  "remote",
  /** What a leader does with its members. */
  "team",
  /** What a model is shown of a long run: large results beside the prompt, and the tools that read them. */
  "context",
  /** The steps of an agent's or a team's run, until it ends, pauses or yields. */
  "loop",
  /** The steps of a workflow's run. */
  "workflow",
  /** A run from its stored record to execution, and back to what is stored of its end. */
  "lifecycle",
] as const;

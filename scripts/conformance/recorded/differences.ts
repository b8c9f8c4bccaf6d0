const LEFT_TO_CALLER =
  "a call of a built-in tool that the service leaves to its caller; the agent does not have it, so it is a call of an unknown tool";
const NOTHING_FOR_THE_AGENT =
  "the service has only called tools of its own, or asks for leave to: the answer is empty, and is asked for once more";
const BAD_LINE =
  "its first line is no JSON, so the call has failed before its first token, and is made again";
const COMPACTION =
  "the SDK gives the summary of a compaction as text, and adds up the tokens of its iterations";
const TWO_IN_ONE = "a second answer begins within a call: the SDK refuses its arguments, and the run fails";

/** Recordings of which a run has something else, for a reason: their name, and the reason. */
const differences: readonly (readonly [RegExp, string])[] = [
  [/^openai-(apply-patch|client-tool-search\.1|local-shell|shell-(container|skills|tool)\.)/, LEFT_TO_CALLER],
  [
    /^(openai-(image-generation|mcp-tool-approval\.[13])|anthropic-advisor-stop-reasons)/,
    NOTHING_FOR_THE_AGENT,
  ],
  [/^parallel-tool-call-wrapper/, BAD_LINE],
  [/^anthropic-compaction/, COMPACTION],
  [/^spliced-message-start/, TWO_IN_ONE],
];

/** Why a run may differ from a recording; undefined for one that must not. */
export const differenceOf = (recording: string): string | undefined =>
  differences.find(([name]) => name.test(recording))?.[1];

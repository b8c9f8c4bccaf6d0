import type { WalkedMember } from "./walked-member.ts";

type Difference = {
  /** Which clients it is about. */
  readonly part: RegExp;
  readonly method: RegExp;
  readonly failure: RegExp;
  /** Versions of the package; all when absent. */
  readonly version?: RegExp;
  readonly reason: string;
};

const ROOT_IS_ASKED =
  "in this mode it asks the JSON-RPC endpoint for the card, which is elsewhere; None is its answer then";
const FIRST_TASK =
  "it takes the first task of a stream for its end, which the protocol sends first (docs/interface/a2a.md 6.2)";
const RUN_AT_THE_END =
  "the stream of a paused workflow ends with the run itself, as AgentOS's does (docs/interface/runs.md 5.10); it logs and skips it";
const TOOLS_AS_TEXT = "it expects a list as JSON text; its own server answers a list";
const MODELS_AS_TEXT =
  "since AgentOS 3 `available_models` of /config holds objects (docs/interface/platform.md 1.1); 2.x reads texts only";

/** Answers that a client does not take although the interface asks for them. */
const differences: readonly Difference[] = [
  { part: /A2AClient .*json-rpc/, method: /get_agent_card$/, failure: /answer: None/, reason: ROOT_IS_ASKED },
  { part: /A2A, json-rpc/, method: /^arun$/, failure: /CompletedEvent/, reason: FIRST_TASK },
  {
    part: /./,
    method: /^(run_workflow_stream|arun)$/,
    failure: /Unknown workflow event type: \)/,
    reason: RUN_AT_THE_END,
  },
  {
    part: /^RemoteAgent$/,
    method: /tools$/,
    failure: /must be str, bytes or bytearray, not list/,
    reason: TOOLS_AS_TEXT,
  },
  { part: /./, method: /config$|^db$/, failure: /available_models/, version: /^2\./, reason: MODELS_AS_TEXT },
];

/** Why an answer is right although the client failed on it; undefined where it is not. */
export function differenceFor(
  { part, method }: Pick<WalkedMember, "part" | "method">,
  failure: string,
  version: string,
): string | undefined {
  return differences.find(
    (one) =>
      one.part.test(part) &&
      one.method.test(method) &&
      one.failure.test(failure) &&
      (one.version?.test(version) ?? true),
  )?.reason;
}

import type { ModelPrice } from "../../settings/values/model-prices.ts";

/** How a remote agent is reached by the agent-to-agent protocol (A2A), and what may be done with it. */
export type RemoteSettings = {
  /** Address of its agent card, whole. */
  readonly card: string;
  /** Name of the secret that it takes as a credential: a bearer token or an API key, as its card says. */
  readonly secret?: string;
  /** Hosts, with their ports, that its card may name beside its own. The credential goes to no others. */
  readonly hosts: readonly string[];
  /**
   * What a second message with the same id would do; see `defineTool`. With `once`, the default, a person is asked whether a
   * message is sent again that may have arrived before its process died.
   */
  readonly effect: "safe" | "keyed" | "once";
  /** Whether the runs of a session are one conversation there, or each run begins a new one. */
  readonly context: "session" | "run";
  /** Longest time that one task may work before it is cancelled. Time that it waits for an answer does not count. */
  readonly timeout_seconds: number;
  /** What its reported tokens cost here; nothing when absent. */
  readonly price?: ModelPrice;
};

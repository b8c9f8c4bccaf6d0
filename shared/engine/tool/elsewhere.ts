import type { CallInputField } from "../../schemas/runs/call-questions.ts";

/** What a server asks a person in the middle of a call. */
export type RemoteQuestion = {
  readonly message: string;
  /** A page that the person is to open; then they say that they are done. */
  readonly url?: string;
  /** What the person fills in; none where there is a page. */
  readonly fields: readonly CallInputField[];
};

/** What has to be known to go on with a call. */
export type KeptCall = {
  /** As people know it: `the MCP server crm`. */
  readonly server: string;
  /** Whether it goes on at the server by itself, until it is cancelled. */
  readonly follows: boolean;
  /** What the tool is given when it goes on; text of its own. */
  readonly kept: string;
};

/** Why a call ends without a result: it waits for a person, or another process continues it. */
export type CallWait =
  | ({ readonly for: "person"; readonly question: RemoteQuestion } & KeptCall)
  | { readonly for: "process" };

/** What a tool is given whose calls go on at a server, in several rounds or for longer than a process lives. */
export type Elsewhere = {
  /** Set where the call goes on, in this process or another: what was kept, and what a person has filled in since. */
  readonly resumed?: { readonly kept: string; readonly values: Readonly<Record<string, unknown>> };
  /** Saves with the run what is needed to go on. A call that goes on at its server has no limit of time here from then on. */
  readonly keep: (kept: KeptCall) => Promise<void>;
  /** Whether this process has to leave the run to another. */
  readonly shouldYield: () => boolean;
  /** @throws the reason of an abort */
  readonly sleep: (ms: number) => Promise<void>;
};

/** Of a call outside of a run: it is over with its answer, or fails. */
export const nowhereElse: Elsewhere = {
  keep: async ({ server }) => {
    throw new Error(`The call goes on at ${server}, and nothing here can wait for it.`);
  },
  shouldYield: () => false,
  sleep: async () => undefined,
};

const waits = new WeakSet<object>();

/** What a tool returns in place of a result, where there is none yet. */
export function callWaits(wait: CallWait): CallWait {
  waits.add(wait);
  return wait;
}

/** Distinguishes that from a plain object of the same shape. */
export const isCallWait = (value: unknown): value is CallWait =>
  typeof value === "object" && value !== null && waits.has(value);

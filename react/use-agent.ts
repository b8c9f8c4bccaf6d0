import { useCallback, useEffect, useRef, useState } from "react";
import type { ComponentAddress } from "../client/index.ts";
import { useGiven } from "./agent-platform.ts";
import { asError, cancelRun, notBegun, progressed, type RunProgress } from "./run-progress.ts";

export type AgentMessage = {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
};

export type Agent = {
  /** What was said since the component was mounted; the session has the rest. */
  readonly messages: readonly AgentMessage[];
  /** `paused`: the run waits, for an approval or what else its record says. */
  readonly status: "ready" | "running" | "paused" | "error";
  /** Begins one run. @throws Error while another one of this hook is streamed */
  readonly send: (message: string) => Promise<void>;
  /** Cancels the run that is streamed. */
  readonly stop: () => Promise<void>;
  /** The last run, with its status. */
  readonly run: RunProgress["run"];
  readonly error: Error | undefined;
};

type State = Pick<Agent, "messages" | "status" | "error"> & { readonly progress: RunProgress };
const nothing: State = { messages: [], status: "ready", error: undefined, progress: notBegun };

type Sending = { readonly left: AbortController; run?: RunProgress["run"]; isStopped?: boolean };

/**
 * Talks to an agent, a team or a workflow, in one session. Unmounting leaves a run that is streamed, and cancels nothing:
 * `useRun` follows it.
 *
 * @param component  such as `{ agent_id: "assistant" }`
 * @param session    its id; without it the hook begins one
 */
export function useAgent(
  component: ComponentAddress,
  { session }: { readonly session?: string | undefined } = {},
): Agent {
  const { client } = useGiven();
  const [own] = useState(() => crypto.randomUUID());
  const session_id = session ?? own;
  const place = JSON.stringify([component, session_id]);
  const [{ messages, status, error, progress }, setState] = useState(nothing);
  const sending = useRef<Sending | undefined>(undefined);
  // Another place is another conversation
  useEffect(() => {
    setState(nothing);
    return () => {
      sending.current?.left.abort();
      sending.current = undefined;
    };
  }, [client, place]);
  // The place says which component it is
  const send = useCallback(
    async (message: string) => {
      if (sending.current) throw new Error("the run before is not over; stop it, or wait for it");
      const mine: Sending = { left: new AbortController() };
      sending.current = mine;
      const change = (next: (before: State) => State) => {
        if (sending.current === mine) setState(next);
      };
      const asked = { id: crypto.randomUUID(), role: "user", text: message } as const;
      change((before) => ({
        ...{ messages: [...before.messages, asked], status: "running", error: undefined },
        progress: notBegun,
      }));
      let now = notBegun;
      const call = { signal: mine.left.signal, onLeave: "go-on" } as const;
      try {
        for await (const frame of client.runs.stream(component, { message, session_id }, call)) {
          now = progressed(now, component, frame as never);
          const known = now;
          if (!mine.run && known.run && mine.isStopped) await cancelRun(client, known.run);
          mine.run = known.run;
          change((before) => withAnswer(before, asked, known));
        }
      } catch (thrown) {
        if (!mine.left.signal.aborted)
          change((before) => ({ ...before, status: "error", error: asError(thrown) }));
      } finally {
        if (sending.current === mine) sending.current = undefined;
      }
    },
    [client, place],
  );
  const stop = useCallback(async () => {
    const mine = sending.current;
    if (!mine) return;
    mine.isStopped = true;
    if (mine.run) await cancelRun(client, mine.run);
  }, [client]);
  return { messages, status, send, stop, run: progress.run, error };
}

/** With the answer, as far as it has come, behind what was asked. */
function withAnswer({ messages }: State, asked: AgentMessage, progress: RunProgress): State {
  const { run, text, failure } = progress;
  const answer: AgentMessage[] = run && text !== "" ? [{ id: run.run_id, role: "assistant", text }] : [];
  const statuses = { RUNNING: "running", PAUSED: "paused", ERROR: "error" } as const;
  const known: Partial<Record<string, Agent["status"]>> = statuses;
  return {
    messages: [...messages.slice(0, messages.indexOf(asked) + 1), ...answer],
    status: known[run?.status ?? "RUNNING"] ?? "ready",
    error: failure === undefined ? undefined : new Error(failure),
    progress,
  };
}

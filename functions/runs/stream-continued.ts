import { EventStream } from "../../shared/http/handler.ts";
import { continueComponentRun, type RunsDeps } from "../../shared/runs/index.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";

type Continued = Parameters<typeof continueComponentRun>[0];
type Given = Pick<Continued, "component" | "principal" | "signal" | "invocation" | "headers">;
type Asked = Pick<Continued["body"], "background" | "regenerate"> &
  Partial<Pick<Continued["body"], "tools" | "requirements" | "step_requirements">>;

/** Continues a run for a protocol in which an answer is always streamed. */
export async function streamContinued(
  { component, principal, signal, invocation, headers }: Given,
  deps: RunsDeps,
  {
    run,
    frames,
    ...asked
  }: { readonly run: StoredRun; readonly frames: NonNullable<Continued["frames"]> } & Asked,
): Promise<EventStream> {
  return asStream(
    await continueComponentRun(
      {
        ...{ component, principal, signal, invocation, headers, query: {}, params: { run_id: run.run_id } },
        frames,
        body: { ...asked, stream: true, stream_events: true, fork: false, session_id: run.session_id },
      },
      deps,
    ),
  );
}

/** @throws Error when what was asked to be streamed was answered otherwise */
export function asStream(answer: unknown): EventStream {
  if (answer instanceof EventStream) return answer;
  throw new Error("a run that is streamed was answered otherwise");
}

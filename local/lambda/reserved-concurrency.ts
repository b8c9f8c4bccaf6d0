import type { FunctionModel } from "../template/functions.ts";
import type { HostOptions, LambdaHost } from "./lambda-host.ts";
import type { Outcome } from "./start-thread.ts";
import { hostFunctions } from "./strict-host.ts";

/** A host whose functions may be limited, as by reserved concurrency. */
export type LimitedHost = LambdaHost & {
  /** Most invocations of a function at a time; 0 refuses all, undefined is without a limit. */
  readonly reserve: (name: string, most: number | undefined) => void;
  /** Invocations of a function that have begun and not ended. */
  readonly running: (name: string) => number;
};

const refused = {
  ok: false,
  error: { errorType: "TooManyRequestsException", errorMessage: "Rate Exceeded." },
} as const;

/** Hosts functions that may be limited. One that is throttled reads no event: its messages stay in their queue. */
export function limitedHost(models: readonly FunctionModel[], options: HostOptions): LimitedHost {
  const host = hostFunctions(models, options);
  const reserved = new Map<string, number>();
  const counts = new Map<string, number>();
  const running = (name: string): number => counts.get(name) ?? 0;
  const limited = async (name: string, invoke: () => Promise<Outcome | undefined>) => {
    if (running(name) >= (reserved.get(name) ?? Number.POSITIVE_INFINITY)) return refused;
    counts.set(name, running(name) + 1);
    try {
      return await invoke();
    } finally {
      counts.set(name, running(name) - 1);
    }
  };
  return {
    ...host,
    reserve: (name, most) => void (most === undefined ? reserved.delete(name) : reserved.set(name, most)),
    running,
    invoke: (model, invocation, version) =>
      limited(model.name, () => host.invoke(model, invocation, version)),
    invokeAsync: (model, event, version) =>
      limited(model.name, () => host.invokeAsync(model, event, version)),
  };
}

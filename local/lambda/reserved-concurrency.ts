import type { FunctionModel } from "../template/functions.ts";
import type { HostOptions, LambdaHost } from "./lambda-host.ts";
import type { Outcome } from "./start-thread.ts";
import { hostFunctions } from "./strict-host.ts";
import { invocationCounts, throttled } from "./throttling.ts";

/** A host whose functions may be limited, as by reserved concurrency. */
export type LimitedHost = LambdaHost & {
  /** Most invocations of a function at a time; 0 refuses all, undefined is without a limit. */
  readonly reserve: (name: string, most: number | undefined) => void;
  /** Invocations of a function that have begun and not ended. */
  readonly running: (name: string) => number;
};

/** Hosts functions that may be limited. One that is throttled reads no event: its messages stay in their queue. */
export function limitedHost(models: readonly FunctionModel[], options: HostOptions): LimitedHost {
  const host = hostFunctions(models, options);
  const reserved = new Map<string, number>();
  const running = invocationCounts();
  const limited = async (name: string, invoke: () => Promise<Outcome | undefined>) =>
    running.of(name) >= (reserved.get(name) ?? Number.POSITIVE_INFINITY)
      ? throttled("Rate Exceeded.")
      : running.during(name, invoke);
  return {
    ...host,
    reserve: (name, most) => void (most === undefined ? reserved.delete(name) : reserved.set(name, most)),
    running: running.of,
    invoke: (model, invocation, version) =>
      limited(model.name, () => host.invoke(model, invocation, version)),
    invokeAsync: (model, event, version) =>
      limited(model.name, () => host.invokeAsync(model, event, version)),
  };
}

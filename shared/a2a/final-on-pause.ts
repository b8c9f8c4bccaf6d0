import * as v from "valibot";

const Pause = v.looseObject({
  result: v.looseObject({
    kind: v.literal("status-update"),
    status: v.looseObject({ state: v.literal("input-required") }),
  }),
});

/**
 * A frame of a stream that a message opened, by JSON-RPC of version 0.3. Such a stream closes where its task requires
 * input, and its last status must be marked final; the SDK marks only the end of a task.
 */
export function finalOnPause(frame: unknown): unknown {
  const paused = v.safeParse(Pause, frame);
  return paused.success ? { ...paused.output, result: { ...paused.output.result, final: true } } : frame;
}

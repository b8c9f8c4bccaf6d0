import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { after, type Clock } from "../../runtime/clock.ts";
import { untilStopped } from "../../runtime/promises.ts";

/** Seconds that a model may be silent. */
export type IdleLimits = {
  /** From the request to the first part of the answer. */
  readonly first: number;
  /** Between two parts of an answer. */
  readonly between: number;
};

/** A model was silent for too long; its connection is closed. */
export class ModelSilent extends Error {
  override readonly name = "ModelSilent";
}

/**
 * A model whose streamed calls fail when nothing arrives for too long. Without a limit a service that has lost a request
 * occupies the run until its own time is over.
 */
export function withIdleLimits(
  model: LanguageModelV4,
  limits: IdleLimits,
  clock: Pick<Clock, "sleep">,
): LanguageModelV4 {
  const within = async <T>(work: PromiseLike<T>, seconds: number, silent: AbortController): Promise<T> => {
    const stop = after(clock, seconds * 1000, () =>
      silent.abort(new ModelSilent(`The model was silent for ${seconds} seconds.`)),
    );
    try {
      return await untilStopped(work, silent.signal);
    } finally {
      stop();
    }
  };
  const doStream: LanguageModelV4["doStream"] = async (options) => {
    const silent = new AbortController();
    const signals = [silent.signal, ...(options.abortSignal ? [options.abortSignal] : [])];
    const asked = { ...options, abortSignal: AbortSignal.any(signals) };
    const { stream, ...call } = await within(model.doStream(asked), limits.first, silent);
    const reader = stream.getReader();
    let seconds = limits.first;
    // A chunk as it was sent is no part of the answer: a ping is no sign that the model works.
    const nextPart = async (controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>) => {
      for (;;) {
        const read = await reader.read();
        if (read.value?.type !== "raw") return read;
        controller.enqueue(read.value);
      }
    };
    const watched = new ReadableStream<LanguageModelV4StreamPart>({
      // Time counts while a part is waited for: when it is not read, it is not the model that is silent.
      async pull(controller) {
        const { done, value } = await within(nextPart(controller), seconds, silent);
        if (done) return controller.close();
        // The package itself starts the stream, before the service has sent anything.
        if (value.type !== "stream-start") seconds = limits.between;
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    });
    return { ...call, stream: watched };
  };
  // The packages' models are instances of classes, whose methods need them as `this`.
  return new Proxy(model, {
    get: (target, name) => {
      if (name === "doStream") return doStream;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

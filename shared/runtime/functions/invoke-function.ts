/** What a function of this platform answered. `failed`: it threw, and `payload` holds the error. */
export type Invoked = { readonly payload: string; readonly failed: boolean };

/** Calls a function and waits for its result. */
export type Invoke = (functionName: string, payload: string, signal?: AbortSignal) => Promise<Invoked>;

/**
 * Calls functions by the Lambda API. The client is large and seldom needed, so it is loaded with the first call.
 *
 * @param attempts  most requests, when one gets no answer; 1 for what must not happen twice
 */
export function invokeFunction(attempts = 3): Invoke {
  let connected: Promise<Invoke> | undefined;
  return async (functionName, payload, signal) => {
    connected ??= connect(attempts);
    return (await connected)(functionName, payload, signal);
  };
}

async function connect(maxAttempts: number): Promise<Invoke> {
  const { InvokeCommand, LambdaClient } = await import("@aws-sdk/client-lambda");
  const client = new LambdaClient({ maxAttempts });
  return async (functionName, payload, signal) => {
    const answer = await client.send(
      new InvokeCommand({ FunctionName: functionName, Payload: payload }),
      signal && { abortSignal: signal },
    );
    return { payload: answer.Payload?.transformToString() ?? "", failed: answer.FunctionError !== undefined };
  };
}

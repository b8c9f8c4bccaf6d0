/** Invokes a function without waiting for its result. */
export type StartFunction = (functionName: string, payload: string) => Promise<void>;

/**
 * Invokes functions asynchronously by the Lambda API, which queues the call and retries it when the function fails.
 * The client is large and seldom needed, so it is loaded with the first call.
 */
export function startFunction(): StartFunction {
  let connected: Promise<StartFunction> | undefined;
  return async (functionName, payload) => {
    connected ??= connect();
    await (await connected)(functionName, payload);
  };
}

async function connect(): Promise<StartFunction> {
  const { InvokeCommand, LambdaClient } = await import("@aws-sdk/client-lambda");
  const client = new LambdaClient();
  return async (functionName, payload) => {
    await client.send(
      new InvokeCommand({ FunctionName: functionName, Payload: payload, InvocationType: "Event" }),
    );
  };
}

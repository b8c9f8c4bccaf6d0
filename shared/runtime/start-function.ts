/** Has a function called, and does not wait for its result. */
export type StartFunction = (functionName: string, payload: string) => Promise<void>;

/**
 * Calls functions by the Lambda API, which keeps the call and makes it again when the function fails. The client is
 * large and seldom needed, so it is loaded when it is.
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

import type { Invoke } from "./forward.ts";

/** The client is as large as all the rest of this function and seldom needed, so it is loaded when it is. */
async function connect(): Promise<Invoke> {
  const { InvokeCommand, LambdaClient } = await import("@aws-sdk/client-lambda");
  const client = new LambdaClient({});
  return async (functionName, payload) => {
    const answer = await client.send(new InvokeCommand({ FunctionName: functionName, Payload: payload }));
    return { payload: answer.Payload?.transformToString() ?? "", failed: answer.FunctionError !== undefined };
  };
}

let connected: Promise<Invoke> | undefined;

/** Calls another function of this platform by the Lambda API. */
export const invoke: Invoke = async (functionName, payload) => {
  connected ??= connect();
  return (await connected)(functionName, payload);
};

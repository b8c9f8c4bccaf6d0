type Sdk = typeof import("@aws-sdk/client-sqs");
type Connection = { readonly sdk: Sdk; readonly client: InstanceType<Sdk["SQSClient"]> };

/**
 * Connects to the queue service with the first message: most of what a door does sends none, and should not load for it.
 */
export function connectSqs(): () => Promise<Connection> {
  let connecting: Promise<Connection> | undefined;
  return () => {
    connecting ??= connect();
    return connecting;
  };
}

async function connect(): Promise<Connection> {
  const sdk = await import("@aws-sdk/client-sqs");
  // Without this the SDK sends to the host inside the URL, whatever endpoint is configured.
  return { sdk, client: new sdk.SQSClient({ useQueueUrlAsEndpoint: false, maxAttempts: 3 }) };
}

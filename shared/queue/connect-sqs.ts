type Sdk = typeof import("@aws-sdk/client-sqs");
type Connection = { readonly sdk: Sdk; readonly client: InstanceType<Sdk["SQSClient"]> };

/**
 * Connects to the queue service with the first message: most requests send none, and should not wait for the client to
 * load.
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
  // Without this the SDK sends to the host inside the URL and ignores the configured endpoint.
  return { sdk, client: new sdk.SQSClient({ useQueueUrlAsEndpoint: false, maxAttempts: 3 }) };
}

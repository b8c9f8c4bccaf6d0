import type { LambdaClient } from "@aws-sdk/client-lambda";

export type PublishedVersion = {
  readonly version: string;
  /** Epoch seconds. */
  readonly published_at: number;
};

/** The published versions of one function: each is the code and the environment of one deployment, as they were. */
export type FunctionVersions = {
  /** Invokes a version without waiting for its result. @returns false when there is no such version any more */
  readonly start: (version: string, payload: string) => Promise<boolean>;
  /** Every version that is kept, in no order. */
  readonly list: () => Promise<readonly PublishedVersion[]>;
  /** The version that an alias leads to. */
  readonly getAliased: (alias: string) => Promise<string>;
  readonly delete: (version: string) => Promise<void>;
  /**
   * Publishes the code and the configuration as they are now, unless the newest version is the same.
   *
   * @returns the version, when it can be invoked
   */
  readonly publish: () => Promise<string>;
};

/** A function in a VPC waits for its network. */
const ACTIVE_SECONDS = 300;

/** The alias that leads to the version which takes new work. */
export const LIVE_ALIAS = "live";

/** The name of the code that a function is edited as; it is never a published version. */
export const UNPUBLISHED = "$LATEST";

/**
 * Versions by the Lambda API. The client is large and seldom needed, so it is loaded with the first call.
 *
 * @param functionName  its name, without a qualifier
 */
export function connectFunctionVersions(functionName: string): FunctionVersions {
  type Sdk = typeof import("@aws-sdk/client-lambda");
  let connected: Promise<{ sdk: Sdk; client: LambdaClient }> | undefined;
  const connect = async () => {
    const sdk = await import("@aws-sdk/client-lambda");
    return { sdk, client: new sdk.LambdaClient() };
  };
  const connection = () => (connected ??= connect());
  return {
    async start(version, payload) {
      const { sdk, client } = await connection();
      const call = { FunctionName: functionName, Qualifier: version, Payload: payload };
      try {
        await client.send(new sdk.InvokeCommand({ ...call, InvocationType: "Event" }));
        return true;
      } catch (error) {
        if (!(error instanceof sdk.ResourceNotFoundException)) throw error;
        return false;
      }
    },
    async list() {
      const { sdk, client } = await connection();
      const found: PublishedVersion[] = [];
      let marker: string | undefined;
      do {
        const page = await client.send(
          new sdk.ListVersionsByFunctionCommand({ FunctionName: functionName, Marker: marker }),
        );
        for (const { Version = UNPUBLISHED, LastModified = "" } of page.Versions ?? []) {
          if (Version === UNPUBLISHED) continue;
          found.push({ version: Version, published_at: Math.floor(Date.parse(LastModified) / 1000) });
        }
        marker = page.NextMarker;
      } while (marker !== undefined);
      return found;
    },
    async getAliased(alias) {
      const { sdk, client } = await connection();
      const { FunctionVersion } = await client.send(
        new sdk.GetAliasCommand({ FunctionName: functionName, Name: alias }),
      );
      if (FunctionVersion === undefined) throw new Error(`${functionName} has no version behind ${alias}`);
      return FunctionVersion;
    },
    async delete(version) {
      const { sdk, client } = await connection();
      // Without a qualifier this call deletes the function itself.
      if (!version || version === UNPUBLISHED) throw new Error("only a published version can be deleted");
      await client.send(new sdk.DeleteFunctionCommand({ FunctionName: functionName, Qualifier: version }));
    },
    async publish() {
      const { sdk, client } = await connection();
      const { Version } = await client.send(new sdk.PublishVersionCommand({ FunctionName: functionName }));
      if (Version === undefined) throw new Error(`${functionName} was published without a version`);
      const published = { FunctionName: functionName, Qualifier: Version };
      await sdk.waitUntilPublishedVersionActive({ client, maxWaitTime: ACTIVE_SECONDS }, published);
      return Version;
    },
  };
}

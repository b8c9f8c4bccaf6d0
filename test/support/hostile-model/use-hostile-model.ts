import { afterAll, beforeAll, vi } from "vitest";
import { type HostileModel, startHostileModel } from "./start-hostile-model.ts";

/** Starts a hostile model for the tests of a file. @returns reads it, while they run */
export function useHostileModel(): () => HostileModel {
  let hostile: HostileModel;
  beforeAll(async () => {
    hostile = await startHostileModel();
  });
  afterAll(() => hostile?.stop());
  return () => hostile;
}

/** Credentials for Bedrock, while the tests of a file run. */
export function useBedrockCredentials(): void {
  beforeAll(() => {
    vi.stubEnv("AWS_REGION", "eu-west-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIATEST");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
    vi.stubEnv("AWS_BEARER_TOKEN_BEDROCK", "");
  });
  afterAll(() => vi.unstubAllEnvs());
}

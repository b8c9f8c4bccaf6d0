import { afterAll, beforeAll, vi } from "vitest";
import { type HostileModel, startHostileModel } from "./start-hostile-model.ts";

/** Starts a hostile model for the tests of a file, with credentials for Bedrock. @returns reads it, while they run */
export function useHostileModel(): () => HostileModel {
  let hostile: HostileModel;
  beforeAll(async () => {
    hostile = await startHostileModel();
    vi.stubEnv("AWS_REGION", "eu-west-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIATEST");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
    vi.stubEnv("AWS_BEARER_TOKEN_BEDROCK", "");
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await hostile.stop();
  });
  return () => hostile;
}

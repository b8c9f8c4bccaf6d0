import { type AppConfig, readConfig } from "../../lib/config/config.ts";
import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import type { ProjectSettings } from "../config/project-config.ts";
import { type AwsApi, AwsError, connectAws } from "./aws/aws-api.ts";
import { type DeployedStack, readStack } from "./aws/deployed-stack.ts";
import { messageOf, NotExamined, Problem } from "./check.ts";

/** A stage in the operator's account. What several checks need is asked once. */
export type StagePlace = {
  readonly stage: string;
  /** @throws ConfigError naming every setting that is not usable */
  readonly config: () => AppConfig;
  /** @throws Error without credentials or a region */
  readonly aws: () => Promise<AwsApi>;
  /** @throws Problem when there is none */
  readonly stack: () => Promise<DeployedStack>;
  /** The stack with the deployment's own users; undefined where there is none. */
  readonly users: () => Promise<DeployedStack | undefined>;
};

export function stagePlace(
  stage: string,
  settings: ProjectSettings,
  needs: RegistryManifest["needs"],
  connect: () => Promise<AwsApi> = () => connectAws({ now: Date.now }),
): StagePlace {
  const given = new Map<string, unknown>(Object.entries({ ...settings, stage }));
  const aws = once(connect);
  const find = async (name: string): Promise<DeployedStack | undefined> => {
    try {
      return await readStack(await aws(), name);
    } catch (error) {
      if (!(error instanceof AwsError && error.code === "ValidationError")) throw error;
      return undefined;
    }
  };
  const stack = once(async () => {
    const name = `agent-platform-${stage}`;
    const found = await find(name);
    if (found) return found;
    throw new Problem(`there is no stack ${name} in this account and region`);
  });
  return {
    stage,
    aws,
    stack,
    users: once(() => find(`agent-platform-${stage}-users`)),
    config: once(() => readConfig((name) => given.get(name), [...given.keys()], needs)),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** For checks that need the account, and are not about reaching it. */
export const reachedAws = (place: StagePlace): Promise<AwsApi> =>
  place.aws().catch((error: unknown) => {
    throw new NotExamined(`AWS cannot be asked: ${messageOf(error)}`);
  });

/** For checks that need the stack, and are not about whether it is there. */
export const deployed = (place: StagePlace): Promise<DeployedStack> =>
  place.stack().catch((error: unknown) => {
    throw new NotExamined(messageOf(error));
  });

/** For checks that need the settings, and are not about them. */
export function configured(place: StagePlace): AppConfig {
  try {
    return place.config();
  } catch {
    throw new NotExamined("the settings are not usable");
  }
}

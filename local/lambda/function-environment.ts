import { devNull } from "node:os";
import { SHOWS_MESSAGES } from "../../shared/runtime/describe-error.ts";
import { LOCAL_SECRET } from "../iam/access-keys.ts";
import type { FunctionModel } from "../template/functions.ts";
import { region } from "../template/names.ts";

type Given = Readonly<
  Record<"models" | "chats" | "tools" | "cards" | "spans", Readonly<Record<string, string>>>
> & {
  /** Whether the machine is that of the code's author: messages of errors that others threw are logged there. */
  readonly isAuthors?: boolean;
};

/**
 * A function's environment: the template's, and what AWS itself adds. Every function has an access key of its own,
 * by which the AWS endpoint knows whose role to check. The user's own AWS profile stays out of reach.
 *
 * @param version  of a published function: the version that runs
 * @param codeFolder  has the function's settings file
 * @param given    keys of model providers, of chat platforms and of agent cards, headers of spans, and the secrets of tools, each for the functions that use them
 */
export function functionEnvironment(
  model: FunctionModel,
  version: string | undefined,
  codeFolder: string,
  accessKey: string,
  awsAddress: string,
  given: Given,
): Record<string, string> {
  return {
    ...(callsModels(model) && given.models),
    ...(talksToChats(model) && given.chats),
    ...(signsCards(model) && given.cards),
    ...(has(model, "OTLP_ENDPOINTS") && given.spans),
    // In one variable: a tool gets its own by its context, here as on AWS, and none of them by the environment.
    ...(executesTools(model) && { TOOL_SECRET_VALUES: JSON.stringify(given.tools) }),
    ...(executesTools(model) && machine()),
    ...model.environment,
    LAMBDA_TASK_ROOT: codeFolder,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: accessKey,
    AWS_SECRET_ACCESS_KEY: LOCAL_SECRET,
    AWS_ENDPOINT_URL: awsAddress,
    // Addresses that are signed here must serve when this instance is gone.
    AWS_ENDPOINT_URL_S3: awsAddress,
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
    AWS_LAMBDA_FUNCTION_NAME: model.name,
    AWS_LAMBDA_FUNCTION_VERSION: version ?? "$LATEST",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(model.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${model.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: "local",
    ...(given.isAuthors && { [SHOWS_MESSAGES]: "true" }),
    TZ: ":UTC",
  };
}

/** What a program needs that a source of tools starts: to be found, and to find its user's files. */
const machine = (): Record<string, string> =>
  Object.fromEntries(
    [
      "PATH",
      "HOME",
      "LOGNAME",
      "SHELL",
      "TERM",
      "USER",
      "APPDATA",
      "LOCALAPPDATA",
      "SYSTEMROOT",
      "TEMP",
      "USERPROFILE",
    ].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

/** Both functions of the family. */
const signsCards = ({ environment, settings }: FunctionModel): boolean =>
  /^a2a(-|$)/.test(environment.POWERTOOLS_SERVICE_NAME ?? settings.POWERTOOLS_SERVICE_NAME ?? "");

const has = ({ environment, settings }: FunctionModel, name: string): boolean =>
  environment[name] !== undefined || settings[name] !== undefined;

const callsModels = (model: FunctionModel): boolean => has(model, "MODEL") || has(model, "EMBEDDER");

const executesTools = (model: FunctionModel): boolean => has(model, "TOOL_SECRETS");

const talksToChats = (model: FunctionModel): boolean =>
  has(model, "CHAT_QUEUE_URL") && ["WHATSAPP", "TELEGRAM", "SLACK"].some((platform) => has(model, platform));

import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { Family } from "../../shared/routes/index.ts";
import type { RouteTable } from "../../shared/routes/route.ts";
import { authorizerEnv } from "../../shared/settings/authorizer-environment.ts";
import {
  a2aEnv,
  approvalsEnv,
  auditEnv,
  componentsEnv,
  configEnv,
  databasesEnv,
  deliveriesEnv,
  evalsEnv,
  feedbackEnv,
  knowledgeEnv,
  learningsEnv,
  memoriesEnv,
  metricsEnv,
  platformEnv,
  queueEnv,
  runnablesEnv,
  runsEnv,
  schedulesEnv,
  serviceAccountsEnv,
  sessionsEnv,
  tracesEnv,
  webhooksEnv,
} from "../../shared/settings/environments.ts";
import type { AppConfig } from "../config/config.ts";
import type { ServiceValues } from "../config/service-values.ts";
import { environmentFor } from "../functions/environment.ts";
import { allowCalls, familyFunctionNames } from "../functions/family-functions.ts";
import { type Grantable, grantNeeds } from "../functions/grants.ts";
import { createServiceFunction } from "../functions/service-function.ts";
import { allowReading, type EdgeSecret } from "./edge-secret.ts";
import { familiesOf, type HttpFunctions } from "./http-api.ts";

/** Just below the 30 seconds after which the HTTP API times out. */
const API_TIMEOUT_SECONDS = 29;
/** Lambda's limit. */
const STREAM_TIMEOUT_SECONDS = 900;
/** The HTTP API's limit for an authorizer. */
const AUTHORIZER_TIMEOUT_SECONDS = 10;

/** Above half a processor, more memory hardly shortens a cold start. */
const API_MEMORY_MB = 1024;
const AUTHORIZER_MEMORY_MB = 512;

export type ApiFunctions = HttpFunctions & {
  readonly families: { readonly "service-accounts": LambdaFunction };
  /** The second function of each family that streams, behind a function URL; empty without CloudFront. */
  readonly streams: ReadonlyMap<Family, LambdaFunction>;
};

type OtherFamily = Exclude<Family, "platform">;
type FamilyValues = ServiceValues & {
  readonly POWERTOOLS_SERVICE_NAME: string;
  /** Of streaming functions alone; a family's other function is behind the authorizer. */
  readonly EDGE_SECRET?: string;
};

/** The environment of each family's function. A family that is missing here does not compile. */
const environmentOf: Record<OtherFamily, (values: FamilyValues) => Record<string, string>> = {
  config: (values) => environmentFor(configEnv, values),
  runnables: (values) => environmentFor(runnablesEnv, values),
  runs: (values) => environmentFor(runsEnv, values),
  queue: (values) => environmentFor(queueEnv, values),
  "service-accounts": (values) => environmentFor(serviceAccountsEnv, values),
  approvals: (values) => environmentFor(approvalsEnv, values),
  sessions: (values) => environmentFor(sessionsEnv, values),
  knowledge: (values) => environmentFor(knowledgeEnv, values),
  components: (values) => environmentFor(componentsEnv, values),
  databases: (values) => environmentFor(databasesEnv, values),
  schedules: (values) => environmentFor(schedulesEnv, values),
  memories: (values) => environmentFor(memoriesEnv, values),
  learnings: (values) => environmentFor(learningsEnv, values),
  evals: (values) => environmentFor(evalsEnv, values),
  feedback: (values) => environmentFor(feedbackEnv, values),
  traces: (values) => environmentFor(tracesEnv, values),
  metrics: (values) => environmentFor(metricsEnv, values),
  a2a: (values) => environmentFor(a2aEnv, values),
  webhooks: (values) => environmentFor(webhooksEnv, values),
  deliveries: (values) => environmentFor(deliveriesEnv, values),
  audit: (values) => environmentFor(auditEnv, values),
};

/**
 * The functions that handle requests: one for each family, a second one where it streams, and the authorizer.
 *
 * @param edgeSecret  by which the functions that clients could call directly know CloudFront's requests
 */
export function createApiFunctions(
  scope: Construct,
  config: AppConfig,
  values: ServiceValues,
  resources: Grantable,
  edgeSecret: EdgeSecret | undefined,
): ApiFunctions {
  const create = (family: OtherFamily) => createFamily(scope, config, values, resources, family);
  const others = {
    config: create("config"),
    runnables: create("runnables"),
    runs: create("runs"),
    queue: create("queue"),
    "service-accounts": create("service-accounts"),
    approvals: create("approvals"),
    sessions: create("sessions"),
    knowledge: create("knowledge"),
    components: create("components"),
    databases: create("databases"),
    schedules: create("schedules"),
    memories: create("memories"),
    learnings: create("learnings"),
    evals: create("evals"),
    traces: create("traces"),
    feedback: create("feedback"),
    metrics: create("metrics"),
    webhooks: create("webhooks"),
    deliveries: create("deliveries"),
    audit: create("audit"),
    ...(config.a2a === "true" && { a2a: create("a2a") }),
  } satisfies Record<Exclude<OtherFamily, "a2a">, LambdaFunction>;
  const authorizer = createAuthorizer(scope, config, values, resources, edgeSecret);
  return {
    authorizer,
    families: { ...others, platform: createPlatform(scope, config, values, resources, others, authorizer) },
    streams: createStreams(scope, config, values, resources, edgeSecret),
  };
}

function createFamily(
  scope: Construct,
  config: AppConfig,
  values: ServiceValues,
  resources: Grantable,
  family: OtherFamily,
): LambdaFunction {
  const fn = createServiceFunction(scope, titleOf(family), config, {
    bundle: family,
    description: `Serves the routes of ${family}`,
    timeoutSeconds: API_TIMEOUT_SECONDS,
    memoryMb: API_MEMORY_MB,
    environment: environmentOf[family]({ ...values, POWERTOOLS_SERVICE_NAME: family }),
  });
  grantNeeds(fn, family, resources);
  return fn;
}

/** Functions with the same bundle as the family's other one, which send the answer while it is written. */
function createStreams(
  scope: Construct,
  config: AppConfig,
  values: ServiceValues,
  resources: Grantable,
  edgeSecret: EdgeSecret | undefined,
): ReadonlyMap<Family, LambdaFunction> {
  if (!edgeSecret) return new Map();
  const served = familiesOf(config);
  const streaming = otherFamilies().filter((family) => hasStreams(served[family] ?? {}));
  return new Map(
    streaming.map((family) => {
      const fn = createServiceFunction(scope, `${titleOf(family)}Stream`, config, {
        bundle: family,
        entry: "stream",
        description: `Streams the routes of ${family}`,
        timeoutSeconds: STREAM_TIMEOUT_SECONDS,
        memoryMb: API_MEMORY_MB,
        environment: environmentOf[family]({
          ...values,
          POWERTOOLS_SERVICE_NAME: `${family}-stream`,
          EDGE_SECRET: edgeSecret.arn,
        }),
        ...(config.streamConcurrency > 0 && { reservedConcurrency: config.streamConcurrency }),
      });
      grantNeeds(fn, family, resources);
      allowReading(fn, edgeSecret);
      return [family, fn];
    }),
  );
}

/** The platform family handles every request that no route of the gateway matches, and forwards those of other families. */
function createPlatform(
  scope: Construct,
  config: AppConfig,
  values: ServiceValues,
  resources: Grantable,
  others: Omit<HttpFunctions["families"], "platform">,
  authorizer: LambdaFunction,
): LambdaFunction {
  const platform = createServiceFunction(scope, "Platform", config, {
    bundle: "platform",
    description: "Serves the public routes, and whatever no route took",
    timeoutSeconds: API_TIMEOUT_SECONDS,
    memoryMb: API_MEMORY_MB,
    environment: environmentFor(platformEnv, {
      ...values,
      POWERTOOLS_SERVICE_NAME: "platform",
      FAMILY_FUNCTIONS: familyFunctionNames(scope, others),
      AUTHORIZER_FUNCTION: authorizer.functionName,
    }),
  });
  grantNeeds(platform, "platform", resources);
  allowCalls(platform, { ...others, authorizer });
  return platform;
}

function createAuthorizer(
  scope: Construct,
  config: AppConfig,
  values: ServiceValues,
  resources: Grantable,
  edgeSecret: EdgeSecret | undefined,
): LambdaFunction {
  const authorizer = createServiceFunction(scope, "AuthorizerFunction", config, {
    bundle: "authorizer",
    description: "Decides on the credential of every request",
    timeoutSeconds: AUTHORIZER_TIMEOUT_SECONDS,
    memoryMb: AUTHORIZER_MEMORY_MB,
    environment: environmentFor(authorizerEnv, {
      ...values,
      POWERTOOLS_SERVICE_NAME: "authorizer",
      ...(edgeSecret && { EDGE_SECRET: edgeSecret.arn }),
    }),
  });
  grantNeeds(authorizer, "authorizer", resources);
  if (edgeSecret) allowReading(authorizer, edgeSecret);
  return authorizer;
}

const otherFamilies = (): OtherFamily[] => Object.keys(environmentOf) as OtherFamily[]; // keys of a total record

const hasStreams = (routes: RouteTable): boolean => Object.values(routes).some(({ streams }) => streams);

const titleOf = (family: string): string =>
  family.replace(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase());

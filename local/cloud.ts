import { join } from "node:path";
import { type AwsCall, type Backends, type FaultHook, startAwsEndpoint } from "./aws/aws-endpoint.ts";
import { callCounter } from "./aws/call-counter.ts";
import { openSecrets, type Secrets } from "./aws/secrets.ts";
import { compileCache, versionCache } from "./cache-folders.ts";
import { type DynamoEngine, startDynamo } from "./dynamodb/dynamo-engine.ts";
import { dynamoProxy } from "./dynamodb/dynamo-proxy.ts";
import { createTablesOf } from "./dynamodb/new-databases.ts";
import { type EventBuses, openEventBuses } from "./events/event-bus.ts";
import { openTaskTokens, type TaskTokens } from "./events/task-tokens.ts";
import { browserGuard, type KnownAddresses } from "./http/browser-guard.ts";
import { cloudFront } from "./http/cloud-front.ts";
import { functionUrl } from "./http/function-url.ts";
import type { ReceivedRequest } from "./http/gateway-event.ts";
import { httpApi, type RequestHandler } from "./http/http-api.ts";
import { type HttpServer, handlerByPath, startHttpServer } from "./http/http-server.ts";
import { accessKeys } from "./iam/access-keys.ts";
import { openGrantsRecord } from "./iam/grants-record.ts";
import { functionEnvironment } from "./lambda/function-environment.ts";
import { openFunctionLog, type ShownAs } from "./lambda/function-log.ts";
import { openVersions } from "./lambda/function-versions.ts";
import { lambdaConcurrency } from "./lambda/lambda-concurrency.ts";
import type { HostOptions, LambdaHost } from "./lambda/lambda-host.ts";
import type { Spent } from "./lambda/messages.ts";
import { type LimitedHost, limitedHost } from "./lambda/reserved-concurrency.ts";
import { writeSettings } from "./lambda/settings-files.ts";
import { type Strict, strictness } from "./lambda/strict.ts";
import { openLogs } from "./logs/logs.ts";
import { openS3 } from "./s3/s3.ts";
import { openVectors } from "./s3/vectors.ts";
import { deliverToQueue } from "./scheduler/deliver-to-queue.ts";
import { openScheduler, type Scheduler } from "./scheduler/scheduler.ts";
import { type FirstFire, startSchedules } from "./scheduler/schedules.ts";
import { startEventSource } from "./sqs/event-source.ts";
import { openSqs, type Sqs } from "./sqs/sqs.ts";
import type { OutsideKeys } from "./template/app-context.ts";
import { type CloudModel, cloudModel } from "./template/cloud-model.ts";
import type { Behaviour, EdgeModel } from "./template/edge.ts";
import type { FunctionModel } from "./template/functions.ts";
import type { Stack } from "./template/stack.ts";

export type Invoked = (fn: FunctionModel, spent: Spent) => void;

export type CloudOptions = {
  /** The synthesized stacks. Asked for while the engines start. */
  readonly stacks: () => Promise<readonly Stack[]>;
  readonly dataDir: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Threads per function; 64 when absent. */
  readonly concurrency?: number;
  /** Invocations that one thread serves at a time; `LAMBDA_CONCURRENCY` or 16 when absent. */
  readonly perThread?: number;
  /** How strictly Lambda is played; as `LOCAL_AWS` says when absent. */
  readonly strict?: Strict | undefined;
  /** How long functions may take to load outside of an invocation. */
  readonly initMs?: HostOptions["initMs"];
  /** How long idle threads are kept. */
  readonly keptMs?: HostOptions["keptMs"];
  /** Keys of services beyond this machine, each for the functions that need it; none when absent. */
  readonly outsideKeys?: OutsideKeys;
  /** Secrets of tools, for the functions that execute them; asked for when the templates are there. */
  readonly toolSecrets?: () => Readonly<Record<string, string>>;
  /** Makes the credential of requests that bring none. */
  readonly guestToken?: (() => string) | undefined;
  /** Names under which this machine is known, and whose pages may call. */
  readonly addresses?: KnownAddresses;
  /** What this machine answers itself, before anything of the template is asked: by method and path, `POST /x`. */
  readonly ownAnswers?: Readonly<Record<string, RequestHandler>>;
  /** Has the bundles made that are not there yet; all are there when absent. */
  readonly bundled?: HostOptions["bundled"];
  /** When the template's timers first fire; at once when absent. */
  readonly timersFirstFire?: FirstFire;
  /** Called with what takes long at a start. */
  readonly progress?: ((step: string) => void) | undefined;
  /** Takes lines of the functions' output that the user should see. */
  readonly show?: (line: string) => void;
  /**
   * How lines of functions are shown to the author of the code. Then messages of errors that others threw are logged too.
   * When absent, warnings and errors are shown as they are, and such messages stay out of the log.
   */
  readonly shownToAuthor?: ShownAs | undefined;
  /** Called for each invocation that gave a result, and what it took. */
  readonly invoked?: Invoked;
  /** Folder for the record of used permissions; none is kept where it is undefined. */
  readonly grantsRecord?: string | undefined;
};

export type Cloud = {
  /** Address of the distribution, which leads to everything. */
  readonly url: string;
  /** Leads to the HTTP API for every path, as the distribution does for some of them: answers are buffered. */
  readonly apiUrl: string;
  /** The addresses behind the distribution, which AWS lets anybody call: `api`, and each streaming function by its label. */
  readonly origins: Readonly<Record<string, string>>;
  readonly model: CloudModel;
  readonly dynamoEndpoint: string;
  readonly sqs: Sqs;
  readonly lambda: LimitedHost;
  readonly faults: { readonly set: (hook: FaultHook) => void; readonly clear: () => void };
  /** AWS requests let through so far, keyed `<function> <service>:<operation>`. */
  readonly calls: () => Readonly<Record<string, number>>;
  /** The users' schedules, whose clock may be moved; the template's own timers have no clock. */
  readonly scheduler: Pick<Scheduler, "now" | "moveTo">;
  readonly fireSchedules: () => Promise<void>;
  /** Events that buses took, and tasks that were ended. */
  readonly published: Pick<EventBuses, "events"> & { readonly tasks: TaskTokens["ended"] };
  readonly stop: () => Promise<void>;
};

const defaultConcurrency = 64;
/** A function that is called now and then keeps its thread: starting one takes a tenth of a second. */
const defaultKeptMs = { last: 300_000, others: 60_000 };

/**
 * Starts the cloud of a template on this machine:
 *
 *   addresses ─→ engines, templates ─→ model ─→ tables, queues ─→ functions ─→ handlers, event sources, timers
 *
 * @throws StartupError with what to do when something on the machine is in the way
 */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  await using started = new AsyncDisposableStack();
  const {
    dataDir,
    outsideKeys = { models: {}, chats: {}, cards: {}, spans: {} },
    toolSecrets = () => ({}),
    show = () => {},
  } = options;

  const addresses = await openAddresses(options, started);
  const { dynamo, sqs, stacks } = await startEngines(options, started);
  const model = cloudModel(stacks, addresses.aws);
  sqs.createQueues(model.queues);
  const s3 = openS3(join(dataDir, "s3"));
  await s3.createBuckets(model.buckets);
  const vectors = openVectors(join(dataDir, "vectors"));
  vectors.createBuckets(model.vectorBuckets);
  const secrets = openSecrets(join(dataDir, "secrets"));
  await secrets.create(model.secrets);
  await createTablesOf(dynamo.endpoint, model);

  const { groups, roleOf } = model.scheduler;
  const scheduler = openScheduler({
    file: join(dataDir, "scheduler.db"),
    groups,
    deliver: (delivery) => deliverToQueue(sqs, roleOf, delivery),
    roleProblem: (arn) => (roleOf(arn) ? undefined : `The scheduler may not take on the role ${arn}.`),
  });
  started.defer(scheduler.stop);

  const functionLog = join(dataDir, "functions.log");
  const log = openFunctionLog(functionLog, show, options.shownToAuthor);
  started.defer(log.close);
  const eventBuses = openEventBuses(join(dataDir, "events.jsonl"), show);
  const taskTokens = openTaskTokens(show);
  const keys = accessKeys(model.functions);
  const calls = callCounter();
  const faults = faultSwitch();
  const { grantsRecord } = options;
  const codeFolderOf = writeSettings(join(dataDir, "settings"), model.functions);
  const isAuthors = options.shownToAuthor !== undefined;
  const fixed = { ...outsideKeys, isAuthors };
  const given = () => ({ ...fixed, tools: toolSecrets() });
  const lambda = limitedHost(model.functions, {
    environmentOf: (fn, version) =>
      functionEnvironment(fn, version, codeFolderOf(fn.name), keys.keyOf(fn), addresses.aws, given()),
    aws: {
      dynamoEndpoint: dynamo.endpoint,
      awsAddress: addresses.aws,
      watched: faults.watched,
      grantsRecord,
    },
    versions: openVersions(join(dataDir, "versions"), versionCache),
    answerAws: addresses.answerAws,
    compileCache,
    bundled: options.bundled,
    log: (fn, output) => log.take(fn.label, output),
    count: (fn, spent) => {
      calls.countOf(fn, spent.calls);
      options.invoked?.(fn, spent);
    },
    ...sandboxesOf(options),
  });
  started.defer(lambda.end);

  const { functions } = model;
  const proxy = dynamoProxy(dynamo.endpoint);
  started.defer(proxy.close);
  const { count } = calls;
  const { fault } = faults;
  const { handlers, origins } = await handlersOf(model.edge, lambda, secrets);
  addresses.open(
    {
      functions,
      callerOf: keys.ownerOf,
      dynamo: proxy,
      sqs,
      s3,
      bucketCors: model.bucketCors,
      vectors,
      secrets,
      logs: openLogs(functionLog, functions),
      eventBuses,
      taskTokens,
      scheduler,
      lambda,
      fault,
      count,
      use: openGrantsRecord(grantsRecord),
    },
    handlers,
  );
  const originUrls: Record<string, string> = {};
  for (const [name, handler] of Object.entries(origins)) {
    const front: HttpServer = await startHttpServer(0, async () => handler);
    started.defer(front.stop);
    originUrls[name] = front.url;
  }
  for (const source of model.eventSources) started.defer(startEventSource(source, sqs, lambda));
  const schedules = startSchedules(model.schedules, lambda, options.timersFirstFire);
  started.defer(schedules.stop);

  const { url, apiUrl } = addresses;
  const running = started.move();
  return {
    url,
    apiUrl,
    origins: originUrls,
    model,
    dynamoEndpoint: dynamo.endpoint,
    sqs,
    lambda,
    faults,
    calls: calls.read,
    scheduler,
    fireSchedules: schedules.fire,
    published: { events: eventBuses.events, tasks: taskTokens.ended },
    stop: () => running.disposeAsync(),
  };
}

/** How functions are run. Of a run of the whole suite the environment says it where its tests do not. */
function sandboxesOf({ concurrency = defaultConcurrency, keptMs = defaultKeptMs, ...given }: CloudOptions) {
  const strict = given.strict ?? strictness(process.env);
  const perThread = given.perThread ?? (strict ? 1 : lambdaConcurrency(process.env));
  return { mostThreads: concurrency, perThread, keptMs, strict, initMs: given.initMs };
}

type Handlers = { readonly byPath: (path: string) => RequestHandler; readonly api: RequestHandler };

/** Listens first: the templates are resolved with these addresses, and early requests wait instead of failing. */
async function openAddresses(options: CloudOptions, started: AsyncDisposableStack) {
  const { port, guestToken, ownAnswers = {} } = options;
  const access = { judge: browserGuard(options.addresses ?? {}), guestToken };
  const handlers = Promise.withResolvers<Handlers>();
  let backends: Backends | undefined;
  const own = ({ method, rawPath }: ReceivedRequest) => ownAnswers[`${method} ${rawPath}`];
  const front = await startHttpServer(
    port,
    async (request) => own(request) ?? (await handlers.promise).byPath(request.rawPath),
    access,
  );
  started.defer(front.stop);
  const apiFront = await startHttpServer(
    0,
    async (request) => own(request) ?? (await handlers.promise).api,
    access,
  );
  started.defer(apiFront.stop);
  const aws = await startAwsEndpoint(() => {
    if (!backends) throw new Error("the platform is starting");
    return backends;
  });
  started.defer(aws.stop);
  return {
    url: front.url,
    apiUrl: apiFront.url,
    aws: aws.address,
    answerAws: aws.answer,
    open: (ready: Backends, open: Handlers): void => {
      backends = ready;
      handlers.resolve(open);
    },
  };
}

async function startEngines(
  { dataDir, stacks, progress }: CloudOptions,
  started: AsyncDisposableStack,
): Promise<{ dynamo: DynamoEngine; sqs: Sqs; stacks: readonly Stack[] }> {
  const starting = startDynamo({ dbPath: join(dataDir, "dynamo.db"), ...(progress && { progress }) }).then(
    (engine) => {
      started.defer(engine.stop);
      return engine;
    },
  );
  const opening = openSqs(join(dataDir, "sqs")).then((sqs) => {
    started.defer(sqs.stop);
    return sqs;
  });
  const synthesizing = stacks();
  // Waits for all of them, also when one fails, so that whatever did start is stopped.
  await Promise.allSettled([starting, opening, synthesizing]);
  return { dynamo: await starting, sqs: await opening, stacks: await synthesizing };
}

/** The distribution's ways in, and its origins, each as whoever knows its address reaches it. */
async function handlersOf(
  edge: EdgeModel,
  lambda: LambdaHost,
  secrets: Secrets,
): Promise<{ handlers: Handlers; origins: Readonly<Record<string, RequestHandler>> }> {
  const api = httpApi(edge, lambda);
  const streams = new Map<FunctionModel, RequestHandler>();
  for (const { target } of edge.behaviours)
    if (target !== "api" && !streams.has(target)) streams.set(target, functionUrl(target, lambda));
  const values = new Map<string, string>();
  for (const text of edge.behaviours.flatMap(({ headers }) => Object.values(headers)))
    if (!values.has(text)) values.set(text, await secrets.resolve(text));
  const through = (behaviour: Behaviour): RequestHandler => {
    const { target, headers } = behaviour;
    const resolved = Object.entries(headers).map(([name, text]) => [name, values.get(text) ?? text]);
    const origin = target === "api" ? api : (streams.get(target) ?? api);
    // Without a distribution clients call the HTTP API itself, which serves what CloudFront refuses.
    if (behaviour.methods === undefined) return origin;
    return cloudFront(origin, behaviour, Object.fromEntries(resolved));
  };
  const toApi = edge.behaviours.findLast(({ target }) => target === "api");
  const labelled = [...streams].map(([{ label }, handler]) => [label, handler]);
  return {
    handlers: { byPath: handlerByPath(edge.behaviours, through), api: toApi ? through(toApi) : api },
    origins: { api, ...Object.fromEntries(labelled) },
  };
}

/** Lets a test make calls fail. While a hook is set, every call comes by the endpoint; see `lambda/aws-gate.ts`. */
function faultSwitch() {
  let hook: FaultHook = () => undefined;
  const watched = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  return {
    watched,
    fault: (call: AwsCall) => hook(call),
    set: (wanted: FaultHook): void => {
      hook = wanted;
      Atomics.store(watched, 0, 1);
    },
    clear: (): void => {
      hook = () => undefined;
      Atomics.store(watched, 0, 0);
    },
  };
}

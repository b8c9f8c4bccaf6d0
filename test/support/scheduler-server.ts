import { createServer } from "node:http";
import { readBody } from "../../local/aws/read-body.ts";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import { openScheduler, type Scheduler } from "../../local/scheduler/scheduler.ts";
import { schedulerRequestOf } from "../../local/scheduler/scheduler-request.ts";

/** How the next requests end: an error of the service, or `late`, when it has done it and answers nothing. */
export type SchedulerFault = { readonly operation: string; readonly how: "throttled" | "down" | "late" };

export type SchedulerServer = {
  readonly scheduler: Scheduler;
  /** What was delivered so far. */
  readonly delivered: { readonly name: string; readonly input: string }[];
  /** Operations asked for so far. */
  readonly asked: string[];
  /** Names of all entries. */
  readonly names: () => string[];
  /** Undefined makes everything work again. */
  readonly failWith: (fault: SchedulerFault | undefined) => void;
  readonly stop: () => Promise<void>;
};

export const schedulerEnv = {
  SCHEDULE_GROUP: "users",
  SCHEDULE_QUEUE_ARN: "arn:aws:sqs:us-east-1:000000000000:slots",
  SCHEDULE_DEAD_LETTERS_ARN: "arn:aws:sqs:us-east-1:000000000000:dead",
  SCHEDULE_ROLE_ARN: "arn:aws:iam::000000000000:role/fires",
};

/** The local scheduler behind an address, to which every scheduler client of this process goes from now on. */
export async function startSchedulerServer(file?: string): Promise<SchedulerServer> {
  const delivered: { name: string; input: string }[] = [];
  const asked: string[] = [];
  let fault: SchedulerFault | undefined;
  const scheduler = openScheduler({
    ...(file !== undefined && { file }),
    groups: [schedulerEnv.SCHEDULE_GROUP],
    deliver: async ({ entry, input }) => void delivered.push({ name: entry.Name, input }),
    roleProblem: (arn) => (arn === schedulerEnv.SCHEDULE_ROLE_ARN ? undefined : `no role ${arn}`),
  });
  const server = createServer(async (incoming, response) => {
    const call = schedulerRequestOf(incoming.method ?? "", incoming.url ?? "", await readBody(incoming));
    asked.push(call.operation);
    const how = fault?.operation === call.operation ? fault.how : undefined;
    if (how === "throttled" || how === "down") {
      const [status, type] =
        how === "throttled" ? [429, "ThrottlingException"] : [500, "InternalServerException"];
      return void response.writeHead(status, { "x-amzn-errortype": type }).end('{"Message":"not now"}');
    }
    const { status, type, body } = scheduler.answer(call);
    if (how === "late") return void incoming.socket.destroy();
    response.writeHead(status, {
      "content-type": "application/json",
      ...(type && { "x-amzn-errortype": type }),
    });
    response.end(JSON.stringify(body));
  });
  const { address, stop } = await serveOnLoopback(server);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SCHEDULER: address,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "LOCAL",
    AWS_SECRET_ACCESS_KEY: "local",
  });
  return {
    scheduler,
    delivered,
    asked,
    names: () => namesIn(scheduler),
    failWith: (next) => {
      fault = next;
    },
    stop: async () => {
      await scheduler.stop();
      await stop();
    },
  };
}

function namesIn(scheduler: Scheduler): string[] {
  const names: string[] = [];
  for (let NextToken: unknown; ; ) {
    const { body } = scheduler.answer({
      service: "scheduler",
      operation: "ListSchedules",
      body: { NextToken },
    });
    const page = body as { Schedules: { Name: string }[]; NextToken?: string }; // as ListSchedules answers
    names.push(...page.Schedules.map(({ Name }) => Name));
    if (page.NextToken === undefined) return names;
    NextToken = page.NextToken;
  }
}

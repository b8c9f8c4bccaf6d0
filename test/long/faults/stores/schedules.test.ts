import { expect } from "vitest";
import type { AcceptedRun } from "../../../../shared/schemas/runs/run.ts";
import { taken } from "../../../support/fault-lab.ts";
import { asAdmin, type Exception, get, type Scenario, walkStoreFaults } from "../../../support/fault-walk.ts";
import type { FaultWorld } from "../../../support/fault-world.ts";

let schedules = 0;
const aSchedule = () => {
  schedules += 1;
  return { name: `schedule ${schedules}`, cron_expr: "0 9 * * *", endpoint: "/agents/assistant/runs" };
};
/** A schedule, whose id stands where a run's would. */
const schedule = async ({ admin, past }: FaultWorld): Promise<AcceptedRun> => ({
  ...past,
  run_id: (await admin.post("/schedules", { json: aSchedule() })).json.id,
});
const stoppedSchedule = async (world: FaultWorld): Promise<AcceptedRun> => {
  const prepared = await schedule(world);
  await world.admin.post(`/schedules/${prepared.run_id}/disable`);
  return prepared;
};
/** One of a call that reaches no store. */
const readingSchedule = async ({ admin, past }: FaultWorld): Promise<AcceptedRun> => {
  const json = { ...aSchedule(), method: "GET", endpoint: "/agents" };
  return { ...past, run_id: (await admin.post("/schedules", { json })).json.id };
};
/** It was triggered: the id of its attempt stands where a session's would. */
const triggered = async (world: FaultWorld): Promise<AcceptedRun> => {
  const prepared = await readingSchedule(world);
  const { json } = await world.admin.post(`/schedules/${prepared.run_id}/trigger`);
  return { ...prepared, session_id: json.id };
};
const toSchedule = (method: string, json?: object, below = ""): Scenario["send"] => {
  const sent = json && { json };
  return ({ admin }, { run_id }) => taken(admin.send(method, `/schedules/${run_id}${below}`, sent));
};
/** What the scheduler has too much is taken away later, and so are the runs of what was removed. */
const surplusLeft = (status: number): Exception => ({
  kind: /^(scheduler DeleteSchedule|Query schedule|BatchWriteItem)/,
  check: (answer) => expect(answer.status).toBe(status),
});
/** The message may have arrived although its answer was lost; then the schedule is run, and that is what is answered. */
const sentAfterAll: Exception = {
  kind: /^sqs SendMessage/,
  check: (answer) => expect([200, 503]).toContain(answer.status),
};

walkStoreFaults("schedules", {
  listSchedules: [
    { what: "the newest", prepare: schedule, send: get(asAdmin, () => "/schedules"), status: 200 },
  ],
  createSchedule: [
    {
      what: "a new one",
      send: ({ admin }) => taken(admin.send("POST", "/schedules", { json: aSchedule() })),
      status: 201,
    },
  ],
  updateSchedule: [
    {
      what: "its times and its name",
      prepare: schedule,
      send: (world, prepared) =>
        toSchedule("PATCH", { name: `renamed ${prepared.run_id}`, cron_expr: "5 5 * * *" })(world, prepared),
      status: 200,
      except: [surplusLeft(200)],
    },
  ],
  removeSchedule: [
    { what: "one", prepare: schedule, send: toSchedule("DELETE"), status: 204, except: [surplusLeft(204)] },
  ],
  enableSchedule: [
    {
      what: "a stopped one",
      prepare: stoppedSchedule,
      send: toSchedule("POST", undefined, "/enable"),
      status: 200,
    },
  ],
  disableSchedule: [
    {
      what: "one",
      prepare: schedule,
      send: toSchedule("POST", undefined, "/disable"),
      status: 200,
      except: [surplusLeft(200)],
    },
  ],
  triggerSchedule: [
    {
      what: "a call that is no run",
      prepare: readingSchedule,
      send: ({ admin }, { run_id }) => taken(admin.send("POST", `/schedules/${run_id}/trigger`)),
      status: 200,
      except: [sentAfterAll],
    },
  ],
  listScheduleRuns: [
    {
      what: "one schedule's",
      prepare: triggered,
      send: get(asAdmin, ({ run_id }) => `/schedules/${run_id}/runs`),
      status: 200,
    },
  ],
});

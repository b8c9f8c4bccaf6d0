import type { AcceptedRun } from "../../../../shared/schemas/runs/run.ts";
import { taken } from "../../../support/fault-lab.ts";
import { accepted, asAdmin, get, type Scenario, walkStoreFaults } from "../../../support/fault-walk.ts";
import type { FaultWorld } from "../../../support/fault-world.ts";

/** No host has this name. */
const url = "https://receiver.invalid/hooks";

/** An endpoint, in place of a run. */
const endpoint = async ({ admin, past }: FaultWorld): Promise<AcceptedRun> => {
  const { id } = (await admin.post("/webhook-endpoints", { json: { url } })).json;
  return { ...past, run_id: id };
};
const ping = async (world: FaultWorld): Promise<AcceptedRun> => {
  const { run_id } = await endpoint(world);
  const { id } = (await world.admin.post(`/webhook-endpoints/${run_id}/test`)).json;
  return { ...world.past, run_id: id };
};
const to =
  (family: string, method: string, below = "", json?: object): Scenario["send"] =>
  ({ admin }, { run_id }) =>
    taken(admin.send(method, `/${family}/${run_id}${below}`, json && { json }));
const toEndpoint = (method: string, below?: string, json?: object) =>
  to("webhook-endpoints", method, below, json);
const toDelivery = (method: string, below?: string) => to("webhook-deliveries", method, below);

// In a world of its own: where there are endpoints, the ends of runs are published.
walkStoreFaults(
  "deliveries",
  {
    createWebhookEndpoint: [
      {
        what: "one",
        send: ({ admin }) => taken(admin.send("POST", "/webhook-endpoints", { json: { url } })),
        status: 201,
      },
    ],
    listWebhookEndpoints: [
      { what: "all", prepare: endpoint, send: get(asAdmin, () => "/webhook-endpoints"), status: 200 },
    ],
    getWebhookEndpoint: [{ what: "one", prepare: endpoint, send: toEndpoint("GET"), status: 200 }],
    updateWebhookEndpoint: [
      {
        what: "one",
        prepare: endpoint,
        send: toEndpoint("PATCH", "", { description: "x" }),
        status: 200,
      },
    ],
    removeWebhookEndpoint: [{ what: "one", prepare: endpoint, send: toEndpoint("DELETE"), status: 204 }],
    rotateWebhookSecret: [
      { what: "one", prepare: endpoint, send: toEndpoint("POST", "/rotate-secret", {}), status: 200 },
    ],
    testWebhookEndpoint: [
      {
        what: "one",
        prepare: endpoint,
        send: toEndpoint("POST", "/test"),
        status: 202,
        except: [accepted(202)],
      },
    ],
    listWebhookDeliveries: [
      { what: "all", prepare: ping, send: get(asAdmin, () => "/webhook-deliveries"), status: 200 },
    ],
    getWebhookDelivery: [{ what: "one", prepare: ping, send: toDelivery("GET"), status: 200 }],
    redeliverWebhook: [
      {
        what: "one",
        prepare: ping,
        send: toDelivery("POST", "/redeliver"),
        status: 202,
        except: [accepted(202)],
      },
    ],
    getCallbackSecret: [{ what: "one", send: get(asAdmin, () => "/webhook-callback-secret"), status: 200 }],
    rotateCallbackSecret: [
      {
        what: "one",
        send: ({ admin }) => taken(admin.send("POST", "/webhook-callback-secret/rotate", { json: {} })),
        status: 200,
      },
    ],
  },
  "own world",
);

import { expect, test } from "vitest";
import { readConfig } from "../../lib/config/config.ts";
import { bundleOf, type Synthesized, synthesized } from "./synthesized.ts";

const listed = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String);

/** Who may do something, and on what. */
const allowed = (app: Synthesized, service: string) =>
  app.ofType("AWS::Lambda::Function").flatMap((fn) =>
    app
      .ofType("AWS::IAM::Policy")
      .filter(({ properties }) =>
        properties.Roles.some((role: string) => fn.properties.Role === `${role}.Arn`),
      )
      .flatMap(({ properties }) => properties.PolicyDocument.Statement)
      .filter(({ Action }) => listed(Action).some((action) => action.startsWith(`${service}:`)))
      .map(({ Action, Resource }) => ({
        bundle: bundleOf(fn),
        actions: listed(Action).toSorted(),
        on: listed(Resource).map((arn) =>
          arn.replaceAll(/^arn:[^:]*:|[^:]*::?(?=event-bus|stateMachine)/g, ""),
        ),
      })),
  );
const polled = (app: Synthesized) =>
  app
    .ofType("AWS::Lambda::EventSourceMapping")
    .filter(({ properties }) => String(properties.EventSourceArn).includes("DeliveryQueue"))
    .map(({ properties }) => properties.Enabled ?? true);

test("only the worker of deliveries may put events on the bus, and end tasks of the machines that are named", async () => {
  const app = await synthesized({ stage: "prod", eventBus: "orders", taskTokens: "orders, refunds" });
  expect(allowed(app, "events")).toEqual([
    {
      bundle: "delivery-worker",
      actions: ["events:PutEvents"],
      on: [expect.stringMatching(/event-bus\/orders$/)],
    },
  ]);
  expect(allowed(app, "states")).toEqual([
    {
      bundle: "delivery-worker",
      actions: ["states:SendTaskFailure", "states:SendTaskSuccess"],
      on: [expect.stringMatching(/stateMachine:orders$/), expect.stringMatching(/stateMachine:refunds$/)],
    },
  ]);
  expect(polled(app)).toEqual([true]);
  // Webhooks are off: no secret is paid for.
  expect(app.ofType("AWS::SecretsManager::Secret").filter(({ id }) => id.includes("Webhook"))).toEqual([]);
});

test("without them no role has such a right, and the queue is not polled", async () => {
  const app = await synthesized({ stage: "prod" });
  expect([...allowed(app, "events"), ...allowed(app, "states")]).toEqual([]);
  expect(polled(app)).toEqual([false]);
});

test("names that no bus and no state machine has are refused", () => {
  const read = (context: Readonly<Record<string, unknown>>) => readConfig((name) => context[name]);
  expect(() => read({ eventBus: "arn:aws:events:eu-west-1:1:event-bus/a" })).toThrow("eventBus");
  expect(() => read({ eventBus: "aws.partner/a" })).toThrow("eventBus");
  expect(() => read({ taskTokens: "a b" })).toThrow("taskTokens");
  expect(() => read({ eventBusContents: "true" })).toThrow("eventBusContents: it needs eventBus");
  expect(read({ taskTokens: true }).taskTokens).toEqual(["*"]);
});

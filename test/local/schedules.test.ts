import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCompleteLines } from "../support/complete-lines.ts";
import { fixtureCloud, temporaryFolder, until } from "./fixture-cloud.ts";

const code = `import { appendFileSync } from "node:fs";
export const handler = async (event) => appendFileSync(process.env.NOTES, JSON.stringify(event) + "\\n");`;

const schedule = (allowed: boolean) => ({
  TimerRole: {
    Type: "AWS::IAM::Role",
    Properties: {
      Policies: [
        {
          PolicyDocument: {
            Statement: [
              {
                Effect: "Allow",
                Action: allowed ? "lambda:InvokeFunction" : "lambda:GetFunction",
                Resource: "*",
              },
            ],
          },
        },
      ],
    },
  },
  Timer: {
    Type: "AWS::Scheduler::Schedule",
    Properties: {
      ScheduleExpression: "rate(1 minute)",
      Target: {
        Arn: { "Fn::GetAtt": ["ticking", "Arn"] },
        RoleArn: { "Fn::GetAtt": ["TimerRole", "Arn"] },
        Input: '{"tick":true}',
      },
    },
  },
});

test("a timer fires when the platform starts, and whenever a test asks", async () => {
  const folder = temporaryFolder();
  const notes = join(folder, "notes");
  const ticks = (): string[] => readCompleteLines(notes);
  const cloud = await fixtureCloud({
    functions: { ticking: { code, environment: { NOTES: notes } } },
    resources: schedule(true),
  });
  await until(() => ticks().length === 1);
  await cloud.fireSchedules();
  expect(ticks()).toEqual(['{"tick":true}', '{"tick":true}']);
  await cloud.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("a timer may wait for its rate", async () => {
  const folder = temporaryFolder();
  const notes = join(folder, "notes");
  const cloud = await fixtureCloud({
    functions: { ticking: { code, environment: { NOTES: notes } } },
    resources: schedule(true),
    timersFirstFire: "at the rate",
  });
  const [ticking] = cloud.model.functions;
  expect(ticking && cloud.lambda.usedAt(ticking.name)).toBe(0);
  await cloud.fireSchedules();
  expect(readCompleteLines(notes)).toEqual(['{"tick":true}']);
  await cloud.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("a timer whose role may not invoke its function keeps the platform from starting", async () => {
  const starting = fixtureCloud({ functions: { ticking: { code } }, resources: schedule(false) });
  await expect(starting).rejects.toThrow(/its role may not invoke/);
});

import { expect, test } from "vitest";
import { synthesized } from "../../infra/synthesized.ts";

const domain = { domainName: "agents.example.com", certificateArn: "arn:aws:acm:us-east-1:1:certificate/x" };

/** Origins whose pages may send files to the bucket, and the methods and headers that they may use. */
const rulesOf = async (context: Record<string, unknown>) => {
  const { ofType } = await synthesized(context);
  const [bucket] = ofType("AWS::S3::Bucket").filter(({ id }) => id.startsWith("Objects"));
  return bucket?.properties.CorsConfiguration?.CorsRules;
};
const put = (AllowedOrigins: readonly string[]) => [
  { AllowedHeaders: ["content-type"], AllowedMethods: ["PUT"], AllowedOrigins },
];

test("pages may send large files to the bucket: the console's own origin where it is known, else any", async () => {
  expect(await rulesOf({})).toEqual(put(["*"]));
  expect(await rulesOf({ ...domain, corsAllowedOrigins: ["https://ui.example"] })).toEqual(
    put(["https://agents.example.com", "https://ui.example"]),
  );
  expect(await rulesOf({ console: "off", corsAllowedOrigins: ["https://ui.example"] })).toEqual(
    put(["https://ui.example"]),
  );
  expect(await rulesOf({ console: "off" })).toBeUndefined();
});

test("the console's policy allows the origin that uploads are signed for", async () => {
  const { ofType } = await synthesized();
  const [fn] = ofType("AWS::Lambda::Function").filter(({ id }) => id.startsWith("Console"));
  expect(JSON.stringify(fn?.variables.UPLOAD_ORIGIN)).toMatch(/^"https:\/\/<.*Objects.*>\.s3\..+\..+"$/);
});

import { join, relative } from "node:path";
import { projectOf, readManifest } from "../../../build/index.ts";
import manifest from "../../../package.json" with { type: "json" };
import { readProject, settingsOf, type UserProject } from "../../config/read-project.ts";
import { areRequiredMet, examineAll, type Outcome, reportLines } from "../../doctor/check.ts";
import { platformChecks, SAMPLE_RUN } from "../../doctor/platform-checks.ts";
import { isTaken, projectChecks, sourcesOf } from "../../doctor/project-checks.ts";
import { stageChecks } from "../../doctor/stage-checks.ts";
import { deployed, stagePlace } from "../../doctor/stage-place.ts";
import { localAddress, localToken, tokenOfDeployment } from "../connect.ts";
import { UsageError } from "../usage-error.ts";

type Asked = {
  /** A stage in the caller's AWS account. */
  readonly stage?: string;
  /** Address of a deployment. */
  readonly url?: string;
  readonly json?: true;
  /** Whether a sample run is started. */
  readonly run: boolean;
};

/** Says what is in the way. Ends with 1 when a required check does not hold. */
export async function examine(asked: Asked): Promise<void> {
  if (asked.stage !== undefined && asked.url !== undefined)
    throw new UsageError("Give --stage or --url, not both: the stage's stack names its address.");
  const project = await readProject();
  const ofProject = await examineAll(projectChecks, project);
  const outcomes = [...ofProject, ...(await examinePlatform(project, asked))];
  const isRight = areRequiredMet(outcomes);
  const sources = sourcesOf(project, asked.stage);
  if (asked.json) console.log(JSON.stringify({ ok: isRight, checks: outcomes, sources }, null, 2));
  else console.log([...reportLines(outcomes), ...whereDocsAre(outcomes)].join("\n"));
  process.exitCode = isRight ? 0 : 1;
}

/** A project has the pages that remedies name with the package. */
function whereDocsAre(outcomes: readonly Outcome[]): readonly string[] {
  const folder = relative(process.cwd(), join(import.meta.dirname, "../../../docs"));
  const isNamed = outcomes.some(({ remedy }) => remedy?.includes("docs/"));
  return isNamed && folder !== "docs" ? [`docs/ is ${folder}.`] : [];
}

async function examinePlatform(
  project: UserProject,
  { stage, url, run }: Asked,
): Promise<readonly Outcome[]> {
  const { version } = manifest;
  const checks = platformChecks.filter(({ name }) => run || name !== SAMPLE_RUN);
  if (stage !== undefined) {
    const { needs = [] } = readManifest(projectOf({ registry: project.registry }).dist) ?? {};
    const place = stagePlace(stage, settingsOf(project, stage), needs);
    const address = async () => (await deployed(place)).outputs.get("BaseUrl") ?? "";
    const token = process.env.AGENT_PLATFORM_TOKEN;
    const [ofStage, ofPlatform] = await Promise.all([
      examineAll(stageChecks, place),
      examineAll(checks, { version, address, token }),
    ]);
    return [...ofStage, ...ofPlatform];
  }
  if (url !== undefined) {
    const address = () => url.replace(/\/+$/, "");
    return examineAll(checks, { version, address, token: tokenOfDeployment() });
  }
  const address = localAddress();
  if (await isTaken(Number(new URL(address).port)))
    return examineAll(checks, { version, address: () => address, token: localToken() });
  const found = `nothing runs at ${address}; npx agent-platform dev starts it`;
  return [{ name: "platform here", verdict: "not examined", isRequired: false, found }];
}

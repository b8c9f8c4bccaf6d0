import { CfnRegistryRecord } from "aws-cdk-lib/aws-agentregistry";
import type { Construct } from "constructs";
import { agentCard } from "../../shared/a2a/agent-card.ts";
import { MCP_PATH } from "../../shared/routes/protocols/mcp-path.ts";
import type { RegistryManifest } from "../../shared/runtime/registry-manifest.ts";
import type { AppConfig } from "../config/config.ts";

/** What a registry declares, by kind: the ids of its components. */
export type DeclaredIds = Pick<RegistryManifest, "agents" | "teams" | "workflows">;

const kinds = { agents: "agent", teams: "team", workflows: "workflow" } as const;
const TEXT = "text/plain";

/**
 * Lists the deployment in a registry of AWS, so that others in the account or organisation find it: a record for the MCP server, where
 * it is served, and one for each component of the code, where A2A is. A record says where something is and nothing of its tools: which
 * those are depends on the credential.
 *
 * @param url  address at which clients reach the service
 * @source AWS::AgentRegistry::RegistryRecord; whether it takes cards of both versions is not known
 */
export function createRegistryRecords(
  scope: Construct,
  { agentRegistry, mcp, a2a, a2aPrefix, osId, stage }: AppConfig,
  url: string,
  declared: DeclaredIds,
): void {
  if (agentRegistry === undefined) return;
  const record = (id: string, name: string, recordType: string, descriptors: object) =>
    new CfnRegistryRecord(scope, id, {
      registryId: agentRegistry,
      name: `${osId}/${stage}/${name}`,
      displayName: name,
      description: `Of the deployment ${osId}, stage ${stage}`,
      recordType,
      descriptors,
    });
  if (mcp === "true") {
    const data = JSON.stringify({
      name: `${osId}/${stage}`,
      description: "Runs the agents, teams and workflows that the credential may run.",
      version: "1.0.0",
      remotes: [{ type: "streamable-http", url: `${url}${MCP_PATH}` }],
    });
    record("McpRecord", "mcp", "MCP", { mcpServer: { data } });
  }
  if (a2a === "false") return;
  for (const kind of ["agents", "teams", "workflows"] as const)
    for (const id of declared[kind]) {
      const description = `Runs the ${kinds[kind]} ${id}.`;
      const skills = [{ id, name: id, description, tags: [kinds[kind]] }];
      const root = `${url}${a2aPrefix}/${kind}/${encodeURIComponent(id)}`;
      const subject = { name: id, description, version: undefined, outputModes: [TEXT], skills };
      const data = JSON.stringify(agentCard(subject, { root, discovery: [], pushes: false }));
      record(`Record-${kind}-${id}`, `${kind}/${id}`, "AGENT", { a2AAgentCard: { data } });
    }
}

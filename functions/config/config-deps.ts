import type { Registry } from "../../shared/engine/define/registry.ts";
import type { Models } from "../../shared/engine/model/models.ts";
import type { KnowledgeBase } from "../../shared/knowledge/configured.ts";
import type { VectorStoreName } from "../../shared/settings/values/knowledge-bases.ts";

export type ConfigDeps = {
  readonly osId: string;
  /** The configured admin scope, or several separated by commas. */
  readonly adminScope: string;
  readonly registry: Registry;
  readonly bases: readonly KnowledgeBase[];
  /** Those that are on beside the API itself. */
  readonly interfaces: readonly { readonly type: string; readonly version: string; readonly route: string }[];
  readonly vectorStore: VectorStoreName;
  /** Whether background runs are accepted. */
  readonly queueEnabled: boolean;
  /** Whether those of one session are executed in order where the request does not say. */
  readonly queuePerSession: boolean;
  readonly models: Pick<Models, "describe">;
};
